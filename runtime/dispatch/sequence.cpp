// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/sequence.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::dispatch {

// Gathers dispatches into recordings, cut where something else must run in between.
class Sequence::Recorder final : public CommandSink {
 public:
  Recorder(core::Device& device, std::vector<Segment>& segments)
      : device_(device),
        segments_(segments) {}

  base::Status dispatch(const core::Dispatch& dispatch) override {
    arguments_.emplace_back(dispatch.arguments.begin(), dispatch.arguments.end());
    dispatches_.push_back(dispatch);
    return base::ok();
  }

  base::Status fill(core::Buffer& buffer, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                    std::uint32_t pattern) override {
    HALYARD_TRY(finish());
    Segment segment;
    segment.filled = &buffer;
    segment.offset_bytes = offset_bytes;
    segment.length_bytes = length_bytes;
    segment.pattern = pattern;
    segments_.push_back(std::move(segment));
    return base::ok();
  }

  base::Status reference(std::size_t step) {
    HALYARD_TRY(finish());
    Segment segment;
    segment.reference_step = step;
    segments_.push_back(std::move(segment));
    return base::ok();
  }

  // Records what was gathered since the last cut.
  base::Status finish() {
    if (dispatches_.empty()) return base::ok();
    for (std::size_t i = 0; i < dispatches_.size(); ++i)
      dispatches_[i].arguments = arguments_[i];
    Segment segment;
    HALYARD_TRY_ASSIGN(segment.recording, device_.record(dispatches_));
    segments_.push_back(std::move(segment));
    dispatches_.clear();
    arguments_.clear();
    return base::ok();
  }

 private:
  core::Device& device_;
  std::vector<Segment>& segments_;
  std::vector<core::Dispatch> dispatches_;
  std::vector<std::vector<core::ArgumentValue>> arguments_;
};

bool Sequence::Step::operator==(const Step& other) const {
  const auto same_place = [](const TensorView& a, const TensorView& b) {
    return a.buffer == b.buffer && a.offset_bytes == b.offset_bytes &&
           a.length_bytes == b.length_bytes && (a.strides == nullptr) == (b.strides == nullptr);
  };
  return operation.get() == other.operation.get() && choice.get() == other.choice.get() &&
         std::equal(views.begin(), views.end(), other.views.begin(), other.views.end(),
                    same_place) &&
         strides == other.strides && axes == other.axes && scalars == other.scalars &&
         same_place(workspace, other.workspace);
}

Sequence::Sequence(core::Device& device) : device_(base::Ref<core::Device>::share(&device)) {}

base::Result<Sequence::Step> Sequence::copy_step(Operation& operation, const Launch& launch) const {
  if (&operation.device() != device_.get()) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("The operation is on device ", operation.device().info().id,
                                    ", the sequence on ", device_->info().id, "."));
  }
  HALYARD_TRY(operation.check(launch));
  Step step;
  step.operation = base::Ref<Operation>::share(&operation);
  step.choice = base::Ref<const KernelChoice>::share(&operation.choice());
  step.views.assign(launch.views.begin(), launch.views.end());
  step.axes.assign(launch.axes.begin(), launch.axes.end());
  step.scalars.assign(launch.scalars.begin(), launch.scalars.end());
  step.workspace = launch.workspace;
  const auto& tensors = operation.problem().contract().tensors();
  step.strides.resize(tensors.size() * operators::kMaxRank);
  for (std::size_t i = 0; i < step.views.size(); ++i) {
    TensorView& view = step.views[i];
    if (view.buffer != nullptr) step.buffers.push_back(base::Ref<core::Buffer>::share(view.buffer));
    if (view.strides == nullptr) continue;
    std::int64_t* copy = step.strides.data() + i * operators::kMaxRank;
    std::copy_n(view.strides, tensors[i].shape.size(), copy);
    view.strides = copy;
  }
  if (step.workspace.buffer != nullptr) {
    step.buffers.push_back(base::Ref<core::Buffer>::share(step.workspace.buffer));
  }
  return step;
}

base::Result<std::uint32_t> Sequence::add(Operation& operation, const Launch& launch) {
  HALYARD_TRY_ASSIGN(Step step, copy_step(operation, launch));
  steps_.push_back(std::move(step));
  recorded_ = false;
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

base::Result<const Operation*> Sequence::operation(std::uint32_t index) const {
  if (index < steps_.size()) return steps_[index].operation.get();
  return base::Error(
      base::ErrorCode::kInvalidArgument,
      base::concat("Index ", index, " is past the ", steps_.size(), " launches of the sequence."));
}

base::Status Sequence::update(std::uint32_t index, const Launch& launch) {
  HALYARD_TRY(operation(index));
  HALYARD_TRY_ASSIGN(Step step, copy_step(*steps_[index].operation, launch));
  if (step == steps_[index]) return base::ok();
  steps_[index] = std::move(step);
  recorded_ = false;
  return base::ok();
}

base::Status Sequence::record() {
  std::vector<Segment> segments;
  Recorder recorder(*device_, segments);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].operation->is_reference()) {
      HALYARD_TRY(recorder.reference(i));
      continue;
    }
    HALYARD_TRY(steps_[i].operation->emit(recorder, steps_[i].launch()));
  }
  HALYARD_TRY(recorder.finish());
  segments_ = std::move(segments);
  recorded_ = true;
  return base::ok();
}

base::Status Sequence::enqueue(core::Queue& queue) {
  if (&queue.device() != device_.get()) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("The queue is on device ", queue.device().info().id,
                                    ", the sequence on ", device_->info().id, "."));
  }
  if (!recorded_) HALYARD_TRY(record());
  for (Segment& segment : segments_) {
    if (segment.recording) {
      HALYARD_TRY(queue.replay(*segment.recording));
    } else if (segment.filled != nullptr) {
      HALYARD_TRY(
          queue.fill(*segment.filled, segment.offset_bytes, segment.length_bytes, segment.pattern));
    } else {
      const Step& step = steps_[segment.reference_step];
      HALYARD_TRY(step.operation->enqueue(queue, step.launch()));
    }
  }
  return base::ok();
}

}  // namespace halyard::dispatch
