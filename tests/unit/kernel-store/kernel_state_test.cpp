// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_state.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(last_change(history, "spirv-1.5", "mesa 22.3"), &history[1]);
  EXPECT_EQ(last_change(history, "spirv-1.5", "mesa 23.0"), &history[0]);
  EXPECT_EQ(last_change(history, "spirv-1.5", "mesa 24.0"), &history[2]);
  EXPECT_EQ(last_change(history, "x86_64-v3", "mesa 22.3"), nullptr);
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
