// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/emulator_report.h"

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::array<std::pair<std::string_view, VerdictClass>, 11> kVerdicts = {{
    {"out_of_bounds", VerdictClass::kBounds},
    {"misaligned", VerdictClass::kBounds},
    // What is read differs from one launch to the next on a device.
    {"uninitialized", VerdictClass::kNondet},
    {"race", VerdictClass::kNondet},
    {"missing_wait", VerdictClass::kNondet},
    // Some waves of a device wait for ever.
    {"divergent_barrier", VerdictClass::kHang},
    {"budget_exceeded", VerdictClass::kHang},
    // Kernels have no use for it, whatever they compute.
    {"branch_outside", VerdictClass::kStatic},
    {"trap", VerdictClass::kStatic},
    // Whoever changes an input changes what later launches compute.
    {"store_to_constant", VerdictClass::kCheat},
    {"unknown_instruction", VerdictClass::kUndecided},
}};

}  // namespace

VerdictClass verdict_of_report(std::string_view report) {
  const std::string_view kind = report.substr(0, report.find(':'));
  const auto found = std::find_if(kVerdicts.begin(), kVerdicts.end(),
                                  [&](const auto& entry) { return entry.first == kind; });
  return found == kVerdicts.end() ? VerdictClass::kUndecided : found->second;
}

}  // namespace halyard::verification
