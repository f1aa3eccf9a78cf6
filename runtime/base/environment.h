// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/log.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::base {

enum class SettingOrigin : std::uint32_t { kDefault, kFile, kEnvironment, kApplication };

// "default", "file", "environment" or "application".
std::string_view setting_origin_name(SettingOrigin origin);

template <typename T>
struct Setting {
  T value;
  SettingOrigin origin = SettingOrigin::kDefault;
};

// What the emulator looks for, besides accesses outside of what a kernel was given.
enum class EmulatorMode : std::uint32_t {
  kBounds,  // nothing: fast
  kFull,    // races, values that were never written, missing waits, …
};

// "bounds" or "full".
std::string_view emulator_mode_name(EmulatorMode mode);

// What the user's surroundings say about an instance. Paths without value: neither the variable nor
// a home directory is set.
struct Configuration {
  // The configuration file, whether or not it exists.
  Setting<std::optional<std::string>> config_file;
  // As the store reads it: a path, or a URL such as "postgresql://…".
  Setting<std::optional<std::string>> store_url;
  // Contracts, bundled kernels and descriptors; without value, those beside the library.
  Setting<std::optional<std::string>> data_directory;
  Setting<std::optional<std::string>> cache_directory;
  // The keys that the user trusts, and what may run; whether or not the files exist.
  Setting<std::optional<std::string>> trust_file;
  Setting<std::optional<std::string>> policy_file;
  // Pins kernels; without value, nothing does.
  Setting<std::optional<std::string>> lock_file;
  // Descriptors that the user imported, whether or not the folder exists. They follow the XDG
  // directory and have no variable of their own.
  std::optional<std::string> imported_descriptors;
  Setting<LogLevel> log_level = {LogLevel::kWarning};
  // The backends that may be used; without value, all.
  Setting<std::optional<std::vector<std::string>>> backends;
  // How many threads the CPU backend uses; 0 is one for each processor it may run on.
  Setting<std::uint32_t> cpu_threads = {0};
  Setting<EmulatorMode> emulator_mode = {EmulatorMode::kBounds};
  // How many threads execute the workgroups of a launch; 0 is one for each processor.
  Setting<std::uint32_t> emulator_threads = {0};
  // The instructions after which a launch is ended; 0 is none.
  Setting<std::uint64_t> emulator_budget = {20'000'000'000};
  // The first of the numbers that tell the order of the waves of each launch; without value, waves
  // run in order.
  Setting<std::optional<std::uint64_t>> emulator_schedule;
  // Compilers of kernels, by name or path; without value, those that are usual.
  Setting<std::optional<std::string>> clang;
  Setting<std::optional<std::string>> glslc;
  Setting<std::optional<std::string>> spirv_as;

  bool allows_backend(std::string_view name) const;
};

// One variable of the environment, for documents and `halyard doctor`.
struct EnvironmentVariable {
  std::string_view name;     // "HALYARD_LOG"
  std::string_view key;      // in the configuration file; empty when it has none
  std::string_view meaning;  // one line
};

// One setting in force.
struct SettingLine {
  EnvironmentVariable variable;
  std::string value;  // "(none)" when it has none
  SettingOrigin origin;
};

using EnvironmentLookup = std::function<std::optional<std::string>(const char* name)>;

// A variable of this process; nothing when it is unset, and in a process that runs with more rights
// than its caller has.
std::optional<std::string> process_environment(const char* name);

// Reads the environment and the configuration file; the environment wins over the file, an empty
// variable counts as unset. `backend_names` are those that HALYARD_BACKENDS may hold; none: any,
// for a caller without backends. The file is HALYARD_CONFIG, else halyard/config.json in
// $XDG_CONFIG_HOME or $HOME/.config; only a file that HALYARD_CONFIG names must exist.
//
// Threads: none may change the environment meanwhile.
// Errors: kInvalidArgument, naming the variable or the file's key, its value and what is allowed;
// those of read_text_file and parse_json for the file.
Result<Configuration> read_configuration(std::span<const std::string_view> backend_names,
                                         const EnvironmentLookup& lookup = process_environment);

// Every HALYARD_* variable there is.
std::vector<EnvironmentVariable> environment_variables();

// What is in force, one line for each variable, in the same order.
std::vector<SettingLine> setting_lines(const Configuration& configuration);

}  // namespace halyard::base
