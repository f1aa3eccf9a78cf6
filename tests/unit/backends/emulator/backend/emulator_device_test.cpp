// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_device.h"

#include "tests/forked_child.h"
#include "tests/unit/backends/emulator/backend/emulator_fixture.h"

#include <array>
#include <string>

namespace halyard::emulator {
namespace {

class EmulatorDeviceTest : public EmulatorFixture {
 protected:
  EmulatorDevice& device() { return static_cast<EmulatorDevice&>(*device_); }
};

TEST_F(EmulatorDeviceTest, WavesRunInOrderUnlessTold) {
  EXPECT_FALSE(device().next_schedule_seed());
}

TEST_F(EmulatorDeviceTest, WrapsMemoryOfTheCaller) {
  std::array<std::byte, 17> memory{};
  const auto buffer = device_->wrap_host_memory(memory.data() + 1, 16);
  ASSERT_TRUE(buffer);
  EXPECT_EQ((*buffer)->host_pointer(), memory.data() + 1);
}

TEST_F(EmulatorDeviceTest, ForkedChildIsRefusedALaunch) {
  const auto queue = make_queue();
  const auto increment = load("increment");
  const auto words = make_buffer(1);
  EXPECT_TRUE(tests::passes_in_child([&]() -> std::string {
    const auto status = run(*queue, *increment, *words, 1);
    if (status) return "The launch is done.";
    return status.error().code() == base::ErrorCode::kUnavailable ? "" : status.error().message();
  }));
}

class EmulatorScheduleTest : public EmulatorFixture {
 protected:
  static base::Configuration seeded() {
    base::Configuration configuration = emulator_configuration();
    configuration.emulator_schedule.value = 40;
    return configuration;
  }
  EmulatorScheduleTest() : EmulatorFixture(seeded()) {}
};

TEST_F(EmulatorScheduleTest, EachLaunchHasAnOrderOfItsOwn) {
  auto& device = static_cast<EmulatorDevice&>(*device_);
  EXPECT_EQ(device.next_schedule_seed(), 40U);
  EXPECT_EQ(device.next_schedule_seed(), 41U);
}

}  // namespace
}  // namespace halyard::emulator
