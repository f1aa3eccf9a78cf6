// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/host_runner.h"

#include "runtime/verification/row_layout.h"

namespace halyard::verification {

base::Result<std::vector<TensorMemory>> HostRunner::place(const LaunchDesc& desc) {
  constexpr std::size_t kGuardBytes = 4096;
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes, desc.problem->shapes(desc.launch_axes));
  problem_ = desc.problem;
  launch_axes_.assign(desc.launch_axes.begin(), desc.launch_axes.end());
  scalars_.assign(desc.scalars.begin(), desc.scalars.end());
  memory_.resize(shapes.tensor_count);
  tensors_.clear();
  std::vector<TensorMemory> placed;
  for (std::size_t i = 0; i < shapes.tensor_count; ++i) {
    const operators::TensorShape& shape = shapes.tensors[i];
    if (!shape.present) {
      placed.emplace_back();
      tensors_.push_back(operators::dense_tensor(shape, nullptr));
      continue;
    }
    RowLayout layout;
    if (takes_rows_apart_ && desc.fence == Fence::kApart) {
      layout = rows_apart(desc.problem->contract().tensors()[i], shape, i);
    }
    const std::size_t element_bytes = base::data_type_size_bytes(shape.type);
    const std::size_t size_bytes = layout.pitch != 0
                                       ? static_cast<std::size_t>(layout.elements()) * element_bytes
                                       : static_cast<std::size_t>(shape.size_bytes);
    // Often the same address, as in a process of its own.
    memory_[i].resize(size_bytes + 2 * kGuardBytes);
    const std::span<std::byte> all(memory_[i]);
    placed.push_back(
        {all.subspan(kGuardBytes, size_bytes), all.first(kGuardBytes), all.last(kGuardBytes)});
    tensors_.push_back(operators::dense_tensor(shape, placed.back().data.data()));
    if (layout.pitch == 0) continue;
    tensors_.back().strides = strides_of_rows(shape, layout.pitch);
    placed.back().row_bytes = static_cast<std::size_t>(layout.row) * element_bytes;
    placed.back().pitch_bytes = static_cast<std::size_t>(layout.pitch) * element_bytes;
  }
  return placed;
}

base::Result<LaunchOutcome> HostRunner::launch() {
  function_({problem_, launch_axes_, tensors_, scalars_});
  return LaunchOutcome{};
}

}  // namespace halyard::verification
