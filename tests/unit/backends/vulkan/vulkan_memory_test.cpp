// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_memory.h"

#include "backends/vulkan/vulkan_buffer.h"
#include "tests/unit/backends/vulkan/vulkan_fixture.h"
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include <cstdlib>
#include <numeric>
#include <vector>

namespace halyard::vulkan {
namespace {

class VulkanMemoryTest : public VulkanFixture {};

TEST_F(VulkanMemoryTest, SmallBuffersShareBlocks) {
  std::vector<base::Ref<core::Buffer>> buffers;
  buffers.reserve(2000);
  for (std::uint32_t i = 0; i < 2000; ++i)
    buffers.push_back(make_buffer(std::vector<std::uint32_t>(1 + i % 50, i)));
  EXPECT_LE(open().memory().block_count(), 2U);
  for (std::uint32_t i = 0; i < 2000; ++i)
    EXPECT_EQ(contents<std::uint32_t>(*buffers[i]), std::vector<std::uint32_t>(1 + i % 50, i));
}

TEST_F(VulkanMemoryTest, LargeBufferHasItsOwnBlockAndGivesItBack) {
  const std::size_t before = open().memory().block_count();
  auto large = make_buffer(std::uint64_t{100} << 20);
  EXPECT_EQ(open().memory().block_count(), before + 1);
  large = {};
  EXPECT_EQ(open().memory().block_count(), before);
}

TEST_F(VulkanMemoryTest, OneFreeBlockStays) {
  std::vector<base::Ref<core::Buffer>> buffers;
  buffers.reserve(12);
  for (int i = 0; i < 12; ++i)
    buffers.push_back(make_buffer(std::uint64_t{20} << 20));
  EXPECT_GE(open().memory().block_count(), 4U);
  buffers.clear();
  EXPECT_LE(open().memory().block_count(), 2U);
}

TEST_F(VulkanMemoryTest, BufferPastTheLargestAllocationIsOutOfMemory) {
  const auto buffer = device().create_buffer({std::uint64_t{1} << 50, 0});
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code(), base::ErrorCode::kOutOfMemory);
  EXPECT_NE(buffer.error().message().find(
                "A buffer of 1125899906842624 bytes is larger than vulkan:0 allocates at once ("),
            std::string::npos);
}

VKAPI_ATTR VkResult VKAPI_CALL allocate_nothing(VkDevice device, const VkMemoryAllocateInfo* info,
                                                const VkAllocationCallbacks* callbacks,
                                                VkDeviceMemory* memory) {
  if (info->allocationSize > (std::uint64_t{16} << 20)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return VulkanInterposer::original<PFN_vkAllocateMemory>("vkAllocateMemory")(device, info,
                                                                              callbacks, memory);
}

class VulkanFullMemory : public VulkanFixture {
 protected:
  VulkanFullMemory() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.replace("vkAllocateMemory", &allocate_nothing);
  }
  ~VulkanFullMemory() override { device_ = {}; }

  VulkanInterposer interposer_;
};

TEST_F(VulkanFullMemory, MessageHasTheNumbersAndSmallerBlocksAreTried) {
  const auto small = make_buffer(1 << 20);
  const auto buffer = device().create_buffer({std::uint64_t{40} << 20, 0});
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().code(), base::ErrorCode::kOutOfMemory);
  const std::string& message = buffer.error().message();
  EXPECT_NE(message.find("The device vulkan:0 has no room for 41943040 bytes: vkAllocateMemory "
                         "answers VK_ERROR_OUT_OF_DEVICE_MEMORY (heap 0: "),
            std::string::npos)
      << message;
  EXPECT_NE(message.find(" bytes in use in 2 allocations)."), std::string::npos) << message;
}

TEST(PreferredMemoryTypes, DiscreteDevicePutsEachUsageWhereItIsFast) {
  constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags kHost =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  VulkanTraits traits;
  traits.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  traits.memory.memoryTypeCount = 6;
  traits.memory.memoryTypes[0] = {kHost, 1};
  traits.memory.memoryTypes[1] = {kLocal | kHost, 0};
  traits.memory.memoryTypes[2] = {kLocal, 0};
  traits.memory.memoryTypes[3] = {kHost | kCached, 1};
  traits.memory.memoryTypes[4] = {kLocal | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, 0};
  traits.memory.memoryTypes[5] = {kLocal | VK_MEMORY_PROPERTY_PROTECTED_BIT, 0};
  const auto first = [&](std::uint32_t usage) {
    return preferred_memory_types(traits, 63, usage).front();
  };
  EXPECT_EQ(first(core::kBufferUsageKernel), 2U);
  EXPECT_EQ(first(core::kBufferUsageHostWrite), 1U);
  EXPECT_EQ(first(core::kBufferUsageHostRead), 3U);
  EXPECT_EQ(preferred_memory_types(traits, 63, 0).size(), 4U);
  EXPECT_EQ(preferred_memory_types(traits, 1U << 3, 0), std::vector<std::uint32_t>{3});
  traits.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  EXPECT_EQ(first(core::kBufferUsageKernel), 1U);
}

TEST_F(VulkanMemoryTest, HostMemoryIsUsedInPlace) {
  if (open().connection().api().vkGetMemoryHostPointerPropertiesEXT == nullptr) {
    GTEST_SKIP() << "The driver cannot use host memory in place.";
  }
  constexpr std::size_t kBytes = 8192;
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(4096, kBytes),
                                                           &std::free);
  auto* values = static_cast<std::uint32_t*>(memory.get());
  std::iota(values, values + kBytes / 4, 0U);
  {
    const auto wrapped = unwrap(device().wrap_host_memory(values, 5000));
    EXPECT_EQ(wrapped->size_bytes(), 5000U);
    const auto queue = make_queue();
    ASSERT_TRUE(queue->fill(*wrapped, 8, 8, 77));
    ASSERT_TRUE(queue->synchronize(kForEver));
  }
  EXPECT_EQ(values[1], 1U);
  EXPECT_EQ(values[2], 77U);
  EXPECT_EQ(values[3], 77U);
  EXPECT_EQ(values[4], 4U);
  const auto crooked = device().wrap_host_memory(values + 1, 4096);
  ASSERT_FALSE(crooked);
  EXPECT_EQ(crooked.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_NE(crooked.error().message().find("is not a multiple of"), std::string::npos);
}

TEST_F(VulkanMemoryTest, StagingMovesBytesOfAnySize) {
  const auto buffer = make_buffer((std::uint64_t{9} << 20) + 100);
  auto& storage = static_cast<VulkanBuffer&>(*buffer).storage();
  std::vector<std::byte> source((std::size_t{9} << 20) + 37);
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<std::byte>(i * 7 >> 3);
  ASSERT_TRUE(open().staging().write(storage, 13, source));
  std::vector<std::byte> read(source.size());
  ASSERT_TRUE(open().staging().read(storage, 13, read));
  EXPECT_EQ(read, source);
  std::vector<std::byte> one(1);
  ASSERT_TRUE(open().staging().read(storage, 14, one));
  EXPECT_EQ(one[0], source[1]);
}

}  // namespace
}  // namespace halyard::vulkan
