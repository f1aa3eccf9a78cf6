// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/corpus.h"
#include "tests/adversarial/known_gaps.h"
#include "tests/adversarial/verification_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <ostream>
#include <set>
#include <string>

namespace halyard::adversarial {

// What gtest prints of a case.
void PrintTo(const AdversarialCase& each, std::ostream* out) {
  *out << each.id << ": " << each.what;
}

namespace {

using verification::verdict_class_name;

#ifdef HALYARD_ADVERSARIAL_LONG
constexpr bool kIsLong = true;
#else
constexpr bool kIsLong = false;
#endif

std::vector<AdversarialCase> selected(std::vector<AdversarialCase> cases) {
  std::erase_if(cases, [](const AdversarialCase& each) { return each.is_long != kIsLong; });
  return cases;
}

std::string name_of_case(const ::testing::TestParamInfo<AdversarialCase>& info) {
  std::string name = info.param.id;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// What is wrong only where a launch differs from the one before (poison, place, workspace) looks
// like a memory of it: such wrong values may be called a cheat.
bool is_expected(const AdversarialCase& each, VerdictClass got) {
  const auto holds = [&](VerdictClass verdict) {
    return std::find(each.expected.begin(), each.expected.end(), verdict) != each.expected.end();
  };
  return holds(got) || (got == VerdictClass::kCheat && holds(VerdictClass::kNumeric));
}

// How many cases of each expected class got which verdict, printed when all tests are done.
class VerdictTable : public ::testing::Environment {
 public:
  void note(const AdversarialCase& each, VerdictClass got) {
    ++counts_[{each.expected.front(), got}];
    if (is_expected(each, got)) return;
    misses_.push_back(base::concat(each.id, ": ", verdict_class_name(got), " instead of ",
                                   verdict_class_name(each.expected.front())));
  }

  void TearDown() override {
    std::cout << "expected   got         cases\n";
    for (const auto& [key, count] : counts_) {
      std::string line(verdict_class_name(key.first));
      line.resize(11, ' ');
      line += verdict_class_name(key.second);
      line.resize(23, ' ');
      std::cout << line << count << '\n';
    }
    for (const std::string& miss : misses_)
      std::cout << "miss: " << miss << '\n';
  }

 private:
  std::map<std::pair<VerdictClass, VerdictClass>, int> counts_;
  std::vector<std::string> misses_;
};

// Owned by gtest.
VerdictTable* verdict_table() {
  static auto* const kTable =
      dynamic_cast<VerdictTable*>(::testing::AddGlobalTestEnvironment(new VerdictTable));
  return kTable;
}

const VerdictTable* const kRegisteredTable = verdict_table();

std::string expected_text(const AdversarialCase& each) {
  std::string text;
  for (const VerdictClass verdict : each.expected)
    text += base::concat(text.empty() ? "" : " or ", verdict_class_name(verdict));
  return text;
}

class CorpusCase : public ::testing::TestWithParam<AdversarialCase> {
 protected:
  void verify_case() {
    const AdversarialCase& each = GetParam();
    ASSERT_EQ(each.package.fault, "");
    const VerificationBench* const bench = VerificationBench::shared();
    ASSERT_NE(bench, nullptr);
    const bool is_accepted = each.expected.front() == VerdictClass::kAccept;
    if (const auto shortfall = bench->shortfall(each.package); shortfall && is_accepted) {
      GTEST_SKIP() << *shortfall;
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto report =
        bench->verify(each.package, {each.is_foreign, !each.is_long && !each.is_foreign});
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(report.has_value()) << report.error().message();
    std::cout << each.id << " (" << each.what << "), expected " << expected_text(each) << ": "
              << verdict_text(*report) << " [" << wall.count() << " s]\n";
    if (const KnownGap* const gap = known_gap(each.id)) {
      std::cout << "[ LEFT OUT ] " << each.id << ": " << gap->reason << ".\n";
      EXPECT_TRUE(gap->depends_on_seed || report->decision.verdict == VerdictClass::kAccept)
          << each.id << " is no gap any more: " << verdict_text(*report);
      return;
    }
    const auto& finding = report->decision.finding;
    if (!each.is_foreign && finding && finding->sentence.starts_with("The kernel takes no shape")) {
      std::cout << "[ LEFT OUT ] " << each.id << ": another kernel serves this device.\n";
      return;
    }
    if (is_expected(each, report->decision.verdict)) {
      verdict_table()->note(each, report->decision.verdict);
      return;
    }
    // Each verification has a seed of its own: what one of them misses is weak, and printed.
    const auto again =
        bench->verify(each.package, {each.is_foreign, !each.is_long && !each.is_foreign});
    ASSERT_TRUE(again.has_value()) << again.error().message();
    verdict_table()->note(each, again->decision.verdict);
    std::cout << "[ LEFT OUT ] " << each.id << ": one seed of two gives \"" << verdict_text(*report)
              << "\".\n";
    EXPECT_TRUE(is_expected(each, again->decision.verdict))
        << verdict_text(*report) << "\nand again\n"
        << verdict_text(*again);
  }
};

class HostileCase : public CorpusCase {};
class HonestCase : public CorpusCase {};

TEST_P(HostileCase, IsRefusedWithItsClass) {
  verify_case();
}

TEST_P(HonestCase, IsAccepted) {
  verify_case();
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostileCase, ::testing::ValuesIn(selected(hostile_cases())),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Corpus, HonestCase, ::testing::ValuesIn(selected(honest_cases())),
                         name_of_case);

#ifndef HALYARD_ADVERSARIAL_LONG

std::vector<AdversarialCase> all_cases() {
  std::vector<AdversarialCase> cases = hostile_cases();
  for (AdversarialCase& each : honest_cases())
    cases.push_back(std::move(each));
  return cases;
}

TEST(AdversarialCorpus, EveryEditFits) {
  for (const AdversarialCase& each : all_cases())
    EXPECT_EQ(each.package.fault, "") << each.id;
}

TEST(AdversarialCorpus, IdsAreUnique) {
  std::set<std::string> ids;
  for (const AdversarialCase& each : all_cases())
    EXPECT_TRUE(ids.insert(each.id).second) << each.id;
}

TEST(AdversarialCorpus, HoldsWhatTheBarsAsk) {
  const auto refused = hostile_cases();
  EXPECT_GE(refused.size(), 120U);
  EXPECT_GE(honest_cases().size(), 60U);
  for (const AdversarialCase& each : refused) {
    ASSERT_FALSE(each.expected.empty()) << each.id;
    EXPECT_THAT(each.expected, ::testing::Not(::testing::Contains(VerdictClass::kAccept)))
        << each.id;
  }
}

#endif

}  // namespace
}  // namespace halyard::adversarial
