// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/detectors.h"

#include "backends/emulator/detect/missing_wait.h"
#include "backends/emulator/detect/race_detector.h"
#include "backends/emulator/detect/uninitialized_values.h"
#include "runtime/base/text.h"

#include <bit>
#include <cstddef>
#include <map>
#include <vector>

namespace halyard::emulator {
namespace {

// Of what is kept of memory.
constexpr std::size_t kHistoryLimitBytes = std::size_t{128} << 20;

struct WorkgroupRecord {
  explicit WorkgroupRecord(std::size_t lds_bytes) : lds(lds_bytes) {}

  ByteShadow lds;
  WorkgroupRaces races;
  std::vector<std::unique_ptr<WaveRecord>> waves;
};

WaveRecord* record_of(const Wave& wave) {
  return static_cast<WaveRecord*>(wave.observed);
}

void check_barrier(Wave& wave, const Operation& operation) {
  const std::uint64_t missing = wave.initial_exec & ~wave.exec();
  const std::uint64_t extra = wave.exec() & ~wave.initial_exec;
  if ((missing | extra) == 0) return;
  const auto lane = static_cast<unsigned>(std::countr_zero(missing != 0 ? missing : extra));
  Report report =
      report_at(wave, operation, ReportKind::kDivergentBarrier,
                base::concat("The wave is at a barrier with ", std::popcount(wave.exec()),
                             " of its ", std::popcount(wave.initial_exec), " lanes; lane ", lane,
                             missing != 0 ? " is left out." : " is not one of them."));
  report.lane = lane;
  wave.stop(std::move(report));
}

void note_move_to_lds(WaveRecord& record, const Operation& operation, const MemoryAccess& access) {
  if (!operation.moves_to_lds || access.segment != MemorySegment::kLds || access.lanes == 0) return;
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (std::size_t lane = 0; lane < access.addresses.size(); ++lane) {
    if ((access.lanes >> lane & 1) == 0) continue;
    begin = std::min(begin, access.addresses[lane]);
    end = std::max(end, access.addresses[lane] + access.bytes);
  }
  record.outstanding.note_move(operation, record.accesses, begin, end);
}

}  // namespace

struct Detectors::State {
  const ProgramFacts& facts_of(const Program& program, std::uint32_t lanes) {
    auto& known = facts[{&program, lanes}];
    if (!known) known = std::make_unique<ProgramFacts>(program, lanes);
    return *known;
  }

  RaceDetector races{kHistoryLimitBytes};
  std::map<std::pair<const Program*, std::uint32_t>, std::unique_ptr<ProgramFacts>> facts;
  std::map<const Workgroup*, std::unique_ptr<WorkgroupRecord>> workgroups;
};

Detectors::Detectors() : state_(std::make_unique<State>()) {}

Detectors::~Detectors() = default;

void Detectors::begin(Workgroup& workgroup) {
  auto& record = state_->workgroups[&workgroup];
  record = std::make_unique<WorkgroupRecord>(workgroup.lds.size());
  state_->races.begin(workgroup, record->races);
  for (Wave& wave : workgroup.waves) {
    const ProgramFacts& facts = state_->facts_of(*wave.program, wave.lanes);
    record->waves.push_back(std::make_unique<WaveRecord>(facts, wave, record->lds));
    WaveRecord& own = *record->waves.back();
    own.launch_wave =
        record->races.first_wave + static_cast<std::uint32_t>(record->waves.size() - 1);
    own.races = &record->races;
    wave.observed = &own;
  }
}

void Detectors::before(Wave& wave, const Operation& operation) {
  WaveRecord* const record = record_of(wave);
  if (!record) return;
  const OperationFacts& facts = record->facts->of(operation);
  std::uint8_t flags = 0;
  for (unsigned i = 0; i < facts.cell_count; ++i) {
    const CellRange range = facts.cells[i];
    for (unsigned cell = 0; cell < range.count; ++cell)
      flags |= record->registers.flags[range.first + cell];
  }
  if (flags == 0 && facts.action == OperationAction::kCompute) return;

  if ((flags & kPendingResult) != 0) {
    check_waits(wave, *record, operation, facts);
    if (wave.status == WaveStatus::kStopped) return;
  }
  if ((flags & kMaybeUndefined) != 0) {
    follow_undefined(wave, *record, operation, facts);
    if (wave.status == WaveStatus::kStopped) return;
  }
  record->accesses_here = 0;
  switch (facts.action) {
    case OperationAction::kWait:
      return record->outstanding.wait(record->registers, facts.wait);
    case OperationAction::kBarrier:
      check_barrier(wave, operation);
      return RaceDetector::signal(*record);
    case OperationAction::kCompute:
    case OperationAction::kBranch:
      return;
    default:
      return start_counting(*record, operation, facts);
  }
}

void Detectors::after(Wave& wave, const Operation& operation) {
  if (state_->races.has_stores_to_compare()) state_->races.compare_stores(wave, operation);
}

void Detectors::access(Wave& wave, const Operation& operation, const MemoryAccess& access) {
  WaveRecord* const record = record_of(wave);
  if (!record) return;
  const OperationFacts& facts = record->facts->of(operation);
  check_waits(wave, *record, operation, access);
  note_move_to_lds(*record, operation, access);
  follow_undefined(wave, *record, operation, facts, access);
  if (wave.status != WaveStatus::kStopped)
    state_->races.access(wave, *record, *record->races, operation, facts, access);
  ++record->accesses_here;
}

void Detectors::barrier(Workgroup& workgroup) {
  const auto found = state_->workgroups.find(&workgroup);
  if (found == state_->workgroups.end()) return;
  WorkgroupRecord& record = *found->second;
  std::vector<const WaveRecord*> waves;
  std::uint64_t ended = 0;
  for (std::size_t i = 0; i < record.waves.size(); ++i) {
    waves.push_back(record.waves[i].get());
    if (workgroup.waves[i].status == WaveStatus::kEnded && i < 64) ended |= std::uint64_t{1} << i;
  }
  RaceDetector::barrier(record.races, waves, ended);
}

void Detectors::end(Workgroup& workgroup) {
  for (Wave& wave : workgroup.waves)
    wave.observed = nullptr;
  state_->workgroups.erase(&workgroup);
}

}  // namespace halyard::emulator
