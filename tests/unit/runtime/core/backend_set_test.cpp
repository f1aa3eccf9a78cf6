// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/backend_set.h"

#include "tests/unit/runtime/core/fake_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <future>
#include <thread>

namespace halyard::core {
namespace {

using DeviceList = std::vector<base::Ref<Device>>;

// A backend that offers a fixed list, or fails where the list is empty.
class FakeBackend final : public Backend {
 public:
  FakeBackend(std::string_view name, DeviceList devices)
      : name_(name),
        devices_(std::move(devices)) {}

  std::string_view name() const override { return name_; }
  base::Result<DeviceList> enumerate() override {
    notes_.push_back("enumerated");
    if (!devices_.empty()) return devices_;
    return base::Error(base::ErrorCode::kUnavailable, "libbroken.so.1 is not installed.");
  }
  std::vector<std::string> notes() const override { return notes_; }

 private:
  std::string_view name_;
  DeviceList devices_;
  std::vector<std::string> notes_;
};

std::unique_ptr<Backend> create_gpu(const BackendSettings&) {
  return std::make_unique<FakeBackend>(
      "gpu", DeviceList{make_fake_device("gpu", 0, DeviceKind::kSoftware),
                        make_fake_device("gpu", 1, DeviceKind::kIntegratedGpu, "0000:03:00.0"),
                        make_fake_device("gpu", 2, DeviceKind::kDiscreteGpu, "0000:04:00.0")});
}

std::unique_ptr<Backend> create_software(const BackendSettings&) {
  return std::make_unique<FakeBackend>(
      "software", DeviceList{make_fake_device("software", 0, DeviceKind::kSoftware)});
}

std::unique_ptr<Backend> create_cpu(const BackendSettings&) {
  return std::make_unique<FakeBackend>("cpu",
                                       DeviceList{make_fake_device("cpu", 0, DeviceKind::kCpu)});
}

std::unique_ptr<Backend> create_broken(const BackendSettings&) {
  return std::make_unique<FakeBackend>("broken", DeviceList{});
}

// Stands for a backend that must not be touched.
std::unique_ptr<Backend> create_untouchable(const BackendSettings&) {
  ADD_FAILURE() << "The backend is created.";
  return std::make_unique<FakeBackend>("untouchable", DeviceList{});
}

// Stands for a driver that hangs: it is `entered`, and stays inside until it is `released`.
struct HungDriver {
  std::promise<void> entered;
  std::promise<void> released;
};
HungDriver* hung_driver = nullptr;

std::unique_ptr<Backend> create_hung(const BackendSettings&) {
  hung_driver->entered.set_value();
  hung_driver->released.get_future().wait();
  return std::make_unique<FakeBackend>("hung", DeviceList{});
}

constexpr NamedBackendFactory kHung = {"hung", &create_hung};
constexpr NamedBackendFactory kCpu = {"cpu", &create_cpu};
constexpr NamedBackendFactory kGpu = {"gpu", &create_gpu};
constexpr NamedBackendFactory kSoftware = {"software", &create_software};
constexpr NamedBackendFactory kBroken = {"broken", &create_broken};
constexpr NamedBackendFactory kUntouchable = {"untouchable", &create_untouchable};

class BackendSetTest : public testing::Test {
 protected:
  // The id of the device that `id` names, or the message of the failure.
  static std::string resolve(BackendSet& set, std::string_view id) {
    const auto device = set.device(id);
    if (device) return (*device)->info().id;
    EXPECT_EQ(device.error().code(), base::ErrorCode::kNotFound);
    return device.error().message();
  }

  base::Ref<const BackendSettings> make_settings() const {
    return base::make_ref<BackendSettings>(configuration_);
  }

