// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/known_gaps.h"
#include "tests/adversarial/mutants.h"
#include "tests/adversarial/verification_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace halyard::adversarial {

void PrintTo(const Mutant& mutant, std::ostream* out) {
  *out << mutant.id;
}

namespace {

using verification::VerdictClass;

constexpr std::uint64_t kSeed = 20261130;

// What every run takes, from the front of the shuffled mutants, and what the long one takes.
#ifdef HALYARD_ADVERSARIAL_LONG
constexpr std::size_t kFirst = 60;
constexpr std::size_t kLast = 10000;
#else
constexpr std::size_t kFirst = 0;
constexpr std::size_t kLast = 60;
#endif

std::vector<Mutant> sample() {
  std::vector<Mutant> mutants = all_mutants(kSeed);
  if (mutants.size() > kLast) mutants.resize(kLast);
  mutants.erase(mutants.begin(),
                mutants.begin() + static_cast<std::ptrdiff_t>(std::min(kFirst, mutants.size())));
  return mutants;
}

std::string name_of_mutant(const ::testing::TestParamInfo<Mutant>& info) {
  const std::string& id = info.param.id;
  return base::concat(id.substr(0, id.find(':')), '_', info.index + kFirst);
}

// The binary of a package; nothing where it does not compile.
std::optional<std::vector<std::byte>> code_of(const Package& package) {
  auto built = VerificationBench::shared()->build(package);
  if (!built) {
    ADD_FAILURE() << built.error().message();
    return std::nullopt;
  }
  if (built->finding || built->codes.empty()) return std::nullopt;
  return std::move(built->codes.front().bytes);
}

// That of the original, which many mutants share.
const std::optional<std::vector<std::byte>>& original_code(const Mutant& mutant) {
  static std::map<std::string, std::optional<std::vector<std::byte>>> codes;
  const auto [found, is_new] = codes.try_emplace(source_of(mutant.original));
  if (is_new) found->second = code_of(mutant.original);
  return found->second;
}

class MutantTest : public ::testing::TestWithParam<Mutant> {};

TEST_P(MutantTest, IsRefusedUnlessEquivalent) {
  const Mutant& mutant = GetParam();
  const VerificationBench* const bench = VerificationBench::shared();
  ASSERT_NE(bench, nullptr);
  if (const auto shortfall = bench->shortfall(mutant.package)) GTEST_SKIP() << *shortfall;
  const auto code = code_of(mutant.package);
  if (!code) {
    std::cout << mutant.id << ": does not compile\n";
    return;
  }
  if (code == original_code(mutant)) {
    std::cout << mutant.id << ": the same code as the original\n";
    return;
  }
  const auto report = bench->verify(mutant.package, {});
  ASSERT_TRUE(report.has_value()) << report.error().message();
  std::cout << mutant.id << ": " << verdict_text(*report) << '\n';
  if (const KnownGap* const gap = known_gap(mutant.id)) {
    std::cout << "[ LEFT OUT ] " << mutant.id << ": " << gap->reason << ".\n";
    EXPECT_TRUE(gap->depends_on_seed || report->decision.verdict == VerdictClass::kAccept)
        << mutant.id << " is no gap any more.";
    return;
  }
  const auto reason = equivalence_of(mutant.id);
  const bool is_refused = report->decision.verdict != VerdictClass::kAccept &&
                          report->decision.verdict != VerdictClass::kUndecided;
  if (reason) {
    EXPECT_FALSE(is_refused) << mutant.id << " is listed as equivalent (" << *reason << ").";
    return;
  }
  if (is_refused) return;
  // Each verification has a seed of its own: what one of them misses is weak, and printed.
  const auto again = bench->verify(mutant.package, {});
  ASSERT_TRUE(again.has_value()) << again.error().message();
  std::cout << "[ LEFT OUT ] " << mutant.id << ": accepted with one seed of two.\n";
  EXPECT_NE(again->decision.verdict, VerdictClass::kAccept) << verdict_text(*again);
}

INSTANTIATE_TEST_SUITE_P(Mutants, MutantTest, ::testing::ValuesIn(sample()), name_of_mutant);

TEST(MutantList, IsTheSameForTheSameSeed) {
  const auto one = all_mutants(kSeed);
  const auto other = all_mutants(kSeed);
  ASSERT_EQ(one.size(), other.size());
  EXPECT_GE(one.size(), 600U);
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(one[i].id, other[i].id);
}

}  // namespace
}  // namespace halyard::adversarial
