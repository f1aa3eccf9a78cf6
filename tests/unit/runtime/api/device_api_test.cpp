// SPDX-License-Identifier: Apache-2.0
#include "halyard/device.h"

#include "runtime/selection/instance.h"
#include "tests/failing_allocations.h"
#include "tests/unit/runtime/core/fake_device.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

namespace halyard::api {
namespace {

class ThreeDevices final : public core::Backend {
 public:
  std::string_view name() const override { return "fake"; }
  base::Result<std::vector<base::Ref<core::Device>>> enumerate() override {
    std::vector<base::Ref<core::Device>> devices;
    for (int i = 0; i < 3; ++i)
      devices.push_back(core::make_fake_device("fake", i, core::DeviceKind::kEmulator));
    return devices;
  }
  std::vector<std::string> notes() const override { return {}; }
};

constexpr core::NamedBackendFactory kBackends[] = {
    {"fake",
     [](const core::BackendSettings&) -> std::unique_ptr<core::Backend> {
       return std::make_unique<ThreeDevices>();
     }},
};

class DeviceApi : public testing::Test {
 protected:
  DeviceApi() {
    selection::InstanceOptions options;
    options.data_directory = HALYARD_BUILT_DATA_DIRECTORY;
    options.store_url = "memory:";
    auto instance = selection::Instance::create(std::move(options), kBackends);
    EXPECT_TRUE(instance) << instance.error().message();
    if (instance) instance_ = std::move(*instance);
  }

  halyard_status list() {
    devices_.fill(nullptr);
    return halyard_instance_devices(instance_.get(), static_cast<std::uint32_t>(devices_.size()),
                                    devices_.data(), &count_);
  }
  void release() {
    for (halyard_device* device : devices_)
      halyard_device_release(device);
  }

  base::Ref<selection::Instance> instance_;
  std::array<halyard_device*, 2> devices_{};
  std::uint32_t count_ = 0;
};

TEST_F(DeviceApi, ListIsCutAtTheCapacityAndTellsHowManyThereAre) {
  ASSERT_EQ(HALYARD_STATUS_OK, list());
  EXPECT_EQ(3U, count_);
  EXPECT_NE(nullptr, devices_[1]);
  release();
}

TEST_F(DeviceApi, ListThatRunsOutOfMemoryKeepsNothing) {
  // What the first listing and the first message of a thread make stays.
  ASSERT_EQ(HALYARD_STATUS_OK, list());
  release();
  ASSERT_NE(HALYARD_STATUS_OK, halyard_instance_devices(nullptr, 0, nullptr, &count_));
  std::uint64_t failures = 0;
  for (bool is_listed = false; !is_listed;) {
    const std::int64_t before = tests::live_allocations();
    tests::fail_allocation_after(failures);
    const halyard_status status = list();
    is_listed = tests::cancel_failing_allocation();
    if (is_listed) {
      EXPECT_EQ(HALYARD_STATUS_OK, status);
      release();
    } else {
      EXPECT_EQ(HALYARD_STATUS_OUT_OF_MEMORY, status);
      EXPECT_EQ(nullptr, devices_[0]);
      ++failures;
    }
    EXPECT_EQ(before, tests::live_allocations()) << failures;
  }
  EXPECT_GT(failures, 2U);
}

}  // namespace
}  // namespace halyard::api