  base::Configuration configuration_;
};

TEST_F(BackendSetTest, DevicesOfAllBackendsAreListedAndTheBrokenOneLeavesThem) {
  const std::array factories = {kBroken, kCpu, kGpu};
  BackendSet set(factories, make_settings());
  std::vector<std::string> ids;
  for (const auto& device : set.devices())
    ids.push_back(device->info().id);
  EXPECT_EQ(ids, (std::vector<std::string>{"cpu:0", "gpu:0", "gpu:1", "gpu:2"}));
}

TEST_F(BackendSetTest, DeviceIsNamedByIdBackendOrPhysicalId) {
  const std::array factories = {kCpu, kGpu};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(resolve(set, "cpu"), "cpu:0");
  EXPECT_EQ(resolve(set, "gpu:1"), "gpu:1");
  EXPECT_EQ(resolve(set, "gpu:0000:04:00.0"), "gpu:2");
}

TEST_F(BackendSetTest, NamingADeviceTouchesNoOtherBackend) {
  const std::array factories = {kUntouchable, kCpu};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(resolve(set, "cpu:0"), "cpu:0");
}

TEST_F(BackendSetTest, UnknownNamesListWhatThereIs) {
  const std::array factories = {kCpu, kGpu, kBroken};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(resolve(set, "tpu:0"),
            "Device \"tpu:0\" names no backend; there are cpu, gpu, broken.");
  EXPECT_EQ(resolve(set, ""), "Device \"\" names no backend; there are cpu, gpu, broken.");
  EXPECT_EQ(resolve(set, "gpu:9"),
            "Backend \"gpu\" has no device \"gpu:9\"; it has gpu:0, gpu:1, gpu:2.");
  EXPECT_EQ(resolve(set, "gpu:"),
            "Backend \"gpu\" has no device \"gpu:\"; it has gpu:0, gpu:1, gpu:2.");
  EXPECT_EQ(resolve(set, "broken:0"),
            "Backend \"broken\" has no device \"broken:0\": libbroken.so.1 is not installed.");
}

TEST_F(BackendSetTest, DefaultPrefersADiscreteGpu) {
  const std::array factories = {kCpu, kGpu};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(resolve(set, "default"), "gpu:2");
}

TEST_F(BackendSetTest, DefaultPrefersTheCpuToSoftware) {
  const std::array factories = {kSoftware, kBroken, kCpu};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(resolve(set, "default"), "cpu:0");
}

TEST_F(BackendSetTest, DefaultWithoutAnyGivesTheReasons) {
  const std::array factories = {kSoftware, kBroken};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(resolve(set, "default"),
            "There is no default device. software: only software devices. broken: libbroken.so.1 "
            "is not installed.");
}

TEST_F(BackendSetTest, ReportsHaveReasonsAndNotes) {
  const std::array factories = {kCpu, kBroken};
  BackendSet set(factories, make_settings());
  const auto reports = set.reports();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].name, "cpu");
  EXPECT_EQ(reports[0].device_count, 1U);
  EXPECT_EQ(reports[0].reason, "");
  EXPECT_EQ(reports[1].device_count, 0U);
  EXPECT_EQ(reports[1].reason, "libbroken.so.1 is not installed.");
  EXPECT_EQ(reports[1].notes, std::vector<std::string>{"enumerated"});
  EXPECT_EQ(set.reports()[1].notes, std::vector<std::string>{"enumerated"});
}

TEST_F(BackendSetTest, BackendThatIsNotAllowedIsNotCreated) {
  configuration_.backends.value = {"cpu"};
  const std::array factories = {kUntouchable, kCpu};
  BackendSet set(factories, make_settings());
  EXPECT_EQ(set.devices().size(), 1U);
  EXPECT_EQ(set.reports()[0].reason, "HALYARD_BACKENDS (cpu) leaves it out.");
}

TEST_F(BackendSetTest, ThreadsShareOneEnumeration) {
  const std::array factories = {kCpu, kGpu};
  BackendSet set(factories, make_settings());
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::array<base::Ref<Device>, 4> found;
  for (auto& device : found)
    threads.emplace_back([&] { device = *set.device("gpu:2"); });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& device : found)
    EXPECT_EQ(device.get(), found[0].get());
}

TEST_F(BackendSetTest, HungDriverDoesNotHoldUpTheDeviceOfAnother) {
  HungDriver driver;
  hung_driver = &driver;
  const std::array factories = {kHung, kCpu};
  BackendSet set(factories, make_settings());
  std::thread lister([&] { EXPECT_EQ(set.devices().size(), 1U); });
  driver.entered.get_future().wait();
  auto found = std::async(std::launch::async, [&] { return resolve(set, "cpu"); });
  const bool is_found = found.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  driver.released.set_value();
  lister.join();
  EXPECT_TRUE(is_found);
  EXPECT_EQ(found.get(), "cpu:0");
}

}  // namespace
}  // namespace halyard::core
