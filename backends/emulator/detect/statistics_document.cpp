// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/statistics.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <boost/json/object.hpp>

namespace halyard::emulator {
namespace {

using base::concat;

constexpr std::size_t kNamesForPeople = 10;

boost::json::object counts_object(
    const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  boost::json::object object;
  for (const auto& [name, count] : counts)
    object[name] = count;
  return object;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const auto tenths = static_cast<std::uint64_t>(ratio(part, whole) * 1000 + 0.5);
  return concat(tenths / 10, ".", tenths % 10, " %");
}

}  // namespace

boost::json::object statistics_document(const LaunchStatistics& statistics) {
  const LaunchStatistics& s = statistics;
  const std::uint64_t arithmetic = s.matrix_operations + s.vector_operations;
  return {
      {"instructions", s.instructions},
      {"workgroups", s.workgroups},
      {"waves", s.waves},
      {"barriers", s.barriers},
      {"by_family", counts_object(s.by_family)},
      {"by_name", counts_object(s.by_name)},
      {"lds",
       {{"accesses", s.lds_accesses},
        {"passes", s.lds_passes},
        {"conflict_free_passes", s.lds_ideal_passes}}},
      {"memory",
       {{"accesses", s.memory_accesses},
        {"cache_lines", s.memory_lines},
        {"least_cache_lines", s.memory_ideal_lines},
        {"line_bytes", s.line_bytes}}},
      {"arithmetic",
       {{"matrix", s.matrix_operations},
        {"vector", s.vector_operations},
        {"matrix_share", ratio(s.matrix_operations, arithmetic)}}},
      {"registers",
       {{"live_vector", s.live_vector_registers},
        {"live_scalar", s.live_scalar_registers},
        {"vector", s.vector_registers}}},
      {"occupancy",
       {{"waves_per_simd", s.occupancy.waves_per_simd},
        {"most_waves_per_simd", s.occupancy.most_waves_per_simd},
        {"limit", s.occupancy.limit}}},
      {"timeline", s.timeline},
  };
}

std::string statistics_text(const LaunchStatistics& statistics) {
  const LaunchStatistics& s = statistics;
  std::string text = concat(s.instructions, " instructions of ", s.waves, " waves in ",
                            s.workgroups, " workgroups, ", s.barriers, " barriers\n");
  for (const auto& [family, count] : s.by_family)
    text += concat("  ", family, ": ", count, " (", percent(count, s.instructions), ")\n");
  text += "most frequent:\n";
  for (std::size_t i = 0; i < std::min(kNamesForPeople, s.by_name.size()); ++i)
    text += concat("  ", s.by_name[i].first, ": ", s.by_name[i].second, "\n");
  text += concat("LDS: ", s.lds_accesses, " accesses in ", s.lds_passes, " passes, ",
                 s.lds_ideal_passes, " without bank conflicts\n");
  text += concat("memory: ", s.memory_accesses, " accesses to ", s.memory_lines, " lines of ",
                 s.line_bytes, " bytes, ", s.memory_ideal_lines, " at least\n");
  const std::uint64_t arithmetic = s.matrix_operations + s.vector_operations;
  text += concat("arithmetic: ", arithmetic, " operations, ",
                 percent(s.matrix_operations, arithmetic), " of them in matrices\n");
  text += concat("registers: at most ", s.live_vector_registers, " vector and ",
                 s.live_scalar_registers, " scalar ones hold a value; the kernel has ",
                 s.vector_registers, " vector registers\n");
  text += concat("occupancy: ", s.occupancy.waves_per_simd, " of ", s.occupancy.most_waves_per_simd,
                 " waves on a SIMD, limited by ", s.occupancy.limit, "\n");
  return text + s.timeline;
}

std::string statistics_line(const LaunchStatistics& statistics) {
  constexpr std::size_t kMostBytes = 800;
  const LaunchStatistics& s = statistics;
  std::string line = concat(s.instructions, " instructions of ", s.waves, " waves");
  for (const auto& [family, count] : s.by_family)
    line += concat(", ", family, " ", percent(count, s.instructions));
  line += concat("; LDS passes ", s.lds_passes, " (", s.lds_ideal_passes, " without conflicts)",
                 "; cache lines ", s.memory_lines, " (least ", s.memory_ideal_lines, ")",
                 "; matrix share of arithmetic ",
                 percent(s.matrix_operations, s.matrix_operations + s.vector_operations),
                 "; live vector registers ", s.live_vector_registers, " of ", s.vector_registers,
                 "; ", s.occupancy.waves_per_simd, " of ", s.occupancy.most_waves_per_simd,
                 " waves on a SIMD, limited by ", s.occupancy.limit);
  if (line.size() > kMostBytes) line.resize(kMostBytes);
  return line;
}

}  // namespace halyard::emulator
