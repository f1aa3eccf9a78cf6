// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/release_log.h"

#include <gtest/gtest.h>

namespace halyard::emulator {

TEST(ReleaseLog, KnowsWhatWasFinishedBeforeARelease) {
  ReleaseLog log;
  log.release(3, 10);
  EXPECT_TRUE(log.knows(log.now(), 3, 9));
  EXPECT_FALSE(log.knows(log.now(), 3, 10));
  EXPECT_FALSE(log.knows(log.now(), 4, 9));
}

TEST(ReleaseLog, DoesNotKnowWhatIsReleasedLater) {
  ReleaseLog log;
  log.release(3, 10);
  const auto then = log.now();
  log.release(3, 20);
  EXPECT_FALSE(log.knows(then, 3, 15));
  EXPECT_TRUE(log.knows(log.now(), 3, 15));
}

TEST(ReleaseLog, TakesTheLatestOfManyForOrderedRatherThanForRaces) {
  ReleaseLog log;
  for (unsigned i = 2; i < 1000; ++i)
    log.release(1, i);
  EXPECT_TRUE(log.knows(log.now(), 1, 998));
  EXPECT_FALSE(log.knows(log.now(), 1, 999));
}

}  // namespace halyard::emulator
