// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/state_rules.h"

#include "runtime/base/sha256.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace halyard::store {
namespace {

using base::ErrorCode;

const EvidenceId kEvidence = base::Sha256::of("evidence");
const EvidenceId kNewEvidence = base::Sha256::of("new evidence");
const DriverRange kAll;
const DriverRange kOne{"cpu 2", "cpu 2"};

StateChange entry(KernelState state, DriverRange drivers = {},
                  std::optional<EvidenceId> evidence = kEvidence) {
  StateChange change;
  change.target = "x86_64-v3";
  change.drivers = std::move(drivers);
  change.state = state;
  change.evidence = evidence;
  return change;
}

StateChange promotion(DriverRange drivers, std::uint32_t share_percent,
                      std::vector<std::string> where = {}) {
  StateChange change = entry(KernelState::kPromoted, std::move(drivers));
  change.share_percent = share_percent;
  change.where = std::move(where);
  return change;
}

// A history that takes entries as a store does, by the rules or without them.
class History {
 public:
  explicit History(std::vector<StateChange> entries = {}) {
    for (StateChange& one : entries)
      push(std::move(one));
  }

  void push(StateChange change) {
    change.sequence = static_cast<std::int64_t>(entries_.size()) + 1;
    entries_.push_back(std::move(change));
  }

  base::Result<Transition> append(const StateChange& next) {
    auto transition = judge_transition(entries_, next);
    if (transition && *transition == Transition::kAppend) push(next);
    return transition;
  }

  const std::vector<StateChange>& entries() const { return entries_; }

  KernelState state(std::string_view driver = "cpu 2") const {
    const StateChange* const last = last_change(entries_, {"x86_64-v3", driver, ""});
    return last == nullptr ? KernelState::kCandidate : last->state;
  }

 private:
  std::vector<StateChange> entries_;
};

void expect_transition(const base::Result<Transition>& got, Transition expected) {
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(*got, expected);
}

void expect_refusal(const base::Result<Transition>& got, ErrorCode code,
                    const std::string& sentence) {
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code(), code);
  EXPECT_NE(got.error().message().find(sentence), std::string::npos) << got.error().message();
}

// What becomes of an entry of `next` with evidence that is new after one of `held`.
struct Row {
  std::optional<KernelState> held;
  KernelState next;
  std::optional<Transition> answer;  // Nothing for a refusal.
};

constexpr auto kCandidate = KernelState::kCandidate;
constexpr auto kSelfTested = KernelState::kSelfTested;
constexpr auto kVerified = KernelState::kVerified;
constexpr auto kPromoted = KernelState::kPromoted;
constexpr auto kQuarantined = KernelState::kQuarantined;
constexpr auto kRetired = KernelState::kRetired;
constexpr auto kAppend = Transition::kAppend;
constexpr auto kUnchanged = Transition::kUnchanged;

const std::vector<Row> kRows = {
    {std::nullopt, kCandidate, kAppend},     {kCandidate, kCandidate, kUnchanged},
    {kSelfTested, kCandidate, kUnchanged},   {kVerified, kCandidate, kUnchanged},
    {kPromoted, kCandidate, kUnchanged},     {kQuarantined, kCandidate, std::nullopt},
    {kRetired, kCandidate, std::nullopt},

    {std::nullopt, kSelfTested, kAppend},    {kCandidate, kSelfTested, kAppend},
    {kSelfTested, kSelfTested, kUnchanged},  {kVerified, kSelfTested, kUnchanged},
    {kPromoted, kSelfTested, kUnchanged},    {kQuarantined, kSelfTested, std::nullopt},
    {kRetired, kSelfTested, std::nullopt},

    {std::nullopt, kVerified, kAppend},      {kCandidate, kVerified, kAppend},
    {kSelfTested, kVerified, kAppend},       {kVerified, kVerified, kAppend},
    {kPromoted, kVerified, kUnchanged},      {kQuarantined, kVerified, kAppend},
    {kRetired, kVerified, std::nullopt},

    {std::nullopt, kPromoted, std::nullopt}, {kCandidate, kPromoted, std::nullopt},
    {kSelfTested, kPromoted, std::nullopt},  {kVerified, kPromoted, kAppend},
    {kPromoted, kPromoted, kUnchanged},      {kQuarantined, kPromoted, std::nullopt},
    {kRetired, kPromoted, std::nullopt},

    {std::nullopt, kQuarantined, kAppend},   {kCandidate, kQuarantined, kAppend},
    {kSelfTested, kQuarantined, kAppend},    {kVerified, kQuarantined, kAppend},
    {kPromoted, kQuarantined, kAppend},      {kQuarantined, kQuarantined, kUnchanged},
    {kRetired, kQuarantined, std::nullopt},

    {std::nullopt, kRetired, kAppend},       {kCandidate, kRetired, kAppend},
    {kSelfTested, kRetired, kAppend},        {kVerified, kRetired, kAppend},
    {kPromoted, kRetired, kAppend},          {kQuarantined, kRetired, kAppend},
    {kRetired, kRetired, kUnchanged},
};

