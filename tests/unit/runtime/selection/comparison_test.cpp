// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/comparison.h"

#include "runtime/selection/prepare.h"
#include "tests/unit/runtime/selection/selection_fixture.h"
#include "tests/unit/runtime/selection/stored_kernel_fixture.h"

#include <gtest/gtest.h>

namespace halyard::selection {
namespace {

// Two kernels of gemm rank alike on a CPU once its weights are constant.
class ComparisonTest : public SelectionTest {
 protected:
  void SetUp() override {
    SelectionTest::SetUp();
    copy_kernels("gemm");
    instance_ = make_instance();
    device_ = cpu(*instance_);
    request_.contract = "gemm";
    request_.types = {{"T", base::DataType::kF32}};
    request_.axes = {{"N", 8}, {"K", 16}};
    request_.constants = {{"B", constant({8, 16})}};
  }

  base::Ref<dispatch::Constant> constant(const std::vector<std::int64_t>& shape) {
    std::size_t bytes = sizeof(float);
    for (const std::int64_t size : shape)
      bytes *= static_cast<std::size_t>(size);
    const std::vector<std::byte> zeros(bytes);
    auto made = dispatch::Constant::create(*device_, base::DataType::kF32, shape, zeros);
    EXPECT_TRUE(made) << made.error().message();
    return *made;
  }

  base::Ref<dispatch::Operation> prepare_now(Instance& instance) {
    auto operation = prepare(instance, *device_, request_);
    EXPECT_TRUE(operation) << operation.error().message();
    return *operation;
  }

  // Timings that the store holds of any candidate.
  std::size_t timings() {
    std::size_t count = 0;
    for (const store::BuiltKernel& kernel : (*instance_->bundle().kernels("gemm"))->kernels) {
      store::EvidenceQuery query;
      query.kernel = kernel.package.id;
      query.kind = store::EvidenceKind::kHardware;
      count += instance_->store().find_evidence(query)->size();
    }
    return count;
  }

  base::Ref<Instance> instance_;
  base::Ref<core::Device> device_;
  PrepareRequest request_;
};

TEST_F(ComparisonTest, TimesOfAllThatRankAlikeAreKeptAndUsedAgain) {
  const auto operation = prepare_now(*instance_);
  const std::string& explanation = operation->choice().explanation;
  EXPECT_NE(explanation.find("the fastest of those that rank alike"), std::string::npos)
      << explanation;
  EXPECT_NE(explanation.find("slower than the chosen one"), std::string::npos) << explanation;
  const std::size_t measured = timings();
  EXPECT_GE(measured, 2U);
  prepare_now(*make_instance());
  EXPECT_EQ(measured, timings());
}

TEST_F(ComparisonTest, OtherAttributesAreMeasuredAnew) {
  prepare_now(*instance_);
  const std::size_t measured = timings();
  request_.attributes = {{"bias", std::int64_t{1}}};
  request_.constants.emplace_back("bias_vector", constant({8}));
  prepare_now(*instance_);
  EXPECT_EQ(2 * measured, timings());
}

TEST_F(ComparisonTest, LayoutsThatOnlyTheMeasurementNeededAreGivenBack) {
  const auto operation = prepare_now(*instance_);
  const std::uint64_t given = 8 * 16 * sizeof(float);
  const std::uint64_t held = request_.constants[0].second->size_bytes();
  const bool packs = !operation->choice().plan->packings().empty();
  EXPECT_EQ(packs, held > given) << operation->choice().kernel_name << " " << held;
}

TEST_F(ComparisonTest, ProblemTooLargeToTryIsNotMeasured) {
  request_.axes = {{"M", 100'000'000}, {"N", 8}, {"K", 16}};
  const auto operation = prepare_now(*instance_);
  EXPECT_EQ(0U, timings());
  EXPECT_NE(operation->choice().explanation.find("was not measured"), std::string::npos)
      << operation->choice().explanation;
}

TEST_F(ComparisonTest, TimesOfAnEmulatedDeviceAreNoEvidenceOfHardware) {
  const auto instance = make_instance(backends_with_apart());
  device_ = *instance->backends().device("apart:0");
  request_.axes = {{"M", 100'000}, {"N", 8}, {"K", 16}};
  request_.constants = {{"B", constant({8, 16})}};
  const auto operation = prepare_now(*instance);
  EXPECT_EQ(0U, timings());
  store::EvidenceQuery query;
  query.kernel = *store::digest_from_text(operation->choice().kernel_id);
  query.kind = store::EvidenceKind::kEmulated;
  const auto found = instance->store().find_evidence(query);
  ASSERT_TRUE(found && !found->empty());
  EXPECT_FALSE(store::is_of_hardware(found->front()));
  // Nobody waits for the launch that was asked for.
  EXPECT_EQ(1, found->front().timings.at(0).axes.at("M"));
}

}  // namespace
}  // namespace halyard::selection
