// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/launch_session.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::verification {
namespace {

constexpr std::int64_t kMostBytesApart = std::int64_t{64} << 20;

bool is_apart(const TensorMemory& memory) {
  return memory.pitch_bytes != 0;
}

}  // namespace

base::Status LaunchSession::place(const CheckedLaunch& launch) {
  switch (fence_) {
    case Fence::kAfter:
      return place(launch, Fence::kBefore);
    case Fence::kBefore:
      return place(launch, Fence::kNone);
    case Fence::kNone:
      // Beyond this, other memory for one launch costs more than it shows.
      if (launch.shape().bytes <= kMostBytesApart) return place(launch, Fence::kApart);
      break;
    case Fence::kApart:
      break;
  }
  return place(launch, Fence::kAfter);
}

base::Status LaunchSession::place(const CheckedLaunch& launch, Fence fence) {
  fence_ = fence;
  const PlannedShape& shape = launch.shape();
  HALYARD_TRY_ASSIGN(memory_,
                     runner_->place({&shape.problem, shape.launch_axes, launch.scalars(), fence_}));
  return base::ok();
}

base::Result<std::optional<Mismatch>> LaunchSession::run_unchecked(CheckedLaunch& launch) {
  launch.arm(memory_, random_.bits(launches_++));
  ++launches_since_restart_;
  HALYARD_TRY_ASSIGN(const LaunchOutcome outcome, runner_->launch());
  return outcome_mismatch(outcome);
}

base::Result<std::optional<Mismatch>> LaunchSession::run(CheckedLaunch& launch) {
  HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch, run_unchecked(launch));
  if (!mismatch) {
    HALYARD_TRY_ASSIGN(mismatch, launch.check(memory_));
  }
  if (mismatch && std::any_of(memory_.begin(), memory_.end(), is_apart)) {
    mismatch->sentence += " The rows of its tensors lie apart, as their strides say.";
  }
  return mismatch;
}

void LaunchSession::restart() {
  runner_->restart();
  launches_since_restart_ = 0;
}

base::Result<std::string> replay_alone(LaunchSession& session, CheckedLaunch& launch,
                                       std::uint64_t count) {
  session.restart();
  HALYARD_TRY(session.place_again(launch));
  std::string pattern;
  for (std::uint64_t i = 0; i < count; ++i) {
    HALYARD_TRY_ASSIGN(const std::optional<Mismatch> mismatch, session.run(launch));
    pattern.push_back(mismatch ? '1' : '0');
  }
  return pattern;
}

base::Result<Mismatch> judge(LaunchSession& session, CheckedLaunch& launch, Mismatch mismatch,
                             const Replay& replay) {
  if (mismatch.verdict != VerdictClass::kNumeric) return mismatch;
  if (mismatch.is_stale) {
    mismatch.verdict = VerdictClass::kCheat;
    mismatch.sentence = base::concat(
        "The answer is that of the launch before, whose inputs differ. ", mismatch.sentence);
    return mismatch;
  }
  session.restart();
  HALYARD_TRY(session.place_again(launch));
  HALYARD_TRY_ASSIGN(std::optional<Mismatch> fresh, session.run(launch));
  if (fresh) return std::move(*fresh);
  HALYARD_TRY_ASSIGN(const std::string first, replay());
  HALYARD_TRY_ASSIGN(const std::string second, replay());
  const std::size_t wrong = first.find('1');
  if (wrong != std::string::npos && first == second) {
    mismatch.verdict = VerdictClass::kCheat;
    mismatch.sentence = base::concat("The answer is right in a fresh process and wrong at launch ",
                                     wrong + 1, " each time. ", mismatch.sentence);
    return mismatch;
  }
  mismatch.verdict = VerdictClass::kNondet;
  mismatch.sentence =
      base::concat("The same launch is right in a fresh process. ", mismatch.sentence);
  return mismatch;
}

}  // namespace halyard::verification
