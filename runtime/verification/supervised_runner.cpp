// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/supervised_runner.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/text.h"
#include "runtime/verification/row_layout.h"

#include <signal.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace halyard::verification {
namespace {

using worker::ArenaSlot;
using worker::kPageBytes;
using worker::LaunchControl;
using worker::TensorPlace;
using worker::WorkerAnswer;

constexpr std::uint64_t kGuardBytes = 4096;
constexpr std::uint64_t kLeastCapacity = std::uint64_t{1} << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint64_t scalar_bits(base::DataType type, double value) {
  std::uint64_t bits = 0;
  base::store_from_double(type, value, &bits);
  return bits;
}

LaunchOutcome outcome(LaunchOutcome::Kind kind, std::string message) {
  return {kind, std::move(message), {}};
}

}  // namespace

SupervisedRunner::SupervisedRunner(CandidateDesc desc)
    : desc_(std::move(desc)),
      isolation_(desc_.worker.isolation) {}

bool SupervisedRunner::is_in_place() const {
  return worker::is_in_place(desc_.load.device);
}

void SupervisedRunner::restart() {
  // Nothing of an interpreted launch is left for the next one: its memory goes with it.
  if (worker::is_emulated(desc_.load.device) && process_ && process_->is_running()) return;
  end_process();
}

void SupervisedRunner::end_process() {
  process_.reset();
  prepared_text_.clear();
}

base::Status SupervisedRunner::make_room(const std::vector<std::uint64_t>& needed) {
  const auto fits = [&] {
    if (!arena_ || plan_.slots.size() != needed.size()) return false;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (plan_.slots[i].capacity_bytes < needed[i]) return false;
    }
    return true;
  };
  if (fits()) return base::ok();
  std::vector<std::uint64_t> capacities;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::uint64_t present = i < plan_.slots.size() ? plan_.slots[i].capacity_bytes : 0;
    capacities.push_back(std::max({present, kLeastCapacity, std::bit_ceil(needed[i])}));
  }
  end_process();
  worker::ArenaPlan plan = worker::plan_arena(capacities);
  HALYARD_TRY_ASSIGN(arena_, worker::SharedMemory::create(plan.size_bytes));
  plan_ = std::move(plan);
  desc_.load.capacities = std::move(capacities);
  return base::ok();
}

void SupervisedRunner::place_tensor(std::size_t tensor, std::uint64_t size_bytes,
                                    std::uint64_t alignment_bytes, Fence fence,
                                    std::uint32_t set_count) {
  TensorPlace place;
  if (size_bytes != 0) {
    const ArenaSlot& slot = plan_.slots[tensor];
    const std::uint64_t end = slot.offset_bytes + slot.capacity_bytes;
    place.size_bytes = size_bytes;
    if (!is_in_place() || set_count > 1) {
      place.offset_bytes = slot.offset_bytes + kGuardBytes;
      place.guard_before_bytes = kGuardBytes;
      place.guard_after_bytes = kGuardBytes;
      place.stride_bytes = round_up(size_bytes + 2 * kGuardBytes, kPageBytes);
    } else if (fence == Fence::kAfter) {
      place.offset_bytes = (end - size_bytes) / alignment_bytes * alignment_bytes;
      place.guard_before_bytes = kGuardBytes;
      place.guard_after_bytes = end - place.offset_bytes - size_bytes;
    } else if (fence == Fence::kBefore) {
      place.offset_bytes = slot.offset_bytes;
      place.guard_after_bytes = kGuardBytes;
    } else {
      // As far from a page's ends as the alignment allows, and aligned no better than promised.
      const std::uint64_t odd = 2 * (phase_++ % 16) + 1;
      place.offset_bytes = slot.offset_bytes + 2 * kGuardBytes + odd * alignment_bytes;
      place.guard_before_bytes = kGuardBytes;
      place.guard_after_bytes = kGuardBytes;
    }
  }
  places_.push_back(place);
}

