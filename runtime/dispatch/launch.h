// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/buffer.h"
#include "runtime/operators/problem.h"

#include <array>
#include <cstdint>
#include <span>

namespace halyard::dispatch {

// One tensor of a launch as the application gives it. Borrowed for the call.
struct TensorView {
  core::Buffer* buffer = nullptr;
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;         // 0: to the end of the buffer
  const std::int64_t* strides = nullptr;  // elements; null: packed row-major
};

// Everything that may change from launch to launch, in the contract's order. Borrowed.
struct Launch {
  std::span<const TensorView> views;
  std::span<const std::int64_t> axes;
  std::span<const std::uint64_t> scalars;  // bits in the scalar's own type
  TensorView workspace;
};

// A view after its checks: where the bytes are and how the elements lie.
struct BoundTensor {
  core::Buffer* buffer = nullptr;  // null for a tensor that the attributes leave out
  std::uint64_t offset_bytes = 0;
  std::uint64_t length_bytes = 0;
  std::array<std::int64_t, operators::kMaxRank> strides{};
};

// The checked tensors of one launch, and their shapes.
struct BoundLaunch {
  operators::ShapeTable shapes;
  std::array<BoundTensor, operators::kMaxTensors> tensors;
};

}  // namespace halyard::dispatch
