// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/native_kernels.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstring>

namespace halyard::emulator::testing {

namespace {

// As in sources/native.h.
struct Launch {
  std::uint32_t grid[3];
  std::uint32_t block[3];
  std::uint32_t block_id[3];
  std::uint32_t lanes;
  bool has_negative_zero_fp8;
  void* dynamic_shared;
};
using Kernel = void (*)(const void* const*);
using Run = void (*)(Kernel, const Launch*, const void* const*);

void* symbol(const std::string& name) {
  static void* const library = dlopen(HALYARD_NATIVE_KERNELS, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    ADD_FAILURE() << dlerror();
    return nullptr;
  }
  void* const found = dlsym(library, name.c_str());
  EXPECT_NE(found, nullptr) << name;
  return found;
}

}  // namespace

std::vector<std::vector<std::byte>> run_natively(const KernelCase& test, NativeTarget target) {
  std::vector<std::vector<std::byte>> memory;
  for (const CaseArgument& argument : test.arguments)
    memory.push_back(argument.bytes);
  std::vector<void*> addresses(memory.size());
  std::vector<const void*> arguments(memory.size());
  for (std::size_t i = 0; i < memory.size(); ++i) {
    addresses[i] = memory[i].data();
    arguments[i] = &addresses[i];
    if (test.arguments[i].is_value) arguments[i] = &test.arguments[i].value;
  }
  std::vector<std::byte> shared(test.dynamic_lds_bytes);
  Launch launch{};
  std::memcpy(launch.grid, test.grid.data(), sizeof launch.grid);
  std::memcpy(launch.block, test.block.data(), sizeof launch.block);
  launch.lanes = target.lanes;
  launch.has_negative_zero_fp8 = target.has_negative_zero_fp8;
  launch.dynamic_shared = shared.data();
  void* const kernel = symbol("run_" + test.kernel);
  void* const run = symbol("native_launch");
  if (kernel == nullptr || run == nullptr) return memory;
  reinterpret_cast<Run>(run)(reinterpret_cast<Kernel>(kernel), &launch, arguments.data());
  return memory;
}

}  // namespace halyard::emulator::testing
