// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_library.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace halyard::vulkan {
namespace {

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL nothing(VkInstance, const char*) {
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL create_nothing(const VkInstanceCreateInfo*,
                                              const VkAllocationCallbacks*, VkInstance*) {
  return VK_ERROR_INITIALIZATION_FAILED;
}

// As a Vulkan 1.0 loader: it cannot be asked for its version.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL only_create(VkInstance, const char* name) {
  if (std::string_view(name) != "vkCreateInstance") return nullptr;
  return reinterpret_cast<PFN_vkVoidFunction>(&create_nothing);
}

TEST(VulkanLibrary, MissingLibraryNamesWhatWasTried) {
  constexpr std::array<const char*, 2> kNames = {"libvulkan-absent.so.7", "libvulkan-absent.so"};
  const auto library = VulkanLibrary::load(kNames);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_NE(library.error().message().find("libvulkan-absent.so.7 or libvulkan-absent.so does not"),
            std::string::npos);
}

TEST(VulkanLibrary, LibraryThatIsNoLoaderNamesTheEntryPoint) {
  constexpr std::array<const char*, 1> kNames = {"libm.so.6"};
  const auto library = VulkanLibrary::load(kNames);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code(), base::ErrorCode::kNotFound);
  EXPECT_NE(
      library.error().message().find("The Vulkan entry point vkGetInstanceProcAddr is missing in"),
      std::string::npos);
}

TEST(VulkanLibrary, MissingRequiredEntryPointIsNamed) {
  const auto library = VulkanLibrary::from_entry(&nothing, "/opt/stub/libvulkan.so.1");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message(),
            "The Vulkan entry point vkCreateInstance is missing in /opt/stub/libvulkan.so.1.");
}

TEST(VulkanLibrary, OldLoaderIsVersionOneZero) {
  const auto library = VulkanLibrary::from_entry(&only_create, "old");
  ASSERT_TRUE(library);
  EXPECT_EQ(library->version().value(), VK_API_VERSION_1_0);
  const auto api = library->instance_api(VK_NULL_HANDLE);
  ASSERT_FALSE(api);
  EXPECT_EQ(api.error().message(), "The Vulkan entry point vkCreateDevice is missing in old.");
}

}  // namespace
}  // namespace halyard::vulkan
