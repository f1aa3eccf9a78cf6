// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/statistics.h"

#include "backends/emulator/detect/access_pattern.h"
#include "backends/emulator/detect/floating_operations.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace halyard::emulator {
namespace {

using isa::EncodingFamily;

std::string_view family_name(const Operation& operation) {
  switch (operation.family) {
    case EncodingFamily::kScalar:
      return "scalar";
    case EncodingFamily::kScalarMemory:
      return "scalar_memory";
    case EncodingFamily::kVop1:
    case EncodingFamily::kVop2:
    case EncodingFamily::kVopc:
    case EncodingFamily::kVop3:
    case EncodingFamily::kVop3p:
    case EncodingFamily::kVopd:
      return arithmetic_work(operation).of_matrix != 0 ? "matrix" : "vector";
    case EncodingFamily::kMatrix:
      return "matrix";
    case EncodingFamily::kLds:
      return "lds";
    case EncodingFamily::kBuffer:
    case EncodingFamily::kTypedBuffer:
      return "buffer";
    case EncodingFamily::kFlat:
      return "flat";
    case EncodingFamily::kGlobal:
      return "global";
    case EncodingFamily::kScratch:
      return "scratch";
    default:
      return "other";
  }
}

std::string name_of(const Operation& operation) {
  if (!operation.first_half || !operation.second_half) return std::string(operation.name);
  return std::string(operation.first_half->name) +
         " :: " + std::string(operation.second_half->name);
}

std::vector<std::pair<std::string, std::uint64_t>> by_frequency(
    const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

}  // namespace

struct Statistics::State {
  struct PerOperation {
    std::uint64_t executed = 0;
    ArithmeticWork work;
    bool is_wait = false;
    bool is_memory = false;
    bool is_barrier = false;
  };

  State(const LoadedObject& from, const LoadedKernel& chosen)
      : object(from),
        kernel(chosen),
        facts(*chosen.program, chosen.lanes) {
    per_operation.resize(chosen.program->operations().size());
    for (const Operation& operation : chosen.program->operations()) {
      if (operation.index >= per_operation.size()) continue;
      PerOperation& own = per_operation[operation.index];
      const OperationFacts& known = facts.of(operation);
      own.work = arithmetic_work(operation);
      own.is_wait = known.action == OperationAction::kWait;
      own.is_memory = known.action == OperationAction::kMemory;
      own.is_barrier = known.action == OperationAction::kBarrier;
    }
    // gfx90a has shorter lines than those that came later.
    if (object.target().processor == "gfx90a") totals.line_bytes = 64;
  }

  const LoadedObject& object;
  const LoadedKernel& kernel;
  ProgramFacts facts;
  std::vector<PerOperation> per_operation;
  LaunchStatistics totals;
  OccupancyUse use;
  WaveTimeline timeline;
  std::unordered_map<const Wave*, std::size_t> lines;
};

Statistics::Statistics(const LoadedObject& object, const LoadedKernel& kernel)
    : state_(std::make_unique<State>(object, kernel)) {}

Statistics::~Statistics() = default;

void Statistics::begin(Workgroup& workgroup) {
  State& state = *state_;
  ++state.totals.workgroups;
  state.totals.waves += workgroup.waves.size();
  state.use.waves = static_cast<std::uint32_t>(workgroup.waves.size());
  state.use.lds_bytes = static_cast<std::uint32_t>(workgroup.lds.size());
  for (const Wave& wave : workgroup.waves)
    state.lines.insert_or_assign(&wave, state.timeline.add_wave(wave));
}

void Statistics::before(Wave& wave, const Operation& operation) {
  State& state = *state_;
  if (operation.index >= state.per_operation.size()) return;
  State::PerOperation& own = state.per_operation[operation.index];
  ++own.executed;
  state.totals.matrix_operations += own.work.of_matrix;
  if (own.work.of_lane != 0)
    state.totals.vector_operations +=
        std::uint64_t{own.work.of_lane} * static_cast<unsigned>(std::popcount(wave.exec()));
  const auto line = state.lines.find(&wave);
  if (line == state.lines.end()) return;
  state.timeline.add_instruction(line->second, own.is_wait, own.is_memory);
  if (own.is_barrier) state.timeline.add_barrier(line->second);
}

void Statistics::after(Wave& /*wave*/, const Operation& /*operation*/) {}

void Statistics::access(Wave& /*wave*/, const Operation& /*operation*/,
                        const MemoryAccess& access) {
  LaunchStatistics& totals = state_->totals;
  if (access.segment == MemorySegment::kLds) {
    const BankUse use = bank_use(access);
    ++totals.lds_accesses;
    totals.lds_passes += use.passes;
    totals.lds_ideal_passes += use.ideal;
  } else if (access.segment == MemorySegment::kGlobal) {
    const LineUse use = line_use(access, totals.line_bytes);
    ++totals.memory_accesses;
    totals.memory_lines += use.lines;
    totals.memory_ideal_lines += use.ideal;
  }
}

void Statistics::barrier(Workgroup& /*workgroup*/) {
  ++state_->totals.barriers;
}

void Statistics::end(Workgroup& workgroup) {
  for (const Wave& wave : workgroup.waves)
    state_->lines.erase(&wave);
}

LaunchStatistics Statistics::summary() const {
  const State& state = *state_;
  LaunchStatistics summary = state.totals;
  std::map<std::string, std::uint64_t> families;
  std::map<std::string, std::uint64_t> names;
  const std::vector<LiveCount> live = live_registers(state.facts);
  for (const Operation& operation : state.kernel.program->operations()) {
    if (operation.index >= state.per_operation.size()) continue;
    const std::uint64_t executed = state.per_operation[operation.index].executed;
    if (executed == 0) continue;
    summary.instructions += executed;
    families[std::string(family_name(operation))] += executed;
    names[name_of(operation)] += executed;
    if (operation.index >= live.size()) continue;
    const LiveCount& count = live[operation.index];
    summary.live_vector_registers =
        std::max<std::uint32_t>(summary.live_vector_registers, count.vectors);
    summary.live_scalar_registers =
        std::max<std::uint32_t>(summary.live_scalar_registers, count.scalars);
  }
  summary.by_family = by_frequency(families);
  summary.by_name = by_frequency(names);
  OccupancyUse use = state.use;
  use.lanes = state.kernel.lanes;
  use.vector_registers = state.kernel.descriptor.vgprs(state.object.target());
  use.scalar_registers = state.kernel.metadata.sgpr_count;
  summary.vector_registers = use.vector_registers;
  summary.occupancy = theoretical_occupancy(state.object.target().processor, use);
  summary.timeline = state.timeline.text();
  return summary;
}

}  // namespace halyard::emulator