TEST(JudgeTransition, GoesByTheStateInForce) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.held ? kernel_state_name(*row.held) : "nothing") + " to " +
                 std::string(kernel_state_name(row.next)));
    History history;
    if (row.held) history.push(entry(*row.held));
    const auto got = history.append(entry(row.next, kAll, kNewEvidence));
    if (row.answer) {
      expect_transition(got, *row.answer);
      continue;
    }
    expect_refusal(
        got, ErrorCode::kPermissionDenied,
        std::string("The kernel is ") + (row.held && *row.held == kRetired       ? "retired"
                                         : row.held && *row.held == kQuarantined ? "quarantined"
                                         : row.held && *row.held == kSelfTested  ? "self-tested"
                                                                                 : "a candidate"));
  }
}

TEST(JudgeTransition, OfVerifiedAndPromotedTakesEvidence) {
  History history({entry(kVerified)});
  for (const KernelState state : {kVerified, kPromoted}) {
    expect_refusal(history.append(entry(state, kAll, std::nullopt)), ErrorCode::kPermissionDenied,
                   "The entry names no evidence, which the state " +
                       std::string(kernel_state_name(state)) + " takes.");
  }
}

TEST(JudgeTransition, OfVerifiedWithTheSameEvidenceChangesNothing) {
  History history({entry(kVerified)});
  expect_transition(history.append(entry(kVerified)), kUnchanged);
}

TEST(JudgeTransition, OutOfQuarantineTakesEvidenceThatIsNew) {
  History history({entry(kVerified), entry(kQuarantined, kAll, std::nullopt)});
  expect_refusal(history.append(entry(kVerified)), ErrorCode::kPermissionDenied,
                 "a quarantine ends with new evidence.");
  expect_transition(history.append(entry(kVerified, kAll, kNewEvidence)), kAppend);
}

TEST(JudgeTransition, OfPromotedTakesOtherConditionsOrALargerShare) {
  History history({entry(kVerified)});
  expect_transition(history.append(promotion(kAll, 10)), kAppend);
  expect_transition(history.append(promotion(kAll, 10)), kUnchanged);
  expect_transition(history.append(promotion(kAll, 50)), kAppend);
  expect_refusal(history.append(promotion(kAll, 10)), ErrorCode::kPermissionDenied,
                 "a share of 10 % after one of 50 % takes a rollback first.");
  expect_transition(history.append(promotion(kAll, 10, {"batch <= 8"})), kAppend);
  EXPECT_EQ(history.entries().size(), 4U);
}

TEST(JudgeTransition, OfPromotedTakesOneVerifiedDriverOfTheRange) {
  History history({entry(kVerified, kOne)});
  expect_refusal(history.append(promotion({"cpu 3", ""}, 100)), ErrorCode::kPermissionDenied,
                 "The kernel is a candidate on x86_64-v3 for drivers from cpu 3; it has to be "
                 "verified first.");
  expect_transition(history.append(promotion({"cpu 1", "cpu 9"}, 100)), kAppend);
  EXPECT_EQ(history.state("cpu 7"), kPromoted);
}

