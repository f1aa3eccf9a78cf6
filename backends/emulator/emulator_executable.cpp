// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_executable.h"

#include "backends/emulator/emulator_device.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace halyard::emulator {
namespace {

base::Status check_target(const core::Device& device, const core::ExecutableDesc& desc) {
  const std::vector<std::string>& targets = device.info().targets;
  if (std::find(targets.begin(), targets.end(), desc.target) != targets.end()) return base::ok();
  return base::Error(
      base::ErrorCode::kUnsupported,
      base::concat("Kernel \"", desc.name, "\" is built for ", desc.target, "; device \"",
                   device.info().id, "\" takes ", base::join(targets), "."));
}

// The arguments that the application passes; the others follow them and begin with "hidden_".
std::vector<const object::KernelArgument*> explicit_arguments(const LoadedKernel& kernel) {
  std::vector<const object::KernelArgument*> found;
  for (const object::KernelArgument& argument : kernel.metadata.arguments) {
    if (!argument.value_kind.starts_with("hidden_")) found.push_back(&argument);
  }
  return found;
}

base::Status check_arguments(const LoadedKernel& kernel, const core::StageDesc& stage) {
  const auto corrupt = [&](std::string sentence) {
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat("Entry \"", stage.entry, "\" ", std::move(sentence)));
  };
  const auto arguments = explicit_arguments(kernel);
  if (arguments.size() != stage.arguments.size()) {
    return corrupt(base::concat("takes ", arguments.size(), " arguments by its metadata and ",
                                stage.arguments.size(), " by the kernel's record."));
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const core::ArgumentLayout& layout = stage.arguments[i];
    const std::uint64_t size_bytes = layout.is_buffer ? 8 : layout.size_bytes;
    const bool is_value = arguments[i]->value_kind == "by_value";
    if (arguments[i]->size_bytes == size_bytes && is_value == !layout.is_buffer) continue;
    return corrupt(base::concat("takes as argument ", i, " ", arguments[i]->size_bytes, " bytes (",
                                arguments[i]->value_kind, ") by its metadata and ", size_bytes,
                                " bytes (", layout.is_buffer ? "a buffer" : "a value",
                                ") by the kernel's record."));
  }
  return base::ok();
}

base::Status check_stage(const LoadedKernel& kernel, const core::StageDesc& stage) {
  if (stage.subgroup_size && *stage.subgroup_size != kernel.lanes) {
    return base::Error(
        base::ErrorCode::kUnsupported,
        base::concat("Entry \"", stage.entry, "\" is compiled for subgroups of ", kernel.lanes,
                     " lanes, and the stage requires ", *stage.subgroup_size, "."));
  }
  return check_arguments(kernel, stage);
}

}  // namespace

base::Result<base::Ref<core::Executable>> EmulatorExecutable::load(
    EmulatorDevice& device, const core::ExecutableDesc& desc) {
  HALYARD_TRY(check_target(device, desc));
  HALYARD_TRY_ASSIGN(const IsaTables* const tables, device.tables());
  HALYARD_TRY_ASSIGN(auto object, LoadedObject::load(*tables, desc.code, desc.name));
  auto executable = base::make_ref<EmulatorExecutable>(device, desc, std::move(object));
  HALYARD_TRY(executable->find_kernels());
  return base::Ref<core::Executable>(std::move(executable));
}

EmulatorExecutable::EmulatorExecutable(core::Device& device, const core::ExecutableDesc& desc,
                                       std::unique_ptr<const LoadedObject> object)
    : core::Executable(device, desc),
      object_(std::move(object)) {}

EmulatorExecutable::~EmulatorExecutable() = default;

base::Status EmulatorExecutable::find_kernels() {
  for (std::size_t i = 0; i < stage_count(); ++i) {
    auto kernel = object_->kernel(stage(i).entry);
    if (!kernel) {
      return base::Error(base::ErrorCode::kCorruptData,
                         base::concat("The code of kernel \"", name(), "\" has no entry \"",
                                      stage(i).entry, "\". ", kernel.error().message()));
    }
    HALYARD_TRY(check_stage(**kernel, stage(i)));
    kernels_.push_back(*kernel);
  }
  return base::ok();
}

}  // namespace halyard::emulator
