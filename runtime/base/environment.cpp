// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/environment.h"

#include "runtime/base/file.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

namespace halyard::base {
namespace {

constexpr std::size_t kMaximumFileBytes = std::size_t{1} << 20;
constexpr std::uint32_t kMaximumThreads = 4096;
constexpr std::uint64_t kMaximumNumber = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kNone = "(none)";

using BackendNames = std::span<const std::string_view>;
// Sets one value from its text; the error is the end of a sentence that starts with its place.
using SetValue = std::optional<std::string> (*)(Configuration&, const std::string& text,
                                                SettingOrigin origin, BackendNames backend_names);
using GetValue = std::pair<std::string, SettingOrigin> (*)(const Configuration&);

struct SettingRule {
  EnvironmentVariable variable;
  SetValue set;
  GetValue get;
};

template <Setting<std::optional<std::string>> Configuration::*member>
std::optional<std::string> set_text(Configuration& configuration, const std::string& text,
                                    SettingOrigin origin, BackendNames) {
  configuration.*member = {text, origin};
  return std::nullopt;
}

template <Setting<std::optional<std::string>> Configuration::*member>
std::pair<std::string, SettingOrigin> get_text(const Configuration& configuration) {
  const auto& setting = configuration.*member;
  return {setting.value.value_or(std::string(kNone)), setting.origin};
}

std::optional<std::string> set_log_level(Configuration& configuration, const std::string& text,
                                         SettingOrigin origin, BackendNames) {
  const std::optional<LogLevel> level = log_level_from_name(text);
  if (!level) return "not one of off, error, warning, info, debug";
  configuration.log_level = {*level, origin};
  return std::nullopt;
}

std::pair<std::string, SettingOrigin> get_log_level(const Configuration& configuration) {
  return {std::string(log_level_name(configuration.log_level.value)),
          configuration.log_level.origin};
}

std::optional<std::string> set_backends(Configuration& configuration, const std::string& text,
                                        SettingOrigin origin, BackendNames backend_names) {
  std::vector<std::string> backends;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string name = text.substr(start, end - start);
    const bool known =
        std::find(backend_names.begin(), backend_names.end(), name) != backend_names.end();
    if (!known && !backend_names.empty()) {
      return concat("not a list of ", join(backend_names), " with commas between");
    }
    backends.push_back(name);
    start = end + 1;
  }
  configuration.backends = {std::move(backends), origin};
  return std::nullopt;
}

std::pair<std::string, SettingOrigin> get_backends(const Configuration& configuration) {
  const auto& setting = configuration.backends;
  return {setting.value ? join(*setting.value, ",") : "(all)", setting.origin};
}

// A whole number from 0 to `maximum`.
template <typename T>
std::optional<T> read_number(const std::string& text, T maximum) {
  T number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number > maximum) return std::nullopt;
  return number;
}

template <Setting<std::uint32_t> Configuration::*member>
std::optional<std::string> set_threads(Configuration& configuration, const std::string& text,
                                       SettingOrigin origin, BackendNames) {
  const auto count = read_number(text, kMaximumThreads);
  if (!count) return concat("not a whole number from 0 to ", kMaximumThreads);
  configuration.*member = {*count, origin};
  return std::nullopt;
}

template <Setting<std::uint32_t> Configuration::*member>
std::pair<std::string, SettingOrigin> get_threads(const Configuration& configuration) {
  const auto& [count, origin] = configuration.*member;
  return {count == 0 ? "(one for each processor)" : concat(count), origin};
}

std::optional<std::string> set_emulator_mode(Configuration& configuration, const std::string& text,
                                             SettingOrigin origin, BackendNames) {
  for (const EmulatorMode mode : {EmulatorMode::kBounds, EmulatorMode::kFull}) {
    if (text != emulator_mode_name(mode)) continue;
    configuration.emulator_mode = {mode, origin};
    return std::nullopt;
  }
  return "not one of bounds, full";
}

std::pair<std::string, SettingOrigin> get_emulator_mode(const Configuration& configuration) {
  const auto& [mode, origin] = configuration.emulator_mode;
  return {std::string(emulator_mode_name(mode)), origin};
}

std::optional<std::string> set_emulator_budget(Configuration& configuration,
                                               const std::string& text, SettingOrigin origin,
                                               BackendNames) {
  const auto budget = read_number(text, kMaximumNumber);
  if (!budget) return concat("not a whole number from 0 to ", kMaximumNumber);
  configuration.emulator_budget = {*budget, origin};
  return std::nullopt;
}

std::pair<std::string, SettingOrigin> get_emulator_budget(const Configuration& configuration) {
  const auto& [budget, origin] = configuration.emulator_budget;
  return {budget == 0 ? std::string(kNone) : concat(budget), origin};
}

