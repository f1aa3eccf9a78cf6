// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/launch_session.h"
#include "runtime/verification/verdict.h"

#include <cstdint>

namespace halyard::verification {

// A smaller launch that fails as `launch` does, found by halving axes and then by taking normal
// inputs: the launch, its shape and what is wrong with it.
struct SmallerFailure {
  PlannedShape shape;
  InputCase input;
  std::uint64_t seed = 0;
  Mismatch mismatch;
};

// Of values and of bounds only, which each launch shows anew; others stay as they are. Spends at
// most `launches` launches. Errors: the runner's.
base::Result<SmallerFailure> find_smaller(LaunchSession& session, const ShapeMaker& maker,
                                          SmallerFailure failure, std::uint64_t launches);

// The finding about a launch. A held-out one tells its class and bucket, and no values.
Finding make_finding(Stage stage, const SmallerFailure& failure);

}  // namespace halyard::verification
