// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/arena_launcher.h"

#include "runtime/base/text.h"
#include "runtime/verification/row_layout.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace halyard::worker {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;

// The verifier's own deadline comes long before.
constexpr std::chrono::hours kDeviceDeadline{1};
constexpr std::uint64_t kWorkspaceGuardBytes = 4096;
constexpr std::uint64_t kWorkspaceAlignment = 256;
constexpr std::byte kWorkspaceGuard{0x5a};
constexpr std::uint32_t kBindsPerNoise = 8;

}  // namespace

ArenaLauncher::ArenaLauncher(std::span<std::byte> arena, std::vector<ArenaSlot> slots)
    : arena_(arena),
      slots_(std::move(slots)) {}

void ArenaLauncher::prepare(core::Device& device, PreparedKernel kernel, const std::string& told) {
  told_ = &told;
  device_ = base::Ref<core::Device>::share(&device);
  kernel_ = std::move(kernel);
  tensors_.clear();
  operation_ = {};
  in_place_ = is_in_place(device.info().id);
}

base::Status ArenaLauncher::execute(const LaunchControl& control) {
  if (!kernel_) return Error(ErrorCode::kInvalidArgument, "No problem is prepared.");
  if (!queue_) {
    HALYARD_TRY_ASSIGN(queue_, device_->create_queue());
  }
  if ((control.actions & kBind) != 0) HALYARD_TRY(bind(control));
  if (!operation_) return Error(ErrorCode::kInvalidArgument, "No tensors are bound.");
  if ((control.actions & kUpload) != 0) HALYARD_TRY(copy(true));
  if ((control.actions & kRun) != 0) HALYARD_TRY(run(control.repeat));
  if ((control.actions & kDownload) != 0) {
    HALYARD_TRY(copy(false));
    HALYARD_TRY(check_workspace_guards());
  }
  return base::ok();
}

base::Status ArenaLauncher::check_place(const TensorPlace& place, std::uint32_t set_count) const {
  const std::uint64_t limit = arena_.size();
  const std::uint64_t furthest = place.stride_bytes * (set_count - 1);
  if (place.size_bytes <= limit && place.offset_bytes <= limit - place.size_bytes &&
      place.guard_before_bytes <= place.offset_bytes && furthest <= limit &&
      place.guard_after_bytes <= limit &&
      place.offset_bytes + place.size_bytes + place.guard_after_bytes + furthest <= limit) {
    return base::ok();
  }
  return Error(ErrorCode::kInvalidArgument,
               concat("A tensor of ", place.size_bytes, " bytes at ", place.offset_bytes,
                      " lies outside the shared memory (", limit, " bytes)."));
}

std::span<std::byte> ArenaLauncher::guarded(const TensorPlace& place, std::uint32_t set) const {
  const std::uint64_t begin =
      place.offset_bytes - place.guard_before_bytes + place.stride_bytes * set;
  return arena_.subspan(begin,
                        place.guard_before_bytes + place.size_bytes + place.guard_after_bytes);
}

base::Result<base::Ref<core::Buffer>> ArenaLauncher::make_buffer(const TensorPlace& place,
                                                                 std::uint32_t set) {
  const std::span<std::byte> bytes = guarded(place, set);
  if (!in_place_) return device_->create_buffer({bytes.size(), 0});
  return device_->wrap_host_memory(bytes.data() + place.guard_before_bytes, place.size_bytes);
}

base::Status ArenaLauncher::bind_tensors(const LaunchControl& control) {
  const operators::Contract& contract = kernel_->problem.contract();
  if (control.tensor_count != contract.tensors().size() || control.set_count == 0) {
    return Error(ErrorCode::kInvalidArgument,
                 concat(control.tensor_count, " tensors are placed; the contract has ",
                        contract.tensors().size(), "."));
  }
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes, kernel_->problem.shapes(axes_));
  set_count_ = control.set_count;
  tensors_.assign(control.tensor_count, {});
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    PlacedTensor& tensor = tensors_[i];
    tensor.place = control.tensors[i];
    HALYARD_TRY(check_place(tensor.place, set_count_));
    if (tensor.place.size_bytes == 0 || contract.tensors()[i].constant) continue;
    if (tensor.place.row_pitch != 0) {
      tensor.strides = verification::strides_of_rows(shapes.tensors[i], tensor.place.row_pitch);
    }
    for (std::uint32_t set = 0; set < set_count_; ++set) {
      HALYARD_TRY_ASSIGN(auto buffer, make_buffer(tensor.place, set));
      tensor.buffers.push_back(std::move(buffer));
    }
  }
  return base::ok();
}

base::Status ArenaLauncher::bind(const LaunchControl& control) {
  if (control.axis_count > control.axes.size() || control.scalar_count > control.scalars.size() ||
      control.tensor_count > control.tensors.size()) {
    return Error(ErrorCode::kInvalidArgument, "The block of control counts past its ends.");
  }
  operation_ = {};
  axes_.assign(control.axes.begin(), control.axes.begin() + control.axis_count);
  scalars_.assign(control.scalars.begin(), control.scalars.begin() + control.scalar_count);
  HALYARD_TRY(bind_tensors(control));
  HALYARD_TRY(make_constants());
  auto choice = base::make_ref<dispatch::KernelChoice>();
  choice->plan = kernel_->plan;
  HALYARD_TRY_ASSIGN(operation_, dispatch::Operation::create(*device_, kernel_->problem, constants_,
                                                             axes_, choice));
  return bind_workspace(control);
}

