// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/stop_reports.h"

#include "backends/emulator/observe/report.h"

#include <cstdio>
#include <string>
#include <utility>

namespace halyard::emulator {
namespace {

void stop(Wave& wave, const Operation& operation, ReportKind kind, std::string what) {
  Report report;
  report.kind = kind;
  report.what = std::move(what);
  report.address = operation.address;
  wave.stop(std::move(report));
}

}  // namespace

void stop_branch(Wave& wave, const Operation& operation) {
  stop(wave, operation, ReportKind::kBranchOutside,
       "The branch by " + std::to_string(operation.immediate) +
           " dwords leads to no instruction of the kernel's code.");
}

void stop_branch_to(Wave& wave, const Operation& operation, std::uint64_t address) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
  stop(wave, operation, ReportKind::kBranchOutside,
       "The branch to address " + std::string(text) +
           " leads to no instruction of the kernel's code.");
}

void stop_behind_code(Wave& wave, const Operation& operation) {
  stop(wave, operation, ReportKind::kBranchOutside,
       "The wave runs into the padding behind the kernel's code.");
}

void stop_trap(Wave& wave, const Operation& operation) {
  stop(wave, operation, ReportKind::kTrap,
       "The kernel traps with " + std::to_string(operation.immediate & 0xff) + ".");
}

void stop_relative_move(Wave& wave, const Operation& operation, std::uint32_t base,
                        std::uint32_t limit) {
  stop(wave, operation, ReportKind::kOutOfBounds,
       "M0 (" + std::to_string(wave.scalar[kM0Index]) + ") leads from register " +
           std::to_string(base) + " past the last of " + std::to_string(limit) + ".");
}

}  // namespace halyard::emulator
