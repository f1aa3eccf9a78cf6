// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/launch_plan_compiler.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>
#include <variant>

namespace halyard::dispatch {
namespace {

using store::ArgumentKind;
using store::KernelArgument;
using store::KernelStage;
using store::StageCadence;

base::Error unsupported(std::string sentence) {
  return base::Error(base::ErrorCode::kUnsupported, std::move(sentence));
}

base::Error invalid(std::string sentence) {
  return base::Error(base::ErrorCode::kInvalidArgument, std::move(sentence));
}

bool fits_word(std::int64_t value) {
  return value >= 0 && value <= 0xffffffffLL;
}

}  // namespace

std::string unsupported_feature(const store::KernelRecord& record) {
  for (const KernelStage& stage : record.stages) {
    if (stage.cadence == StageCadence::kPerAxes) return "stages of cadence per-axes";
    if (stage.cluster) return "clusters";
    if (stage.cooperative.value_or(false)) return "cooperative launches";
    if (stage.max_resident) return "a bound on resident groups";
    if (stage.shared_bytes) return "dynamic shared memory";
    for (const KernelArgument& argument : stage.arguments) {
      if (argument.kind == ArgumentKind::kHidden) return "hidden arguments";
      if (argument.kind == ArgumentKind::kTensorMap) return "tensor maps";
    }
  }
  return "";
}

LaunchPlanCompiler::LaunchPlanCompiler(const LaunchPlanDesc& desc)
    : desc_(desc),
      plan_(base::Ref<LaunchPlan>::adopt(new LaunchPlan())) {}

base::Result<base::Ref<LaunchPlan>> LaunchPlan::create(const LaunchPlanDesc& desc) {
  return LaunchPlanCompiler(desc).compile();
}

base::Result<base::Ref<LaunchPlan>> LaunchPlanCompiler::compile() {
  const std::string feature = unsupported_feature(desc_.record);
  if (!feature.empty()) {
    return unsupported(
        base::concat("The kernel uses ", feature, ", which this version does not launch."));
  }
  plan_->contract_ = desc_.problem.contract_ref();
  HALYARD_TRY_ASSIGN(plan_->slots_, make_kernel_slots(desc_.problem, desc_.record, desc_.parameters,
                                                      desc_.device));
  HALYARD_TRY(compile_guards());
  HALYARD_TRY(compile_regions());
  HALYARD_TRY(compile_stages());
  HALYARD_TRY(compile_packings());
  HALYARD_TRY(load());
  return plan_;
}

base::Result<std::int64_t> LaunchPlanCompiler::evaluate_now(std::string_view text) const {
  HALYARD_TRY_ASSIGN(const SlotValue value, SlotValue::compile(text, plan_->slots_));
  return value.evaluate(plan_->slots_.values());
}

base::Status LaunchPlanCompiler::compile_guards() {
  for (const std::string& text : desc_.record.where) {
    HALYARD_TRY_ASSIGN(SlotValue value, SlotValue::compile(text, plan_->slots_));
    plan_->guards_.push_back({std::move(value), text});
  }
  return base::ok();
}

base::Status LaunchPlanCompiler::compile_regions() {
  if (desc_.record.workspace.size() > LaunchPlan::kMaxRegions) {
    return unsupported(base::concat("The kernel has ", desc_.record.workspace.size(),
                                    " workspace regions, more than ", LaunchPlan::kMaxRegions,
                                    "."));
  }
  for (const auto& region : desc_.record.workspace) {
    HALYARD_TRY_ASSIGN(SlotValue bytes, SlotValue::compile(region.bytes.text, plan_->slots_));
    const std::uint64_t alignment = std::max<std::uint64_t>(region.alignment_bytes, 256);
    plan_->regions_.push_back(
        {std::move(bytes), alignment, region.initial == store::WorkspaceInitial::kZero});
  }
  return base::ok();
}

base::Status LaunchPlanCompiler::compile_stages() {
  for (const KernelStage& stage : desc_.record.stages) {
    HALYARD_TRY_ASSIGN(core::StageDesc stage_desc, describe_stage(stage));
    stage_descs_.push_back(std::move(stage_desc));
    if (stage.cadence != StageCadence::kPerLaunch) continue;
    HALYARD_TRY_ASSIGN(LaunchPlan::StagePlan plan, compile_stage(stage));
    plan_->stages_.push_back(std::move(plan));
  }
  return base::ok();
}

base::Status LaunchPlanCompiler::compile_packings() {
  const auto& layouts = desc_.record.packed_layouts;
  if (layouts.size() > kMaxPackedLayouts) {
    return unsupported(base::concat("The kernel has ", layouts.size(),
                                    " packed layouts, more than ", kMaxPackedLayouts, "."));
  }
  for (const store::PackedLayout& layout : layouts) {
    const KernelStage* stage = desc_.record.find_stage(layout.stage);
    if (stage == nullptr || stage->cadence != StageCadence::kPerConstant) {
      return invalid(base::concat("Packed layout ", layout.name, " names stage ", layout.stage,
                                  ", which is no per-constant stage of the kernel."));
    }
    LaunchPlan::Packing packing;
    HALYARD_TRY_ASSIGN(packing.tensor, desc_.problem.contract().tensor_index(layout.tensor));
    packing.key = base::concat(desc_.build, "/", layout.name);
    HALYARD_TRY_ASSIGN(packing.bytes, SlotValue::compile(layout.bytes.text, plan_->slots_));
    HALYARD_TRY_ASSIGN(LaunchPlan::StagePlan plan, compile_stage(*stage));
    packing.stage = plan.stage;
    plan_->pack_stages_.push_back(std::move(plan));
    plan_->packings_.push_back(std::move(packing));
  }
  return base::ok();
}

base::Result<LaunchPlan::StagePlan> LaunchPlanCompiler::compile_stage(const KernelStage& stage) {
  LaunchPlan::StagePlan plan;
  plan.stage = static_cast<std::uint32_t>(&stage - desc_.record.stages.data());
  for (std::size_t d = 0; d < 3; ++d) {
    HALYARD_TRY_ASSIGN(plan.grid[d], SlotValue::compile(stage.grid[d].text, plan_->slots_));
  }
  if (stage.split) {
    HALYARD_TRY_ASSIGN(plan.split, compile_split(stage));
  }
  for (const KernelArgument& argument : stage.arguments) {
    HALYARD_TRY_ASSIGN(LaunchPlan::ArgumentPlan argument_plan, compile_argument(argument));
    plan.arguments.push_back(std::move(argument_plan));
  }
  if (plan.arguments.size() > kMaxArguments) {
    return unsupported(base::concat("Stage ", stage.name, " has ", plan.arguments.size(),
                                    " arguments, more than ", kMaxArguments, "."));
  }
  return plan;
}

base::Result<LaunchPlan::SplitPlan> LaunchPlanCompiler::compile_split(const KernelStage& stage) {
  LaunchPlan::SplitPlan plan;
  const auto slot = plan_->slots_.slot_of(stage.split->axis);
  if (!slot) return invalid(base::concat("The split axis ", stage.split->axis, " is no axis."));
  plan.slot = *slot;
  plan.multiple = static_cast<std::int64_t>(stage.split->multiple);
  const operators::Contract& contract = desc_.problem.contract();
  for (const KernelArgument& argument : stage.arguments) {
    // Device addresses reach everywhere; only bindings have a range.
    if (argument.kind != ArgumentKind::kTensor || !argument.binding) continue;
    HALYARD_TRY_ASSIGN(const std::uint32_t tensor, contract.tensor_index(argument.name));
    const auto& shape = contract.tensors()[tensor].shape;
    if (!shape.empty() && shape[0] == stage.split->axis) plan.tensors.push_back(tensor);
  }
  return plan;
}

base::Result<std::uint32_t> LaunchPlanCompiler::region_index(std::string_view name) const {
  const auto& regions = desc_.record.workspace;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].name == name) return static_cast<std::uint32_t>(i);
  }
  return invalid(base::concat("The kernel has no workspace region ", name, "."));
}

