// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_settings.h"

#include <gtest/gtest.h>

namespace halyard::emulator {
namespace {

TEST(EmulatorSettings, ThreadsAreOneForEachProcessorUnlessTold) {
  base::Configuration configuration;
  EXPECT_GE(make_settings(configuration).threads, 1U);
  EXPECT_FALSE(make_settings(configuration).has_detectors);
  configuration.emulator_threads.value = 3;
  EXPECT_EQ(make_settings(configuration).threads, 3U);
}

TEST(EmulatorSettings, DetectorsTakeOneThread) {
  base::Configuration configuration;
  configuration.emulator_threads.value = 3;
  configuration.emulator_mode.value = base::EmulatorMode::kFull;
  EXPECT_EQ(make_settings(configuration).threads, 1U);
  EXPECT_TRUE(make_settings(configuration).has_detectors);
}

}  // namespace
}  // namespace halyard::emulator
