// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/replay_check.h"

#include "tests/unit/runtime/evaluation/evaluation_fixture.h"

#include <cmath>
#include <cstring>

namespace halyard::services {
namespace {

HostBytes floats(const std::vector<float>& values) {
  HostBytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

BoundWorkload two_tensors() {
  BoundWorkload workload;
  workload.tensors.resize(2);
  workload.tensors[0].name = "floats";
  workload.tensors[1].name = "integers";
  workload.tensors[1].type = base::DataType::kI32;
  return workload;
}

TEST(ReplayCheck, CountsIdenticalTensors) {
  const std::vector<HostBytes> run{floats({1, 2}), HostBytes(4)};
  const ReplayCheck check = compare_runs(two_tensors(), run, run);
  EXPECT_TRUE(check.passed);
  EXPECT_EQ(check.tensors, 2U);
  EXPECT_EQ(check.identical, 2U);
}

TEST(ReplayCheck, AllowsFloatsToDifferALittle) {
  const std::vector<HostBytes> expected{floats({3, 4}), {}};
  const ReplayCheck near =
      compare_runs(two_tensors(), expected, std::vector<HostBytes>{floats({3.005F, 4}), {}});
  EXPECT_TRUE(near.passed);
  EXPECT_NEAR(near.worst_difference, 0.001, 1e-5);
  EXPECT_EQ(near.worst_tensor, "floats");
  EXPECT_FALSE(
      compare_runs(two_tensors(), expected, std::vector<HostBytes>{floats({3.5F, 4}), {}}).passed);
  EXPECT_FALSE(
      compare_runs(two_tensors(), expected, std::vector<HostBytes>{floats({std::nanf(""), 4}), {}})
          .passed);
}

TEST(ReplayCheck, AllowsIntegersNoDifference) {
  const std::vector<HostBytes> expected{{}, HostBytes(4)};
  const std::vector<HostBytes> found{{}, HostBytes(4, std::byte{1})};
  const ReplayCheck check = compare_runs(two_tensors(), expected, found);
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.worst_tensor, "integers");
}

}  // namespace
}  // namespace halyard::services
