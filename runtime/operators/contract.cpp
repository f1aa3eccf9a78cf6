// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/contract.h"

#include "runtime/base/nearest_name.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::operators {
namespace {

std::string known_names_clause(std::string_view name, const std::vector<std::string_view>& known) {
  if (known.empty()) return "; it has none";
  const std::string nearest = base::nearest_name_clause(name, known);
  return nearest.empty() ? base::concat("; it has ", base::join(known)) : nearest;
}

template <typename Item>
base::Result<std::uint32_t> index_of(const Contract& contract, std::string_view kind,
                                     const std::vector<Item>& items, std::string_view name) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<std::uint32_t>(i);
    names.push_back(items[i].name);
  }
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Contract \"", contract.name(), "\" has no ", kind, " \"", name,
                                  "\"", known_names_clause(name, names), "."));
}

}  // namespace

Contract::Contract(ContractFields fields, std::string canonical_json)
    : fields_(std::move(fields)),
      canonical_json_(std::move(canonical_json)),
      sha256_(base::to_hex(base::Sha256::of(canonical_json_))) {
  for (std::uint32_t i = 0; i < fields_.axes.size(); ++i) {
    const bool is_prepare = fields_.axes[i].kind == AxisKind::kPrepare;
    (is_prepare ? prepare_axes_ : launch_axes_).push_back(i);
  }
}

base::Result<std::uint32_t> Contract::axis_index(std::string_view name) const {
  for (std::uint32_t i = 0; i < fields_.axes.size(); ++i) {
    for (const std::string& alias : fields_.axes[i].aliases) {
      if (alias == name) return i;
    }
  }
  return index_of(*this, "axis", fields_.axes, name);
}

base::Result<std::uint32_t> Contract::tensor_index(std::string_view name) const {
  return index_of(*this, "tensor", fields_.tensors, name);
}

base::Result<std::uint32_t> Contract::scalar_index(std::string_view name) const {
  return index_of(*this, "scalar", fields_.scalars, name);
}

base::Result<std::uint32_t> Contract::attribute_index(std::string_view name) const {
  return index_of(*this, "attribute", fields_.attributes, name);
}

bool is_contract_name(std::string_view name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !name.empty() && name.size() <= 64 &&
         name.find_first_not_of(kLetters) == std::string_view::npos;
}

const char* axis_kind_name(AxisKind kind) {
  switch (kind) {
    case AxisKind::kPrepare:
      return "prepare";
    case AxisKind::kLaunch:
      return "launch";
    case AxisKind::kDevice:
      break;
  }
  return "device";
}

std::string type_bindings_text(const TypeBindings& types) {
  std::vector<std::string> parts;
  for (const auto& [variable, type] : types) {
    parts.push_back(base::concat(variable, " = ", base::data_type_name(type)));
  }
  return base::join(parts);
}

}  // namespace halyard::operators
