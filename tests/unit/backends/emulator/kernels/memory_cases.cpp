// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"

namespace halyard::emulator::testing {

namespace {

CaseArgument filled(std::vector<std::uint32_t> words, std::size_t count, std::uint32_t rest) {
  words.resize(count, rest);
  return in_out(input(words));
}

CaseArgument sorted(std::size_t count, std::uint32_t step) {
  std::vector<std::uint32_t> words(count);
  for (std::size_t i = 0; i < count; ++i)
    words[i] = static_cast<std::uint32_t>(i / 64 * 3 + i % 64 * step);
  return input(words);
}

std::vector<KernelCase> reduce_cases() {
  return {
      {"reduce", "reduce_tree", {3, 1, 1}, {256, 1, 1}, {floats(1, 768, -1, 1), output(12)}},
      {"reduce", "reduce_shuffle", {3, 1, 1}, {256, 1, 1}, {floats(2, 768, -9, 9), output(12)}},
      {"reduce",
       "reduce_atomic",
       {3, 1, 1},
       {256, 1, 1},
       {random_bytes(3, 3072), output(4), output(4), filled({}, 1, ~0U)}},
      {"reduce", "reduce_dpp", {2, 1, 1}, {64, 1, 1}, {random_bytes(4, 512), output(512)}},
      {"reduce",
       "reduce_last_block",
       {6, 1, 1},
       {64, 1, 1},
       {floats(5, 384, -1, 1), output(24), output(4), output(4)}},
      {"reduce", "reduce_argmax", {2, 1, 1}, {128, 1, 1}, {halves(6, 512, -40, 40), output(8)}},
  };
}

std::vector<KernelCase> scan_cases() {
  return {
      {"scan", "scan_inclusive", {2, 1, 1}, {256, 1, 1}, {random_bytes(1, 2048), output(2048)}},
      {"scan", "scan_exclusive", {2, 1, 1}, {256, 1, 1}, {random_bytes(2, 2048), output(2048)}},
      {"scan", "scan_wave", {2, 1, 1}, {128, 1, 1}, {floats(3, 256, 0, 1), output(1024)}},
      {"scan", "scan_row", {2, 1, 1}, {64, 1, 1}, {random_bytes(4, 512), output(512)}},
      {"scan",
       "scan_compact",
       {1, 1, 1},
       {128, 1, 1},
       {random_bytes(5, 512), output(512), output(4)}},
  };
}

std::vector<KernelCase> atomic_cases() {
  return {
      {"atomics",
       "histogram_local",
       {2, 1, 1},
       {256, 1, 1},
       {random_bytes(1, 1500), output(1024), value(1500)}},
      {"atomics", "histogram_global", {3, 1, 1}, {128, 1, 1}, {random_bytes(2, 768), output(256)}},
      {"atomics", "atomic_float_max", {2, 1, 1}, {64, 1, 1}, {floats(3, 128, 0.5, 90), output(16)}},
      {"atomics",
       "atomic_combine",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(4, 512), filled({~0U, 0, 0, 0, 0x7fffffff}, 8 + 128, 7),
        in_out(random_bytes(5, 1048))}},
      {"atomics",
       "atomic_float_add",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(6, 512), output(68), output(16)}},
      {"atomics",
       "atomic_local",
       {1, 1, 1},
       {128, 1, 1},
       {random_bytes(7, 512), output(48), output(32)}},
  };
}

std::vector<KernelCase> layout_cases() {
  return {
      {"layout",
       "transpose_padded",
       {3, 2, 1},
       {16, 16, 1},
       {random_bytes(1, 6144), output(6144), value(32), value(48)}},
      {"layout", "transpose_short", {2, 1, 1}, {256, 1, 1}, {random_bytes(2, 4096), output(4096)}},
      {"layout", "transpose_bytes", {2, 1, 1}, {64, 1, 1}, {random_bytes(3, 2048), output(2048)}},
      {"layout",
       "gather",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(4, 400), whole_words(5, 110, 0, 99), output(440), value(110)}},
      {"layout",
       "scatter",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(6, 1760), shuffled_shorts(7, 110), output(1760), value(110)}},
      {"layout", "widths", {2, 1, 1}, {64, 1, 1}, {random_bytes(8, 6144), output(6144)}},
      {"layout", "widths_local", {1, 1, 1}, {64, 1, 1}, {random_bytes(9, 256), output(2048)}},
      {"layout",
       "stencil_line",
       {2, 1, 1},
       {64, 1, 1},
       {floats(10, 120, -1, 1), output(480), value(120)}},
      {"layout",
       "stencil_plane",
       {2, 2, 1},
       {16, 16, 1},
       {whole_words(11, 600, -99, 99), output(2400), value(30), value(20)}},
      {"layout", "block_index", {2, 2, 2}, {8, 4, 2}, {output(2048)}, kOnAll, 256},
  };
}

std::vector<KernelCase> sort_cases() {
  return {
      {"sort", "sort_bitonic", {2, 1, 1}, {256, 1, 1}, {in_out(random_bytes(1, 2048))}},
      {"sort", "sort_lanes", {2, 1, 1}, {64, 1, 1}, {floats(2, 128, -5, 5), output(512)}},
      {"sort",
       "sort_radix",
       {2, 1, 1},
       {128, 1, 1},
       {random_bytes(3, 1024), output(1024), output(128), value(8)}},
      {"sort", "sort_merge", {2, 1, 1}, {128, 1, 1}, {sorted(256, 5), output(1024)}},
  };
}

std::vector<KernelCase> lane_cases() {
  return {
      {"lanes", "lane_ballot", {2, 1, 1}, {64, 1, 1}, {random_bytes(1, 512), output(2048)}},
      {"lanes", "lane_waterfall", {2, 1, 1}, {64, 1, 1}, {random_bytes(2, 512), output(512)}},
      {"lanes", "lane_swizzle", {2, 1, 1}, {64, 1, 1}, {random_bytes(3, 512), output(4096)}},
      {"lanes", "lane_dpp", {2, 1, 1}, {64, 1, 1}, {random_bytes(4, 512), output(8192)}},
      {"lanes",
       "lane_dpp_gfx10",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(5, 512), output(4096)},
       kOnGfx11 | kOnGfx12},
      {"lanes", "lane_vote", {2, 1, 1}, {64, 1, 1}, {random_bytes(6, 512), output(512)}},
  };
}

}  // namespace

std::vector<KernelCase> memory_cases() {
  std::vector<KernelCase> cases;
  for (auto* const make :
       {reduce_cases, scan_cases, atomic_cases, layout_cases, sort_cases, lane_cases}) {
    for (KernelCase& one : make())
      cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace halyard::emulator::testing
