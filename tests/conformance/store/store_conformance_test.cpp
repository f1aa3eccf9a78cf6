// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/open_store.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

// What every engine of the kernel store does alike. An engine takes part by a line at the end.
namespace halyard::store {
namespace {

using testing::make_evidence;
using testing::make_package;

struct Engine {
  std::string name;
  std::function<std::string(const testing::TemporaryDirectory&)> url;
};

class StoreConformance : public ::testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    auto opened = open_store(GetParam().url(directory_));
    ASSERT_TRUE(opened) << opened.error().message();
    store_ = std::move(*opened);
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<KernelStore> store_;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST_P(StoreConformance, AbsenceIsNoError) {
  EXPECT_FALSE(store_->get_kernel({})->has_value());
  EXPECT_FALSE(store_->get_blob({})->has_value());
  EXPECT_FALSE(store_->get_build({})->has_value());
  EXPECT_TRUE(store_->find_builds({})->empty());
  EXPECT_TRUE(store_->find_evidence({{}, {}, {}, {}, {}, {}})->empty());
  EXPECT_TRUE(store_->states({}, "")->empty());
  EXPECT_TRUE(store_->list_kernels("")->empty());
  EXPECT_FALSE(store_->requests().claim_request("me", std::chrono::seconds(9))->has_value());
  EXPECT_TRUE(store_->markers().stale_markers()->empty());
}

TEST_P(StoreConformance, KernelComesBackWhole) {
  const KernelPackage package = make_package();
  ASSERT_TRUE(store_->put_kernel(package));
  const auto found = store_->get_kernel(package.id);
  ASSERT_TRUE(found && found->has_value());
  EXPECT_EQ((*found)->id, package.id);
  EXPECT_EQ((*found)->files, package.files);
  EXPECT_EQ((*found)->record.canonical_json, package.record.canonical_json);
}

TEST_P(StoreConformance, PuttingAPresentKernelSucceedsAndChangesNothing) {
  ASSERT_TRUE(store_->put_kernel(make_package()));
  const std::uint64_t before = *store_->generation();
  ASSERT_TRUE(store_->put_kernel(make_package()));
  EXPECT_EQ(*store_->generation(), before);
  EXPECT_EQ(store_->list_kernels("rms_norm")->size(), 1U);
}

TEST_P(StoreConformance, ListsKernelsOfOneContract) {
  ASSERT_TRUE(store_->put_kernel(make_package("a")));
  ASSERT_TRUE(store_->put_kernel(make_package("b")));
  const auto kernels = store_->list_kernels("rms_norm");
  ASSERT_TRUE(kernels);
  ASSERT_EQ(kernels->size(), 2U);
  EXPECT_EQ((*kernels)[0].name, "rms_norm_plain");
  EXPECT_EQ((*kernels)[0].version, "1.0.0");
  EXPECT_TRUE(store_->list_kernels("gemm")->empty());
  EXPECT_EQ(store_->list_kernels("")->size(), 2U);
}

TEST_P(StoreConformance, BlobsAreAddressedByContent) {
  const auto first = store_->put_blob(bytes_of("code"));
  const auto again = store_->put_blob(bytes_of("code"));
  const auto empty = store_->put_blob({});
  ASSERT_TRUE(first && again && empty);
  EXPECT_EQ(*first, *again);
  EXPECT_EQ((*store_->get_blob(*first))->size(), 4U);
  EXPECT_TRUE((*store_->get_blob(*empty))->empty());
}

TEST_P(StoreConformance, BuildKeepsItsFirstBinary) {
  BuildInputs inputs;
  inputs.target = "x86_64-v3";
  inputs.types = {{"T", base::DataType::kBf16}};
  inputs.parameters = {{"ROWS", -2}};
  inputs.toolchain = "clang 19.1.7";
  inputs.flags = {"-O3", "-DA=\"b\""};
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("first")));
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("second")));
  const auto found = store_->get_build(compute_build_key(inputs));
  ASSERT_TRUE(found && found->has_value());
  EXPECT_EQ((*found)->blob, base::Sha256::of("first"));
  EXPECT_EQ((*found)->inputs.flags, inputs.flags);
  EXPECT_EQ((*found)->inputs.types, inputs.types);
  EXPECT_EQ((*found)->inputs.parameters, inputs.parameters);
  EXPECT_FALSE(store_->get_blob(base::Sha256::of("second"))->has_value());
}

