// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_record.h"
#include "runtime/operators/problem.h"

#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

// The stages of a verification, in their order.
enum class Stage : std::uint8_t {
  kManifest,
  kBuild,
  kConformance,
  kNumerics,
  kStability,
  kTiming,
  kDecision,
};

// What became of a package.
enum class VerdictClass : std::uint8_t {
  kAccept,
  kStatic,      // refused before it ran
  kNumeric,     // wrong values
  kBounds,      // touched memory that it must not
  kNondet,      // different answers for the same input
  kCheat,       // looks right and is not honest
  kTiming,      // its time cannot be trusted
  kHang,        // over its limit of time
  kQuarantine,  // right so far, and must not be promoted
  kUndecided,   // the verifier itself could not finish; nothing is said about the package
};

// "accept", "static", "numeric", "bounds", "nondet", "cheat", "timing", "hang", "quar",
// "undecided".
std::string_view verdict_class_name(VerdictClass verdict);
std::string_view stage_name(Stage stage);

// The smallest launch found that shows what is wrong.
struct CounterExample {
  store::TypeBinding types;
  boost::json::object attributes;
  store::AxisValues axes;  // prepare, launch and device axes by name
  std::string inputs;      // family of inputs: "normal", "one-hot", …
  std::uint64_t seed = 0;
  std::string tensor;
  std::vector<std::int64_t> index;  // one for each dimension; empty: the tensor as a whole
  std::string got;                  // as text, so that NaN and infinities have a form
  std::string expected;
  bool is_held_out = false;  // then only class and bucket may be shown
};

struct Finding {
  Stage stage = Stage::kManifest;
  VerdictClass verdict = VerdictClass::kStatic;
  std::string sentence;  // present tense, with the numbers
  std::optional<CounterExample> counter_example;
};

}  // namespace halyard::verification