TensorMemory SupervisedRunner::memory_of(const TensorPlace& place, std::uint32_t set) const {
  if (place.size_bytes == 0) return {};
  const std::uint64_t begin = place.offset_bytes + place.stride_bytes * set;
  const std::span<std::byte> bytes = arena_->bytes();
  TensorMemory memory;
  memory.data = bytes.subspan(begin, place.size_bytes);
  memory.guard_before = bytes.subspan(begin - place.guard_before_bytes, place.guard_before_bytes);
  memory.guard_after = bytes.subspan(begin + place.size_bytes, place.guard_after_bytes);
  std::fill(memory.guard_before.begin(), memory.guard_before.end(), std::byte{0});
  std::fill(memory.guard_after.begin(), memory.guard_after.end(), std::byte{0});
  return memory;
}

base::Result<std::vector<std::vector<TensorMemory>>> SupervisedRunner::place_sets(
    const LaunchDesc& desc, std::uint32_t set_count) {
  const operators::Problem& problem = *desc.problem;
  const operators::Contract& contract = problem.contract();
  HALYARD_TRY_ASSIGN(const operators::ShapeTable shapes, problem.shapes(desc.launch_axes));
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> needed;
  std::vector<RowLayout> layouts;
  for (std::size_t i = 0; i < contract.tensors().size(); ++i) {
    const operators::TensorShape& shape = shapes.tensors[i];
    sizes.push_back(shape.present ? static_cast<std::uint64_t>(shape.size_bytes) : 0);
    layouts.push_back(desc.fence == Fence::kApart ? rows_apart(contract.tensors()[i], shape, i)
                                                  : RowLayout{});
    if (layouts[i].pitch != 0) {
      sizes[i] = static_cast<std::uint64_t>(layouts[i].elements()) *
                 base::data_type_size_bytes(shape.type);
    }
    const auto alignment = static_cast<std::uint64_t>(contract.tensors()[i].alignment_bytes);
    needed.push_back(round_up(sizes[i] + 4 * kGuardBytes + 32 * alignment, kPageBytes) * set_count);
  }
  needed.push_back(desc_.workspace_bytes);
  HALYARD_TRY(make_room(needed));

  prepare_ = {problem.types(), problem.attributes(), problem.prepare_axes()};
  prepare_text_ = worker::prepare_request_json(prepare_);
  axes_.assign(desc.launch_axes.begin(), desc.launch_axes.end());
  scalars_.clear();
  for (std::size_t i = 0; i < desc.scalars.size(); ++i)
    scalars_.push_back(scalar_bits(contract.scalars()[i].type, desc.scalars[i]));
  tensor_names_.clear();
  places_.clear();
  set_count_ = set_count;
  for (const ArenaSlot& slot : plan_.slots) {
    if (slot.capacity_bytes != 0) arena_->discard(slot.offset_bytes, slot.capacity_bytes);
  }
  workspace_at_end_ = desc.fence == Fence::kAfter;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto alignment =
        std::max<std::uint64_t>(static_cast<std::uint64_t>(contract.tensors()[i].alignment_bytes),
                                base::data_type_size_bytes(shapes.tensors[i].type));
    tensor_names_.push_back(contract.tensors()[i].name);
    place_tensor(i, sizes[i], std::max<std::uint64_t>(alignment, 1), desc.fence, set_count);
    places_.back().row_pitch = layouts[i].pitch;
  }
  std::vector<std::vector<TensorMemory>> sets(set_count);
  for (std::uint32_t set = 0; set < set_count; ++set) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      TensorMemory& memory = sets[set].emplace_back(memory_of(places_[i], set));
      const std::size_t element_bytes = base::data_type_size_bytes(shapes.tensors[i].type);
      if (layouts[i].pitch == 0) continue;
      memory.row_bytes = static_cast<std::size_t>(layouts[i].row) * element_bytes;
      memory.pitch_bytes = static_cast<std::size_t>(layouts[i].pitch) * element_bytes;
    }
  }
  return sets;
}

base::Result<std::vector<TensorMemory>> SupervisedRunner::place(const LaunchDesc& desc) {
  HALYARD_TRY_ASSIGN(auto sets, place_sets(desc, 1));
  return std::move(sets.front());
}