TEST_P(StoreConformance, BuildsAreFoundByTheirKernel) {
  BuildInputs inputs;
  inputs.kernel = make_package("a").id;
  inputs.target = "x86_64-v3";
  inputs.types = {{"T", base::DataType::kBf16}};
  inputs.toolchain = "clang 19.1.7";
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("first")));
  inputs.target = "x86_64-v4";
  inputs.driver = "cpu 1";
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("second")));
  inputs.kernel = make_package("b").id;
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("third")));
  const auto found = store_->find_builds(make_package("a").id);
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->size(), 2U);
  const bool is_newest_first = (*found)[0].inputs.target == "x86_64-v4";
  const BuildRecord& second = (*found)[is_newest_first ? 0 : 1];
  EXPECT_EQ(second.inputs.driver, "cpu 1");
  EXPECT_EQ(second.blob, base::Sha256::of("second"));
}

TEST_P(StoreConformance, EvidenceIsFoundByEachPartOfItsUse) {
  const KernelId kernel = make_package().id;
  EvidenceRecord record = make_evidence(kernel);
  ASSERT_TRUE(store_->put_evidence(record));
  record.driver = "cpu 2";
  record.verdict = Verdict::kFail;
  ASSERT_TRUE(store_->put_evidence(record));
  ASSERT_TRUE(store_->put_evidence(record));
  const auto count = [&](EvidenceQuery query) { return store_->find_evidence(query)->size(); };
  EvidenceQuery query{kernel, {}, {}, {}, {}, {}};
  EXPECT_EQ(count(query), 2U);
  EXPECT_EQ(store_->find_evidence(query)->front().driver, "cpu 2");
  query.driver = "cpu 1";
  EXPECT_EQ(count(query), 1U);
  query.device = record.device;
  query.target = record.target;
  query.types = record.types;
  query.kind = EvidenceKind::kSelfTest;
  EXPECT_EQ(count(query), 1U);
  query.kind = EvidenceKind::kHardware;
  EXPECT_EQ(count(query), 0U);
  EXPECT_EQ(count({kernel, "x86_64-v4", {}, {}, {}, {}}), 0U);
  EXPECT_EQ(count({kernel, {}, TypeBinding{}, {}, {}, {}}), 0U);
  EXPECT_EQ(count({kernel, {}, {}, "other", {}, {}}), 0U);
}

TEST_P(StoreConformance, StatesAreAHistory) {
  const auto evidence = store_->put_evidence(make_evidence({}));
  ASSERT_TRUE(evidence);
  StateChange change;
  change.target = "x86_64-v3";
  change.state = KernelState::kSelfTested;
  change.who = "self-test";
  change.why = "first use";
  change.evidence = *evidence;
  ASSERT_TRUE(store_->append_state(change));
  change.state = KernelState::kQuarantined;
  change.drivers = {"cpu 1", "cpu 1"};
  change.evidence.reset();
  ASSERT_TRUE(store_->append_state(change));
  change.target = "x86_64-v4";
  ASSERT_TRUE(store_->append_state(change));
  EXPECT_EQ(store_->states({}, "")->size(), 3U);
  const auto history = store_->states({}, "x86_64-v3");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->size(), 2U);
  EXPECT_EQ((*history)[0].evidence, *evidence);
  EXPECT_GT((*history)[0].time_ms, 0);
  EXPECT_EQ((*history)[1].drivers, change.drivers);
  EXPECT_EQ(last_change(*history, "x86_64-v3", "cpu 1")->state, KernelState::kQuarantined);
  EXPECT_EQ(last_change(*history, "x86_64-v3", "cpu 2")->state, KernelState::kSelfTested);
}

