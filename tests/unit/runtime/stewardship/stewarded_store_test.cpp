// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/stewarded_store.h"

#include "kernel-store/trust/signing_key.h"
#include "tests/unit/runtime/stewardship/stewardship_fixture.h"

#include <string>

namespace halyard::stewardship {
namespace {

using base::ErrorCode;

class StewardedStoreTest : public StewardshipTest {};

TEST_F(StewardedStoreTest, KernelIsFoundByIdAndItsFirstDigits) {
  for (const std::size_t digits : {std::size_t{64}, std::size_t{8}}) {
    const auto found = find_kernel(stewarded(), kernel_text().substr(0, digits));
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_EQ(found->id, package_->id);
    EXPECT_EQ(found->version, "9.9.9");
    EXPECT_EQ(found->contract, "rms_norm");
  }
}

TEST_F(StewardedStoreTest, BundledKernelIsFoundByItsName) {
  const auto found = find_kernel(stewarded(), "argmax_cpu");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->name, "argmax_cpu");
}

TEST_F(StewardedStoreTest, NameOfSeveralKernelsIsRefusedWithTwoOfThem) {
  const auto found = find_kernel(stewarded(), "rms_norm_cpu");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(found.error().message().find("\"rms_norm_cpu\" names 2 kernels, among them "),
            std::string::npos)
      << found.error().message();
  EXPECT_NE(found.error().message().find(kernel_text()), std::string::npos);
}

TEST_F(StewardedStoreTest, UnknownKernelIsNotFound) {
  for (const std::string& name :
       {std::string("nobody"), std::string(64, '0'), kernel_text().substr(0, 7)}) {
    const auto found = find_kernel(stewarded(), name);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code(), ErrorCode::kNotFound);
    EXPECT_EQ(found.error().message(),
              "There is no kernel \"" + name + "\" in the store memory: or bundled.");
  }
}

TEST_F(StewardedStoreTest, TrustFileIsReadEachTime) {
  EXPECT_TRUE(stewarded().trust()->keys().empty());
  const auto changed =
      store::change_trust_list((folder_ / "trust.json").string(), [](store::TrustList& list) {
        auto key = store::SigningKey::create();
        store::TrustedKey trusted;
        trusted.key = key->public_key();
        trusted.label = "ana";
        trusted.may_say = {store::KernelState::kVerified};
        return list.add(trusted);
      });
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_EQ(stewarded().trust()->keys().size(), 1U);
}

TEST_F(StewardedStoreTest, MissingDataDirectoryIsNamed) {
  const auto opened = StewardedStore::open({"memory:", "/nowhere/data", std::nullopt});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(opened.error().message().find("/nowhere/data"), std::string::npos);
}

}  // namespace
}  // namespace halyard::stewardship
