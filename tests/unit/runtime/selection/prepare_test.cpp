// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/prepare.h"

#include "kernel-store/open_store.h"
#include "runtime/selection/candidate.h"
#include "tests/unit/runtime/selection/selection_fixture.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace halyard::selection {
namespace {

namespace fs = std::filesystem;

class PrepareTest : public SelectionTest {
 protected:
  base::Result<base::Ref<dispatch::Operation>> prepare_once(Instance& instance) {
    return prepare(instance, *cpu(instance), norm_request());
  }

  // The best target of this machine that the kernel has a build for.
  std::string best_target() {
    auto operation = prepare_once(*make_instance());
    EXPECT_TRUE(operation) << operation.error().message();
    fs::remove_all(root_ / "store");
    return (*operation)->choice().target;
  }
};

void flip_byte(const fs::path& path, std::streamoff offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(offset);
  const char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(offset);
  file.put(byte);
}

void replace_in_file(const fs::path& path, const std::string& from, const std::string& to) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::string content = text.str();
  const std::size_t at = content.find(from);
  ASSERT_NE(std::string::npos, at) << from;
  content.replace(at, from.size(), to);
  std::ofstream(path) << content;
}

TEST_F(PrepareTest, FirstUseIsSelfTestedAndRecorded) {
  const auto instance = make_instance();
  const auto operation = prepare_once(*instance);
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ("rms_norm_cpu", (*operation)->choice().kernel_name);
  EXPECT_EQ("self-tested", (*operation)->choice().state);
  store::EvidenceQuery query;
  query.kernel = *store::digest_from_text((*operation)->choice().kernel_id);
  const auto evidence = instance->store().find_evidence(query);
  ASSERT_TRUE(evidence) << evidence.error().message();
  ASSERT_EQ(1U, evidence->size());
  EXPECT_EQ(store::Verdict::kPass, (*evidence)[0].verdict);
  EXPECT_FALSE((*evidence)[0].checks.empty());
}

TEST_F(PrepareTest, SecondProcessFindsTheRecordedSelfTest) {
  ASSERT_TRUE(prepare_once(*make_instance()));
  const auto instance = make_instance();
  ASSERT_TRUE(prepare_once(*instance));
  store::EvidenceQuery query;
  const auto operation = prepare_once(*instance);
  query.kernel = *store::digest_from_text((*operation)->choice().kernel_id);
  EXPECT_EQ(1U, instance->store().find_evidence(query)->size());
}

TEST_F(PrepareTest, DamagedBuildIsRefusedByItsHashAndTheNextOneTaken) {
  const std::string best = best_target();
  flip_byte(kernel_file(best + ".T-f32.so"), 700);
  const auto operation = prepare_once(*make_instance());
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_NE(best, (*operation)->choice().target);
  EXPECT_NE((*operation)->choice().explanation.find("SHA-256"), std::string::npos)
      << (*operation)->choice().explanation;
}

TEST_F(PrepareTest, WrongKernelFailsItsSelfTestAndStaysQuarantined) {
  const std::string best = best_target();
  // The f16 binary under the f32 binding: loads, runs, and computes something else.
  const std::string f32 = best + ".T-f32.so";
  const std::string f16 = best + ".T-f16.so";
  fs::remove(kernel_file(f32));
  std::stringstream text;
  text << std::ifstream(kernel_file("builds.json")).rdbuf();
  const std::string builds = text.str();
  const auto digest_near = [&](const std::string& file) {
    const std::size_t at = builds.find("\"sha256\":\"", builds.find(file));
    return builds.substr(builds.find(':', at) + 2, 64);
  };
  replace_in_file(kernel_file("builds.json"), digest_near(f32), digest_near(f16));
  replace_in_file(kernel_file("builds.json"), f32, f16);
  const auto operation = prepare_once(*make_instance());
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_NE(best, (*operation)->choice().target);
  EXPECT_NE((*operation)->choice().explanation.find("The self-test failed."), std::string::npos)
      << (*operation)->choice().explanation;
  const auto again = prepare_once(*make_instance());
  ASSERT_TRUE(again);
  EXPECT_NE((*again)->choice().explanation.find("It is quarantined"), std::string::npos)
      << (*again)->choice().explanation;
}

