// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/checked_launch.h"
#include "runtime/verification/runner.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halyard::verification {

// Launches through a runner, each with poison of its own and checked. One thread at a time.
// Between place() and place() tensors that the contract calls constant keep their values.
class LaunchSession {
 public:
  // Borrows the runner. The seed is that of the poison.
  LaunchSession(Runner& runner, std::uint64_t seed) : runner_(&runner), random_(seed, "poison") {}

  // Places the tensors of a launch; the end that is fenced changes from one time to the next.
  // Errors: the runner's.
  base::Status place(const CheckedLaunch& launch);
  base::Status place(const CheckedLaunch& launch, Fence fence);
  // As the last time.
  base::Status place_again(const CheckedLaunch& launch) { return place(launch, fence_); }
  Fence fence() const { return fence_; }

  // One launch over the placed tensors, and what is wrong with it.
  // Errors: the runner's; as CheckedLaunch::check().
  base::Result<std::optional<Mismatch>> run(CheckedLaunch& launch);
  // One launch of which only the outcome is looked at.
  base::Result<std::optional<Mismatch>> run_unchecked(CheckedLaunch& launch);

  void restart();

  std::uint64_t launches() const { return launches_; }
  std::uint64_t launches_since_restart() const { return launches_since_restart_; }

 private:
  Runner* runner_;
  operators::CounterRandom random_;
  std::vector<TensorMemory> memory_;
  Fence fence_ = Fence::kApart;
  std::uint64_t launches_ = 0;
  std::uint64_t launches_since_restart_ = 0;
};

// Launches again from a fresh process as a failing sequence did; one character for each launch, '1'
// for a wrong one.
using Replay = std::function<base::Result<std::string>()>;

// Launches the placed inputs `count` times from a fresh process.
base::Result<std::string> replay_alone(LaunchSession& session, CheckedLaunch& launch,
                                       std::uint64_t count);

// What a launch with wrong values says of its kernel: kNumeric when it is wrong in a fresh process
// too; kCheat when it is the answer to earlier inputs, or when the same launch of a sequence is
// wrong each time; kNondet otherwise. Other mismatches stay what they are.
base::Result<Mismatch> judge(LaunchSession& session, CheckedLaunch& launch, Mismatch mismatch,
                             const Replay& replay);

}  // namespace halyard::verification
