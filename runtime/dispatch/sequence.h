// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/core/handle.h"
#include "runtime/dispatch/operation.h"

#include <cstdint>
#include <vector>

namespace halyard::dispatch {

// Launches recorded once and replayed. What the device can record is recorded at the first
// enqueue after a change; workspace fills and references run between the recordings.
// Threads: one at a time.
class Sequence final : public ::halyard_sequence, public base::RefCounted {
 public:
  explicit Sequence(core::Device& device);

  core::Device& device() const { return *device_; }

  // Checks and copies `launch`. Errors as Operation::enqueue.
  base::Result<std::uint32_t> add(Operation& operation, const Launch& launch);
  base::Status update(std::uint32_t index, const Launch& launch);
  // The operation of one launch. Errors: INVALID_ARGUMENT past the end.
  base::Result<const Operation*> operation(std::uint32_t index) const;
  base::Status enqueue(core::Queue& queue);

 private:
  // A launch with everything it borrows copied and kept alive.
  struct Step {
    base::Ref<Operation> operation;
    std::vector<TensorView> views;
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> axes;
    std::vector<std::uint64_t> scalars;
    TensorView workspace;
    std::vector<base::Ref<core::Buffer>> buffers;
    base::Ref<const KernelChoice> choice;  // the operation's when it was given

    Launch launch() const { return {views, axes, scalars, workspace}; }
    // Whether it would be recorded alike.
    bool operator==(const Step& other) const;
  };

  // Either a recording, or a fill, or a step that runs the reference.
  struct Segment {
    base::Ref<core::Recording> recording;
    core::Buffer* filled = nullptr;  // kept alive by its step
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
    std::uint32_t pattern = 0;
    std::size_t reference_step = 0;
  };

  class Recorder;

  base::Result<Step> copy_step(Operation& operation, const Launch& launch) const;
  base::Status record();

  base::Ref<core::Device> device_;
  std::vector<Step> steps_;
  std::vector<Segment> segments_;
  bool recorded_ = false;
};

}  // namespace halyard::dispatch