base::Result<std::uint32_t> LaunchPlanCompiler::layout_index(std::string_view name) const {
  const auto& layouts = desc_.record.packed_layouts;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].name == name) return static_cast<std::uint32_t>(i);
  }
  return invalid(base::concat("The kernel has no packed layout ", name, "."));
}

base::Result<std::uint64_t> LaunchPlanCompiler::attribute_bits(
    const KernelArgument& argument) const {
  HALYARD_TRY(desc_.problem.contract().attribute_index(argument.name));
  const operators::AttributeValue& value = desc_.problem.attribute(argument.name);
  if (std::holds_alternative<std::string>(value)) {
    return invalid(
        base::concat("Attribute ", argument.name, " is a text; a kernel takes numbers."));
  }
  const double number = std::holds_alternative<double>(value)
                            ? std::get<double>(value)
                            : static_cast<double>(std::get<std::int64_t>(value));
  std::uint64_t bits = 0;
  if (argument.type == base::DataType::kF32) {
    const auto single = static_cast<float>(number);
    std::memcpy(&bits, &single, sizeof(single));
  } else if (argument.type == base::DataType::kF64) {
    std::memcpy(&bits, &number, sizeof(number));
  } else {
    bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  }
  return bits;
}

base::Result<LaunchPlan::ArgumentPlan> LaunchPlanCompiler::compile_argument(
    const KernelArgument& argument) {
  using Source = LaunchPlan::Source;
  const operators::Contract& contract = desc_.problem.contract();
  LaunchPlan::ArgumentPlan plan;
  plan.type = argument.type;
  switch (argument.kind) {
    case ArgumentKind::kTensor:
      plan.source = argument.packed.empty() ? Source::kTensor : Source::kPacked;
      if (plan.source == Source::kTensor) {
        HALYARD_TRY_ASSIGN(plan.index, contract.tensor_index(argument.name));
      } else {
        HALYARD_TRY_ASSIGN(plan.index, layout_index(argument.packed));
      }
      return plan;
    case ArgumentKind::kAxisPointer: {
      plan.source = Source::kTensor;
      HALYARD_TRY_ASSIGN(const std::uint32_t axis, contract.axis_index(argument.name));
      HALYARD_TRY_ASSIGN(plan.index, contract.tensor_index(contract.axes()[axis].tensor));
      return plan;
    }
    case ArgumentKind::kWorkspace: {
      plan.source = Source::kWorkspace;
      HALYARD_TRY_ASSIGN(plan.index, region_index(argument.name));
      return plan;
    }
    case ArgumentKind::kScalar: {
      plan.source = Source::kScalar;
      HALYARD_TRY_ASSIGN(plan.index, contract.scalar_index(argument.name));
      const base::DataType declared = contract.scalars()[plan.index].type;
      if (declared != argument.type) {
        return invalid(base::concat("Scalar ", argument.name, " is ",
                                    base::data_type_name(declared), " in the contract and ",
                                    base::data_type_name(argument.type), " in the kernel."));
      }
      return plan;
    }
    case ArgumentKind::kStride: {
      plan.source = Source::kStride;
      plan.dimension = argument.dimension;
      HALYARD_TRY_ASSIGN(plan.index, contract.tensor_index(argument.name));
      const std::size_t rank = contract.tensors()[plan.index].shape.size();
      if (argument.dimension < rank) return plan;
      return invalid(base::concat("Dimension ", argument.dimension, " is past the ", rank,
                                  " dimensions of tensor ", argument.name, "."));
    }
    case ArgumentKind::kAttribute: {
      HALYARD_TRY_ASSIGN(const std::uint64_t bits, attribute_bits(argument));
      plan.type = base::DataType::kU64;  // the bits are final
      plan.value = SlotValue(static_cast<std::int64_t>(bits));
      return plan;
    }
    case ArgumentKind::kAxisOffset:
      plan.source = Source::kOffset;
      return plan;
    case ArgumentKind::kAxis:
    case ArgumentKind::kParameter: {
      HALYARD_TRY_ASSIGN(plan.value, SlotValue::compile(argument.name, plan_->slots_));
      return plan;
    }
    case ArgumentKind::kExpression: {
      HALYARD_TRY_ASSIGN(plan.value, SlotValue::compile(argument.expression.text, plan_->slots_));
      return plan;
    }
    case ArgumentKind::kHidden:
    case ArgumentKind::kTensorMap:
      break;
  }
  return unsupported(base::concat("Arguments of kind ", store::word_of(argument.kind),
                                  " are not launched by this version."));
}

