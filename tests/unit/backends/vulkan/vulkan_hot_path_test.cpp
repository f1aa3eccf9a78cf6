// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/counted_allocations.h"
#include "tests/unit/backends/vulkan/vulkan_fixture.h"

namespace halyard::vulkan {
namespace {

class VulkanHotPath : public VulkanFixture {};

TEST_F(VulkanHotPath, WarmQueueAllocatesNothing) {
  if (base::process_environment("VK_INSTANCE_LAYERS")) {
    GTEST_SKIP() << "Layers allocate on the calling thread.";
  }
  const auto executable = load("scale", scale_stage());
  const auto x = make_buffer(std::vector<float>(64, 1.0F));
  const auto y = make_buffer(256);
  const auto queue = make_queue();
  const auto semaphore = make_semaphore();
  std::uint64_t value = 0;
  bool has_failed = false;
  const auto work = [&] {
    for (int i = 0; i < 200; ++i) {
      has_failed |= !scale(*queue, *executable, *x, *y, 2.0F);
      if (i % 50 != 0) continue;
      has_failed |= !queue->signal(*semaphore, ++value);
      has_failed |= !queue->wait(*semaphore, value);
    }
    has_failed |= !queue->write_timestamp(3);
    has_failed |= !queue->synchronize(kForEver);
  };
  for (int i = 0; i < 5; ++i)
    work();
  const std::uint64_t before = allocations_of_this_thread();
  work();
  const std::uint64_t after = allocations_of_this_thread();
  EXPECT_FALSE(has_failed);
  EXPECT_EQ(after - before, 0U);
}

}  // namespace
}  // namespace halyard::vulkan
