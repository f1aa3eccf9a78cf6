// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/launch_plan.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace halyard::dispatch {
namespace {

using base::DataType;

base::Error outside_guards(std::string sentence) {
  return base::Error(base::ErrorCode::kOutsideGuards, std::move(sentence));
}

// The bits of an integer in a value argument of `type`.
base::Status encode_integer(std::int64_t value, DataType type, std::uint64_t& bits) {
  switch (type) {
    case DataType::kU32:
      if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) break;
      bits = static_cast<std::uint64_t>(value);
      return base::ok();
    case DataType::kI32:
      if (value < std::numeric_limits<std::int32_t>::min() ||
          value > std::numeric_limits<std::int32_t>::max()) {
        break;
      }
      bits = static_cast<std::uint64_t>(value);
      return base::ok();
    case DataType::kF32: {
      const auto number = static_cast<float>(value);
      std::uint32_t word = 0;
      std::memcpy(&word, &number, sizeof(word));
      bits = word;
      return base::ok();
    }
    default:
      bits = static_cast<std::uint64_t>(value);
      return base::ok();
  }
  return outside_guards(base::concat("Value ", value,
                                     " does not fit the kernel's argument of type ",
                                     base::data_type_name(type), "."));
}

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

std::string LaunchPlan::slots_text(const Frame& frame, const std::string& text) const {
  std::string values;
  for (const std::string& name : base::Expression::names_of(text)) {
    const auto slot = slots_.slot_of(name);
    if (!slot) continue;
    values += base::concat(values.empty() ? "" : ", ", name, " = ", frame.slots[*slot]);
  }
  return values;
}

base::Status LaunchPlan::fill_frame(std::span<const std::int64_t> axes, Frame& frame) const {
  const auto values = slots_.values();
  std::copy(values.begin(), values.end(), frame.slots.begin());
  std::copy(axes.begin(), axes.end(), frame.slots.begin());
  return place_regions(frame);
}

base::Status LaunchPlan::place_regions(Frame& frame) const {
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    HALYARD_TRY_ASSIGN(const std::int64_t bytes, regions_[i].bytes.evaluate(frame.slots));
    constexpr std::int64_t kMaxRegionBytes = std::numeric_limits<std::int64_t>::max() / 16;
    if (bytes < 0 || bytes > kMaxRegionBytes) {
      return outside_guards(base::concat("Workspace region ", i, " has ", bytes,
                                         " bytes, not between 0 and ", kMaxRegionBytes, "."));
    }
    offset = align_up(offset, regions_[i].alignment_bytes);
    frame.region_offsets[i] = offset;
    // Zero-filled in words, so that a fill covers the whole region.
    frame.region_bytes[i] = align_up(static_cast<std::uint64_t>(bytes), 4);
    offset += frame.region_bytes[i];
  }
  frame.workspace_bytes = offset;
  return base::ok();
}

base::Status LaunchPlan::check_guards(const Frame& frame) const {
  for (const Guard& guard : guards_) {
    std::int64_t holds = 0;
    if (guard.value.evaluate_into(frame.slots, &holds) && holds != 0) continue;
    return outside_guards(base::concat("The kernel serves only ", guard.text,
                                       ", which is false with ", slots_text(frame, guard.text),
                                       "."));
  }
  return base::ok();
}

base::Result<std::uint64_t> LaunchPlan::workspace_bytes(std::span<const std::int64_t> axes) const {
  Frame frame;
  HALYARD_TRY(fill_frame(axes, frame));
  HALYARD_TRY(check_guards(frame));
  return frame.workspace_bytes;
}

base::Status LaunchPlan::check_workspace(const PlannedLaunch& launch, const Frame& frame) const {
  if (frame.workspace_bytes == 0) return base::ok();
  const auto invalid = [](std::string sentence) {
    return base::Error(base::ErrorCode::kInvalidArgument, std::move(sentence));
  };
  const TensorView& view = launch.workspace;
  if (view.buffer == nullptr) {
    return invalid(base::concat("The launch has no workspace; the kernel needs ",
                                frame.workspace_bytes, " bytes."));
  }
  if (&view.buffer->device() != &executable_->device()) {
    return invalid(base::concat("The workspace is on device ", view.buffer->device().info().id,
                                ", the operation on ", executable_->device().info().id, "."));
  }
  const std::uint64_t size = view.buffer->size_bytes();
  const std::uint64_t rest = view.offset_bytes > size ? 0 : size - view.offset_bytes;
  const std::uint64_t length = view.length_bytes != 0 ? view.length_bytes : rest;
  if (length > rest || length < frame.workspace_bytes) {
    return invalid(base::concat("The workspace has ", std::min(length, rest),
                                " bytes; the kernel needs ", frame.workspace_bytes, "."));
  }
  if (view.offset_bytes % 256 != 0) {
    return invalid(
        base::concat("The workspace's offset (", view.offset_bytes, ") is not a multiple of 256."));
  }
  return check_workspace_apart(launch, frame);
}