std::optional<std::string> set_emulator_schedule(Configuration& configuration,
                                                 const std::string& text, SettingOrigin origin,
                                                 BackendNames) {
  const auto seed = read_number(text, kMaximumNumber);
  if (!seed) return concat("not a whole number from 0 to ", kMaximumNumber);
  configuration.emulator_schedule = {*seed, origin};
  return std::nullopt;
}

std::pair<std::string, SettingOrigin> get_emulator_schedule(const Configuration& configuration) {
  const auto& [seed, origin] = configuration.emulator_schedule;
  return {seed ? concat(*seed) : "(in order)", origin};
}

constexpr std::array<SettingRule, 17> kRules = {{
    {{"HALYARD_CONFIG", "", "the configuration file"},
     set_text<&Configuration::config_file>,
     get_text<&Configuration::config_file>},
    {{"HALYARD_STORE", "store", "path or URL of the kernel store"},
     set_text<&Configuration::store_url>,
     get_text<&Configuration::store_url>},
    {{"HALYARD_TRUST", "trust", "file of the keys whose approvals count"},
     set_text<&Configuration::trust_file>,
     get_text<&Configuration::trust_file>},
    {{"HALYARD_POLICY", "policy", "file that says what may run"},
     set_text<&Configuration::policy_file>,
     get_text<&Configuration::policy_file>},
    {{"HALYARD_LOCK", "lock", "file that pins kernels"},
     set_text<&Configuration::lock_file>,
     get_text<&Configuration::lock_file>},
    {{"HALYARD_DATA_DIR", "data_dir", "folder of the bundled contracts, kernels and descriptors"},
     set_text<&Configuration::data_directory>,
     get_text<&Configuration::data_directory>},
    {{"HALYARD_CACHE_DIR", "cache_dir", "folder of what can be made again"},
     set_text<&Configuration::cache_directory>,
     get_text<&Configuration::cache_directory>},
    {{"HALYARD_LOG", "log", "what is logged: off, error, warning, info or debug"},
     set_log_level,
     get_log_level},
    {{"HALYARD_BACKENDS", "backends", "the backends that may be used, with commas between"},
     set_backends,
     get_backends},
    {{"HALYARD_CPU_THREADS", "cpu_threads", "threads of the CPU backend; 0 is one a processor"},
     set_threads<&Configuration::cpu_threads>,
     get_threads<&Configuration::cpu_threads>},
    {{"HALYARD_EMULATOR_MODE", "emulator_mode", "what the emulator looks for: bounds or full"},
     set_emulator_mode,
     get_emulator_mode},
    {{"HALYARD_EMULATOR_THREADS", "emulator_threads",
      "threads of the emulator; 0 is one a processor"},
     set_threads<&Configuration::emulator_threads>,
     get_threads<&Configuration::emulator_threads>},
    {{"HALYARD_EMULATOR_BUDGET", "emulator_budget",
      "instructions after which the emulator ends a launch; 0 is never"},
     set_emulator_budget,
     get_emulator_budget},
    {{"HALYARD_EMULATOR_SCHEDULE", "emulator_schedule",
      "seed of another order of the emulator's waves in each launch"},
     set_emulator_schedule,
     get_emulator_schedule},
    {{"HALYARD_CLANG", "clang", "the compiler of kernels in c++, hip and amdgcn-asm"},
     set_text<&Configuration::clang>,
     get_text<&Configuration::clang>},
    {{"HALYARD_GLSLC", "glslc", "the compiler of kernels in glsl"},
     set_text<&Configuration::glslc>,
     get_text<&Configuration::glslc>},
    {{"HALYARD_SPIRV_AS", "spirv_as", "the assembler of kernels in spirv-asm"},
     set_text<&Configuration::spirv_as>,
     get_text<&Configuration::spirv_as>},
}};

constexpr const char* kConfigVariable = "HALYARD_CONFIG";

std::optional<std::string> non_empty(const EnvironmentLookup& lookup, const char* name) {
  std::optional<std::string> text = lookup(name);
  if (text && text->empty()) return std::nullopt;
  return text;
}

// `below` in the XDG directory, or in its stand-in below the home directory. The XDG specification
// has relative paths ignored.
std::optional<std::string> user_path(const EnvironmentLookup& lookup, const char* xdg_variable,
                                     std::string_view in_home, std::string_view below) {
  const std::optional<std::string> xdg = non_empty(lookup, xdg_variable);
  if (xdg && xdg->front() == '/') return concat(*xdg, '/', below);
  const std::optional<std::string> home = non_empty(lookup, "HOME");
  if (home && home->front() == '/') return concat(*home, '/', in_home, '/', below);
  return std::nullopt;
}

