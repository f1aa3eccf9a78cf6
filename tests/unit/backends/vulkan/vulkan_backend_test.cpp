// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_backend.h"

#include "backends/vulkan/vulkan_manifests.h"
#include "runtime/base/text.h"
#include "tests/unit/backends/vulkan/vulkan_fixture.h"
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace halyard::vulkan {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

class VulkanBackendTest : public VulkanFixture {};

TEST_F(VulkanBackendTest, DeviceSaysWhatItIs) {
  const core::DeviceInfo& info = device().info();
  EXPECT_EQ(info.id, "vulkan:0");
  EXPECT_EQ(info.backend, "vulkan");
  EXPECT_FALSE(info.name.empty());
  EXPECT_FALSE(info.physical_id.empty());
  EXPECT_THAT(info.driver_id, StartsWith("vulkan:"));
  EXPECT_THAT(info.fingerprint, HasSubstr(info.name));
  EXPECT_THAT(info.targets, Contains("spirv-1.5"));
  EXPECT_THAT(notes_, Contains(HasSubstr("libvulkan.so")));
  EXPECT_THAT(notes_, Contains(StartsWith("API version: 1.")));
}

TEST_F(VulkanBackendTest, SoftwareIsCalledSoftware) {
  if (device().info().name.find("llvmpipe") == std::string::npos) {
    GTEST_SKIP() << "The first device is " << device().info().name << ".";
  }
  EXPECT_EQ(device().info().kind, core::DeviceKind::kSoftware);
  EXPECT_EQ(device().info().vendor, "Mesa");
}

TEST_F(VulkanBackendTest, CapabilitiesAreKnown) {
  const core::CapabilitySet& set = device().capabilities();
  EXPECT_GE(set.number(core::CapabilityKey::kSubgroupSize).value_or(0), 1);
  EXPECT_GE(set.number(core::CapabilityKey::kLimitStorageBufferRangeBytes).value_or(0), 1 << 27);
  EXPECT_GE(set.number(core::CapabilityKey::kLimitPushConstantBytes).value_or(0), 128);
  EXPECT_FALSE(set.number(core::CapabilityKey::kCacheL2Bytes));
}

TEST_F(VulkanBackendTest, BrokenDriverManifestLeavesTheOthers) {
  const DriverManifests manifests = find_driver_manifests();
  std::filesystem::create_directories(cache_directory_);
  const std::string broken = (cache_directory_ / "broken_icd.json").string();
  const std::string absent = (cache_directory_ / "absent_icd.json").string();
  std::ofstream(broken) << "{\"file_format_version\": \"1.0.0\", \"ICD\": {";
  std::ofstream(absent) << R"({"file_format_version": "1.0.0", "ICD": {"library_path": )"
                        << R"("/nowhere/libvulkan_absent.so", "api_version": "1.3.0"}})";
  const ScopedEnvironmentVariable files(
      "VK_DRIVER_FILES", base::concat(broken, ':', absent, ':', base::join(manifests.usable, ":")));
  device_ = {};
  VulkanBackend backend(*settings_, loader_);
  const auto devices = backend.enumerate();
  ASSERT_TRUE(devices) << devices.error().message();
  EXPECT_GE(devices->size(), 1U);
}

TEST_F(VulkanBackendTest, JustTheLayersOfTheEnvironmentAreLoaded) {
  const auto layers = base::process_environment("VK_INSTANCE_LAYERS");
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>()};
  EXPECT_EQ(layers == "VK_LAYER_KHRONOS_validation",
            text.find("libVkLayer_khronos_validation.so") != std::string::npos);
}

TEST(VulkanBackendLoading, MissingLoaderIsTheReason) {
  const auto settings = base::make_ref<core::BackendSettings>(base::Configuration{});
  VulkanBackend backend(*settings, [] {
    constexpr std::array<const char*, 1> kNames = {"libvulkan-absent.so.1"};
    return VulkanLibrary::load(kNames);
  });
  const auto devices = backend.enumerate();
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(devices.error().message(), HasSubstr("libvulkan-absent.so.1"));
}

// Doubles the first device of the machine, and spoils what it says of itself.
VKAPI_ATTR VkResult VKAPI_CALL list_twice(VkInstance instance, std::uint32_t* count,
                                          VkPhysicalDevice* devices) {
  std::uint32_t one = 1;
  VkPhysicalDevice first = VK_NULL_HANDLE;
  VulkanInterposer::original<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(
      instance, &one, &first);
  *count = 2;
  if (devices != nullptr) devices[0] = devices[1] = first;
  return VK_SUCCESS;
}

int extension_calls = 0;

VKAPI_ATTR VkResult VKAPI_CALL fail_first_extensions(VkPhysicalDevice device, const char* layer,
                                                     std::uint32_t* count,
                                                     VkExtensionProperties* list) {
  if (extension_calls++ == 0) return VK_ERROR_INITIALIZATION_FAILED;
  return VulkanInterposer::original<PFN_vkEnumerateDeviceExtensionProperties>(
      "vkEnumerateDeviceExtensionProperties")(device, layer, count, list);
}

VKAPI_ATTR void VKAPI_CALL old_properties(VkPhysicalDevice device,
                                          VkPhysicalDeviceProperties* properties) {
  VulkanInterposer::original<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(
      device, properties);
  properties->apiVersion = VK_MAKE_API_VERSION(0, 1, 1, 99);
}

class VulkanSpoiltBackend : public VulkanFixture {
 protected:
  VulkanSpoiltBackend() : VulkanFixture(&VulkanInterposer::load) {}
  ~VulkanSpoiltBackend() override { device_ = {}; }
  void SetUp() override {}

  VulkanInterposer interposer_;
};

TEST_F(VulkanSpoiltBackend, BrokenDeviceIsLeftOutAndTold) {
  extension_calls = 0;
  interposer_.replace("vkEnumeratePhysicalDevices", &list_twice);
  interposer_.replace("vkEnumerateDeviceExtensionProperties", &fail_first_extensions);
  VulkanBackend backend(*settings_, loader_);
  const auto devices = backend.enumerate();
  ASSERT_TRUE(devices) << devices.error().message();
  EXPECT_EQ(devices->size(), 1U);
  EXPECT_THAT(backend.notes(), Contains(HasSubstr("vkEnumerateDeviceExtensionProperties answers")));
}

TEST_F(VulkanSpoiltBackend, OldDevicesAreTheReason) {
  interposer_.replace("vkGetPhysicalDeviceProperties", &old_properties);
  VulkanBackend backend(*settings_, loader_);
  const auto devices = backend.enumerate();
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(devices.error().message(), HasSubstr("Vulkan 1.1.99 of the device is below 1.2."));
}

}  // namespace
}  // namespace halyard::vulkan
