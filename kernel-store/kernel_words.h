// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace halyard::store {

// The closed word lists of kernel.json. Each has its text form and the way back.

enum class KernelLanguage : std::uint8_t {
  kCpp,
  kGlsl,
  kHip,
  kCuda,
  kPtx,
  kAmdgcnAssembly,
  kSpirvAssembly,
  kSpirv,
  kObject,
};

enum class ParameterKind : std::uint8_t { kDefine, kConstant, kLaunch };
enum class WorkspaceInitial : std::uint8_t { kUndefined, kZero };
enum class StageCadence : std::uint8_t { kPerConstant, kPerAxes, kPerLaunch };
enum class CpuPartition : std::uint8_t { kStatic, kDynamic };

enum class ArgumentKind : std::uint8_t {
  kTensor,
  kScalar,
  kAttribute,
  kAxis,
  kStride,
  kWorkspace,
  kAxisPointer,
  kExpression,
  kAxisOffset,
  kParameter,
  kHidden,
  kTensorMap,
};

enum class TensorMapSwizzle : std::uint8_t { kNone, k32Bytes, k64Bytes, k128Bytes };
enum class TensorMapInterleave : std::uint8_t { kNone, k16Bytes, k32Bytes };
enum class TensorMapPromotion : std::uint8_t { kNone, k64Bytes, k128Bytes, k256Bytes };
enum class TensorMapOutOfBounds : std::uint8_t { kZero, kNan };

// What a value that the driver's calling convention adds holds.
enum class HiddenArgument : std::uint8_t {
  kBlockCountX,
  kBlockCountY,
  kBlockCountZ,
  kGroupSizeX,
  kGroupSizeY,
  kGroupSizeZ,
  kRemainderX,
  kRemainderY,
  kRemainderZ,
  kGlobalOffsetX,
  kGlobalOffsetY,
  kGlobalOffsetZ,
  kGridDims,
};

// The words of E in the order of its values; specialised for each enum above.
template <typename E>
std::span<const std::string_view> words_of();

template <typename E>
std::string_view word_of(E value) {
  return words_of<E>()[static_cast<std::size_t>(value)];
}

template <typename E>
std::optional<E> from_word(std::string_view word) {
  const auto words = words_of<E>();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<E>(i);
  }
  return std::nullopt;
}

template <>
std::span<const std::string_view> words_of<KernelLanguage>();
template <>
std::span<const std::string_view> words_of<ParameterKind>();
template <>
std::span<const std::string_view> words_of<WorkspaceInitial>();
template <>
std::span<const std::string_view> words_of<StageCadence>();
template <>
std::span<const std::string_view> words_of<CpuPartition>();
template <>
std::span<const std::string_view> words_of<ArgumentKind>();
template <>
std::span<const std::string_view> words_of<TensorMapSwizzle>();
template <>
std::span<const std::string_view> words_of<TensorMapInterleave>();
template <>
std::span<const std::string_view> words_of<TensorMapPromotion>();
template <>
std::span<const std::string_view> words_of<TensorMapOutOfBounds>();
template <>
std::span<const std::string_view> words_of<HiddenArgument>();

}  // namespace halyard::store
