// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/operation_arguments.h"

#include "halyard/type.h"

#include "runtime/api/boundary.h"

#include <cmath>
#include <string>

namespace halyard::api {
namespace {

constexpr std::uint32_t kMaxListed = 1024;

base::Status check_list(const void* list, std::uint32_t count, std::string_view name) {
  if (count > kMaxListed) {
    return invalid_argument(
        base::concat("The count of ", name, " (", count, ") is above ", kMaxListed, "."));
  }
  if (count != 0) return require_not_null(list, name);
  return base::ok();
}

// Integer attributes come as whole numbers; the contract decides which type it wants.
operators::AttributeValue attribute_value(const halyard_attribute& attribute) {
  if (attribute.text != nullptr) return std::string(attribute.text);
  const double number = attribute.number;
  if (std::nearbyint(number) == number && std::abs(number) < 9e15) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

base::Status read_types(const halyard_operation_desc& desc, selection::PrepareRequest& out) {
  HALYARD_TRY(check_list(desc.types, desc.type_count, "types"));
  for (std::uint32_t i = 0; i < desc.type_count; ++i) {
    const halyard_type_binding& binding = desc.types[i];
    HALYARD_TRY(require_not_null(binding.variable, base::concat("types[", i, "].variable")));
    if (halyard_type_size_bytes(static_cast<halyard_type>(binding.type)) == 0) {
      return invalid_argument(base::concat("Type ", binding.type, " of variable \"",
                                           binding.variable, "\" is unknown."));
    }
    const auto type = static_cast<base::DataType>(binding.type);
    if (!out.types.emplace(binding.variable, type).second) {
      return invalid_argument(
          base::concat("Type variable \"", binding.variable, "\" is bound twice."));
    }
  }
  return base::ok();
}

base::Status read_values(const halyard_operation_desc& desc, selection::PrepareRequest& out) {
  HALYARD_TRY(check_list(desc.axes, desc.axis_count, "axes"));
  for (std::uint32_t i = 0; i < desc.axis_count; ++i) {
    HALYARD_TRY(require_not_null(desc.axes[i].name, base::concat("axes[", i, "].name")));
    out.axes.push_back({desc.axes[i].name, desc.axes[i].value});
  }
  HALYARD_TRY(check_list(desc.attributes, desc.attribute_count, "attributes"));
  for (std::uint32_t i = 0; i < desc.attribute_count; ++i) {
    const halyard_attribute& attribute = desc.attributes[i];
    HALYARD_TRY(require_not_null(attribute.name, base::concat("attributes[", i, "].name")));
    if (!out.attributes.emplace(attribute.name, attribute_value(attribute)).second) {
      return invalid_argument(base::concat("Attribute \"", attribute.name, "\" is given twice."));
    }
  }
  HALYARD_TRY(check_list(desc.constants, desc.constant_count, "constants"));
  for (std::uint32_t i = 0; i < desc.constant_count; ++i) {
    const halyard_constant_binding& binding = desc.constants[i];
    HALYARD_TRY(require_not_null(binding.tensor, base::concat("constants[", i, "].tensor")));
    HALYARD_TRY(require_not_null(binding.constant, base::concat("constants[", i, "].constant")));
    out.constants.emplace_back(
        binding.tensor,
        base::Ref<dispatch::Constant>::share(static_cast<dispatch::Constant*>(binding.constant)));
  }
  return base::ok();
}

dispatch::TensorView to_view(const halyard_view& view) {
  return {static_cast<core::Buffer*>(view.buffer), view.offset_bytes, view.length_bytes,
          view.strides};
}

std::uint64_t scalar_bits(const halyard_scalar& scalar, base::DataType type) {
  return base::data_type_size_bytes(type) == 8 ? scalar.u64 : scalar.u32;
}

}  // namespace

base::Result<selection::PrepareRequest> read_operation_desc(const halyard_operation_desc* desc) {
  HALYARD_TRY_ASSIGN(const halyard_operation_desc read,
                     read_struct(desc, sizeof(halyard_operation_desc), "desc"));
  HALYARD_TRY(require_not_null(read.contract, "desc.contract"));
  constexpr std::uint32_t kKnownFlags =
      HALYARD_OPERATION_ALLOW_REFERENCE | HALYARD_OPERATION_ASSUME_CONSTANTS;
  if ((read.flags & ~kKnownFlags) != 0) {
    return invalid_argument(
        base::concat("Flags (", read.flags, ") have bits beyond ", kKnownFlags, "."));
  }
  selection::PrepareRequest request;
  request.contract = read.contract;
  if (read.kernel != nullptr) request.kernel = read.kernel;
  request.allow_reference = (read.flags & HALYARD_OPERATION_ALLOW_REFERENCE) != 0;
  request.assume_constants = (read.flags & HALYARD_OPERATION_ASSUME_CONSTANTS) != 0;
  HALYARD_TRY(read_types(read, request));
  HALYARD_TRY(read_values(read, request));
  return request;
}

base::Status LaunchArguments::read(const halyard_launch* launch,
                                   const operators::Contract& contract) {
  HALYARD_TRY(require_not_null(launch, "launch"));
  if (launch->struct_size != sizeof(halyard_launch)) [[unlikely]] {
    HALYARD_TRY(read_struct(launch, sizeof(halyard_launch), "launch"));
  }
  const std::size_t tensors = contract.tensors().size();
  const std::size_t scalars = contract.scalars().size();
  if (launch->view_count != tensors || launch->scalar_count != scalars) [[unlikely]] {
    return invalid_argument(base::concat("The launch has ", launch->view_count, " views and ",
                                         launch->scalar_count, " scalars; contract ",
                                         contract.name(), " has ", tensors, " tensors and ",
                                         scalars, " scalars."));
  }
  if (tensors != 0) HALYARD_TRY(require_not_null(launch->views, "launch.views"));
  if (scalars != 0) HALYARD_TRY(require_not_null(launch->scalars, "launch.scalars"));
  if (launch->axis_count != 0) HALYARD_TRY(require_not_null(launch->axes, "launch.axes"));
  for (std::size_t i = 0; i < tensors; ++i)
    views_[i] = to_view(launch->views[i]);
  for (std::size_t i = 0; i < scalars; ++i) {
    scalars_[i] = scalar_bits(launch->scalars[i], contract.scalars()[i].type);
  }
  launch_.views = {views_.data(), tensors};
  launch_.axes = {launch->axes, launch->axis_count};
  launch_.scalars = {scalars_.data(), scalars};
  launch_.workspace = to_view(launch->workspace);
  return base::ok();
}

}  // namespace halyard::api
