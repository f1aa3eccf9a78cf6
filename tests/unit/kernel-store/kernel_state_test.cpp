// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_state.h"

#include "runtime/base/sha256.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace halyard::store {
namespace {

StateChange change(KernelState state, DriverRange drivers) {
  StateChange out;
  out.target = "spirv-1.5";
  out.state = state;
  out.drivers = std::move(drivers);
  return out;
}

TEST(DriverRange, ComparesNumbersAsNumbers) {
  const DriverRange range{"mesa 22.3.6", "mesa 22.10.0"};
  EXPECT_TRUE(range.contains("mesa 22.3.6"));
  EXPECT_TRUE(range.contains("mesa 22.9.1"));
  EXPECT_TRUE(range.contains("mesa 22.10.0"));
  EXPECT_FALSE(range.contains("mesa 22.10.1"));
  EXPECT_FALSE(range.contains("mesa 22.3.5"));
}

TEST(DriverRange, EmptyEndIsOpen) {
  EXPECT_TRUE(DriverRange{}.contains("any"));
  EXPECT_TRUE((DriverRange{"mesa 9", ""}).contains("mesa 22"));
  EXPECT_FALSE((DriverRange{"", "mesa 9"}).contains("mesa 22"));
}

TEST(LastChange, IsTheLastEntryThatCoversDriverAndTarget) {
  const std::vector<StateChange> history = {
      change(KernelState::kSelfTested, {}),
      change(KernelState::kQuarantined, {"mesa 22.3", "mesa 22.3"}),
      change(KernelState::kVerified, {"mesa 24.0", "mesa 24.0"}),
  };
  EXPECT_EQ(last_change(history, {"spirv-1.5", "mesa 22.3", ""}), &history[1]);
  EXPECT_EQ(last_change(history, {"spirv-1.5", "mesa 23.0", ""}), &history[0]);
  EXPECT_EQ(last_change(history, {"spirv-1.5", "mesa 24.0", ""}), &history[2]);
  EXPECT_EQ(last_change(history, {"x86_64-v3", "mesa 22.3", ""}), nullptr);
}

TEST(LastChange, IsNotOneThatIsTakenBack) {
  std::vector<StateChange> history = {change(KernelState::kVerified, {}),
                                      change(KernelState::kPromoted, {}),
                                      change(KernelState::kVerified, {})};
  for (std::size_t i = 0; i < history.size(); ++i)
    history[i].sequence = static_cast<std::int64_t>(i) + 7;
  history[2].reverts = 8;
  EXPECT_EQ(last_change(history, {"spirv-1.5", "mesa 22.3", ""}), &history[0]);
}

TEST(LastChange, LeavesHostsOutsideOfTheShareWhatTheyHad) {
  std::vector<StateChange> history = {change(KernelState::kVerified, {}),
                                      change(KernelState::kPromoted, {})};
  history[1].share_percent = 30;
  int promoted = 0;
  for (int host = 0; host < 1000; ++host) {
    const std::string name = "host-" + std::to_string(host);
    const StateChange* const last = last_change(history, {"spirv-1.5", "mesa 22.3", name});
    ASSERT_NE(last, nullptr);
    EXPECT_EQ(last->state == KernelState::kPromoted, in_share(history[1].kernel, name, 30));
    promoted += last->state == KernelState::kPromoted ? 1 : 0;
  }
  EXPECT_GT(promoted, 240);
  EXPECT_LT(promoted, 360);
  EXPECT_EQ(last_change(history, {"spirv-1.5", "mesa 22.3", ""}), &history[0]);
}

TEST(InShare, KeepsItsHostsAsTheShareGrows) {
  const KernelId kernel = base::Sha256::of("a kernel");
  for (int host = 0; host < 100; ++host) {
    const std::string name = "host-" + std::to_string(host);
    bool was_in = false;
    for (std::uint32_t percent = 1; percent <= 100; ++percent) {
      const bool is_in = in_share(kernel, name, percent);
      EXPECT_TRUE(is_in || !was_in) << name << " leaves at " << percent;
      was_in = is_in;
    }
    EXPECT_TRUE(was_in);
  }
}

TEST(InShare, TakesOtherHostsForAnotherKernel) {
  const KernelId one = base::Sha256::of("one");
  const KernelId other = base::Sha256::of("other");
  int differences = 0;
  for (int host = 0; host < 1000; ++host) {
    const std::string name = "host-" + std::to_string(host);
    differences += in_share(one, name, 50) != in_share(other, name, 50) ? 1 : 0;
  }
  EXPECT_GT(differences, 350);
}

TEST(DriverRange, ContainsAndOverlapsOthers) {
  const DriverRange all;
  const DriverRange mesa{"mesa 22", "mesa 24"};
  const DriverRange newer{"mesa 23", ""};
  const DriverRange one{"mesa 22.3", "mesa 22.3"};
  EXPECT_TRUE(all.contains(mesa));
  EXPECT_TRUE(all.contains(newer));
  EXPECT_FALSE(mesa.contains(all));
  EXPECT_FALSE(mesa.contains(newer));
  EXPECT_TRUE(mesa.contains(one));
  EXPECT_TRUE(mesa.contains(mesa));
  EXPECT_TRUE(mesa.overlaps(newer));
  EXPECT_TRUE(newer.overlaps(mesa));
  EXPECT_FALSE(newer.overlaps(one));
  EXPECT_FALSE(one.overlaps(newer));
  EXPECT_TRUE(one.overlaps(all));
}

TEST(DriverRange, IsTurnedRoundWhenItEndsBeforeItBegins) {
  EXPECT_TRUE((DriverRange{"mesa 22.10", "mesa 22.9"}).is_turned_round());
  EXPECT_FALSE((DriverRange{"mesa 22.9", "mesa 22.10"}).is_turned_round());
  EXPECT_FALSE((DriverRange{"mesa 22.9", ""}).is_turned_round());
  EXPECT_FALSE((DriverRange{"mesa 22.9", "mesa 22.9"}).is_turned_round());
}

TEST(DriverRange, IsNamedInWords) {
  EXPECT_EQ(driver_range_text({}), "all drivers");
  EXPECT_EQ(driver_range_text({"mesa 9", "mesa 9"}), "driver mesa 9");
  EXPECT_EQ(driver_range_text({"mesa 9", "mesa 10"}), "drivers mesa 9 to mesa 10");
  EXPECT_EQ(driver_range_text({"mesa 9", ""}), "drivers from mesa 9");
  EXPECT_EQ(driver_range_text({"", "mesa 9"}), "drivers up to mesa 9");
}

TEST(KernelState, NamesGoThereAndBack) {
  for (int i = 0; i < 6; ++i) {
    const auto state = static_cast<KernelState>(i);
    EXPECT_EQ(kernel_state_from_name(kernel_state_name(state)), state);
  }
  EXPECT_FALSE(kernel_state_from_name("approved"));
}

}  // namespace
}  // namespace halyard::store
