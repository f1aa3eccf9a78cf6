// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/live_registers.h"
#include "backends/emulator/detect/occupancy.h"
#include "backends/emulator/detect/wave_timeline.h"
#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/observe/observer.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::emulator {

// What a launch did, for those who write kernels. Plain data.
struct LaunchStatistics {
  std::uint64_t instructions = 0;
  std::uint64_t workgroups = 0;
  std::uint64_t waves = 0;
  std::uint64_t barriers = 0;
  // The most frequent first.
  std::vector<std::pair<std::string, std::uint64_t>> by_family;  // "vector", "lds", …
  std::vector<std::pair<std::string, std::uint64_t>> by_name;
  std::uint64_t lds_accesses = 0;
  std::uint64_t lds_passes = 0;
  std::uint64_t lds_ideal_passes = 0;
  std::uint64_t memory_accesses = 0;
  std::uint64_t memory_lines = 0;
  std::uint64_t memory_ideal_lines = 0;
  std::uint32_t line_bytes = 128;
  std::uint64_t matrix_operations = 0;  // additions and multiplications
  std::uint64_t vector_operations = 0;
  std::uint32_t live_vector_registers = 0;  // the most at once, at an instruction that executed
  std::uint32_t live_scalar_registers = 0;
  std::uint32_t vector_registers = 0;  // that the kernel was given
  Occupancy occupancy;
  std::string timeline;
};

boost::json::object statistics_document(const LaunchStatistics& statistics);
// For people, with the ten most frequent instructions.
std::string statistics_text(const LaunchStatistics& statistics);

// The same in one line of at most 800 bytes, without the timeline.
std::string statistics_line(const LaunchStatistics& statistics);

// Counts what the waves of one launch do.
class Statistics final : public Observer {
 public:
  // Borrows both.
  Statistics(const LoadedObject& object, const LoadedKernel& kernel);
  ~Statistics() override;

  void begin(Workgroup& workgroup) override;
  void before(Wave& wave, const Operation& operation) override;
  void after(Wave& wave, const Operation& operation) override;
  void access(Wave& wave, const Operation& operation, const MemoryAccess& access) override;
  void barrier(Workgroup& workgroup) override;
  void end(Workgroup& workgroup) override;

  LaunchStatistics summary() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace halyard::emulator
