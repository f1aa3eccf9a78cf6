// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_document.h"

#include "kernel-store/open_store.h"
#include "kernel-store/trust/approval_check.h"
#include "runtime/base/json.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;

constexpr std::int64_t kNowMs = 1'780'000'000'000;

class KernelDocumentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    kernel_.package = testing::make_package();
    ASSERT_TRUE(store_->put_kernel(kernel_.package));
    target_ = kernel_.package.record.targets.front();
  }

  void append(KernelState state, std::uint32_t share_percent = 100) {
    StateChange change;
    change.kernel = kernel_.package.id;
    change.target = target_;
    change.state = state;
    change.share_percent = share_percent;
    change.who = "ana";
    change.evidence = *store_->put_evidence(testing::make_evidence(kernel_.package.id));
    const auto appended = store_->append_state(change);
    ASSERT_TRUE(appended) << appended.error().message();
  }
  json::object detail(const TrustList& trust = {}) {
    const auto text = kernel_detail_document(*store_, kernel_, false, trust, kNowMs);
    EXPECT_TRUE(text) << text.error().message();
    return base::parse_json(*text, "detail")->as_object();
  }

  std::unique_ptr<KernelStore> store_ = open_memory_store("");
  BuiltKernel kernel_;
  std::string target_;
};

TEST_F(KernelDocumentTest, ListsAKernelWithItsOrigin) {
  const auto members = kernel_members(*store_, kernel_, true);
  ASSERT_TRUE(members) << members.error().message();
  EXPECT_EQ(members->at("id").as_string(), digest_text(kernel_.package.id));
  EXPECT_EQ(members->at("origin").as_string(), "bundled");
  EXPECT_TRUE(members->at("states").as_array().empty());
  const auto document = base::parse_json(kernels_document({*members}), "kernels");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->at("format").as_string(), "halyard.kernels/1");
  EXPECT_EQ(document->at("kernels").as_array().size(), 1U);
}

TEST_F(KernelDocumentTest, StatesTellShareAndWhetherTheyAreInEffect) {
  append(KernelState::kVerified);
  append(KernelState::kPromoted, 10);
  StateChange back;
  back.kernel = kernel_.package.id;
  back.target = target_;
  back.state = KernelState::kVerified;
  back.reverts = store_->states(back.kernel, target_)->back().sequence;
  const auto reverted = store_->append_state(back);
  ASSERT_TRUE(reverted) << reverted.error().message();
  const json::object document = detail();
  const json::array& states = document.at("states").as_array();
  ASSERT_EQ(states.size(), 3U);
  EXPECT_TRUE(states[0].at("in_effect").as_bool());
  EXPECT_EQ(states[1].at("share_percent").to_number<int>(), 10);
  EXPECT_FALSE(states[1].at("in_effect").as_bool());
  EXPECT_FALSE(states[2].at("in_effect").as_bool());
  EXPECT_EQ(document.at("evidence").as_array().size(), 1U);
}

TEST_F(KernelDocumentTest, ApprovalsTellWhetherTheyCount) {
  auto key = SigningKey::create();
  ASSERT_TRUE(key) << key.error().message();
  Approval approval;
  approval.kernel = kernel_.package.id;
  approval.target = target_;
  approval.state = KernelState::kQuarantined;
  const auto issued = issue_approval(store_->approvals(), approval, *key, kNowMs);
  ASSERT_TRUE(issued) << issued.error().message();
  const json::object stranger = detail();
  const json::value& unknown = stranger.at("approvals").as_array().at(0);
  EXPECT_FALSE(unknown.at("counts").as_bool());
  EXPECT_FALSE(unknown.at("reason").as_string().empty());
  EXPECT_EQ(unknown.at("label").as_string(), "");

  TrustList trust;
  TrustedKey trusted;
  trusted.key = key->public_key();
  trusted.label = "ana";
  trusted.may_say = {KernelState::kQuarantined};
  ASSERT_TRUE(trust.add(trusted));
  const json::object friendly = detail(trust);
  const json::value& known = friendly.at("approvals").as_array().at(0);
  EXPECT_TRUE(known.at("counts").as_bool()) << known.at("reason").as_string();
  EXPECT_EQ(known.at("label").as_string(), "ana");
  EXPECT_EQ(known.at("state").as_string(), "quarantined");
}

}  // namespace
}  // namespace halyard::store
