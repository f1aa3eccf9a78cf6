// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/kernel_slots.h"

#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <cmath>
#include <set>

namespace halyard::dispatch {
namespace {

constexpr std::string_view kDevicePrefix = "device.";

void add_stage_texts(const store::KernelStage& stage, std::vector<std::string>& out) {
  for (const auto& value : stage.grid)
    out.push_back(value.text);
  for (const auto& value : stage.block)
    out.push_back(value.text);
  if (stage.cpu && stage.cpu->scratch_bytes) out.push_back(stage.cpu->scratch_bytes->text);
  if (stage.shared_bytes) out.push_back(stage.shared_bytes->text);
  if (stage.max_resident) out.push_back(stage.max_resident->text);
  for (const store::KernelArgument& argument : stage.arguments) {
    if (argument.kind == store::ArgumentKind::kExpression) out.push_back(argument.expression.text);
  }
}

}  // namespace

std::vector<std::string> expression_texts(const store::KernelRecord& record) {
  std::vector<std::string> texts = record.where;
  for (const auto& region : record.workspace)
    texts.push_back(region.bytes.text);
  for (const auto& layout : record.packed_layouts)
    texts.push_back(layout.bytes.text);
  for (const auto& stage : record.stages)
    add_stage_texts(stage, texts);
  return texts;
}

base::Result<operators::SlotTable> make_kernel_slots(const operators::Problem& problem,
                                                     const store::KernelRecord& record,
                                                     const store::ParameterValues& parameters,
                                                     const core::Device& device) {
  operators::SlotTable slots = problem.slots();
  for (const auto& [name, value] : parameters) {
    HALYARD_TRY(slots.add(name, value));
  }
  std::set<std::string> device_names;
  for (const std::string& text : expression_texts(record)) {
    for (const std::string& name : base::Expression::names_of(text)) {
      if (name.starts_with(kDevicePrefix)) device_names.insert(name);
    }
  }
  for (const std::string& name : device_names) {
    const std::string key = name.substr(kDevicePrefix.size());
    const core::Capability* capability = device.fact_for_kernels(key);
    if (capability == nullptr || capability->kind == core::CapabilityKind::kText) {
      return base::Error(base::ErrorCode::kUnsupported,
                         base::concat("Capability ", key,
                                      ", which the kernel computes with, is "
                                      "unknown on device ",
                                      device.info().id, "."));
    }
    HALYARD_TRY(slots.add(name, std::llround(capability->number)));
  }
  if (slots.size() > kMaxKernelSlots) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("The kernel's expressions use ", slots.size(),
                                    " names, more than ", kMaxKernelSlots, "."));
  }
  return slots;
}

}  // namespace halyard::dispatch
