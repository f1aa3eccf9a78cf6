// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/workgroup_runner.h"

#include "backends/emulator/observe/observer.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;

// What registers and memory hold that nothing sets.
constexpr std::uint32_t kFill = 0xa5a5a5a5;
constexpr int kFillByte = 0xa5;
// A wave that another one waits for without a barrier lets it go on after as many instructions.
constexpr std::uint64_t kTurn = std::uint64_t{1} << 20;
// Of a random schedule.
constexpr std::uint64_t kLongestRandomTurn = 64;

}  // namespace

WorkgroupRunner::AlignedBytes WorkgroupRunner::allocate(std::size_t size_bytes) {
  constexpr std::size_t kLeast = 64;
  return AlignedBytes(
      static_cast<std::byte*>(::operator new (std::max(size_bytes, kLeast), std::align_val_t{64})));
}

WorkgroupRunner::WorkgroupRunner(LaunchState& state) : state_(state) {
  const std::uint32_t lanes = state.kernel.lanes;
  vector_bytes_ = std::size_t{kRowCount} * lanes * sizeof(std::uint32_t);
  scratch_bytes_ = std::size_t{state.kernel.descriptor.private_segment_bytes} * lanes;
  vectors_ = allocate(vector_bytes_ * state.waves);
  std::memset(vectors_.get(), 0, vector_bytes_ * state.waves);
  lds_ = allocate(state.lds_bytes);
  scratch_ = allocate(scratch_bytes_ * state.waves);
  workgroup_.generation = state.registers.generation;
  workgroup_.waves.resize(state.waves);
  workgroup_.lds = {lds_.get(), state.lds_bytes};
  workgroup_.memory = &state.memory.space();
  workgroup_.observer = state.desc.options.observer;
  workgroup_.initial_scalars = state.registers.scalars();
  workgroup_.initial_vectors = 1;
}

void WorkgroupRunner::reset(Wave& wave, std::uint32_t number) {
  const LoadedKernel& kernel = state_.kernel;
  wave = Wave();
  wave.scalar.fill(kFill);
  wave.number = number;
  wave.lanes = kernel.lanes;
  wave.vector = reinterpret_cast<std::uint32_t*>(vectors_.get() + vector_bytes_ * number);
  wave.next = kernel.entry;
  wave.workgroup = &workgroup_;
  wave.program = kernel.program.get();
  wave.code_base = state_.object.code_base();
  wave.scratch_bytes = kernel.descriptor.private_segment_bytes;
  wave.scratch = scratch_.get() + scratch_bytes_ * number;
  const auto fill_rows = [&](std::uint32_t first, std::uint32_t count) {
    std::fill_n(wave.row(first), std::size_t{count} * wave.lanes, kFill);
  };
  fill_rows(0, kernel.vector_registers);
  fill_rows(kAccumulationRow, kernel.accumulation_registers);
  state_.registers.set(wave, workgroup_.id);
}

void WorkgroupRunner::reset(std::uint64_t flat_id) {
  const auto& grid = state_.desc.grid;
  workgroup_.flat_id = flat_id;
  workgroup_.id = {static_cast<std::uint32_t>(flat_id % grid[0]),
                   static_cast<std::uint32_t>(flat_id / grid[0] % grid[1]),
                   static_cast<std::uint32_t>(flat_id / grid[0] / grid[1])};
  workgroup_.barriers = 0;
  workgroup_.report.reset();
  std::memset(lds_.get(), kFillByte, state_.lds_bytes);
  std::memset(scratch_.get(), kFillByte, scratch_bytes_ * state_.waves);
  for (std::uint32_t i = 0; i < state_.waves; ++i)
    reset(workgroup_.waves[i], i);
}

std::optional<Report> WorkgroupRunner::run(std::uint64_t flat_id) {
  reset(flat_id);
  if (workgroup_.observer != nullptr) workgroup_.observer->begin(workgroup_);
  const auto& seed = state_.desc.options.schedule_seed;
  if (seed) {
    run_at_random(*seed);
  } else {
    run_in_order();
  }
  if (workgroup_.observer != nullptr) workgroup_.observer->end(workgroup_);
  if (is_stopped()) complete_report(nullptr);
  return std::move(workgroup_.report);
}

void WorkgroupRunner::run_in_order() {
  while (prepare_turn()) {
    for (Wave& wave : workgroup_.waves) {
      if (wave.status == WaveStatus::kRunning) run_wave(wave, kTurn);
      if (is_stopped()) return;
    }
  }
}

void WorkgroupRunner::run_at_random(std::uint64_t seed) {
  ScheduleRandom random(seed ^ (workgroup_.flat_id + 1) * 0x9e3779b97f4a7c15);
  while (prepare_turn()) {
    const std::size_t count = workgroup_.waves.size();
    std::size_t chosen = random.below(count);
    while (workgroup_.waves[chosen].status != WaveStatus::kRunning)
      chosen = (chosen + 1) % count;
    run_wave(workgroup_.waves[chosen], 1 + random.below(kLongestRandomTurn));
  }
}

