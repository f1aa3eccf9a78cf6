// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"

namespace halyard::emulator::testing {

namespace {

constexpr Comparison kFloats = Comparison::kFloats;
constexpr Comparison kHalves = Comparison::kHalves;

CaseArgument ascending(std::size_t count) {
  std::vector<std::uint32_t> words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = static_cast<std::uint32_t>(i * i / 3);
  return input(words);
}

// Letters with a space now and then.
CaseArgument text(std::size_t count) {
  Numbers numbers(17);
  std::vector<char> letters(count);
  for (char& letter : letters) {
    const std::uint64_t number = numbers.next();
    letter = number % 7 == 0 ? ' ' : static_cast<char>('a' + number / 7 % 26);
  }
  return input(letters);
}

std::vector<KernelCase> neural_cases() {
  return {
      {"neural",
       "gelu",
       {2, 1, 1},
       {64, 1, 1},
       {floats(1, 128, -4, 4), output(512, kFloats, 2e-6)}},
      {"neural",
       "silu",
       {2, 1, 1},
       {64, 1, 1},
       {halves(2, 128, -6, 6), output(256, kHalves, 2e-3)}},
      {"neural",
       "rope",
       {3, 1, 1},
       {32, 1, 1},
       {floats(3, 192, -1, 1), output(768, kFloats, 2e-5), value(5)}},
      {"neural",
       "softmax_row",
       {2, 1, 1},
       {128, 1, 1},
       {floats(4, 600, -8, 8), output(2400, kFloats, 1e-6), value(300)}},
      {"neural",
       "layer_norm",
       {2, 1, 1},
       {128, 1, 1},
       {halves(5, 512, -2, 2), floats(6, 256, 0.5, 1.5), floats(7, 256, -1, 1), output(1024)}},
      {"neural",
       "rms_norm_rsq",
       {2, 1, 1},
       {128, 1, 1},
       {floats(8, 256, -2, 2), output(1024, kFloats, 1e-6)}},
      {"neural",
       "float_functions",
       {4, 1, 1},
       {64, 1, 1},
       {any_floats(9, 256), any_floats(10, 256), output(4096, kFloats),
        output(1024, kFloats, 1e-6)}},
  };
}

std::vector<KernelCase> control_cases() {
  return {
      {"control", "collatz", {2, 1, 1}, {64, 1, 1}, {random_bytes(1, 512), output(512)}},
      {"control",
       "switch_machine",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(2, 1536), random_bytes(3, 512), output(512)}},
      {"control", "nested_loops", {2, 1, 1}, {64, 1, 1}, {random_bytes(4, 512), output(512)}},
      {"control", "mandelbrot", {2, 2, 1}, {16, 4, 1}, {output(1024), value(32)}},
      {"control",
       "binary_search",
       {2, 1, 1},
       {64, 1, 1},
       {ascending(100), whole_words(5, 128, 0, 3400), output(512), value(100)}},
      {"control",
       "common_divisor",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(6, 512), random_bytes(7, 512), output(512)}},
      {"control",
       "game_of_life",
       {2, 1, 1},
       {16, 16, 1},
       {in_out(whole_bytes(8, 512, 0, 1)), value(5)}},
      {"control", "find_bytes", {2, 1, 1}, {64, 1, 1}, {text(128), output(512), value(128)}},
  };
}

std::vector<KernelCase> call_cases() {
  return {
      {"calls", "call_chain", {2, 1, 1}, {64, 1, 1}, {random_bytes(1, 512), output(512)}},
      {"calls", "call_with_memory", {2, 1, 1}, {64, 1, 1}, {random_bytes(2, 1024), output(2048)}},
      {"calls", "private_array", {2, 1, 1}, {64, 1, 1}, {random_bytes(3, 512), output(512)}},
      {"calls", "private_bytes", {2, 1, 1}, {64, 1, 1}, {random_bytes(4, 3072), output(512)}},
      {"calls", "private_sort", {1, 1, 1}, {64, 1, 1}, {floats(5, 1024, -1, 1), output(4096)}},
  };
}

}  // namespace

std::vector<KernelCase> program_cases() {
  std::vector<KernelCase> cases;
  for (auto* const make : {neural_cases, control_cases, call_cases}) {
    for (KernelCase& one : make())
      cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<KernelCase> all_cases() {
  std::vector<KernelCase> cases;
  for (auto* const make :
       {memory_cases, number_cases, program_cases, matrix_cases, combine_cases}) {
    for (KernelCase& one : make())
      cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace halyard::emulator::testing
