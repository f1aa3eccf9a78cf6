// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard::emulator::testing {

enum class Comparison : std::uint8_t {
  kBits,
  kFloats,  // of 32 bits: equal numbers, any NaN for a NaN; or within the tolerance
  kHalves,
  kDoubles,
};

// One explicit argument of a kernel: memory with what it holds before, or a number.
struct CaseArgument {
  std::vector<std::byte> bytes;
  bool is_writable = false;
  bool is_value = false;
  std::uint32_t value = 0;
  Comparison comparison = Comparison::kBits;
  double tolerance = 0;  // of a difference, relative to the number where it is above 1
};

// Which targets have the kernel.
inline constexpr unsigned kOnGfx11 = 1;
inline constexpr unsigned kOnGfx12 = 2;
inline constexpr unsigned kOnGfx9 = 4;
inline constexpr unsigned kOnAll = kOnGfx11 | kOnGfx12 | kOnGfx9;

// A launch of a kernel of sources/.
struct KernelCase {
  std::string file;
  std::string kernel;
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::vector<CaseArgument> arguments;
  unsigned targets = kOnAll;
  std::uint32_t dynamic_lds_bytes = 0;
};

std::vector<KernelCase> memory_cases();   // reduce, scan, atomics, layout, sort, lanes
std::vector<KernelCase> number_cases();   // integer, double, half, float8, quantized
std::vector<KernelCase> program_cases();  // neural, control, calls
std::vector<KernelCase> matrix_cases();
std::vector<KernelCase> combine_cases();  // combine, buffers
std::vector<KernelCase> all_cases();

}  // namespace halyard::emulator::testing
