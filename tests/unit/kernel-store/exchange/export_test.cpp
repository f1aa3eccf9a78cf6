// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/export.h"

#include "kernel-store/exchange/import.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

namespace halyard::store {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using ::testing::HasSubstr;
using testing::kNow;

class Export : public ::testing::TestWithParam<const char*> {
 protected:
  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / GetParam();
  testing::FilledStore filled_;
};

INSTANTIATE_TEST_SUITE_P(Forms, Export,
                         ::testing::Values("folder", "a.tar", "a.tar.gz", "a.tgz", "a.tar.zst"),
                         [](const auto& form) {
                           std::string name = form.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST_P(Export, GoesThereAndBack) {
  const auto written = export_store(*filled_.store, {}, path_, nullptr);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->offered.kernels, 1U);
  EXPECT_EQ(written->offered.builds, 1U);
  EXPECT_EQ(written->offered.evidence, 2U);
  EXPECT_EQ(written->offered.approvals, 1U);
  EXPECT_EQ(written->offered.states, 2U);
  EXPECT_TRUE(is_export(path_));
  TrustList trust;
  ASSERT_TRUE(trust.add(testing::trusted(filled_.key, "ann")));
  const auto store = testing::new_store();
  const auto report = import_store(*store, path_, trust, kNow);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->added.kernels, 1U);
  EXPECT_EQ(report->added.builds, 1U);
  EXPECT_EQ(report->added.evidence, 1U);
  EXPECT_EQ(report->added.approvals, 1U);
  EXPECT_EQ(report->added.states, 2U);
  const auto package = store->get_kernel(filled_.package.id);
  ASSERT_TRUE(package && *package);
  EXPECT_EQ((*package)->files, filled_.package.files);
  const auto blob = store->get_blob(base::Sha256::of(filled_.code));
  EXPECT_TRUE(blob && *blob);
}

TEST_P(Export, SameRecordsGiveTheSameBytes) {
  ASSERT_TRUE(export_store(*filled_.store, {}, path_, nullptr));
  const std::string again = directory_ / (std::string("again.") + GetParam());
  ASSERT_TRUE(export_store(*filled_.store, {}, again, nullptr));
  const auto bytes_of = [](const fs::path& path) {
    if (!fs::is_directory(path)) return testing::read_file(path);
    return testing::read_file(path / "manifest.json");
  };
  EXPECT_EQ(bytes_of(path_), bytes_of(again));
}

TEST_P(Export, ReplacesNothing) {
  testing::write_file(path_, "mine");
  const auto written = export_store(*filled_.store, {}, path_, nullptr);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(written.error().message(), "\"" + path_ + "\" exists, and an export replaces nothing.");
  EXPECT_EQ(testing::read_file(path_), "mine");
}

TEST_P(Export, OfAKernelThatIsNotThereLeavesNothing) {
  ExportSelection selection;
  selection.kernels = {Digest{}};
  const auto written = export_store(*filled_.store, selection, path_, nullptr);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(written.error().message(), HasSubstr("The store has no sound kernel 0000"));
  EXPECT_TRUE(fs::is_empty(directory_.path()));
}

// Files end at `bytes` while it lives, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_P(Export, ThatDoesNotFitLeavesNothing) {
  base::Result<ExchangeReport> written = ExchangeReport();
  {
    const FileSizeLimit limit(64);
    written = export_store(*filled_.store, {}, path_, nullptr);
  }
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(fs::is_empty(directory_.path()));
}

class ExportSelected : public ::testing::Test {
 protected:
  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "a.tar";
  testing::FilledStore filled_;
};

TEST_F(ExportSelected, OfAnotherTargetHoldsTheKernelAlone) {
  ExportSelection selection;
  selection.target = "gfx1100";
  const auto written = export_store(*filled_.store, selection, path_, nullptr);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->offered.kernels, 1U);
  EXPECT_EQ(written->offered.builds, 0U);
  EXPECT_EQ(written->offered.evidence, 0U);
  EXPECT_EQ(written->offered.approvals, 0U);
  EXPECT_EQ(written->offered.states, 0U);
}

TEST_F(ExportSelected, OfAnotherContractHoldsNothing) {
  ExportSelection selection;
  selection.contract = "gemm";
  const auto written = export_store(*filled_.store, selection, path_, nullptr);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(written->offered.kernels, 0U);
  const auto store = testing::new_store();
  EXPECT_TRUE(import_store(*store, path_, {}, kNow));
}

}  // namespace
}  // namespace halyard::store
