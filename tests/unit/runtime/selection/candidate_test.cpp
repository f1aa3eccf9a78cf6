// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/candidate.h"

#include "backends/cpu/cpu_device.h"
#include "kernel-store/open_store.h"
#include "runtime/selection/prepare.h"
#include "tests/unit/runtime/selection/selection_fixture.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>

namespace halyard::selection {
namespace {

namespace fs = std::filesystem;

// The CPU under the name of a device whose kernels run apart from this process.
class ApartBackend final : public core::Backend {
 public:
  std::string_view name() const override { return "apart"; }
  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    HALYARD_TRY_ASSIGN(cpu::CpuDescription description, cpu::describe_cpu(1));
    description.info.id = "apart:0";
    description.info.kind = core::DeviceKind::kEmulator;
    return std::vector<base::Ref<core::Device>>{base::make_ref<cpu::CpuDevice>(
        std::move(description), std::vector<int>{cpu::allowed_cpus().front()})};
  }
  std::vector<std::string> notes() const override { return {}; }
};

constexpr core::NamedBackendFactory kBackends[] = {
    {"cpu", &cpu::create_cpu_backend},
    {"apart", [](const core::BackendSettings&) -> std::unique_ptr<core::Backend> {
       return std::make_unique<ApartBackend>();
     }}};

class CandidateTest : public SelectionTest {
 protected:
  void SetUp() override {
    SelectionTest::SetUp();
    auto bundle = store::Bundle::open((root_ / "data").string());
    ASSERT_TRUE(bundle) << bundle.error().message();
    const auto bundled = bundle->kernels("rms_norm");
    ASSERT_TRUE(bundled) << bundled.error().message();
    for (const store::BuiltKernel& kernel : (*bundled)->kernels) {
      if (kernel.package.record.name == "rms_norm_cpu") kernel_ = kernel;
    }
    ASSERT_EQ("rms_norm_cpu", kernel_.package.record.name);
    for (const store::KernelBuild& build : kernel_.builds) {
      auto code = bundle->load_code(kernel_, build);
      ASSERT_TRUE(code) << code.error().message();
      codes_.push_back(std::move(*code));
    }
    store_ = std::move(*store::open_store(store_url()));
  }

  // Makes it another kernel.
  void change_record(const std::string& from, const std::string& to) {
    std::string text = kernel_.package.record.canonical_json;
    text.replace(text.find(from), from.size(), to);
    auto record = store::parse_kernel_record(text, "kernel.json");
    ASSERT_TRUE(record) << record.error().message();
    auto package = store::make_kernel_package(std::move(*record), kernel_.package.files,
                                              kernel_.package.prelude_digest);
    ASSERT_TRUE(package) << package.error().message();
    kernel_.package = std::move(*package);
  }
  // Moves the kernel from the bundle to the store.
  void store_kernel() {
    fs::remove_all(root_ / "data/kernels/rms_norm/rms_norm_cpu");
    ASSERT_TRUE(store_->put_kernel(kernel_.package));
  }
  void store_builds() {
    for (std::size_t i = 0; i < kernel_.builds.size(); ++i) {
      const store::KernelBuild& build = kernel_.builds[i];
      ASSERT_TRUE(store_->put_build({kernel_.package.id, build.parameters, build.target,
                                     build.types, build.toolchain, "", build.flags},
                                    codes_[i]));
    }
  }
  void set_state(store::KernelState state) {
    for (const std::string& target : kernel_.package.record.targets) {
      store::StateChange change;
      change.kernel = kernel_.package.id;
      change.target = target;
      change.state = state;
      change.who = "test";
      change.why = "the test says so";
      ASSERT_TRUE(store_->append_state(change));
    }
  }
  void change_store(const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(SQLITE_OK, sqlite3_open(store_url().c_str(), &database));
    EXPECT_EQ(SQLITE_OK, sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
    ASSERT_EQ(SQLITE_OK, sqlite3_close(database));
  }

  // What is said of the best candidate, which is no bundled one.
  Candidate first_candidate(const char* device_id) {
    const auto instance = make_instance(kBackends);
    const auto device = *instance->backends().device(device_id);
    const auto bound = bind_request(*instance, *device, norm_request());
    EXPECT_TRUE(bound) << bound.error().message();
    auto candidates = find_candidates(*instance, *device, *bound);
    EXPECT_TRUE(candidates) << candidates.error().message();
    if (!candidates || candidates->empty()) return {};
    EXPECT_TRUE(candidates->front().stored);
    return candidates->front();
  }
  void expect_refused(const char* device_id, const std::string& part) {
    const Candidate candidate = first_candidate(device_id);
    EXPECT_EQ(CandidateVerdict::kRefused, candidate.verdict);
    EXPECT_NE(candidate.reason.find(part), std::string::npos) << candidate.reason;
  }

  store::BuiltKernel kernel_;
  std::vector<std::vector<std::byte>> codes_;
  std::unique_ptr<store::KernelStore> store_;
};

TEST_F(CandidateTest, KernelOfTheStoreWaitsForVerification) {
  store_kernel();
  store_builds();
  expect_refused("apart:0",
                 "It comes from the store, is candidate there, and waits for verification.");
  set_state(store::KernelState::kSelfTested);
  expect_refused("apart:0", "is self-tested there, and waits for verification.");
}

TEST_F(CandidateTest, VerifiedKernelOfTheStoreIsTestedAndRuns) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  const auto instance = make_instance(kBackends);
  const auto device = *instance->backends().device("apart:0");
  const auto operation = prepare(*instance, *device, norm_request());
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ("rms_norm_cpu", (*operation)->choice().kernel_name);
  EXPECT_EQ("verified", (*operation)->choice().state);
  EXPECT_NE((*operation)->choice().explanation.find("\"origin\":\"store\""), std::string::npos);
  store::EvidenceQuery query;
  query.kernel = kernel_.package.id;
  query.kind = store::EvidenceKind::kSelfTest;
  EXPECT_EQ(1U, store_->find_evidence(query)->size());
}

TEST_F(CandidateTest, CodeOfTheStoreDoesNotRunInsideTheProcess) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kPromoted);
  expect_refused("cpu:0", "It is promoted, but its code would run inside this process");
}