// The block of control is written anew each time: a kernel may have changed it.
void SupervisedRunner::fill_control() {
  auto& control = *reinterpret_cast<LaunchControl*>(arena_->bytes().data());
  control.set_count = set_count_;
  control.workspace_at_end = workspace_at_end_ ? 1 : 0;
  control.axis_count = static_cast<std::uint32_t>(axes_.size());
  control.scalar_count = static_cast<std::uint32_t>(scalars_.size());
  control.tensor_count = static_cast<std::uint32_t>(places_.size());
  std::copy(axes_.begin(), axes_.end(), control.axes.begin());
  std::copy(scalars_.begin(), scalars_.end(), control.scalars.begin());
  std::copy(places_.begin(), places_.end(), control.tensors.begin());
}

std::string SupervisedRunner::place_of_fault(std::uint64_t offset) const {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const ArenaSlot& slot = plan_.slots[i];
    const TensorPlace& place = places_[i];
    if (place.size_bytes == 0 || offset < slot.offset_bytes - kPageBytes ||
        offset >= slot.offset_bytes + slot.capacity_bytes + kPageBytes) {
      continue;
    }
    if (offset < place.offset_bytes) {
      return base::concat(place.offset_bytes - offset, " bytes before tensor ", tensor_names_[i]);
    }
    return base::concat(offset - place.offset_bytes - place.size_bytes, " bytes past the ",
                        place.size_bytes, " bytes of tensor ", tensor_names_[i]);
  }
  const ArenaSlot& workspace = plan_.slots.back();
  if (offset >= workspace.offset_bytes - kPageBytes) return "outside the workspace";
  return "outside of all tensors";
}

LaunchOutcome SupervisedRunner::outcome_of(const WorkerAnswer& answer) {
  using Kind = LaunchOutcome::Kind;
  // The interpreter says something, which gives a candidate no memory but its tensors.
  const bool is_emulated = worker::is_emulated(desc_.load.device);
  if (answer.kind == WorkerAnswer::Kind::kDone) {
    return {Kind::kDone, is_emulated ? answer.sentence : std::string(), answer.wall};
  }
  if (answer.kind == WorkerAnswer::Kind::kReported && is_emulated) {
    return outcome(Kind::kReported, answer.sentence);
  }
  // Whoever writes this may be the candidate.
  const std::string claim = base::concat("The worker says: ", answer.sentence);
  if (answer.kind == WorkerAnswer::Kind::kRefused) return outcome(Kind::kRefused, claim);
  if (answer.kind == WorkerAnswer::Kind::kOutOfBounds) return outcome(Kind::kFault, claim);
  end_process();
  if (answer.is_past_deadline) {
    return outcome(Kind::kHang, base::concat("The launch does not end within ",
                                             desc_.launch_patience.count(), " ms."));
  }
  using Exit = worker::SandboxExit::Kind;
  switch (answer.exit.kind) {
    case Exit::kViolation:
      return outcome(Kind::kViolation, "The kernel asks the system for what kernels may not do.");
    case Exit::kSignalled:
      if (answer.exit.code == SIGSEGV || answer.exit.code == SIGBUS) {
        return outcome(Kind::kFault,
                       base::concat("The kernel touches memory ",
                                    answer.fault_offset ? place_of_fault(*answer.fault_offset)
                                                        : "that is not its own",
                                    "."));
      }
      return outcome(Kind::kCrash,
                     base::concat("The kernel's process ends by signal ", answer.exit.code, "."));
    case Exit::kWallLimit:
    case Exit::kCpuLimit:
    case Exit::kUnkillable:
      return outcome(Kind::kHang, "The kernel's process reaches its limit of time.");
    case Exit::kOutputLimit:
      return outcome(Kind::kViolation, "The kernel's process writes without end.");
    case Exit::kExited:
      break;
  }
  return outcome(Kind::kCrash, base::concat("The kernel's process ends by itself with status ",
                                            answer.exit.code, "."));
}