base::Status ArenaLauncher::make_constants() {
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes, kernel_->problem.shapes(axes_));
  constants_ = {};
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const operators::TensorShape& shape = shapes.tensors[i];
    if (!shape.present || !kernel_->problem.contract().tensors()[i].constant) continue;
    const auto sizes = std::span(shape.sizes).first(shape.rank);
    const auto bytes = arena_.subspan(tensors_[i].place.offset_bytes, tensors_[i].place.size_bytes);
    if (in_place_ && !bytes.empty()) {
      HALYARD_TRY_ASSIGN(auto buffer, device_->wrap_host_memory(bytes.data(), bytes.size()));
      HALYARD_TRY_ASSIGN(constants_[i],
                         dispatch::Constant::create_over(std::move(buffer), shape.type, sizes));
      continue;
    }
    HALYARD_TRY_ASSIGN(constants_[i],
                       dispatch::Constant::create(*device_, shape.type, sizes, bytes));
  }
  return base::ok();
}

base::Status ArenaLauncher::bind_workspace(const LaunchControl& control) {
  HALYARD_TRY_ASSIGN(workspace_bytes_, operation_->workspace_bytes(axes_));
  workspace_ = {};
  if (workspace_bytes_ == 0) return base::ok();
  if (!in_place_) {
    workspace_offset_ = kWorkspaceGuardBytes;
    HALYARD_TRY_ASSIGN(workspace_,
                       device_->create_buffer({workspace_bytes_ + 2 * kWorkspaceGuardBytes, 0}));
    const std::vector<std::byte> bytes(workspace_bytes_ + 2 * kWorkspaceGuardBytes,
                                       kWorkspaceGuard);
    return workspace_->write(0, bytes);
  }
  const ArenaSlot& slot = slots_.back();
  if (workspace_bytes_ > slot.capacity_bytes) {
    return Error(ErrorCode::kUnsupported,
                 concat("The kernel asks for a workspace of ", workspace_bytes_,
                        " bytes; the verifier offers ", slot.capacity_bytes, "."));
  }
  const std::uint64_t needed =
      (workspace_bytes_ + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
  const std::uint64_t begin =
      slot.offset_bytes + (control.workspace_at_end != 0 ? slot.capacity_bytes - needed : 0);
  const auto bytes = arena_.subspan(begin, needed);
  // Other bytes now and then, so that nobody counts on what is there, and what launches have left
  // in between, so that nobody trusts it. Known bytes up to the fence.
  const std::byte noise = kWorkspaceGuard ^ static_cast<std::byte>(bind_count_);
  if (bind_count_++ % kBindsPerNoise == 0) std::fill(bytes.begin(), bytes.end(), noise);
  workspace_slack_ = bytes.subspan(workspace_bytes_);
  std::fill(workspace_slack_.begin(), workspace_slack_.end(), kWorkspaceGuard);
  workspace_offset_ = 0;
  HALYARD_TRY_ASSIGN(workspace_, device_->wrap_host_memory(bytes.data(), workspace_bytes_));
  return base::ok();
}

base::Status ArenaLauncher::copy(bool to_device) {
  if (in_place_) return base::ok();
  for (PlacedTensor& tensor : tensors_) {
    for (std::uint32_t set = 0; set < tensor.buffers.size(); ++set) {
      const std::span<std::byte> bytes = guarded(tensor.place, set);
      HALYARD_TRY(to_device ? tensor.buffers[set]->write(0, bytes)
                            : tensor.buffers[set]->read(0, bytes));
    }
  }
  if (to_device) return base::ok();
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const TensorPlace& place = tensors_[i].place;
    if (!constants_[i] || place.size_bytes == 0) continue;
    const auto bytes = arena_.subspan(place.offset_bytes, place.size_bytes);
    HALYARD_TRY(constants_[i]->source().read(0, bytes));
  }
  return base::ok();
}

base::Status ArenaLauncher::run(std::uint32_t repeat) {
  std::vector<dispatch::TensorView> views(tensors_.size());
  dispatch::Launch launch{views, axes_, scalars_, {}};
  if (workspace_)
    launch.workspace = {workspace_.get(), workspace_offset_, workspace_bytes_, nullptr};
  for (std::uint32_t turn = 0; turn < repeat; ++turn) {
    const std::uint32_t set = turn % set_count_;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      const PlacedTensor& tensor = tensors_[i];
      if (tensor.buffers.empty()) continue;
      views[i] = {tensor.buffers[set].get(), in_place_ ? 0 : tensor.place.guard_before_bytes,
                  tensor.place.size_bytes,
                  tensor.place.row_pitch != 0 ? tensor.strides.data() : nullptr};
    }
    HALYARD_TRY(operation_->enqueue(*queue_, launch));
  }
  return queue_->synchronize(kDeviceDeadline);
}

base::Status ArenaLauncher::check_workspace_guards() {
  if (!workspace_) return base::ok();
  if (in_place_) {
    const bool is_intact = std::all_of(workspace_slack_.begin(), workspace_slack_.end(),
                                       [](std::byte byte) { return byte == kWorkspaceGuard; });
    return is_intact ? base::ok() : workspace_error("past");
  }
  std::vector<std::byte> guard(kWorkspaceGuardBytes);
  for (const std::uint64_t offset : {std::uint64_t{0}, workspace_offset_ + workspace_bytes_}) {
    HALYARD_TRY(workspace_->read(offset, guard));
    const auto changed = std::find_if(guard.begin(), guard.end(),
                                      [](std::byte byte) { return byte != kWorkspaceGuard; });
    if (changed == guard.end()) continue;
    return workspace_error(offset == 0 ? "before" : "past");
  }
  return base::ok();
}

base::Error ArenaLauncher::workspace_error(std::string_view where) const {
  return Error(ErrorCode::kCorruptData, concat("The kernel writes ", where, " its workspace of ",
                                               workspace_bytes_, " bytes."));
}

}  // namespace halyard::worker
