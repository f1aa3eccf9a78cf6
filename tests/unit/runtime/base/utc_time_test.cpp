// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/utc_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(UtcTime, HasTheFormOfRecords) {
  EXPECT_THAT(utc_now(), ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

}  // namespace
}  // namespace halyard::base