Result<std::string> text_of(const JsonObject& file, std::string_view key) {
  const boost::json::value& value = *file.find(key);
  if (value.is_number()) {
    HALYARD_TRY_ASSIGN(const std::int64_t number, file.required_integer(key));
    return concat(number);
  }
  if (value.is_array()) {
    HALYARD_TRY_ASSIGN(const std::vector<std::string> names, file.required_strings(key));
    return join(names, ",");
  }
  return file.required_string(key);
}

Status apply_file(Configuration& configuration, const std::string& path,
                  BackendNames backend_names) {
  HALYARD_TRY_ASSIGN(const std::string text, read_text_file(path, kMaximumFileBytes));
  HALYARD_TRY_ASSIGN(const boost::json::value document, parse_json(text, path));
  HALYARD_TRY_ASSIGN(const JsonObject file, JsonObject::from(document, path));
  std::vector<std::string_view> keys;
  for (const SettingRule& rule : kRules) {
    if (!rule.variable.key.empty()) keys.push_back(rule.variable.key);
  }
  HALYARD_TRY(file.refuse_unknown_keys(keys));
  for (const SettingRule& rule : kRules) {
    const std::string_view key = rule.variable.key;
    if (key.empty() || !file.has(key)) continue;
    HALYARD_TRY_ASSIGN(const std::string value, text_of(file, key));
    if (const auto wrong = rule.set(configuration, value, SettingOrigin::kFile, backend_names)) {
      return Error(ErrorCode::kInvalidArgument,
                   concat(path, ": ", file.path_of(key), " is \"", value, "\", ", *wrong, "."));
    }
  }
  return ok();
}

}  // namespace

std::string_view setting_origin_name(SettingOrigin origin) {
  switch (origin) {
    case SettingOrigin::kDefault:
      return "default";
    case SettingOrigin::kFile:
      return "file";
    case SettingOrigin::kEnvironment:
      return "environment";
    case SettingOrigin::kApplication:
      return "application";
  }
  return "unknown";
}

std::string_view emulator_mode_name(EmulatorMode mode) {
  return mode == EmulatorMode::kFull ? "full" : "bounds";
}

bool Configuration::allows_backend(std::string_view name) const {
  if (!backends.value) return true;
  return std::find(backends.value->begin(), backends.value->end(), name) != backends.value->end();
}

std::optional<std::string> process_environment(const char* name) {
  const char* const text = ::secure_getenv(name);
  if (text == nullptr) return std::nullopt;
  return text;
}

Result<Configuration> read_configuration(std::span<const std::string_view> backend_names,
                                         const EnvironmentLookup& lookup) {
  Configuration configuration;
  configuration.config_file.value =
      user_path(lookup, "XDG_CONFIG_HOME", ".config", "halyard/config.json");
  configuration.trust_file.value =
      user_path(lookup, "XDG_CONFIG_HOME", ".config", "halyard/trust.json");
  configuration.policy_file.value =
      user_path(lookup, "XDG_CONFIG_HOME", ".config", "halyard/policy.json");
  configuration.store_url.value =
      user_path(lookup, "XDG_DATA_HOME", ".local/share", "halyard/store.sqlite");
  configuration.cache_directory.value = user_path(lookup, "XDG_CACHE_HOME", ".cache", "halyard");
  configuration.imported_descriptors =
      user_path(lookup, "XDG_DATA_HOME", ".local/share", "halyard/descriptors");

  const std::optional<std::string> named_file = non_empty(lookup, kConfigVariable);
  if (named_file) configuration.config_file = {named_file, SettingOrigin::kEnvironment};
  if (const std::optional<std::string> path = configuration.config_file.value) {
    const Status applied = apply_file(configuration, *path, backend_names);
    const bool absent = !applied && applied.error().code() == ErrorCode::kNotFound;
    if (!applied && (named_file || !absent)) return Error(applied.error());
  }
  for (const SettingRule& rule : kRules) {
    const std::string name(rule.variable.name);
    const std::optional<std::string> text = non_empty(lookup, name.c_str());
    if (!text) continue;
    if (const auto wrong =
            rule.set(configuration, *text, SettingOrigin::kEnvironment, backend_names)) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("The variable ", name, " is \"", *text, "\", ", *wrong, "."));
    }
  }
  return configuration;
}

std::vector<EnvironmentVariable> environment_variables() {
  std::vector<EnvironmentVariable> variables;
  variables.reserve(kRules.size());
  for (const SettingRule& rule : kRules)
    variables.push_back(rule.variable);
  return variables;
}

std::vector<SettingLine> setting_lines(const Configuration& configuration) {
  std::vector<SettingLine> lines;
  for (const SettingRule& rule : kRules) {
    auto [value, origin] = rule.get(configuration);
    lines.push_back({rule.variable, std::move(value), origin});
  }
  return lines;
}

}  // namespace halyard::base
