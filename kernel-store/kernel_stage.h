// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_words.h"
#include "runtime/base/data_type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::store {

// An integer expression of kernel.json as text; its syntax is checked, its names are not resolved.
struct ExpressionText {
  std::string text;
  bool is_literal = false;  // Written as a JSON integer.

  bool operator==(const ExpressionText&) const = default;
};

using ExpressionTriple = std::array<ExpressionText, 3>;

// A tensor map that the host encodes for the device's bulk copies.
struct TensorMap {
  std::vector<ExpressionText> box;
  std::vector<ExpressionText> element_strides;
  TensorMapSwizzle swizzle = TensorMapSwizzle::kNone;
  TensorMapInterleave interleave = TensorMapInterleave::kNone;
  TensorMapPromotion l2_promotion = TensorMapPromotion::kNone;
  TensorMapOutOfBounds out_of_bounds = TensorMapOutOfBounds::kZero;
};

// One argument of a stage. Which fields count follows from `kind`.
struct KernelArgument {
  ArgumentKind kind = ArgumentKind::kTensor;
  std::string name;  // Of the tensor, scalar, axis, …; the word for kHidden; empty for expressions.
  std::string packed;  // kTensor: the packed layout that is passed; empty: the tensor itself.
  base::DataType type = base::DataType::kU64;            // Of values; addresses are 64 bits.
  std::uint32_t dimension = 0;                           // kStride.
  ExpressionText expression;                             // kExpression.
  HiddenArgument hidden = HiddenArgument::kBlockCountX;  // kHidden.
  std::optional<TensorMap> tensor_map;                   // kTensorMap.
  std::optional<std::uint32_t> binding;                  // Vulkan: storage buffer of set 0.
  std::optional<std::uint32_t> push;  // Vulkan: byte offset in the push constants.
};

// True for kinds that pass a number of `type` rather than an address or a tensor map.
bool is_value_argument(ArgumentKind kind);

// A dispatch in pieces along `axis`, each but the last a multiple of `multiple` long.
struct StageSplit {
  std::string axis;
  std::uint64_t multiple = 1;
};

struct StageCpu {
  CpuPartition partition = CpuPartition::kStatic;
  std::optional<ExpressionText> scratch_bytes;  // Per thread; none: no scratch.
};

// One dispatch of a kernel.
struct KernelStage {
  std::string name;
  StageCadence cadence = StageCadence::kPerLaunch;
  std::string entry;
  ExpressionTriple grid;   // In groups, x fastest.
  ExpressionTriple block;  // Threads of a group.
  std::optional<ExpressionTriple> cluster;
  std::optional<bool> cooperative;
  std::optional<ExpressionText> max_resident;
  std::optional<std::uint32_t> subgroup_size;
  std::optional<ExpressionText> shared_bytes;
  std::optional<StageSplit> split;
  std::optional<StageCpu> cpu;
  std::vector<KernelArgument> arguments;  // In the order of the entry's ABI.
};

}  // namespace halyard::store
