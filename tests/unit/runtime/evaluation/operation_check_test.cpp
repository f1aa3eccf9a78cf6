// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/operation_check.h"

#include "runtime/operators/element_reader.h"
#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace halyard::services {
namespace {

using operators::testing::HostLaunch;
using operators::testing::kF32;

// A launch whose outputs the reference computed, as a right kernel would have.
class RanLaunch {
 public:
  RanLaunch(std::string_view contract, const std::vector<operators::AxisValue>& axes)
      : before(contract, kF32, axes),
        after(contract, kF32, axes) {
    before.fill(3);
    after.fill(3);
    const base::Status ran = operators::run_reference(after.problem(), after.launch_axes(),
                                                      after.tensors, after.scalars);
    EXPECT_TRUE(ran) << ran.error().message();
  }

  OperationCheck check(std::int64_t multiply_adds = 30'000'000) const {
    const std::vector<operators::ReferenceTensor> was(before.tensors.begin(), before.tensors.end());
    const std::vector<operators::ReferenceTensor> is(after.tensors.begin(), after.tensors.end());
    CheckLimits limits;
    limits.multiply_adds = multiply_adds;
    auto result =
        check_outputs({&before.problem(), before.launch_axes(), before.scalars, was, is}, limits);
    EXPECT_TRUE(result) << result.error().message();
    return result ? *result : OperationCheck{};
  }

  void spoil(std::string_view tensor, std::uint64_t element, double value) {
    const operators::WritableTensor& target = after.tensors[after.index(tensor)];
    operators::write_element(target, operators::element_offset(target, element), value);
  }

  HostLaunch before;
  HostLaunch after;
};

TEST(OperationCheck, PassesWhatTheReferenceComputed) {
  const RanLaunch launch("gemm", {{"M", 3}, {"N", 20}, {"K", 33}});
  const OperationCheck check = launch.check();
  EXPECT_TRUE(check.passed());
  EXPECT_TRUE(check.is_full());
  EXPECT_EQ(check.compared(), 60U);
  EXPECT_EQ(check.elements(), 60U);
  EXPECT_LE(check.error_ratio(), 1);
  EXPECT_EQ(check.failure(), "");
}

TEST(OperationCheck, TellsTheWorstElementOfAWrongResult) {
  RanLaunch launch("gemm", {{"M", 3}, {"N", 20}, {"K", 33}});
  launch.spoil("C", 45, 1000);
  launch.spoil("C", 46, 500);
  const OperationCheck check = launch.check();
  EXPECT_FALSE(check.passed());
  ASSERT_EQ(check.outputs.size(), 1U);
  EXPECT_EQ(check.outputs[0].worst.failures, 2U);
  EXPECT_EQ(check.outputs[0].place, (std::vector<std::int64_t>{2, 5}));
  EXPECT_GT(check.error_ratio(), 1);
  EXPECT_THAT(check.failure(), ::testing::HasSubstr("Tensor \"C\" is wrong at [2, 5]: 1000 "));
  EXPECT_THAT(check.failure(), ::testing::HasSubstr("2 of 60 compared elements"));
}

TEST(OperationCheck, FindsNotANumber) {
  RanLaunch launch("silu_mul", {{"tokens", 2}, {"hidden", 9}});
  launch.spoil("y", 11, std::numeric_limits<double>::quiet_NaN());
  const OperationCheck check = launch.check();
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.outputs[0].worst.element, 11U);
}

TEST(OperationCheck, SamplesWhereTheReferenceIsCostly) {
  RanLaunch launch("gemm", {{"M", 4}, {"N", 256}, {"K", 64}});
  const OperationCheck check = launch.check(64 * 32);
  EXPECT_FALSE(check.is_full());
  EXPECT_EQ(check.compared(), 32U);
  EXPECT_EQ(check.elements(), 1024U);
  launch.spoil("C", 1023, 1000);
  EXPECT_FALSE(launch.check(64 * 32).passed());
}

TEST(OperationCheck, SamplesWholeHeads) {
  const RanLaunch launch("attention_decode_paged", {{"batch", 3},
                                                    {"num_pages", 12},
                                                    {"num_indices", 12},
                                                    {"kv_length", 16},
                                                    {"q_heads", 8},
                                                    {"kv_heads", 2},
                                                    {"head_dim", 16},
                                                    {"page_size", 4}});
  const OperationCheck check = launch.check(2 * 5 * 2 * 16 * 16);
  ASSERT_EQ(check.outputs.size(), 2U);
  EXPECT_EQ(check.outputs[0].worst.compared % 16, 0U);
  EXPECT_LT(check.outputs[0].worst.compared, check.outputs[0].elements);
  EXPECT_EQ(check.outputs[1].worst.compared, check.outputs[0].worst.compared / 16);
  EXPECT_TRUE(check.passed()) << check.failure();
}

TEST(OperationCheck, FindsElementsThatShouldHaveStayed) {
  const std::vector<operators::AxisValue> axes{
      {"tokens", 2}, {"num_pages", 4}, {"kv_heads", 1}, {"head_dim", 4}, {"page_size", 2}};
  RanLaunch launch("kv_append_paged", axes);
  const OperationCheck good = launch.check();
  EXPECT_TRUE(good.passed()) << good.failure();
  EXPECT_EQ(good.elements(), 16U);

  std::vector<std::uint64_t> written;
  launch.before.reference()->written_elements(launch.before.index("k_cache"), written);
  std::uint64_t untouched = 0;
  while (std::binary_search(written.begin(), written.end(), untouched))
    ++untouched;
  launch.spoil("k_cache", untouched, 1000);
  const OperationCheck check = launch.check();
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.outputs[0].changed, 1U);
  EXPECT_THAT(check.failure(), ::testing::HasSubstr("Tensor \"k_cache\" changed in 1 elements"));
}

TEST(OperationCheck, HasNothingToSayAboutEmptyOutputs) {
  const RanLaunch launch("gemm", {{"M", 0}, {"N", 8}, {"K", 8}});
  EXPECT_TRUE(launch.check().passed());
  EXPECT_EQ(launch.check().elements(), 0U);
}

}  // namespace
}  // namespace halyard::services