base::Result<core::ArgumentLayout> LaunchPlanCompiler::describe_argument(
    const KernelStage& stage, const KernelArgument& argument) {
  core::ArgumentLayout layout;
  layout.name = argument.name;
  layout.is_buffer = !store::is_value_argument(argument.kind);
  layout.binding = argument.binding;
  layout.push = argument.push;
  layout.size_bytes = layout.is_buffer ? 8 : base::data_type_size_bytes(argument.type);
  switch (argument.kind) {
    case ArgumentKind::kWorkspace:
      layout.is_written = true;
      break;
    case ArgumentKind::kTensor: {
      HALYARD_TRY_ASSIGN(const std::uint32_t tensor,
                         desc_.problem.contract().tensor_index(argument.name));
      const auto role = desc_.problem.contract().tensors()[tensor].role;
      const bool packs = stage.cadence == StageCadence::kPerConstant && !argument.packed.empty();
      layout.is_written = packs || role != operators::TensorRole::kInput;
      break;
    }
    default:
      break;
  }
  return layout;
}

base::Result<core::StageDesc> LaunchPlanCompiler::describe_stage(const KernelStage& stage) {
  core::StageDesc out;
  out.entry = stage.entry;
  for (std::size_t d = 0; d < 3; ++d) {
    HALYARD_TRY_ASSIGN(const std::int64_t lanes, evaluate_now(stage.block[d].text));
    if (lanes < 1 || !fits_word(lanes)) {
      return invalid(base::concat("Block dimension ", d, " of stage ", stage.name, " is ", lanes,
                                  ", not between 1 and 4294967295."));
    }
    out.block[d] = static_cast<std::uint32_t>(lanes);
  }
  for (const auto& parameter : desc_.record.parameters) {
    if (parameter.kind != store::ParameterKind::kConstant) continue;
    out.constants.push_back({parameter.constant_id, desc_.parameters.at(parameter.name)});
  }
  out.subgroup_size = stage.subgroup_size;
  if (stage.cpu) {
    out.cpu_static_partition = stage.cpu->partition == store::CpuPartition::kStatic;
    if (stage.cpu->scratch_bytes) {
      HALYARD_TRY_ASSIGN(const std::int64_t bytes, evaluate_now(stage.cpu->scratch_bytes->text));
      if (bytes < 0) {
        return invalid(
            base::concat("Stage ", stage.name, " asks for ", bytes, " bytes of scratch, below 0."));
      }
      out.cpu_scratch_bytes = static_cast<std::uint64_t>(bytes);
    }
  }
  for (const KernelArgument& argument : stage.arguments) {
    HALYARD_TRY_ASSIGN(core::ArgumentLayout layout, describe_argument(stage, argument));
    out.arguments.push_back(std::move(layout));
  }
  return out;
}

base::Status LaunchPlanCompiler::load() {
  const auto range =
      desc_.device.capabilities().number(core::CapabilityKey::kLimitStorageBufferRangeBytes);
  if (range && desc_.record.is_vulkan()) {
    plan_->binding_range_bytes_ = static_cast<std::uint64_t>(*range);
  }
  core::ExecutableDesc executable;
  executable.name = base::concat(desc_.record.name, " (", desc_.target, ")");
  executable.target = desc_.target;
  executable.code = desc_.code;
  executable.stages = std::move(stage_descs_);
  HALYARD_TRY_ASSIGN(plan_->executable_, desc_.device.load_executable(executable));
  return base::ok();
}

}  // namespace halyard::dispatch
