// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/package_import.h"

#include "runtime/base/file.h"
#include "tests/unit/runtime/stewardship/stewardship_fixture.h"

#include <filesystem>
#include <string>

namespace halyard::stewardship {
namespace {

using base::ErrorCode;

class PackageImportTest : public StewardshipTest {};

TEST_F(PackageImportTest, PackageBecomesACandidateOnEachTarget) {
  const auto report = import_path(stewarded(), write_package("9.9.8"));
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->added.kernels, 1U);
  EXPECT_EQ(report->added.states, package_->record.targets.size());
  const auto again = import_path(stewarded(), (folder_ / "package-9.9.8").string());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->added.kernels, 0U);
  EXPECT_EQ(again->added.states, 0U);
}

TEST_F(PackageImportTest, ImportDoesNotLiftAQuarantine) {
  const std::string path = write_package("9.9.8");
  ASSERT_TRUE(import_path(stewarded(), path));
  const auto found = find_kernel(stewarded(), [&] {
    const auto kernels = store().list_kernels("rms_norm");
    for (const auto& kernel : *kernels) {
      if (kernel.version == "9.9.8") return store::digest_text(kernel.id);
    }
    return std::string();
  }());
  ASSERT_TRUE(found) << found.error().message();
  store::StateChange change;
  change.kernel = found->id;
  change.target = kTarget;
  change.state = store::KernelState::kQuarantined;
  ASSERT_TRUE(store().append_state(change));
  const auto again = import_path(stewarded(), path);
  ASSERT_TRUE(again) << again.error().message();
  ASSERT_EQ(again->notes.size(), 2U);
  EXPECT_NE(again->notes[0].find("a quarantine ends with new evidence"), std::string::npos);
  const auto history = store().states(found->id, kTarget);
  EXPECT_EQ(store::last_change(*history, {kTarget, kDriver, ""})->state,
            store::KernelState::kQuarantined);
}

// As of a bundled kernel, which launches before anybody imports it.
TEST_F(PackageImportTest, KernelThatTheStoreKnowsByItsStateAloneIsTakenOver) {
  const std::string path = write_package("9.9.8");
  const std::string preludes = std::string(HALYARD_BUILT_DATA_DIRECTORY) + "/prelude";
  const auto package = store::load_kernel_package(
      path, [&](const std::string& name) { return store::load_prelude_digest(preludes, name); });
  ASSERT_TRUE(package) << package.error().message();
  store::StateChange change;
  change.kernel = package->id;
  change.target = kTarget;
  change.drivers = {kDriver, kDriver};
  change.state = store::KernelState::kSelfTested;
  ASSERT_TRUE(store().append_state(change));
  const auto report = import_path(stewarded(), path);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->added.kernels, 1U);
  const auto history = store().states(package->id, kTarget);
  EXPECT_EQ(store::last_change(*history, {kTarget, kDriver, ""})->state,
            store::KernelState::kSelfTested);
}

TEST_F(PackageImportTest, BrokenPackageLeavesNothing) {
  const std::string path = write_package("9.9.8");
  ASSERT_TRUE(base::write_file_atomic(path + "/kernel.json", std::string_view("{")));
  const auto before = store().list_kernels("")->size();
  const auto report = import_path(stewarded(), path);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::kCorruptData);
  EXPECT_NE(report.error().message().find("kernel.json:1:2"), std::string::npos)
      << report.error().message();
  EXPECT_EQ(store().list_kernels("")->size(), before);
}

TEST_F(PackageImportTest, PackageFileThatIsALinkIsRefused) {
  const std::filesystem::path path = write_package("9.9.8");
  const std::string source = package_->record.source;
  std::filesystem::remove(path / source);
  std::filesystem::create_symlink("/etc/hostname", path / source);
  const auto report = import_path(stewarded(), path.string());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::kPermissionDenied);
}

}  // namespace
}  // namespace halyard::stewardship