TEST(JudgeTransition, DoesNotPassOverAQuarantineOfAPart) {
  History history({entry(kVerified), entry(kQuarantined, kOne, std::nullopt)});
  for (const KernelState state : {kVerified, kPromoted}) {
    expect_refusal(history.append(entry(state, kAll, kNewEvidence)), ErrorCode::kPermissionDenied,
                   "The kernel is quarantined on x86_64-v3 for driver cpu 2; that is a part of all "
                   "drivers, which cannot become");
  }
  expect_transition(history.append(promotion({"cpu 3", ""}, 100)), kAppend);
  expect_transition(history.append(entry(kVerified, kOne, kNewEvidence)), kAppend);
  expect_transition(history.append(promotion(kAll, 100)), kAppend);
  EXPECT_EQ(history.state(), kPromoted);
}

TEST(JudgeTransition, OfVerifiedDoesNotLowerAPromotedPart) {
  History history({entry(kVerified, kOne), promotion(kOne, 100)});
  expect_refusal(history.append(entry(kVerified, kAll, kNewEvidence)), ErrorCode::kPermissionDenied,
                 "promoted on x86_64-v3 for driver cpu 2");
}

TEST(JudgeTransition, OfQuarantinedPassesOverEveryPart) {
  History history({entry(kVerified), promotion(kOne, 100)});
  expect_transition(history.append(entry(kQuarantined)), kAppend);
  EXPECT_EQ(history.state(), kQuarantined);
}

TEST(JudgeTransition, RefusesAShareOutsideOfOneToAHundred) {
  History history({entry(kVerified)});
  for (const std::uint32_t share : {0U, 101U}) {
    expect_refusal(history.append(promotion(kAll, share)), ErrorCode::kInvalidArgument,
                   "The share of hosts (" + std::to_string(share) + " %) is not from 1 to 100.");
  }
}

TEST(JudgeTransition, RefusesARangeTurnedRound) {
  History history({entry(kVerified)});
  expect_refusal(history.append(promotion({"cpu 10", "cpu 9"}, 100)), ErrorCode::kInvalidArgument,
                 "The range of drivers ends (cpu 9) before it begins (cpu 10).");
}

TEST(JudgeTransition, RefusesAShareAndConditionsOfWhatIsNotPromoted) {
  History history({entry(kVerified)});
  StateChange part = entry(kQuarantined);
  part.share_percent = 10;
  expect_refusal(history.append(part), ErrorCode::kInvalidArgument,
                 "Conditions and a share of hosts are for promoted kernels, not for quarantined");
  part.share_percent = 100;
  part.where = {"batch <= 8"};
  expect_refusal(history.append(part), ErrorCode::kInvalidArgument, "are for promoted kernels");
}

TEST(RevertingChange, GivesBackWhatWasBefore) {
  History history({entry(kVerified), promotion(kAll, 10, {"batch <= 8"}), promotion(kAll, 100)});
  const auto first = reverting_change(history.entries(), std::nullopt);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_EQ(first->reverts, 3);
  EXPECT_EQ(first->state, kPromoted);
  EXPECT_EQ(first->share_percent, 10U);
  EXPECT_EQ(first->where, std::vector<std::string>({"batch <= 8"}));
  expect_transition(history.append(*first), kAppend);
  expect_transition(history.append(*first), kUnchanged);

  const auto second = reverting_change(history.entries(), std::nullopt);
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_EQ(second->reverts, 2);
  EXPECT_EQ(second->state, kVerified);
  expect_transition(history.append(*second), kAppend);
  EXPECT_EQ(history.state(), kVerified);

  const auto third = reverting_change(history.entries(), std::nullopt);
  ASSERT_TRUE(third) << third.error().message();
  expect_transition(history.append(*third), kAppend);
  EXPECT_EQ(history.state(), kCandidate);

  const auto none = reverting_change(history.entries(), std::nullopt);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(none.error().message(),
            "Nothing is in force for all drivers that could be taken back.");
}

TEST(RevertingChange, EndsARetirement) {
  History history({entry(kVerified), entry(kRetired)});
  const auto back = reverting_change(history.entries(), kAll);
  ASSERT_TRUE(back) << back.error().message();
  expect_transition(history.append(*back), kAppend);
  EXPECT_EQ(history.state(), kVerified);
}

