// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/contract_catalog.h"

#include "runtime/base/file.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace halyard::operators {
namespace {

constexpr std::size_t kMaxContractBytes = std::size_t{1} << 20;

}  // namespace

ContractCatalog::ContractCatalog(std::string data_directory)
    : directory_(std::move(data_directory) + "/contracts") {}

base::Result<base::Ref<const Contract>> ContractCatalog::find(std::string_view name) const {
  if (!is_contract_name(name)) {
    return base::Error(
        base::ErrorCode::kInvalidArgument,
        base::concat("Contract name \"", name.substr(0, 64), "\" is not of the form [a-z0-9_]+."));
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = contracts_.find(name);
    if (found != contracts_.end()) return found->second;
  }
  HALYARD_TRY_ASSIGN(base::Ref<const Contract> contract, load(std::string(name)));
  const std::lock_guard<std::mutex> lock(mutex_);
  return contracts_.emplace(name, std::move(contract)).first->second;
}

base::Result<base::Ref<const Contract>> ContractCatalog::load(const std::string& name) const {
  const std::string path = base::concat(directory_, '/', name, ".json");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return unknown(name);
  HALYARD_TRY_ASSIGN(const std::string text, base::read_text_file(path, kMaxContractBytes));
  HALYARD_TRY_ASSIGN(base::Ref<const Contract> contract, Contract::parse(text, path));
  if (contract->name() != name) {
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat(path, ": The contract is named \"", contract->name(),
                                    "\", not \"", name, "\"."));
  }
  return contract;
}

base::Error ContractCatalog::unknown(std::string_view name) const {
  const std::vector<std::string> known = names().value_or(std::vector<std::string>());
  const std::vector<std::string_view> views(known.begin(), known.end());
  std::string clause = base::nearest_name_clause(name, views);
  if (clause.empty() && !known.empty()) {
    clause = base::concat("; the contracts are ", base::join(known));
  }
  if (known.empty()) clause = base::concat("; there is none in \"", directory_, '"');
  return base::Error(base::ErrorCode::kNotFound,
                     base::concat("Contract \"", name, "\" is unknown", clause, "."));
}

base::Result<std::vector<std::string>> ContractCatalog::names() const {
  std::error_code error;
  std::filesystem::directory_iterator entry(directory_, error);
  std::vector<std::string> names;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    if (path.extension() == ".json" && is_contract_name(path.stem().string())) {
      names.push_back(path.stem().string());
    }
  }
  if (error) {
    return base::Error(
        base::ErrorCode::kIoError,
        base::concat("Directory \"", directory_, "\" cannot be read: ", error.message(), "."));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace halyard::operators