TEST_F(PrepareTest, KernelWhoseSelfTestKilledAProcessIsNotTriedAgain) {
  const std::string best = best_target();
  const auto operation = prepare_once(*make_instance());
  const auto kernel = *store::digest_from_text((*operation)->choice().kernel_id);
  const core::DeviceInfo info = (*operation)->device().info();
  fs::remove_all(root_ / "store");
  const pid_t child = ::fork();
  if (child == 0) {
    auto opened = store::open_store(store_url());
    const bool marked =
        opened && (*opened)->markers().put_marker({kernel, best, info.fingerprint, info.driver_id});
    ::_exit(marked ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  ASSERT_EQ(0, status);
  const auto next = prepare_once(*make_instance());
  ASSERT_TRUE(next) << next.error().message();
  EXPECT_NE(best, (*next)->choice().target);
  EXPECT_NE((*next)->choice().explanation.find("An earlier process died"), std::string::npos)
      << (*next)->choice().explanation;
}

TEST_F(PrepareTest, StoreThatCannotBeWrittenIsToldOnce) {
  ASSERT_TRUE(prepare_once(*make_instance()));
  sqlite3* store = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(store_url().c_str(), &store));
  // The schema of a newer version is only read; without evidence the self-test runs again.
  ASSERT_EQ(SQLITE_OK, sqlite3_exec(store, "PRAGMA user_version = 99; DELETE FROM evidence",
                                    nullptr, nullptr, nullptr));
  ASSERT_EQ(SQLITE_OK, sqlite3_close(store));
  logged_.clear();
  ASSERT_TRUE(prepare_once(*make_instance()));
  ASSERT_EQ(1U, logged_.size());
  EXPECT_NE(logged_[0].find("of a newer Halyard"), std::string::npos) << logged_[0];
}

TEST_F(PrepareTest, NothingLeftIsNoKernelWithTheReasonsAndARequest) {
  for (const auto& entry : fs::directory_iterator(kernel_file("."))) {
    if (entry.path().extension() == ".so") fs::remove(entry.path());
  }
  const auto instance = make_instance();
  const auto operation = prepare_once(*instance);
  ASSERT_FALSE(operation);
  EXPECT_EQ(base::ErrorCode::kNoKernel, operation.error().code());
  EXPECT_NE(operation.error().message().find("rms_norm_cpu"), std::string::npos)
      << operation.error().message();
  const auto requests = instance->store().requests().list_requests();
  ASSERT_TRUE(requests) << requests.error().message();
  ASSERT_EQ(1U, requests->size());
  EXPECT_NE((*requests)[0].document.find("rms_norm"), std::string::npos);
}

TEST_F(PrepareTest, ExplainRunsNothing) {
  const auto instance = make_instance();
  const auto text = explain(*instance, *cpu(*instance), norm_request());
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_NE(text->find("\"verdict\":\"chosen\""), std::string::npos) << *text;
  EXPECT_NE(text->find("\"state\":\"candidate\""), std::string::npos) << *text;
}

TEST_F(PrepareTest, SameRequestGivesTheSameChoice) {
  const auto instance = make_instance();
  ASSERT_TRUE(prepare_once(*instance));  // The self-test's record changes the store.
  const auto first = prepare_once(*instance);
  const auto second = prepare_once(*instance);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->get(), second->get());
  EXPECT_EQ(&(*first)->choice(), &(*second)->choice());
  PrepareRequest wider = norm_request();
  wider.axes = {{"hidden", 128}};
  const auto other = prepare(*instance, *cpu(*instance), wider);
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_NE(&(*first)->choice(), &(*other)->choice());
  EXPECT_EQ(128, (*other)->problem().prepare_axis("hidden"));
}