// The range that the kernel uses, which may be less than what is given.
base::Status LaunchPlan::check_workspace_apart(const PlannedLaunch& launch,
                                               const Frame& frame) const {
  const std::uint64_t begin = launch.workspace.offset_bytes;
  const std::uint64_t end = begin + frame.workspace_bytes;
  for (std::size_t i = 0; i < launch.bound.shapes.tensor_count; ++i) {
    const BoundTensor& tensor = launch.bound.tensors[i];
    const std::uint64_t tensor_end = tensor.offset_bytes + tensor.length_bytes;
    if (tensor.buffer != launch.workspace.buffer || tensor.length_bytes == 0 ||
        tensor_end <= begin || end <= tensor.offset_bytes) {
      continue;
    }
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("The workspace (bytes ", begin, " to ", end,
                                    ") overlaps tensor \"", contract_->tensors()[i].name, "\" (",
                                    tensor.offset_bytes, " to ", tensor_end, ") in one buffer."));
  }
  return base::ok();
}

void LaunchPlan::fill_tensor(const StagePlan& stage, std::uint32_t tensor,
                             const PlannedLaunch& launch, const Frame& frame,
                             core::ArgumentValue& out) const {
  const BoundTensor& bound = launch.bound.tensors[tensor];
  out.buffer = bound.buffer;
  out.offset_bytes = bound.offset_bytes;
  out.length_bytes = bound.length_bytes;
  if (!stage.split) return;
  const auto& moved = stage.split->tensors;
  if (std::find(moved.begin(), moved.end(), tensor) == moved.end()) return;
  const operators::TensorShape& shape = launch.bound.shapes.tensors[tensor];
  const auto row_bytes =
      static_cast<std::uint64_t>(bound.strides[0]) * base::data_type_size_bytes(shape.type);
  const auto begin = static_cast<std::uint64_t>(frame.piece_begin);
  const auto rows = static_cast<std::uint64_t>(frame.slots[stage.split->slot]);
  out.offset_bytes += begin * row_bytes;
  out.length_bytes = std::min(rows * row_bytes, bound.length_bytes - begin * row_bytes);
}

base::Status LaunchPlan::fill_argument(const StagePlan& stage, const ArgumentPlan& plan,
                                       const PlannedLaunch& launch, const Frame& frame,
                                       core::ArgumentValue& out) const {
  switch (plan.source) {
    case Source::kTensor:
      fill_tensor(stage, plan.index, launch, frame, out);
      return base::ok();
    case Source::kPacked:
      out.buffer = launch.packed[plan.index];
      out.length_bytes = out.buffer->size_bytes();
      return base::ok();
    case Source::kWorkspace:
      out.buffer = launch.workspace.buffer;
      out.offset_bytes = launch.workspace.offset_bytes + frame.region_offsets[plan.index];
      out.length_bytes = frame.region_bytes[plan.index];
      return base::ok();
    case Source::kScalar:
      out.bits = launch.scalars[plan.index];
      return base::ok();
    case Source::kStride:
      return encode_integer(launch.bound.tensors[plan.index].strides[plan.dimension], plan.type,
                            out.bits);
    case Source::kOffset:
      return encode_integer(frame.piece_begin, plan.type, out.bits);
    case Source::kValue: {
      std::int64_t value = 0;
      if (!plan.value.evaluate_into(frame.slots, &value)) {
        return plan.value.evaluate(frame.slots).error();
      }
      return encode_integer(value, plan.type, out.bits);
    }
  }
  return base::ok();
}

base::Status LaunchPlan::launch_stage(CommandSink& sink, const StagePlan& stage,
                                      const PlannedLaunch& launch, Frame& frame) const {
  core::Dispatch dispatch;
  dispatch.executable = executable_.get();
  dispatch.stage = stage.stage;
  for (std::size_t d = 0; d < 3; ++d) {
    std::int64_t groups = 0;
    if (!stage.grid[d].evaluate_into(frame.slots, &groups)) {
      return stage.grid[d].evaluate(frame.slots).error();
    }
    if (groups == 0) return base::ok();
    if (groups < 0 || groups > std::numeric_limits<std::uint32_t>::max()) {
      return outside_guards(base::concat("Grid dimension ", d, " has ", groups,
                                         " groups, not between 0 and 4294967295."));
    }
    dispatch.grid[d] = static_cast<std::uint32_t>(groups);
  }
  std::array<core::ArgumentValue, kMaxArguments> arguments;
  for (std::size_t i = 0; i < stage.arguments.size(); ++i) {
    HALYARD_TRY(fill_argument(stage, stage.arguments[i], launch, frame, arguments[i]));
  }
  dispatch.arguments = std::span(arguments).first(stage.arguments.size());
  return sink.dispatch(dispatch);
}

