// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>

namespace halyard::descriptors {
namespace {

constexpr auto kKindNames =
    std::to_array<std::string_view>({"architecture", "product", "report", "live"});

}  // namespace

std::string_view descriptor_kind_name(DescriptorKind kind) {
  return kKindNames[static_cast<std::size_t>(kind) - 1];
}

std::optional<DescriptorKind> descriptor_kind_from_name(std::string_view name) {
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<DescriptorKind>(found - kKindNames.begin() + 1);
}

std::string matrix_operation_name(const MatrixOperation& operation) {
  return base::concat(operation.instruction, ' ', operation.a_type, ' ', operation.b_type, ' ',
                      operation.c_type, " of ", operation.lanes, " lanes");
}

}  // namespace halyard::descriptors