base::Result<std::optional<LaunchOutcome>> SupervisedRunner::ensure_prepared() {
  if (process_ && !process_->is_running()) end_process();
  if (!process_) {
    auto started = worker::WorkerProcess::start(desc_.worker, desc_.load, desc_.code, *arena_);
    if (!started) return std::move(started.error());
    process_.emplace(std::move(*started));
    ++process_count_;
    isolation_ = std::min(isolation_, process_->isolation());
    if (process_->loaded().kind != WorkerAnswer::Kind::kDone) {
      const WorkerAnswer answer = process_->loaded();
      const LaunchOutcome failed = outcome_of(answer);
      end_process();
      return std::optional(failed);
    }
  }
  if (prepared_text_ == prepare_text_) return std::optional<LaunchOutcome>();
  const WorkerAnswer answer = process_->prepare(prepare_);
  if (answer.kind != WorkerAnswer::Kind::kDone) {
    prepared_text_.clear();
    return std::optional(outcome_of(answer));
  }
  prepared_text_ = prepare_text_;
  return std::optional<LaunchOutcome>();
}

base::Result<LaunchOutcome> SupervisedRunner::act(std::uint32_t actions, std::uint32_t repeat) {
  HALYARD_TRY_ASSIGN(const std::optional<LaunchOutcome> failed, ensure_prepared());
  if (failed) return *failed;
  fill_control();
  return outcome_of(process_->launch(actions, repeat, desc_.launch_patience));
}

base::Result<LaunchOutcome> SupervisedRunner::launch() {
  HALYARD_TRY_ASSIGN(LaunchOutcome done,
                     act(worker::kBind | worker::kUpload | worker::kRun | worker::kDownload, 1));
  if (done.kind != LaunchOutcome::Kind::kDone || !is_in_place()) return done;
  const auto stray = find_stray_page();
  if (!stray) return done;
  return outcome(LaunchOutcome::Kind::kFault,
                 base::concat("The kernel touches memory ", place_of_fault(*stray), "."));
}

// Slots were emptied when the tensors were placed, so a page that is there now and holds neither a
// tensor nor its guards was touched by the kernel.
std::optional<std::uint64_t> SupervisedRunner::find_stray_page() const {
  const auto& control = *reinterpret_cast<const LaunchControl*>(arena_->bytes().data());
  for (std::size_t i = 0; i < plan_.slots.size(); ++i) {
    const ArenaSlot& slot = plan_.slots[i];
    if (slot.capacity_bytes == 0) continue;
    const std::uint64_t end = slot.offset_bytes + slot.capacity_bytes;
    std::uint64_t used_begin = slot.offset_bytes;
    std::uint64_t used_end = slot.offset_bytes;
    if (i < places_.size()) {
      const TensorPlace& place = places_[i];
      if (place.size_bytes != 0) {
        used_begin = place.offset_bytes - place.guard_before_bytes;
        used_end = place.offset_bytes + place.size_bytes + place.guard_after_bytes +
                   place.stride_bytes * (set_count_ - 1);
      }
    } else {
      const std::uint64_t bytes =
          std::min(round_up(control.workspace_bytes, kGuardBytes), slot.capacity_bytes);
      used_begin = workspace_at_end_ ? end - bytes : slot.offset_bytes;
      used_end = used_begin + bytes;
    }
    if (auto stray = arena_->first_page_outside({slot.offset_bytes, end}, {used_begin, used_end})) {
      return stray;
    }
  }
  return std::nullopt;
}

base::Result<LaunchOutcome> SupervisedRunner::bind() {
  return act(worker::kBind | worker::kUpload, 0);
}

base::Result<LaunchOutcome> SupervisedRunner::run(std::uint32_t repeat) {
  return act(worker::kRun, repeat);
}

base::Result<LaunchOutcome> SupervisedRunner::upload() {
  return act(worker::kUpload, 0);
}

base::Result<LaunchOutcome> SupervisedRunner::rerun(std::uint32_t repeat) {
  return act(worker::kUpload | worker::kRun, repeat);
}

base::Result<LaunchOutcome> SupervisedRunner::collect() {
  return act(worker::kDownload, 0);
}

}  // namespace halyard::verification
