// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/worker_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::fleet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(WorkerMetrics, AreTextOfPrometheus) {
  WorkerMetrics metrics;
  metrics.requests_done = 3;
  metrics.busy_ms = 1500;
  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("# HELP halyard_worker_requests_done_total Requests settled with a "
                              "verdict.\n# TYPE halyard_worker_requests_done_total counter\n"
                              "halyard_worker_requests_done_total 3\n"));
  EXPECT_THAT(text, HasSubstr("\nhalyard_worker_busy_seconds_total 1.5\n"));
  EXPECT_THAT(text, HasSubstr("\nhalyard_worker_busy 0\n"));
  EXPECT_EQ(text.back(), '\n');
}

TEST(WorkerMetrics, WhatIsNotKnownIsNotZero) {
  WorkerMetrics metrics;
  EXPECT_THAT(metrics.text(), Not(HasSubstr("queue_depth")));
  metrics.queue_depth = 0;
  EXPECT_THAT(metrics.text(), HasSubstr("\nhalyard_worker_queue_depth 0\n"));
}

}  // namespace
}  // namespace halyard::fleet
