// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"

#include <utility>

namespace halyard::emulator::testing {

namespace {

constexpr std::uint32_t kItems = 64;

KernelCase combine(std::string kernel, std::vector<CaseArgument> arguments) {
  return {"combine", std::move(kernel), {1, 1, 1}, {kItems, 1, 1}, std::move(arguments)};
}

KernelCase in_lds(std::string kernel) {
  return combine(std::move(kernel), {random_bytes(1, kItems * 8), output(kItems * 88)});
}

KernelCase in_memory(std::string kernel, std::size_t item_bytes) {
  return combine(std::move(kernel), {random_bytes(2, kItems * 8), output(kItems * 88),
                                     in_out(random_bytes(3, kItems * item_bytes))});
}

KernelCase buffer(std::string kernel, std::uint32_t item_bytes) {
  constexpr std::uint32_t kBlocks = 2;
  const std::uint32_t bytes = kBlocks * kItems * item_bytes;
  return {"buffers",
          std::move(kernel),
          {kBlocks, 1, 1},
          {kItems, 1, 1},
          {in_out(random_bytes(4, bytes)), output(bytes), value(bytes)}};
}

}  // namespace

std::vector<KernelCase> combine_cases() {
  constexpr Comparison kFloats = Comparison::kFloats;
  return {
      in_lds("combine_local_u32"),
      in_lds("combine_local_i32"),
      in_lds("combine_local_u64"),
      in_lds("combine_local_i64"),
      in_memory("combine_global_u32", 4),
      in_memory("combine_global_i32", 4),
      in_memory("combine_global_u64", 8),
      in_memory("combine_global_i64", 8),
      combine("combine_flat",
              {random_bytes(5, kItems * 8), output(kItems * 96),
               in_out(random_bytes(6, kItems * 4)), in_out(random_bytes(7, kItems * 8))}),
      combine("flat_widths", {random_bytes(8, kItems * 8), output(kItems * 64),
                              in_out(random_bytes(9, kItems * 32))}),
      combine("combine_floats", {floats(10, kItems, -4, 4), output(kItems * 32, kFloats),
                                 in_out(floats(11, kItems, -4, 4), kFloats),
                                 in_out(doubles(12, kItems, -4, 4), Comparison::kDoubles)}),
      buffer("buffer_copy", 4),
      buffer("buffer_widths", 32),
  };
}

}  // namespace halyard::emulator::testing