bool WorkgroupRunner::has_running_wave() const {
  return std::any_of(workgroup_.waves.begin(), workgroup_.waves.end(),
                     [](const Wave& wave) { return wave.status == WaveStatus::kRunning; });
}

bool WorkgroupRunner::prepare_turn() {
  if (is_stopped()) return false;
  complete_barriers();
  if (is_stopped()) return false;
  if (has_running_wave()) return true;
  const bool waits =
      std::any_of(workgroup_.waves.begin(), workgroup_.waves.end(),
                  [](const Wave& wave) { return wave.status == WaveStatus::kAtBarrier; });
  if (waits) report_waiting();
  return false;
}

void WorkgroupRunner::complete_barriers() {
  const auto has_ended = [](const Wave& wave) { return wave.status == WaveStatus::kEnded; };
  auto& waves = workgroup_.waves;
  const bool all_ended = std::all_of(waves.begin(), waves.end(), has_ended);
  while (!all_ended && std::all_of(waves.begin(), waves.end(), [&](const Wave& wave) {
    return has_ended(wave) || wave.barriers_signalled > workgroup_.barriers;
  })) {
    if (workgroup_.observer != nullptr) workgroup_.observer->barrier(workgroup_);
    if (is_stopped()) return;
    ++workgroup_.barriers;
  }
  for (Wave& wave : waves) {
    if (wave.status == WaveStatus::kAtBarrier && wave.barriers_waited <= workgroup_.barriers) {
      wave.status = WaveStatus::kRunning;
    }
  }
}

void WorkgroupRunner::report_waiting() {
  const auto first =
      std::find_if(workgroup_.waves.begin(), workgroup_.waves.end(),
                   [](const Wave& wave) { return wave.status == WaveStatus::kAtBarrier; });
  const auto waiting =
      std::count_if(workgroup_.waves.begin(), workgroup_.waves.end(),
                    [](const Wave& wave) { return wave.status == WaveStatus::kAtBarrier; });
  const auto silent =
      std::count_if(workgroup_.waves.begin(), workgroup_.waves.end(), [&](const Wave& wave) {
        return wave.status == WaveStatus::kAtBarrier &&
               wave.barriers_signalled <= workgroup_.barriers;
      });
  Report report;
  report.kind = ReportKind::kDivergentBarrier;
  report.what =
      concat(waiting, " of ", workgroup_.waves.size(), " waves wait for a barrier to which ",
             silent, " of them have not signalled; none goes on.");
  // A wave waits behind the instruction that made it wait.
  first->stop(std::move(report));
  complete_report(first->next - 1);
}

template <bool kIsObserved>
std::uint64_t WorkgroupRunner::execute(Wave& wave, std::uint64_t most, const Operation*& last) {
  const std::uint64_t before = wave.executed;
  const Operation* operation = nullptr;
  for (std::uint64_t left = most; left > 0 && wave.status == WaveStatus::kRunning; --left) {
    operation = wave.next;
    if constexpr (kIsObserved) {
      workgroup_.observer->before(wave, *operation);
      if (wave.status == WaveStatus::kStopped) break;
    }
    wave.next = operation + 1;
    ++wave.executed;
    operation->handler(wave, *operation);
    if constexpr (kIsObserved) workgroup_.observer->after(wave, *operation);
  }
  last = operation;
  return wave.executed - before;
}

void WorkgroupRunner::run_wave(Wave& wave, std::uint64_t most) {
  const std::uint64_t budget = state_.desc.options.instruction_budget;
  if (budget != 0) {
    const std::uint64_t executed = state_.executed.load(std::memory_order_relaxed);
    most = std::min(most, executed < budget ? budget - executed + 1 : 1);
  }
  const Operation* last = nullptr;
  const std::uint64_t count = workgroup_.observer != nullptr ? execute<true>(wave, most, last)
                                                             : execute<false>(wave, most, last);
  const std::uint64_t executed =
      state_.executed.fetch_add(count, std::memory_order_relaxed) + count;
  if (budget != 0 && executed > budget && !is_stopped()) {
    Report report;
    report.kind = ReportKind::kBudgetExceeded;
    report.what = concat("The launch has executed more than ", budget,
                         " instructions, which are its budget.");
    wave.stop(std::move(report));
  }
  if (is_stopped()) complete_report(last);
}

void WorkgroupRunner::complete_report(const Operation* operation) {
  Report& report = *workgroup_.report;
  report.kernel = state_.kernel.name;
  if (report.instruction.empty() && operation != nullptr) {
    report.address = operation->address;
    report.instruction = state_.kernel.program->text(*operation);
  }
  if (report.source.empty()) report.source = state_.object.source_of(report.address);
}

}  // namespace halyard::emulator
