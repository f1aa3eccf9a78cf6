// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/verdict.h"

namespace halyard::verification {

std::string_view verdict_class_name(VerdictClass verdict) {
  switch (verdict) {
    case VerdictClass::kAccept:
      return "accept";
    case VerdictClass::kStatic:
      return "static";
    case VerdictClass::kNumeric:
      return "numeric";
    case VerdictClass::kBounds:
      return "bounds";
    case VerdictClass::kNondet:
      return "nondet";
    case VerdictClass::kCheat:
      return "cheat";
    case VerdictClass::kTiming:
      return "timing";
    case VerdictClass::kHang:
      return "hang";
    case VerdictClass::kQuarantine:
      return "quar";
    case VerdictClass::kUndecided:
      break;
  }
  return "undecided";
}

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::kManifest:
      return "manifest";
    case Stage::kBuild:
      return "build";
    case Stage::kConformance:
      return "conformance";
    case Stage::kNumerics:
      return "numerics";
    case Stage::kStability:
      return "stability";
    case Stage::kTiming:
      return "timing";
    case Stage::kDecision:
      break;
  }
  return "decision";
}

}  // namespace halyard::verification
