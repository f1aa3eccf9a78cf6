// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_words.h"

#include <array>

namespace halyard::store {

#define HALYARD_WORDS(E, ...)                                                      \
  template <>                                                                      \
  std::span<const std::string_view> words_of<E>() {                                \
    static constexpr auto kWords = std::to_array<std::string_view>({__VA_ARGS__}); \
    return kWords;                                                                 \
  }

HALYARD_WORDS(KernelLanguage, "c++", "glsl", "hip", "cuda", "ptx", "amdgcn-asm", "spirv-asm",
              "spirv", "object")
HALYARD_WORDS(ParameterKind, "define", "constant", "launch")
HALYARD_WORDS(WorkspaceInitial, "undefined", "zero")
HALYARD_WORDS(StageCadence, "per-constant", "per-axes", "per-launch")
HALYARD_WORDS(CpuPartition, "static", "dynamic")
HALYARD_WORDS(ArgumentKind, "tensor", "scalar", "attribute", "axis", "stride", "workspace",
              "axis_pointer", "expression", "axis_offset", "parameter", "hidden", "tensor_map")
HALYARD_WORDS(TensorMapSwizzle, "none", "32b", "64b", "128b")
HALYARD_WORDS(TensorMapInterleave, "none", "16b", "32b")
HALYARD_WORDS(TensorMapPromotion, "none", "64b", "128b", "256b")
HALYARD_WORDS(TensorMapOutOfBounds, "zero", "nan")
HALYARD_WORDS(HiddenArgument, "block_count_x", "block_count_y", "block_count_z", "group_size_x",
              "group_size_y", "group_size_z", "remainder_x", "remainder_y", "remainder_z",
              "global_offset_x", "global_offset_y", "global_offset_z", "grid_dims")

#undef HALYARD_WORDS

}  // namespace halyard::store
