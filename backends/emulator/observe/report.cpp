// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/observe/report.h"

#include "runtime/base/text.h"

namespace halyard::emulator {

using base::concat;

std::string_view report_kind_name(ReportKind kind) {
  switch (kind) {
    case ReportKind::kOutOfBounds:
      return "out_of_bounds";
    case ReportKind::kMisaligned:
      return "misaligned";
    case ReportKind::kUninitialized:
      return "uninitialized";
    case ReportKind::kRace:
      return "race";
    case ReportKind::kMissingWait:
      return "missing_wait";
    case ReportKind::kDivergentBarrier:
      return "divergent_barrier";
    case ReportKind::kBranchOutside:
      return "branch_outside";
    case ReportKind::kStoreToConstant:
      return "store_to_constant";
    case ReportKind::kBudgetExceeded:
      return "budget_exceeded";
    case ReportKind::kUnknownInstruction:
      return "unknown_instruction";
    case ReportKind::kTrap:
      return "trap";
  }
  return "";
}

std::string report_text(const Report& report) {
  std::string text = concat(report_kind_name(report.kind), ": ", report.what, "\n  kernel ",
                            report.kernel, ", code offset ", report.address);
  if (!report.source.empty()) text += concat(" (", report.source, ")");
  text += concat(": ", report.instruction, "\n  workgroup (", report.workgroup[0], ", ",
                 report.workgroup[1], ", ", report.workgroup[2], "), wave ", report.wave);
  if (report.lane) text += concat(", lane ", *report.lane);
  text += "\n";
  if (report.distance_bytes < 0)
    text +=
        concat("  ", -report.distance_bytes, " bytes before the start of ", report.buffer, "\n");
  if (report.distance_bytes > 0)
    text += concat("  ", report.distance_bytes, " bytes behind the end of ", report.buffer, "\n");
  return text;
}

}  // namespace halyard::emulator
