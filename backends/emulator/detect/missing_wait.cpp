// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/missing_wait.h"

#include "backends/emulator/state/workgroup.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;

std::string_view counter_name(const OperationFacts& facts, Generation generation) {
  const bool is_old = generation != Generation::kGfx12;
  if (facts.second_counter != WaitCounter::kNone)
    return is_old ? "vmcnt and lgkmcnt" : "loadcnt and dscnt";
  switch (facts.counter) {
    case WaitCounter::kLoad:
      return is_old ? "vmcnt" : "loadcnt";
    case WaitCounter::kStore:
      return is_old ? "vscnt" : "storecnt";
    case WaitCounter::kLds:
      return is_old ? "lgkmcnt" : "dscnt";
    case WaitCounter::kScalar:
      return is_old ? "lgkmcnt" : "kmcnt";
    case WaitCounter::kFlat:
      return is_old ? "vmcnt and lgkmcnt" : "loadcnt and dscnt";
    case WaitCounter::kNone:
      break;
  }
  return "";
}

void stop(Wave& wave, const WaveRecord& record, const Operation& operation, unsigned cell,
          bool is_read) {
  const Operation* const writer = record.outstanding.writer_of(cell);
  if (!writer) return;
  const OperationFacts& facts = record.facts->of(*writer);
  wave.stop(report_at(wave, operation, ReportKind::kMissingWait,
                      concat(cell_name(cell), is_read ? " is read" : " is overwritten", " while \"",
                             wave.program->text(*writer), "\" at code offset ", writer->address,
                             " may still write it: no wait for ",
                             counter_name(facts, wave.workgroup->generation), " lies between.")));
}

}  // namespace

void check_waits(Wave& wave, const WaveRecord& record, const Operation& operation,
                 const OperationFacts& facts) {
  for (unsigned i = 0; i < facts.cell_count; ++i) {
    const CellRange range = facts.cells[i];
    for (unsigned cell = range.first; cell < range.first + 0U + range.count; ++cell) {
      if ((record.registers.flags[cell] & kPendingResult) == 0) continue;
      const bool is_read = i < facts.read_count;
      if (!is_read && record.outstanding.is_ordered_before(cell, facts.counter)) continue;
      return stop(wave, record, operation, cell, is_read);
    }
  }
}

void check_waits(Wave& wave, const WaveRecord& record, const Operation& operation,
                 const MemoryAccess& access) {
  if (access.segment != MemorySegment::kLds || operation.moves_to_lds) return;
  const LdsMove* const moved =
      record.outstanding.move_to(access.lanes, access.addresses, access.bytes);
  if (!moved) return;
  wave.stop(report_at(
      wave, operation, ReportKind::kMissingWait,
      concat("LDS bytes ", moved->begin, " to ", moved->end, " are used while \"",
             wave.program->text(*moved->operation), "\" at code offset ", moved->operation->address,
             " may still write them: no wait for vmcnt lies between.")));
}

void start_counting(WaveRecord& record, const Operation& operation, const OperationFacts& facts) {
  if (facts.action == OperationAction::kMemory) ++record.accesses;
  if (facts.counter == WaitCounter::kNone) return;
  OutstandingOperation entry;
  entry.operation = &operation;
  entry.order = record.accesses;
  const bool has_result = !facts.is_store && !operation.moves_to_lds;
  if (has_result) entry.result = cells_of(operation.destination[0]);
  if (facts.action == OperationAction::kMemory) {
    const bool writes = facts.is_store || facts.is_atomic;
    entry.writes_lds = (facts.counter == WaitCounter::kLds && writes) || operation.moves_to_lds;
    entry.stores = writes && facts.counter != WaitCounter::kLds;
  }
  entry.awaits_load = true;
  entry.awaits_lds = facts.counter == WaitCounter::kFlat;
  record.outstanding.start(record.registers, entry, facts.counter);
  if (facts.second_counter == WaitCounter::kNone) return;
  entry.writes_lds = entry.stores;
  entry.stores = false;
  record.outstanding.start(record.registers, entry, facts.second_counter);
}

}  // namespace halyard::emulator
