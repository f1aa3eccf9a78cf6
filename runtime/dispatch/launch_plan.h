// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/command_sink.h"
#include "runtime/dispatch/constant.h"
#include "runtime/dispatch/kernel_slots.h"
#include "runtime/dispatch/launch.h"
#include "runtime/dispatch/slot_value.h"
#include "runtime/operators/problem.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::dispatch {

inline constexpr std::size_t kMaxArguments = 64;
inline constexpr std::size_t kMaxPackedLayouts = 8;

// What a launch plan is made from. Borrowed for the call.
struct LaunchPlanDesc {
  core::Device& device;
  const operators::Problem& problem;
  const store::KernelRecord& record;
  std::string target;
  std::string build;  // names the binary: equal text, equal bytes
  store::ParameterValues parameters;
  std::span<const std::byte> code;  // checked against its recorded hash
};

// The packed buffers of a launch, by the place of the layout in the kernel's record.
using PackedBuffers = std::array<core::Buffer*, kMaxPackedLayouts>;

// The arguments of one launch, after the views' checks. Borrowed.
struct PlannedLaunch {
  const BoundLaunch& bound;
  std::span<const std::int64_t> axes;
  std::span<const std::uint64_t> scalars;
  const TensorView& workspace;
  const PackedBuffers& packed;
};

// A kernel's build loaded for one problem: its launch record compiled to slots and plans.
// Immutable; any number of threads may launch at once, each on its own queue.
class LaunchPlan final : public base::RefCounted {
 public:
  // Errors: UNSUPPORTED for what this version or device does not execute; what the device says of
  // the code.
  static base::Result<base::Ref<LaunchPlan>> create(const LaunchPlanDesc& desc);

  // Errors: OUTSIDE_GUARDS when an axis predicate is false; INVALID_ARGUMENT for a workspace that
  // is missing or short, or shares bytes with a tensor. Allocates nothing on success.
  base::Status launch(CommandSink& sink, const PlannedLaunch& launch) const;
  // The checks of launch(), without its commands.
  base::Status check(const PlannedLaunch& launch) const;

  // What launch() needs as workspace with these axes.
  base::Result<std::uint64_t> workspace_bytes(std::span<const std::int64_t> axes) const;

  struct Packing {
    std::uint32_t tensor = 0;  // the contract's tensor
    std::string key;           // see Constant::packed
    SlotValue bytes;
    std::uint32_t stage = 0;  // into the executable
  };
  // In the order of the kernel's packed layouts.
  const std::vector<Packing>& packings() const { return packings_; }
  base::Result<std::uint64_t> packed_bytes(std::size_t layout) const;
  // Repacks `source` on a queue of its own, and waits.
  base::Result<base::Ref<core::Buffer>> pack(std::size_t layout, Constant& source) const;

 private:
  friend class LaunchPlanCompiler;

  enum class Source : std::uint8_t {
    kTensor,
    kPacked,
    kWorkspace,
    kScalar,
    kStride,
    kValue,
    kOffset
  };

  struct ArgumentPlan {
    Source source = Source::kValue;
    std::uint32_t index = 0;  // tensor, layout, region or scalar
    std::uint32_t dimension = 0;
    base::DataType type = base::DataType::kU64;
    SlotValue value;
  };

  struct SplitPlan {
    std::uint32_t slot = 0;
    std::int64_t multiple = 1;
    std::vector<std::uint32_t> tensors;  // whose outermost dimension is the axis
  };

  struct StagePlan {
    std::uint32_t stage = 0;  // into the executable
    std::array<SlotValue, 3> grid;
    std::vector<ArgumentPlan> arguments;
    std::optional<SplitPlan> split;
  };

  struct Region {
    SlotValue bytes;
    std::uint64_t alignment_bytes = 1;
    bool zeroed = false;
  };

  struct Guard {
    SlotValue value;
    std::string text;
  };

  static constexpr std::size_t kMaxRegions = 8;

  struct Frame {
    std::array<std::int64_t, kMaxKernelSlots> slots;
    std::array<std::uint64_t, kMaxRegions> region_offsets;
    std::array<std::uint64_t, kMaxRegions> region_bytes;
    std::uint64_t workspace_bytes = 0;
    std::int64_t piece_begin = 0;
  };

  LaunchPlan() = default;
  base::Status fill_frame(std::span<const std::int64_t> axes, Frame& frame) const;
  base::Status place_regions(Frame& frame) const;
  base::Status check_launch(const PlannedLaunch& launch, Frame& frame) const;
  base::Status check_guards(const Frame& frame) const;
  base::Status launch_stage(CommandSink& sink, const StagePlan& stage, const PlannedLaunch& launch,
                            Frame& frame) const;
  base::Status launch_pieces(CommandSink& sink, const StagePlan& stage, const PlannedLaunch& launch,
                             Frame& frame) const;
  base::Result<std::int64_t> piece_length(const SplitPlan& split, const BoundLaunch& bound,
                                          const Frame& frame) const;
  base::Status fill_argument(const StagePlan& stage, const ArgumentPlan& plan,
                             const PlannedLaunch& launch, const Frame& frame,
                             core::ArgumentValue& out) const;
  void fill_tensor(const StagePlan& stage, std::uint32_t tensor, const PlannedLaunch& launch,
                   const Frame& frame, core::ArgumentValue& out) const;
  base::Status check_workspace(const PlannedLaunch& launch, const Frame& frame) const;
  base::Status check_workspace_apart(const PlannedLaunch& launch, const Frame& frame) const;
  std::string slots_text(const Frame& frame, const std::string& text) const;

  base::Ref<const operators::Contract> contract_;
  base::Ref<core::Executable> executable_;
  operators::SlotTable slots_;
  std::vector<Guard> guards_;
  std::vector<Region> regions_;
  std::vector<StagePlan> stages_;       // per-launch, in order
  std::vector<StagePlan> pack_stages_;  // in the order of packings_
  std::vector<Packing> packings_;
  std::uint64_t binding_range_bytes_ = 0;  // 0: no limit
};

}  // namespace halyard::dispatch
