// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/dispatch/operation.h"
#include "runtime/worker/launch_arena.h"
#include "tools/worker/loaded_kernel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

// Executes what the block of control asks for, with the prepared kernel and the tensors of the
// arena. Tensors lie in the arena itself where the device can use host memory in place, else in
// buffers that are copied whole, guards included.
// One thread at a time.
class ArenaLauncher {
 public:
  // `arena` is borrowed.
  ArenaLauncher(std::span<std::byte> arena, std::vector<ArenaSlot> slots);

  // `told` is what the device tells of launches, and is borrowed.
  void prepare(core::Device& device, PreparedKernel kernel, const std::string& told);

  // Errors: INVALID_ARGUMENT for places outside the arena; CORRUPT_DATA when guards around the
  // workspace were written; what the plan and the device answer.
  base::Status execute(const LaunchControl& control);
  // Of the last execute() that bound something.
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  // What the device has told of the last launch; there is one.
  const std::string& told() const { return *told_; }

 private:
  struct PlacedTensor {
    TensorPlace place;
    std::vector<base::Ref<core::Buffer>> buffers;             // by set; empty when not present
    std::array<std::int64_t, operators::kMaxRank> strides{};  // where rows lie apart
  };

  base::Status bind(const LaunchControl& control);
  base::Status bind_tensors(const LaunchControl& control);
  base::Status make_constants();
  base::Status bind_workspace(const LaunchControl& control);
  base::Status check_place(const TensorPlace& place, std::uint32_t set_count) const;
  base::Result<base::Ref<core::Buffer>> make_buffer(const TensorPlace& place, std::uint32_t set);
  std::span<std::byte> guarded(const TensorPlace& place, std::uint32_t set) const;
  base::Status copy(bool to_device);
  base::Status run(std::uint32_t repeat);
  base::Status check_workspace_guards();
  base::Error workspace_error(std::string_view where) const;

  std::span<std::byte> arena_;
  std::vector<ArenaSlot> slots_;
  base::Ref<core::Device> device_;
  base::Ref<core::Queue> queue_;
  std::optional<PreparedKernel> kernel_;
  const std::string* told_ = nullptr;
  bool in_place_ = false;  // the device uses the arena's memory

  // As of the last bind().
  std::vector<PlacedTensor> tensors_;
  std::vector<std::int64_t> axes_;
  std::vector<std::uint64_t> scalars_;
  std::uint32_t set_count_ = 1;
  dispatch::ConstantTable constants_;
  base::Ref<dispatch::Operation> operation_;
  base::Ref<core::Buffer> workspace_;
  std::uint64_t workspace_bytes_ = 0;
  std::uint64_t workspace_offset_ = 0;
  std::span<std::byte> workspace_slack_;  // in place: from its end to the fence or the next unit
  std::uint32_t bind_count_ = 0;
};

}  // namespace halyard::worker
