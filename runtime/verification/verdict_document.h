// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "runtime/verification/package_verification.h"

#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

// The report as a canonical "halyard.verdict/1" document. Of held-out launches it tells class and
// bucket only.
std::string verdict_json(const VerificationReport& report);

// The command line that shows a counter-example again; empty for one that is held out.
std::string reproduction(const VerificationReport& report, const CounterExample& example);

// The counter-example of a verdict, as the document has it. Errors: CORRUPT_DATA.
std::string counter_example_json(const CounterExample& example);
base::Result<CounterExample> parse_counter_example(std::string_view json);

// One record for each build, to be kept in a store; none when undecided, which says nothing about
// the package.
std::vector<store::EvidenceRecord> evidence_of(const VerificationReport& report);

}  // namespace halyard::verification
