// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/byte_shadow.h"
#include "backends/emulator/detect/outstanding_operations.h"
#include "backends/emulator/detect/register_shadow.h"
#include "backends/emulator/observe/report.h"

#include <cstdint>
#include <string>

namespace halyard::emulator {

struct WorkgroupRaces;

// What the detectors keep of one wave.
struct WaveRecord {
  WaveRecord(const ProgramFacts& program_facts, const Wave& wave, ByteShadow& lds_shadow)
      : facts(&program_facts),
        registers(program_facts, wave),
        lds(&lds_shadow),
        scratch(0) {}

  const ProgramFacts* facts;
  RegisterShadow registers;
  OutstandingOperations outstanding;
  ByteShadow* lds;     // of the workgroup
  ByteShadow scratch;  // of all lanes; empty until the first access
  WorkgroupRaces* races = nullptr;
  std::uint64_t accesses = 0;     // to memory, by instructions that have started
  unsigned accesses_here = 0;     // by the instruction that executes
  std::uint32_t launch_wave = 0;  // its number among all waves of the launch, from 1 on
  // When it last signalled to the barrier: accesses with a lower number are before it.
  std::uint64_t signalled = 0;
  std::uint64_t signalled_lds_writes = 0;  // those that were waited for
  std::uint64_t signalled_stores = 0;
};

// A report of `kind` at `operation`.
inline Report report_at(const Wave& wave, const Operation& operation, ReportKind kind,
                        std::string what) {
  Report report;
  report.kind = kind;
  report.what = std::move(what);
  report.address = operation.address;
  if (wave.program) report.instruction = wave.program->text(operation);
  return report;
}

}  // namespace halyard::emulator