base::Result<std::int64_t> LaunchPlan::piece_length(const SplitPlan& split,
                                                    const BoundLaunch& bound,
                                                    const Frame& frame) const {
  const std::int64_t whole = frame.slots[split.slot];
  std::int64_t piece = whole;
  if (binding_range_bytes_ == 0) return piece;
  for (const std::uint32_t tensor : split.tensors) {
    const BoundTensor& view = bound.tensors[tensor];
    const auto row_bytes = static_cast<std::uint64_t>(view.strides[0]) *
                           base::data_type_size_bytes(bound.shapes.tensors[tensor].type);
    if (view.buffer == nullptr || view.length_bytes <= binding_range_bytes_ || row_bytes == 0) {
      continue;
    }
    const auto rows = static_cast<std::int64_t>(binding_range_bytes_ / row_bytes);
    piece = std::min(piece, rows / split.multiple * split.multiple);
  }
  if (piece > 0 || whole == 0) return piece;
  return base::Error(base::ErrorCode::kUnsupported,
                     base::concat(split.multiple,
                                  " rows of a tensor are larger than the device's "
                                  "binding range (",
                                  binding_range_bytes_, " bytes)."));
}

base::Status LaunchPlan::launch_pieces(CommandSink& sink, const StagePlan& stage,
                                       const PlannedLaunch& launch, Frame& frame) const {
  if (!stage.split) return launch_stage(sink, stage, launch, frame);
  const std::int64_t whole = frame.slots[stage.split->slot];
  HALYARD_TRY_ASSIGN(const std::int64_t piece, piece_length(*stage.split, launch.bound, frame));
  if (piece == whole) return launch_stage(sink, stage, launch, frame);
  for (std::int64_t begin = 0; begin < whole; begin += piece) {
    frame.piece_begin = begin;
    frame.slots[stage.split->slot] = std::min(piece, whole - begin);
    HALYARD_TRY(launch_stage(sink, stage, launch, frame));
  }
  frame.piece_begin = 0;
  frame.slots[stage.split->slot] = whole;
  return base::ok();
}

base::Status LaunchPlan::check_launch(const PlannedLaunch& launch, Frame& frame) const {
  HALYARD_TRY(fill_frame(launch.axes, frame));
  HALYARD_TRY(check_guards(frame));
  return check_workspace(launch, frame);
}

base::Status LaunchPlan::check(const PlannedLaunch& launch) const {
  Frame frame;
  return check_launch(launch, frame);
}

base::Status LaunchPlan::launch(CommandSink& sink, const PlannedLaunch& launch) const {
  Frame frame;
  HALYARD_TRY(check_launch(launch, frame));
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    if (!regions_[i].zeroed || frame.region_bytes[i] == 0) continue;
    HALYARD_TRY(sink.fill(*launch.workspace.buffer,
                          launch.workspace.offset_bytes + frame.region_offsets[i],
                          frame.region_bytes[i], 0));
  }
  for (const StagePlan& stage : stages_) {
    HALYARD_TRY(launch_pieces(sink, stage, launch, frame));
  }
  return base::ok();
}

base::Result<std::uint64_t> LaunchPlan::packed_bytes(std::size_t layout) const {
  Frame frame;
  const auto values = slots_.values();
  std::copy(values.begin(), values.end(), frame.slots.begin());
  HALYARD_TRY_ASSIGN(const std::int64_t bytes, packings_[layout].bytes.evaluate(frame.slots));
  if (bytes >= 0) return static_cast<std::uint64_t>(bytes);
  return base::Error(
      base::ErrorCode::kInvalidArgument,
      base::concat("Packed layout ", packings_[layout].key, " has ", bytes, " bytes, below 0."));
}

base::Result<base::Ref<core::Buffer>> LaunchPlan::pack(std::size_t layout, Constant& source) const {
  HALYARD_TRY_ASSIGN(const std::uint64_t bytes, packed_bytes(layout));
  core::Device& device = executable_->device();
  HALYARD_TRY_ASSIGN(base::Ref<core::Buffer> packed,
                     device.create_buffer({std::max<std::uint64_t>(bytes, 4), 0}));
  HALYARD_TRY_ASSIGN(base::Ref<core::Queue> queue, device.create_queue());
  BoundLaunch bound;
  const std::uint32_t tensor = packings_[layout].tensor;
  operators::TensorShape& shape = bound.shapes.tensors[tensor];
  BoundTensor& view = bound.tensors[tensor];
  shape.present = true;
  shape.type = source.type();
  shape.rank = static_cast<std::uint32_t>(source.shape().size());
  std::copy(source.shape().begin(), source.shape().end(), shape.sizes.begin());
  std::int64_t stride = 1;
  for (std::uint32_t d = shape.rank; d-- > 0;) {
    view.strides[d] = stride;
    stride *= std::max<std::int64_t>(shape.sizes[d], 1);
  }
  view.buffer = &source.source();
  view.length_bytes = source.source().size_bytes();
  PackedBuffers buffers{};
  buffers[layout] = packed.get();
  Frame frame;
  const auto values = slots_.values();
  std::copy(values.begin(), values.end(), frame.slots.begin());
  QueueSink sink(*queue);
  const TensorView no_workspace;
  HALYARD_TRY(
      launch_pieces(sink, pack_stages_[layout], {bound, {}, {}, no_workspace, buffers}, frame));
  HALYARD_TRY(queue->synchronize(std::chrono::nanoseconds(-1)));
  return packed;
}

}  // namespace halyard::dispatch
