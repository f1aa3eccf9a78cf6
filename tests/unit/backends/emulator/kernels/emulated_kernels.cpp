// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/emulated_kernels.h"

#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <utility>

namespace halyard::emulator::testing {

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"gfx1100", {"gfx1100", "amd/rdna3", Generation::kGfx11, 65536}, kOnGfx11, {32, true}},
      {"gfx1100w64", {"gfx1100", "amd/rdna3", Generation::kGfx11, 65536}, kOnGfx11, {64, true}},
      {"gfx1201", {"gfx1201", "amd/rdna4", Generation::kGfx12, 65536}, kOnGfx12, {32, true}},
      {"gfx1201w64", {"gfx1201", "amd/rdna4", Generation::kGfx12, 65536}, kOnGfx12, {64, true}},
      {"gfx942", {"gfx942", "amd/cdna3", Generation::kGfx9, 65536}, kOnGfx9, {64, false}},
  };
  return all;
}

std::vector<KernelCase> cases_of(const Variant& variant) {
  // Matrix instructions of gfx11 and gfx12 are compiled for 32 lanes only.
  const bool is_wide = variant.name != variant.target.processor;
  std::vector<KernelCase> cases;
  for (KernelCase& test : all_cases()) {
    if ((test.targets & variant.bit) == 0 || (is_wide && test.file == "matrix")) continue;
    cases.push_back(std::move(test));
  }
  return cases;
}

EmulatedKernels::EmulatedKernels(const Variant& variant)
    : name_(variant.name),
      processor_(variant.target.processor) {}

const LoadedObject& EmulatedKernels::object(const std::string& file) {
  std::unique_ptr<const LoadedObject>& object = objects_[file];
  if (object == nullptr) {
    object = load_object(
        processor_, std::string(HALYARD_EMULATED_KERNELS) + "/" + file + "." + name_ + ".hsaco");
  }
  return *object;
}

EmulatedKernels::Outcome EmulatedKernels::run(const KernelCase& test,
                                              const LaunchOptions& options) {
  Outcome outcome;
  for (const CaseArgument& argument : test.arguments)
    outcome.memory.push_back(argument.bytes);
  const LoadedObject& loaded = object(test.file);
  const auto kernel = loaded.kernel(test.kernel);
  if (!kernel) return {kernel.error().message(), 0, outcome.memory};
  LaunchDesc desc;
  desc.grid = test.grid;
  desc.block = test.block;
  desc.dynamic_lds_bytes = test.dynamic_lds_bytes;
  desc.options = options;
  for (std::size_t i = 0; i < test.arguments.size(); ++i) {
    const CaseArgument& from = test.arguments[i];
    LaunchArgument argument;
    argument.name = "argument " + std::to_string(i);
    argument.is_value = from.is_value;
    argument.value = from.value;
    argument.is_writable = from.is_writable;
    if (!from.is_value) {
      argument.host = outcome.memory[i].data();
      argument.size_bytes = outcome.memory[i].size();
    }
    desc.arguments.push_back(argument);
  }
  const auto launched = launch(loaded, **kernel, desc);
  if (!launched) {
    outcome.failure = launched.error().message();
    return outcome;
  }
  outcome.instructions = launched->instructions;
  if (launched->report) outcome.failure = report_text(*launched->report);
  return outcome;
}

}  // namespace halyard::emulator::testing