TEST_P(StoreConformance, GenerationGrowsWithKernelsBuildsAndStates) {
  const std::uint64_t start = *store_->generation();
  ASSERT_TRUE(store_->put_kernel(make_package()));
  ASSERT_TRUE(store_->put_build({}, bytes_of("code")));
  ASSERT_TRUE(store_->append_state({}));
  EXPECT_EQ(*store_->generation(), start + 3);
}

TEST_P(StoreConformance, RequestIsOneByItsContent) {
  const auto first = store_->requests().put_request("{\"contract\": \"gemm\", \"a\": 1}");
  const auto again = store_->requests().put_request("{\"a\":1,\"contract\":\"gemm\"}");
  ASSERT_TRUE(first && again);
  EXPECT_EQ(*first, *again);
  EXPECT_EQ(store_->requests().list_requests()->size(), 1U);
  EXPECT_FALSE(store_->requests().put_request("{"));
}

TEST_P(StoreConformance, ClaimExcludesOthersUntilItIsSettled) {
  RequestQueue& requests = store_->requests();
  ASSERT_TRUE(requests.put_request("{}"));
  const auto claim = requests.claim_request("one", std::chrono::seconds(60));
  ASSERT_TRUE(claim && claim->has_value());
  EXPECT_FALSE(requests.claim_request("two", std::chrono::seconds(60))->has_value());
  ASSERT_TRUE(requests.settle_request(**claim, RequestStatus::kDone, "made"));
  const auto again = requests.settle_request(**claim, RequestStatus::kFailed, "");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), base::ErrorCode::kPermissionDenied);
  const auto list = requests.list_requests();
  EXPECT_EQ((*list)[0].status, RequestStatus::kDone);
  EXPECT_EQ((*list)[0].outcome, "made");
}

TEST_P(StoreConformance, EndedLeaseIsTakenOverAndFencesTheFirstOwner) {
  RequestQueue& requests = store_->requests();
  ASSERT_TRUE(requests.put_request("{}"));
  const auto first = requests.claim_request("one", std::chrono::seconds(0));
  const auto second = requests.claim_request("two", std::chrono::seconds(60));
  ASSERT_TRUE(first && first->has_value() && second && second->has_value());
  EXPECT_GT((*second)->token, (*first)->token);
  EXPECT_FALSE(requests.settle_request(**first, RequestStatus::kDone, ""));
  EXPECT_TRUE(requests.settle_request(**second, RequestStatus::kDone, ""));
}

TEST_P(StoreConformance, MarkersOfALivingProcessAreNotStale) {
  const LaunchMarker marker{{}, "x86_64-v3", "cpu/0", "cpu 1"};
  ASSERT_TRUE(store_->markers().put_marker(marker));
  ASSERT_TRUE(store_->markers().put_marker(marker));
  EXPECT_TRUE(store_->markers().stale_markers()->empty());
  EXPECT_TRUE(store_->markers().remove_marker(marker));
}

TEST_P(StoreConformance, ThreadsShareOneStore) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      for (int j = 0; j < 8; ++j) {
        EXPECT_TRUE(store_->put_blob(bytes_of(std::to_string(i * 8 + j))));
        EXPECT_TRUE(store_->put_kernel(make_package(std::to_string(j))));
        EXPECT_TRUE(store_->generation());
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(store_->list_kernels("")->size(), 8U);
}

INSTANTIATE_TEST_SUITE_P(Engines, StoreConformance,
                         ::testing::Values(Engine{"sqlite",
                                                  [](const testing::TemporaryDirectory& directory) {
                                                    return "sqlite:" + (directory / "store.sqlite");
                                                  }},
                                           Engine{"memory",
                                                  [](const testing::TemporaryDirectory&) {
                                                    return std::string("memory:");
                                                  }}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace halyard::store
