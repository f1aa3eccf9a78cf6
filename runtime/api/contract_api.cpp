// SPDX-License-Identifier: Apache-2.0
#include "halyard/contract.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
using halyard::selection::Instance;
namespace base = halyard::base;

constexpr std::uint32_t kNoIndex = UINT32_MAX;

class ContractHandle final : public ::halyard_contract, public base::RefCounted {
 public:
  explicit ContractHandle(base::Ref<const halyard::operators::Contract> contract)
      : contract_(std::move(contract)) {}

  const halyard::operators::Contract& contract() const { return *contract_; }

 private:
  base::Ref<const halyard::operators::Contract> contract_;
};

const halyard::operators::Contract& contract_of(const halyard_contract* handle) {
  return static_cast<const ContractHandle*>(handle)->contract();
}

template <typename List>
std::uint32_t size_of(const List& list) {
  return static_cast<std::uint32_t>(list.size());
}

template <typename List>
std::uint32_t index_of(const List& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return static_cast<std::uint32_t>(i);
  }
  return kNoIndex;
}

}  // namespace

extern "C" halyard_status halyard_instance_contracts(halyard_instance* instance, size_t capacity,
                                                     char* out_text, size_t* out_size) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(instance, "instance"));
    HALYARD_TRY_ASSIGN(const std::vector<std::string> names,
                       static_cast<Instance*>(instance)->contracts().names());
    return halyard::api::write_text(base::join(names, "\n"), capacity, out_text, out_size);
  });
}

extern "C" halyard_status halyard_contract_get(halyard_instance* instance, const char* name,
                                               halyard_contract** out_contract) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_contract, "out_contract"));
    *out_contract = nullptr;
    HALYARD_TRY(require_not_null(instance, "instance"));
    HALYARD_TRY(require_not_null(name, "name"));
    HALYARD_TRY_ASSIGN(auto contract, static_cast<Instance*>(instance)->contracts().find(name));
    *out_contract = new ContractHandle(std::move(contract));
    return base::ok();
  });
}

extern "C" void halyard_contract_retain(halyard_contract* contract) {
  if (contract != nullptr) static_cast<ContractHandle*>(contract)->retain();
}

extern "C" void halyard_contract_release(halyard_contract* contract) {
  if (contract != nullptr) static_cast<ContractHandle*>(contract)->release();
}

extern "C" const char* halyard_contract_json(const halyard_contract* contract) {
  return contract == nullptr ? "" : contract_of(contract).canonical_json().c_str();
}

extern "C" uint32_t halyard_contract_tensor_count(const halyard_contract* contract) {
  return contract == nullptr ? 0 : size_of(contract_of(contract).tensors());
}

extern "C" uint32_t halyard_contract_launch_axis_count(const halyard_contract* contract) {
  return contract == nullptr ? 0 : size_of(contract_of(contract).launch_axes());
}

extern "C" uint32_t halyard_contract_scalar_count(const halyard_contract* contract) {
  return contract == nullptr ? 0 : size_of(contract_of(contract).scalars());
}

extern "C" uint32_t halyard_contract_tensor_index(const halyard_contract* contract,
                                                  const char* name) {
  if (contract == nullptr || name == nullptr) return kNoIndex;
  return index_of(contract_of(contract).tensors(), name);
}

extern "C" uint32_t halyard_contract_launch_axis_index(const halyard_contract* contract,
                                                       const char* name) {
  if (contract == nullptr || name == nullptr) return kNoIndex;
  const auto& order = contract_of(contract).launch_axes();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& axis = contract_of(contract).axes()[order[i]];
    const bool is_alias =
        std::find(axis.aliases.begin(), axis.aliases.end(), name) != axis.aliases.end();
    if (axis.name == name || is_alias) return static_cast<std::uint32_t>(i);
  }
  return kNoIndex;
}

extern "C" uint32_t halyard_contract_scalar_index(const halyard_contract* contract,
                                                  const char* name) {
  if (contract == nullptr || name == nullptr) return kNoIndex;
  return index_of(contract_of(contract).scalars(), name);
}