TEST_F(CandidateTest, QuarantinedKernelOfTheStoreIsRefused) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  set_state(store::KernelState::kQuarantined);
  expect_refused("apart:0", "It is quarantined: the test says so");
}

TEST_F(CandidateTest, KernelOfTheStoreWithoutABuildIsRefused) {
  store_kernel();
  set_state(store::KernelState::kVerified);
  expect_refused("apart:0", "There is no build for this target and these types.");
}

TEST_F(CandidateTest, BuildOfAnotherDriverDoesNotCount) {
  store_kernel();
  set_state(store::KernelState::kVerified);
  const store::KernelBuild& build = kernel_.builds.front();
  ASSERT_TRUE(store_->put_build({kernel_.package.id, build.parameters, build.target, build.types,
                                 build.toolchain, "another driver", build.flags},
                                codes_.front()));
  expect_refused("apart:0", "There is no build for this target and these types.");
}

TEST_F(CandidateTest, DamagedBlobOfTheStoreIsRefused) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  change_store("UPDATE blobs SET bytes = x'00' WHERE sha256 IN (SELECT blob FROM builds)");
  const auto instance = make_instance(kBackends);
  const auto device = *instance->backends().device("apart:0");
  const auto operation = prepare(*instance, *device, norm_request());
  ASSERT_FALSE(operation);
  EXPECT_EQ(base::ErrorCode::kNoKernel, operation.error().code());
  EXPECT_NE(operation.error().message().find("SHA-256"), std::string::npos)
      << operation.error().message();
}

TEST_F(CandidateTest, KernelOfBothLayersCountsOnce) {
  ASSERT_TRUE(store_->put_kernel(kernel_.package));
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  const auto bound = bind_request(*instance, *device, norm_request());
  const auto candidates = find_candidates(*instance, *device, *bound);
  ASSERT_TRUE(candidates) << candidates.error().message();
  EXPECT_FALSE(candidates->empty());
  EXPECT_TRUE(std::none_of(candidates->begin(), candidates->end(),
                           [](const Candidate& one) { return one.stored; }));
}

TEST_F(CandidateTest, UnreadableKernelOfTheStoreIsToldOnce) {
  change_record("1.0.0", "1.0.1");
  ASSERT_TRUE(store_->put_kernel(kernel_.package));
  change_store("UPDATE kernels SET record = replace(record, '1.0.1', '1.0.2')");
  const auto instance = make_instance();
  for (int round = 0; round < 3; ++round)
    ASSERT_TRUE(prepare(*instance, *cpu(*instance), norm_request()));
  ASSERT_EQ(1U, logged_.size());
  EXPECT_NE(logged_[0].find("SHA-256"), std::string::npos) << logged_[0];
}

TEST_F(CandidateTest, UnreadableBundledKernelIsToldOnce) {
  fs::create_directories(root_ / "data/kernels/rms_norm/broken");
  std::ofstream(root_ / "data/kernels/rms_norm/broken/kernel.json") << "{";
  const auto instance = make_instance();
  for (int round = 0; round < 3; ++round)
    ASSERT_TRUE(prepare(*instance, *cpu(*instance), norm_request()));
  ASSERT_EQ(1U, logged_.size());
  EXPECT_NE(logged_[0].find("broken/kernel.json"), std::string::npos) << logged_[0];
}

TEST_F(CandidateTest, OtherMajorVersionOfTheContractIsRefused) {
  change_record("rms_norm@1", "rms_norm@2");
  store_kernel();
  set_state(store::KernelState::kVerified);
  expect_refused("apart:0", "It is of rms_norm@2, and the contract is rms_norm@1.");
}

}  // namespace
}  // namespace halyard::selection
