// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/device_descriptors.h"

#include "runtime/base/file.h"
#include "tests/unit/runtime/core/fake_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace halyard::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kA1 = R"({
  "format": "halyard.descriptor/1", "id": "acme/a1", "kind": "architecture",
  "version": "2026-11-30", "name": "Acme A1", "vendor": "Acme", "targets": ["acmecode-a1"],
  "sources": [{"title": "A1 sheet"}],
  "capabilities": {
    "vgpr.per_simd": {"value": 512, "unit": "register", "origin": "documented", "source": "A1 sheet"},
    "subgroup.size": {"value": 32, "unit": "lane", "origin": "documented", "source": "A1 sheet"},
    "vendor.acme.cores": {"value": 4, "unit": "count", "origin": "documented", "source": "A1 sheet"}
  },
  "products": [
    {"name": "Acme Anvil", "pci_ids": ["1ace:0009"], "capabilities": {
      "compute.units": {"value": 9, "unit": "count", "origin": "documented", "source": "A1 sheet"}}}
  ]
})";

class DeviceDescriptorsTest : public testing::Test {
 protected:
  DeviceDescriptorsTest() {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("halyard_device_descriptors_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "data/contracts");
    write("data/descriptors/acme/a1.descriptor.json", kA1);
  }
  ~DeviceDescriptorsTest() override { fs::remove_all(folder_); }

  void write(const std::string& path, std::string_view text) {
    fs::create_directories((folder_ / path).parent_path());
    ASSERT_TRUE(base::write_file_atomic((folder_ / path).string(), text));
  }

  base::Ref<const BackendSettings> make_settings() {
    base::Configuration configuration;
    configuration.data_directory.value = (folder_ / "data").string();
    configuration.imported_descriptors = (folder_ / "imported").string();
    auto settings = base::make_ref<BackendSettings>(std::move(configuration));
    settings->log.set_callback(
        [this](base::LogLevel, std::string_view message) { log_.emplace_back(message); });
    return settings;
  }

  static base::Ref<FakeDevice> device(std::vector<std::string> targets, std::string pci_id,
                                      std::string name) {
    DeviceInfo info;
    info.targets = std::move(targets);
    info.pci_id = std::move(pci_id);
    info.name = std::move(name);
    CapabilitySet live;
    live.set_number(CapabilityKey::kSubgroupSize, 64);
    return base::make_ref<FakeDevice>(std::move(info), std::move(live));
  }

  fs::path folder_;
  std::vector<std::string> log_;
};

TEST_F(DeviceDescriptorsTest, WhatOnlyTheDescriptorKnowsIsAddedWithItsOrigin) {
  DeviceDescriptors descriptors(make_settings());
  const auto seen = device({"acmecode-a1"}, "", "");
  descriptors.merge_into(*seen);
  EXPECT_EQ(seen->descriptor_id(), "acme/a1");
  ASSERT_NE(seen->capabilities().find("vgpr.per_simd"), nullptr);
  EXPECT_EQ(seen->capabilities().find("vgpr.per_simd")->origin, CapabilityOrigin::kDocumented);
  EXPECT_EQ(seen->capabilities().find("vendor.acme.cores")->number, 4);
  EXPECT_EQ(seen->capabilities().find("compute.units"), nullptr);
  EXPECT_TRUE(log_.empty());
}

TEST_F(DeviceDescriptorsTest, DriverWinsAndTheDisagreementIsKept) {
  DeviceDescriptors descriptors(make_settings());
  const auto seen = device({}, "1ace:0009", "");
  descriptors.merge_into(*seen);
  EXPECT_EQ(seen->capabilities().number(CapabilityKey::kSubgroupSize), 64);
  EXPECT_EQ(seen->capabilities().number(CapabilityKey::kComputeUnits), 9);
  ASSERT_EQ(seen->disagreements().size(), 1U);
  EXPECT_EQ(seen->disagreements()[0].key, "subgroup.size");
  EXPECT_EQ(seen->disagreements()[0].documented.number, 32);
}

TEST_F(DeviceDescriptorsTest, DeviceThatNoneDescribesStaysAsItIs) {
  DeviceDescriptors descriptors(make_settings());
  const auto seen = device({"othercode"}, "ffff:0001", "Other card");
  descriptors.merge_into(*seen);
  EXPECT_EQ(seen->descriptor_id(), "");
  EXPECT_EQ(seen->capabilities().all().size(), 1U);
  EXPECT_TRUE(seen->disagreements().empty());
}

TEST_F(DeviceDescriptorsTest, BrokenDescriptorIsOneWarningAndNoFailure) {
  write("imported/acme/b2.descriptor.json", "{");
  DeviceDescriptors descriptors(make_settings());
  for (int i = 0; i < 2; ++i) {
    const auto seen = device({}, "", "Acme Anvil (rev 2)");
    descriptors.merge_into(*seen);
    EXPECT_EQ(seen->descriptor_id(), "acme/a1");
  }
  EXPECT_THAT(log_, ElementsAre(HasSubstr("b2.descriptor.json:1:2")));
}

TEST_F(DeviceDescriptorsTest, ImportedFolderThatIsNoneLeavesTheShippedOnes) {
  write("imported", "a file");
  DeviceDescriptors descriptors(make_settings());
  const auto seen = device({"acmecode-a1"}, "", "");
  descriptors.merge_into(*seen);
  EXPECT_EQ(seen->descriptor_id(), "acme/a1");
  EXPECT_THAT(log_, ElementsAre(HasSubstr("is not listed")));
}

TEST_F(DeviceDescriptorsTest, NoFileIsTouchedBeforeADeviceIsSeen) {
  auto settings = make_settings();
  fs::remove_all(folder_);
  const DeviceDescriptors descriptors(std::move(settings));
  EXPECT_TRUE(log_.empty());
}

}  // namespace
}  // namespace halyard::core
