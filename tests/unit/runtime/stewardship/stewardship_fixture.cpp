// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/stewardship/stewardship_fixture.h"

#include "runtime/base/file.h"
#include "runtime/base/utc_time.h"

#include <stdlib.h>

#include <utility>

namespace halyard::stewardship {
namespace {

namespace fs = std::filesystem;

const fs::path kSource =
    fs::path(HALYARD_BUILT_DATA_DIRECTORY) / "kernels" / "rms_norm" / "rms_norm_cpu";

}  // namespace

void StewardshipTest::SetUp() {
  std::string pattern = (fs::temp_directory_path() / "halyard-stewardship-XXXXXX").string();
  ASSERT_NE(nullptr, ::mkdtemp(pattern.data()));
  folder_ = pattern;
  auto opened = StewardedStore::open(
      {"memory:", std::string(HALYARD_BUILT_DATA_DIRECTORY), (folder_ / "trust.json").string()});
  ASSERT_TRUE(opened) << opened.error().message();
  stewarded_.emplace(std::move(*opened));
  const std::string preludes = std::string(HALYARD_BUILT_DATA_DIRECTORY) + "/prelude";
  auto package = store::load_kernel_package(write_package("9.9.9"), [&](const std::string& name) {
    return store::load_prelude_digest(preludes, name);
  });
  ASSERT_TRUE(package) << package.error().message();
  package_.emplace(std::move(*package));
  ASSERT_TRUE(store().put_kernel(*package_));
}

void StewardshipTest::TearDown() {
  fs::remove_all(folder_);
}

std::string StewardshipTest::write_package(const std::string& version) const {
  const fs::path package = folder_ / ("package-" + version);
  fs::copy(kSource, package, fs::copy_options::recursive);
  auto text = base::read_text_file((package / "kernel.json").string(), 1 << 20);
  EXPECT_TRUE(text);
  const std::string before = "\"version\": \"1.0.0\"";
  const std::size_t place = text->find(before);
  EXPECT_NE(place, std::string::npos) << *text;
  text->replace(place, before.size(), "\"version\": \"" + version + "\"");
  EXPECT_TRUE(base::write_file_atomic((package / "kernel.json").string(), *text));
  return package.string();
}

store::EvidenceRecord StewardshipTest::evidence(store::EvidenceKind kind) const {
  store::EvidenceRecord record;
  record.kernel = package_->id;
  record.target = kTarget;
  record.types = {{"T", base::DataType::kF32}};
  record.device = "a device";
  record.driver = kDriver;
  record.toolchain = "clang 19";
  record.verifier_name = "test";
  record.verifier_version = "1";
  record.kind = kind;
  record.verdict = store::Verdict::kPass;
  record.message = "accepted";
  record.time = base::utc_now();
  return record;
}

store::EvidenceId StewardshipTest::put(const store::EvidenceRecord& record) const {
  const auto id = store().put_evidence(record);
  EXPECT_TRUE(id) << id.error().message();
  return *id;
}

void StewardshipTest::verify() const {
  store::StateChange change;
  change.kernel = package_->id;
  change.target = kTarget;
  change.drivers = {kDriver, kDriver};
  change.state = store::KernelState::kVerified;
  change.who = "test";
  change.evidence = put(evidence());
  const auto appended = store().append_state(change);
  ASSERT_TRUE(appended) << appended.error().message();
}

}  // namespace halyard::stewardship