TEST(RevertingChange, DoesNotEndAQuarantine) {
  History history({entry(kVerified), entry(kQuarantined)});
  const auto back = reverting_change(history.entries(), std::nullopt);
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(back.error().message(),
            "The kernel is quarantined on x86_64-v3 for all drivers; a quarantine ends with new "
            "evidence.");
}

TEST(JudgeTransition, TakesBackNothingButWhatIsInForce) {
  History history({entry(kVerified), promotion(kAll, 50), promotion(kAll, 100)});
  StateChange back = entry(kVerified);
  back.reverts = 2;
  expect_refusal(history.append(back), ErrorCode::kPermissionDenied,
                 "entry 2 is not the one in force for all drivers.");
  back.reverts = 9;
  expect_refusal(history.append(back), ErrorCode::kPermissionDenied,
                 "The history on x86_64-v3 has no entry 9, which is to be taken back.");
  back.reverts = 3;
  back.drivers = kOne;
  expect_refusal(history.append(back), ErrorCode::kPermissionDenied,
                 "entry 3 is not the one in force for driver cpu 2.");
}

TEST(JudgeTransition, TakesBackToNothingButWhatWasBefore) {
  History history({entry(kVerified), promotion(kAll, 100)});
  StateChange back = entry(kPromoted);
  back.reverts = 2;
  expect_refusal(history.append(back), ErrorCode::kPermissionDenied,
                 "Taking back entry 2 gives the state verified, and the new entry says promoted.");
}

// Whatever the order of 64 competing promotions, one appends.
TEST(JudgeTransition, OfCompetingPromotionsAppendsOne) {
  std::mt19937 random(20);
  for (int round = 0; round < 200; ++round) {
    const DriverRange drivers = round % 2 == 0 ? kAll : kOne;
    History history({entry(kVerified, drivers)});
    std::vector<StateChange> promotions;
    for (int i = 0; i < 64; ++i) {
      StateChange one = promotion(drivers, 100);
      one.who = "process " + std::to_string(i);
      if (i % 3 == 0) one.evidence = kNewEvidence;
      promotions.push_back(std::move(one));
    }
    std::shuffle(promotions.begin(), promotions.end(), random);
    int appended = 0;
    for (const StateChange& one : promotions) {
      const auto transition = history.append(one);
      ASSERT_TRUE(transition) << transition.error().message();
      appended += *transition == kAppend ? 1 : 0;
    }
    EXPECT_EQ(appended, 1);
    EXPECT_EQ(history.state(), kPromoted);
  }
}

// Whatever is tried in whatever order: what is quarantined for a driver stays so until evidence
// that is new to the history comes, and nothing is promoted that was never verified.
TEST(JudgeTransition, KeepsItsPromisesInAnyOrder) {
  const std::vector<std::string> drivers = {"cpu 1", "cpu 2", "cpu 3"};
  std::mt19937 random(21);
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  for (int round = 0; round < 300; ++round) {
    History history;
    for (int step = 0; step < 40; ++step) {
      DriverRange range;
      if (pick(4) != 0) range = {drivers[pick(3)], drivers[pick(3)]};
      const auto state = static_cast<KernelState>(pick(6));
      const EvidenceId evidence = base::Sha256::of(std::to_string(pick(12)));
      const bool is_new =
          std::none_of(history.entries().begin(), history.entries().end(),
                       [&](const StateChange& change) { return change.evidence == evidence; });
      std::vector<KernelState> before;
      for (const std::string& driver : drivers)
        before.push_back(history.state(driver));
      const auto transition = history.append(entry(state, range, evidence));
      const bool appended = transition && *transition == kAppend;
      bool one_verified = false;
      for (std::size_t i = 0; i < drivers.size(); ++i) {
        const KernelState after = history.state(drivers[i]);
        one_verified |=
            range.contains(drivers[i]) && (before[i] == kVerified || before[i] == kPromoted);
        if (before[i] == kQuarantined && after != kQuarantined) {
          EXPECT_TRUE(after == kRetired || (after == kVerified && is_new));
        }
        if (before[i] == kRetired && after != kRetired) {
          EXPECT_EQ(after, kQuarantined);
        }
      }
      if (appended && state == kPromoted) {
        EXPECT_TRUE(one_verified);
      }
    }
  }
}

}  // namespace
}  // namespace halyard::store
