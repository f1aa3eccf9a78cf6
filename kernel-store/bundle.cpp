// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/bundle.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

namespace halyard::store {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kMaxCodeBytes = std::size_t{256} << 20;

// Names of the directories in `path`, sorted; none where it is not there.
Result<std::vector<std::string>> list_directories(const std::string& path) {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator entry(path, code);
  if (code == std::errc::no_such_file_or_directory) return names;
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    std::error_code ignored;
    std::string name = entry->path().filename().string();
    if (is_package_file_name(name) && entry->is_directory(ignored))
      names.push_back(std::move(name));
  }
  if (code) {
    return Error(ErrorCode::kIoError,
                 concat("Directory \"", path, "\" is not listed: ", code.message(), "."));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

struct Bundle::Cache {
  std::string data_directory;
  std::mutex mutex;  // Guards what follows; an entry of `contracts` never changes.
  std::map<std::string, std::unique_ptr<BundledContract>, std::less<>> contracts;
  std::map<std::string, Result<Digest>> preludes;

  Result<Digest> prelude_digest(const std::string& name);
  Result<BuiltKernel> load_kernel(const std::string& directory);
  Result<const BundledContract*> load_contract(std::string_view contract);
};

Result<Digest> Bundle::Cache::prelude_digest(const std::string& name) {
  auto found = preludes.find(name);
  if (found == preludes.end()) {
    found = preludes.emplace(name, load_prelude_digest(data_directory + "/prelude", name)).first;
  }
  return found->second;
}

Result<BuiltKernel> Bundle::Cache::load_kernel(const std::string& directory) {
  const auto prelude_source = [this](const std::string& name) { return prelude_digest(name); };
  HALYARD_TRY_ASSIGN(KernelPackage package, load_kernel_package(directory, prelude_source));
  BuiltKernel kernel{std::move(package), directory, {}};
  const std::string builds_path = directory + "/builds.json";
  if (exists(builds_path)) {
    HALYARD_TRY_ASSIGN(const std::string builds,
                       read_plain_file(builds_path, kMaxPackageFileBytes));
    HALYARD_TRY_ASSIGN(kernel.builds, parse_builds(builds, builds_path, kernel.package.id));
  }
  return kernel;
}

Result<const BundledContract*> Bundle::Cache::load_contract(std::string_view contract) {
  const std::lock_guard lock(mutex);
  const auto found = contracts.find(contract);
  if (found != contracts.end()) return found->second.get();
  auto loaded = std::make_unique<BundledContract>();
  if (is_package_file_name(contract)) {
    const std::string folder = concat(data_directory, "/kernels/", contract);
    HALYARD_TRY_ASSIGN(const std::vector<std::string> names, list_directories(folder));
    for (const std::string& name : names) {
      const std::string directory = concat(folder, '/', name);
      if (!exists(directory + "/kernel.json")) continue;
      Result<BuiltKernel> kernel = load_kernel(directory);
      if (!kernel) {
        loaded->problems.push_back(std::move(kernel.error()));
      } else if (kernel->package.record.contract != contract) {
        loaded->problems.emplace_back(
            ErrorCode::kCorruptData,
            concat("Kernel \"", directory, "\" is of contract \"", kernel->package.record.contract,
                   "\", not \"", contract, "\"."));
      } else {
        loaded->kernels.push_back(std::move(*kernel));
      }
    }
  }
  return contracts.emplace(contract, std::move(loaded)).first->second.get();
}

Bundle::Bundle(std::unique_ptr<Cache> cache) : cache_(std::move(cache)) {}
Bundle::Bundle(Bundle&&) noexcept = default;
Bundle& Bundle::operator=(Bundle&&) noexcept = default;
Bundle::~Bundle() = default;

Result<Bundle> Bundle::open(std::string data_directory) {
  std::error_code code;
  if (!fs::is_directory(data_directory, code)) {
    return Error(ErrorCode::kNotFound,
                 concat("The data directory \"", data_directory, "\" is no directory."));
  }
  auto cache = std::make_unique<Cache>();
  cache->data_directory = std::move(data_directory);
  return Bundle(std::move(cache));
}

const std::string& Bundle::data_directory() const {
  return cache_->data_directory;
}

Result<std::vector<std::string>> Bundle::contracts() const {
  return list_directories(cache_->data_directory + "/kernels");
}

Result<const BundledContract*> Bundle::kernels(std::string_view contract) const {
  return cache_->load_contract(contract);
}

Result<const BuiltKernel*> Bundle::find_kernel(const KernelId& id) const {
  HALYARD_TRY_ASSIGN(const std::vector<std::string> names, contracts());
  for (const std::string& name : names) {
    HALYARD_TRY_ASSIGN(const BundledContract* const contract, kernels(name));
    for (const BuiltKernel& kernel : contract->kernels) {
      if (kernel.package.id == id) return &kernel;
    }
  }
  return static_cast<const BuiltKernel*>(nullptr);
}

Result<std::vector<std::byte>> Bundle::load_code(const BuiltKernel& kernel,
                                                 const KernelBuild& build) const {
  const std::string path = concat(kernel.directory, '/', build.file);
  HALYARD_TRY_ASSIGN(const std::string text, read_plain_file(path, kMaxCodeBytes));
  const Digest digest = base::Sha256::of(text);
  if (digest != build.sha256) {
    return Error(ErrorCode::kCorruptData,
                 concat("\"", path, "\" has SHA-256 ", digest_text(digest), ", not ",
                        digest_text(build.sha256), " as its build records."));
  }
  const auto bytes = std::as_bytes(std::span(text));
  return std::vector<std::byte>(bytes.begin(), bytes.end());
}

const KernelBuild* find_build(const BuiltKernel& kernel, std::string_view target,
                              const TypeBinding& types, const ParameterValues& parameters) {
  ParameterValues compiled_in;
  for (const KernelParameter& parameter : kernel.package.record.parameters) {
    if (parameter.kind != ParameterKind::kDefine) continue;
    const auto given = parameters.find(parameter.name);
    compiled_in.emplace(parameter.name,
                        given == parameters.end() ? parameter.default_value : given->second);
  }
  for (const KernelBuild& build : kernel.builds) {
    if (build.target == target && build.types == types && build.parameters == compiled_in) {
      return &build;
    }
  }
  return nullptr;
}

}  // namespace halyard::store