TEST_F(PrepareTest, SameRequestTakesTheConstantsItIsGiven) {
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  constexpr std::int64_t kShape[] = {64};
  const std::vector<std::byte> zeros(64 * sizeof(float));
  PrepareRequest request = norm_request();
  for (int round = 0; round < 3; ++round) {
    const auto weights =
        *dispatch::Constant::create(*device, base::DataType::kF32, kShape, std::span(zeros));
    request.constants = {{"weight", weights}};
    const auto operation = prepare(*instance, *device, request);
    ASSERT_TRUE(operation) << operation.error().message();
    EXPECT_EQ(weights.get(), (*operation)->constants()[1].get());
    EXPECT_FALSE((*operation)->constants()[0]);
  }
}

TEST_F(PrepareTest, ChoiceFollowsWhatAnotherProcessWrites) {
  const auto instance = make_instance();
  ASSERT_TRUE(prepare_once(*instance));
  const auto before = prepare_once(*instance);
  ASSERT_TRUE(before);
  store::StateChange change;
  change.kernel = *store::digest_from_text((*before)->choice().kernel_id);
  change.target = (*before)->choice().target;
  change.state = store::KernelState::kQuarantined;
  change.who = "test";
  change.why = "it is wrong";
  ASSERT_TRUE((*store::open_store(store_url()))->append_state(change));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::string target = change.target;
  while (target == change.target && std::chrono::steady_clock::now() < deadline) {
    const auto after = prepare_once(*instance);
    ASSERT_TRUE(after) << after.error().message();
    target = (*after)->choice().target;
  }
  EXPECT_NE(change.target, target);
}

TEST_F(PrepareTest, DataDirectoryOfTheApplicationIsNamedAsItsOwn) {
  InstanceOptions options;
  options.data_directory = (root_ / "nothing").string();
  const auto instance = Instance::create(std::move(options), kCpuBackend);
  ASSERT_FALSE(instance);
  EXPECT_EQ(base::ErrorCode::kNotFound, instance.error().code());
  EXPECT_NE(instance.error().message().find("(from application)"), std::string::npos)
      << instance.error().message();
}

TEST_F(PrepareTest, RefreshKeepsTheBestKernel) {
  const auto instance = make_instance();
  const auto operation = prepare_once(*instance);
  ASSERT_TRUE(operation);
  const auto changed = refresh(*instance, (*operation)->device(), **operation);
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_FALSE(*changed);
}

TEST_F(PrepareTest, RefreshKeepsTheKernelThatWasAskedFor) {
  copy_kernels("gemm");
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  constexpr std::int64_t kShape[] = {64, 64};
  const std::vector<std::byte> zeros(64 * 64 * sizeof(float));
  const auto weights =
      dispatch::Constant::create(*device, base::DataType::kF32, kShape, std::span(zeros));
  ASSERT_TRUE(weights) << weights.error().message();
  PrepareRequest gemm;
  gemm.contract = "gemm";
  gemm.types = {{"T", base::DataType::kF32}};
  gemm.axes = {{"N", 64}, {"K", 64}};
  gemm.constants = {{"B", *weights}};
  // Whichever of the two is the faster one here, the other stays when it was asked for.
  for (const char* kernel : {"gemm_rows_cpu", "gemm_packed_cpu"}) {
    gemm.kernel = kernel;
    const auto operation = prepare(*instance, *device, gemm);
    ASSERT_TRUE(operation) << operation.error().message();
    const auto changed = refresh(*instance, *device, **operation);
    ASSERT_TRUE(changed) << changed.error().message();
    EXPECT_FALSE(*changed);
    EXPECT_EQ(kernel, (*operation)->choice().kernel_name);
  }
}

}  // namespace
}  // namespace halyard::selection
