// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/store/store_conformance.h"

#include <string>
#include <thread>
#include <vector>

namespace halyard::store {
namespace {

using testing::make_evidence;
using testing::make_package;

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
  EXPECT_TRUE(store_->find_kernels("", "")->empty());
  EXPECT_TRUE(store_->approvals().find_approvals({})->empty());
  EXPECT_EQ(*store_->approvals().last_sequence({}), 0U);
  EXPECT_FALSE(store_->requests().claim_request("me", {}, std::chrono::seconds(9))->has_value());
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

TEST_P(StoreConformance, FindsKernelsOfOneContractForOneTarget) {
  const std::string two = testing::kernel_json("[\"x86_64-v3\"]", "[\"x86_64-v3\", \"x86_64-v4\"]");
  auto record = parse_kernel_record(two, "kernel.json");
  ASSERT_TRUE(record);
  const auto both = make_kernel_package(std::move(*record), {{"a.cpp", "both"}}, std::nullopt);
  ASSERT_TRUE(both && store_->put_kernel(*both) && store_->put_kernel(make_package("one")));
  EXPECT_EQ(store_->find_kernels("rms_norm", "x86_64-v3")->size(), 2U);
  const auto found = store_->find_kernels("rms_norm", "x86_64-v4");
  ASSERT_TRUE(found && found->size() == 1);
  EXPECT_EQ((*found)[0].id, both->id);
  EXPECT_EQ((*found)[0].contract, "rms_norm");
  EXPECT_EQ((*found)[0].name, "rms_norm_plain");
  EXPECT_EQ((*found)[0].version, "1.0.0");
  EXPECT_TRUE(store_->find_kernels("rms_norm", "x86_64")->empty());
  EXPECT_TRUE(store_->find_kernels("gemm", "x86_64-v3")->empty());
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

TEST_P(StoreConformance, GenerationGrowsWithKernelsBuildsAndStates) {
  const std::uint64_t start = *store_->generation();
  ASSERT_TRUE(store_->put_kernel(make_package()));
  ASSERT_TRUE(store_->put_build({}, bytes_of("code")));
  ASSERT_TRUE(store_->append_state({}));
  EXPECT_EQ(*store_->generation(), start + 3);
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

TEST_P(StoreConformance, RecordsOutliveTheOpeningWhereTheEngineLasts) {
  const KernelPackage package = make_package();
  ASSERT_TRUE(store_->put_kernel(package));
  ASSERT_TRUE(store_->put_evidence(make_evidence(package.id)));
  const std::uint64_t generation = *store_->generation();
  store_.reset();
  store_ = open();
  const bool is_lasting = GetParam().is_lasting;
  EXPECT_EQ(store_->get_kernel(package.id)->has_value(), is_lasting);
  EXPECT_EQ(store_->find_evidence({package.id, {}, {}, {}, {}, {}})->size(), is_lasting ? 1U : 0U);
  EXPECT_EQ(*store_->generation() == generation, is_lasting);
}

TEST_P(StoreConformance, SoundStoreVerifiesAndKeepsWhatIsNamed) {
  const KernelPackage package = make_package();
  ASSERT_TRUE(store_->put_kernel(package));
  BuildInputs inputs;
  inputs.kernel = package.id;
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("code")));
  ASSERT_TRUE(store_->put_evidence(make_evidence(package.id)));
  const auto loose = store_->put_blob(bytes_of("loose"));
  ASSERT_TRUE(loose);
  const auto verified = store_->upkeep().verify_records(
      [](const DamagedRecord& record) { ADD_FAILURE() << record.why; });
  ASSERT_TRUE(verified) << verified.error().message();
  EXPECT_EQ(verified->records, 6U);  // A kernel, a build, evidence and three blobs.
  EXPECT_EQ(verified->damaged, 0U);
  EXPECT_GT(verified->bytes, 0U);
  const auto collected = store_->upkeep().collect_garbage({});
  ASSERT_TRUE(collected) << collected.error().message();
  EXPECT_EQ(collected->blobs, 1U);
  EXPECT_EQ(collected->bytes, 5U);
  EXPECT_EQ(collected->builds, 0U);
  EXPECT_FALSE(store_->get_blob(*loose)->has_value());
  EXPECT_TRUE(store_->get_kernel(package.id)->has_value());
  EXPECT_TRUE(store_->get_blob(base::Sha256::of("code"))->has_value());
}

TEST_P(StoreConformance, BuildsGoUntilTheBoundIsKept) {
  BuildInputs inputs;
  inputs.kernel = make_package().id;
  ASSERT_TRUE(store_->put_kernel(make_package()));
  for (const char* const driver : {"a", "b", "c", "d"}) {
    inputs.driver = driver;
    ASSERT_TRUE(store_->put_build(inputs, bytes_of(std::string(1000, driver[0]))));
  }
  CollectBounds bounds;
  bounds.blob_bytes = 2500;
  const auto collected = store_->upkeep().collect_garbage(bounds);
  ASSERT_TRUE(collected) << collected.error().message();
  EXPECT_EQ(collected->builds, 2U);
  EXPECT_EQ(collected->blobs, 2U);
  EXPECT_EQ(collected->bytes, 2000U);
  EXPECT_EQ(store_->find_builds(inputs.kernel)->size(), 2U);
  bounds.blob_bytes = 0;
  EXPECT_EQ(store_->upkeep().collect_garbage(bounds)->builds, 2U);
  EXPECT_TRUE(store_->get_kernel(inputs.kernel)->has_value());
}

TEST_P(StoreConformance, BuildsOfRetiredKernelsGoInTime) {
  BuildInputs inputs;
  inputs.kernel = make_package().id;
  inputs.target = "x86_64-v3";
  ASSERT_TRUE(store_->put_build(inputs, bytes_of("code")));
  StateChange change;
  change.kernel = inputs.kernel;
  change.target = inputs.target;
  change.state = KernelState::kRetired;
  ASSERT_TRUE(store_->append_state(change));
  CollectBounds bounds;
  bounds.older_than = std::chrono::hours(1);
  EXPECT_EQ(store_->upkeep().collect_garbage(bounds)->builds, 0U);
  const auto collected = store_->upkeep().collect_garbage({});
  ASSERT_TRUE(collected);
  EXPECT_EQ(collected->builds, 1U);
  EXPECT_EQ(collected->blobs, 1U);
}

}  // namespace
}  // namespace halyard::store
