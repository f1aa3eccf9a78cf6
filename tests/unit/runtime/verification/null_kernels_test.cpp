// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/null_kernels.h"

#include "tests/unit/runtime/verification/verification_fixture.h"

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

std::optional<std::string> accepted(const base::Ref<const operators::Contract>& contract,
                                    const operators::TypeBindings& types) {
  NumericsDesc desc;
  desc.shapes.contract = contract;
  desc.shapes.types = types;
  desc.shapes.seed = 7;
  desc.shapes.budget.edge = {20'000, std::int64_t{1} << 20};
  desc.shapes.budget.visible = {0, 0};
  desc.shapes.budget.held_out = 1;
  auto found = find_accepted_null_kernel(desc);
  EXPECT_TRUE(found) << found.error().message();
  return found ? *found : std::nullopt;
}

TEST(NullKernels, EveryBundledContractRefusesThem) {  // A02, A05
  const auto names = operators::testing::catalog().names();
  ASSERT_TRUE(names);
  EXPECT_EQ(names->size(), 14U);
  for (const std::string& name : *names) {
    for (const operators::TypeBindings& types : contract(name)->fields().types)
      EXPECT_EQ(accepted(contract(name), types).value_or(""), "");
  }
}

// A bundled contract with one text put in place of another.
base::Ref<const operators::Contract> edited(std::string_view name, std::string_view from,
                                            std::string_view to) {
  std::string text = contract(name)->canonical_json();
  const std::size_t place = text.find(from);
  if (place == std::string::npos) ADD_FAILURE() << from;
  text.replace(place, from.size(), to);
  auto parsed = operators::Contract::parse(text, "edited.json");
  EXPECT_TRUE(parsed) << parsed.error().message();
  return *parsed;
}

TEST(NullKernels, AContractWithoutATightToleranceIsRefused) {
  const auto loose = edited("silu_mul", "\"c\":8,", "\"c\":1000000000,");
  const std::optional<std::string> reason = accepted(loose, kF32);
  ASSERT_TRUE(reason);
  EXPECT_THAT(*reason, ::testing::HasSubstr(
                           "Contract \"silu_mul\" with T = f32 cannot be verified: a kernel that "
                           "writes zeros passes "));
}

TEST(NullKernels, AKernelThatTakesOnlyEmptyShapesCannotBeVerified) {
  NumericsDesc desc;
  desc.shapes = small_plan("gemm", kF32);
  desc.shapes.serves = [](const operators::Problem&, std::span<const std::int64_t> axes) {
    return axes[0] == 0;
  };
  const auto found = find_accepted_null_kernel(desc);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->value_or(""), ::testing::HasSubstr("a kernel that writes zeros passes "));
}

}  // namespace
}  // namespace halyard::verification
