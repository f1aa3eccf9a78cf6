// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/changed_inputs.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::verification {
namespace {

using operators::CounterRandom;

std::vector<std::size_t> changeable_inputs(const CheckedLaunch& launch) {
  const auto& tensors = launch.shape().problem.contract().tensors();
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const bool is_input = tensors[i].role != operators::TensorRole::kOutput;
    if (is_input && !tensors[i].constant && launch.element_count(i) > 0) inputs.push_back(i);
  }
  return inputs;
}

// An element behind any beginning that a fingerprint would cover.
std::uint64_t element_behind(const CounterRandom& random, std::uint64_t index, std::int64_t count) {
  const std::int64_t first = std::min<std::int64_t>(4096, count / 2);
  return static_cast<std::uint64_t>(first + random.below(index, count - first));
}

// The launch with a change that an output shows; nothing when none is found.
base::Result<std::optional<CheckedLaunch>> changed(const CheckedLaunch& launch, std::size_t tensor,
                                                   bool at_end, const CounterRandom& random) {
  constexpr std::uint64_t kAttempts = 10;
  const std::int64_t count = launch.element_count(tensor);
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    CheckedLaunch next = launch;
    const std::uint64_t element = at_end ? static_cast<std::uint64_t>(count) - 1
                                         : element_behind(random, 16 * tensor + attempt, count);
    HALYARD_TRY_ASSIGN(const bool shows, next.change(tensor, element));
    if (shows) return std::optional<CheckedLaunch>(std::move(next));
    if (at_end) break;
  }
  return std::optional<CheckedLaunch>{};
}

// The launch, then the changed one, from a fresh process.
base::Result<std::string> replay_pair(LaunchSession& session, CheckedLaunch& first,
                                      CheckedLaunch& second) {
  HALYARD_TRY_ASSIGN(std::string pattern, replay_alone(session, first, 1));
  HALYARD_TRY_ASSIGN(const std::optional<Mismatch> mismatch, session.run(second));
  pattern.push_back(mismatch ? '1' : '0');
  return pattern;
}

class LateLaunches {
 public:
  LateLaunches(LaunchSession& session, std::vector<CheckedLaunch> turns, std::uint64_t count,
               std::uint64_t seed)
      : session_(session),
        turns_(std::move(turns)),
        count_(count),
        random_(seed, "late") {}

  base::Result<std::optional<Mismatch>> run() {
    session_.restart();
    HALYARD_TRY(session_.place(turns_.front()));
    for (std::uint64_t i = 0; i < count_; ++i) {
      CheckedLaunch& launch = turns_[i % turns_.size()];
      HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch,
                         is_checked(i) ? session_.run(launch) : session_.run_unchecked(launch));
      if (!mismatch) continue;
      mismatch->sentence = base::concat("Launch ", i + 1, " of a run: ", mismatch->sentence);
      HALYARD_TRY_ASSIGN(Mismatch judged, judge(session_, launch, std::move(*mismatch),
                                                [this] { return replay(); }));
      return std::optional<Mismatch>(std::move(judged));
    }
    return std::optional<Mismatch>{};
  }

 private:
  bool is_checked(std::uint64_t i) const {
    return i + turns_.size() >= count_ || random_.bits(i) % 8 == 0;
  }

  base::Result<std::string> replay() {
    session_.restart();
    HALYARD_TRY(session_.place_again(turns_.front()));
    std::string pattern;
    for (std::uint64_t i = 0; i < count_; ++i) {
      HALYARD_TRY_ASSIGN(const std::optional<Mismatch> mismatch,
                         session_.run(turns_[i % turns_.size()]));
      pattern.push_back(mismatch ? '1' : '0');
    }
    return pattern;
  }

  LaunchSession& session_;
  std::vector<CheckedLaunch> turns_;
  std::uint64_t count_;
  CounterRandom random_;
};

}  // namespace

base::Result<std::optional<Mismatch>> run_changed_inputs(LaunchSession& session,
                                                         const CheckedLaunch& original,
                                                         std::uint64_t seed) {
  const CounterRandom random(seed, "changed");
  CheckedLaunch launch = original;
  HALYARD_TRY(session.place(launch));
  HALYARD_TRY_ASSIGN(std::optional<Mismatch> mismatch, session.run(launch));
  if (mismatch) return mismatch;
  for (const std::size_t tensor : changeable_inputs(launch)) {
    for (const bool at_end : {false, true}) {
      HALYARD_TRY_ASSIGN(std::optional<CheckedLaunch> next,
                         changed(launch, tensor, at_end, random));
      if (!next) continue;
      HALYARD_TRY_ASSIGN(mismatch, session.run(*next));
      if (mismatch) {
        const auto replay = [&] { return replay_pair(session, launch, *next); };
        HALYARD_TRY_ASSIGN(Mismatch judged, judge(session, *next, std::move(*mismatch), replay));
        return std::optional<Mismatch>(std::move(judged));
      }
      launch = std::move(*next);
    }
  }
  return std::optional<Mismatch>{};
}

base::Result<std::optional<Mismatch>> run_late_launches(LaunchSession& session,
                                                        const CheckedLaunch& original,
                                                        std::uint64_t count, std::uint64_t seed) {
  const CounterRandom random(seed, "turns");
  std::vector<CheckedLaunch> turns{original};
  for (const std::size_t tensor : changeable_inputs(original)) {
    HALYARD_TRY_ASSIGN(std::optional<CheckedLaunch> next,
                       changed(turns.back(), tensor, false, random));
    if (next) turns.push_back(std::move(*next));
  }
  return LateLaunches(session, std::move(turns), count, seed).run();
}

}  // namespace halyard::verification
