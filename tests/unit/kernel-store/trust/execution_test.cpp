// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/execution.h"

#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using Weight = ApprovalStanding::Weight;

class Execution : public ::testing::Test {
 protected:
  Execution() {
    facts_.kernel_name = "k";
    facts_.approvals = &standing_;
  }

  void approve(Weight weight) {
    standing_.weight = weight;
    standing_.label = "ann";
  }

  void expect(ExecutionOutcome outcome, std::string_view reason) const {
    const ExecutionDecision decision = decide_execution(policy_, facts_);
    EXPECT_EQ(decision.outcome, outcome) << decision.reason;
    EXPECT_EQ(decision.reason, reason);
  }

  Policy policy_;
  ApprovalStanding standing_;
  ExecutionFacts facts_;
};

TEST_F(Execution, BundledKernelRunsAnywhere) {
  facts_.bundled = true;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs in this process: it comes with the library.");
  facts_.place = CodePlace::kDevice;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs on a device: it comes with the library.");
  facts_.approvals = nullptr;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs on a device: it comes with the library.");
}

TEST_F(Execution, UnknownKernelRunsNowhere) {
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: it is not verified here and no trusted key "
         "approves it, and the policy asks for bundled or local-key.");
  facts_.place = CodePlace::kDevice;
  facts_.approvals = nullptr;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run on a device: it is not verified here and no trusted key "
         "approves it, and the policy asks for bundled or verified or trusted-key or local-key.");
}

TEST_F(Execution, VerificationSufficesOnADeviceOnly) {
  facts_.verified_here = true;
  facts_.state = KernelState::kVerified;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: it is verified here and no trusted key "
         "approves it, and the policy asks for bundled or local-key.");
  facts_.place = CodePlace::kDevice;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs on a device: it is verified here.");
}

TEST_F(Execution, TrustedKeySufficesOnADeviceOnly) {
  approve(Weight::kTrustedKey);
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: it is not verified here and is approved by "
         "key \"ann\", which is not local, and the policy asks for bundled or local-key.");
  facts_.place = CodePlace::kDevice;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs on a device: key \"ann\" approves it.");
}

TEST_F(Execution, LocalKeySufficesInThisProcess) {
  approve(Weight::kLocalKey);
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs in this process: key \"ann\" approves it.");
  policy_.device = {ExecutionBasis::kTrustedKey};
  facts_.place = CodePlace::kDevice;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs on a device: key \"ann\" approves it.");
}

TEST_F(Execution, ApprovalThatNamesBuildsIsOfThoseAlone) {
  approve(Weight::kLocalKey);
  Digest named{};
  named.fill(0x11);
  Digest other{};
  other.fill(0x22);
  standing_.approval.emplace().builds = {named};
  facts_.build = &named;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs in this process: key \"ann\" approves it.");
  facts_.build = &other;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: it is not verified here and key \"ann\" "
         "approves other builds than " +
             digest_text(other) + ", and the policy asks for bundled or local-key.");
  facts_.build = nullptr;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs in this process: key \"ann\" approves it.");
  // On a device its own verification is enough.
  facts_.build = &other;
  facts_.verified_here = true;
  facts_.place = CodePlace::kDevice;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs on a device: it is verified here.");
  standing_.approval->builds.clear();
  facts_.place = CodePlace::kThisProcess;
  expect(ExecutionOutcome::kRun, "Kernel \"k\" runs in this process: key \"ann\" approves it.");
}

TEST_F(Execution, LocalKeyDoesNotMakeItVerified) {
  approve(Weight::kLocalKey);
  policy_.this_process = {ExecutionBasis::kVerified};
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: it is not verified here and is approved by "
         "key \"ann\", a local one, and the policy asks for verified.");
}

TEST_F(Execution, PolicyMayLetUnverifiedKernelsRun) {
  policy_.device = {ExecutionBasis::kUnverified};
  facts_.place = CodePlace::kDevice;
  expect(ExecutionOutcome::kRun,
         "Kernel \"k\" runs on a device: the policy lets unverified kernels run.");
  facts_.bundled = true;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run on a device: it comes with the library, and the policy asks "
         "for unverified.");
}

TEST_F(Execution, EmptyPolicyLetsNothingRun) {
  policy_.this_process = {};
  facts_.bundled = true;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: the policy lets no kernel run there.");
}

TEST_F(Execution, QuarantineAndRetirementOutweighAll) {
  facts_.bundled = true;
  approve(Weight::kLocalKey);
  facts_.state = KernelState::kQuarantined;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: it is quarantined.");
  facts_.state = KernelState::kRetired;
  expect(ExecutionOutcome::kRefused, "Kernel \"k\" does not run in this process: it is retired.");
}

TEST_F(Execution, ObjectionOfATrustedKeyOutweighsApprovals) {
  facts_.bundled = true;
  approve(Weight::kLocalKey);
  standing_.objection = "Key \"bob\" says that the kernel is retired on t.";
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" does not run in this process: Key \"bob\" says that the kernel is retired "
         "on t.");
}

TEST_F(Execution, StaleKernelDoesAsThePolicySays) {
  facts_.bundled = true;
  facts_.stale = "driver d 4";
  expect(ExecutionOutcome::kSelfTestFirst,
         "Kernel \"k\" rests on evidence of driver d 4, and runs once its self-test has passed "
         "again.");
  policy_.stale = StalePolicy::kReverify;
  expect(ExecutionOutcome::kVerifyFirst,
         "Kernel \"k\" rests on evidence of driver d 4, and does not run until it is verified "
         "again.");
  policy_.stale = StalePolicy::kRefuse;
  expect(ExecutionOutcome::kRefused,
         "Kernel \"k\" rests on evidence of driver d 4, which the policy refuses.");
}

TEST_F(Execution, StaleKernelWithoutABasisIsRefused) {
  facts_.stale = "driver d 4";
  EXPECT_EQ(decide_execution(policy_, facts_).outcome, ExecutionOutcome::kRefused);
}

}  // namespace
}  // namespace halyard::store
