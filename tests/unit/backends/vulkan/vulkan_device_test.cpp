// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/forked_child.h"
#include "tests/unit/backends/vulkan/vulkan_fixture.h"
#include "tests/unit/backends/vulkan/vulkan_interposer.h"

#include <thread>

namespace halyard::vulkan {
namespace {

VKAPI_ATTR VkResult VKAPI_CALL lose_device(VkQueue, std::uint32_t, const VkSubmitInfo*, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}

class VulkanLostDevice : public VulkanFixture {
 protected:
  VulkanLostDevice() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.replace("vkQueueSubmit", &lose_device);
  }
  ~VulkanLostDevice() override { device_ = {}; }

  static void expect_lost(const base::Status& status) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code(), base::ErrorCode::kDeviceLost);
    EXPECT_EQ(status.error().message(),
              "The device vulkan:0 is lost: vkQueueSubmit answers VK_ERROR_DEVICE_LOST (-4): the "
              "device stopped answering.");
  }
  template <typename T>
  static base::Status status_of(const base::Result<T>& result) {
    if (result) return base::ok();
    return result.error();
  }

  VulkanInterposer interposer_;
};

TEST_F(VulkanLostDevice, EveryLaterCallNamesTheFirst) {
  const auto executable = load("scale", scale_stage());
  const auto buffer = make_buffer(64);
  const auto queue = make_queue();
  const auto other = make_queue();
  const auto semaphore = make_semaphore();
  ASSERT_TRUE(queue->fill(*buffer, 0, 64, 1));
  const auto first = queue->flush();
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message(),
            "vkQueueSubmit answers VK_ERROR_DEVICE_LOST (-4): the device stopped answering.");
  expect_lost(queue->flush());
  expect_lost(other->fill(*buffer, 0, 64, 1));
  expect_lost(other->fill(*buffer, 0, 0, 1));
  expect_lost(scale(*other, *executable, *buffer, *buffer, 1.0F));
  expect_lost(other->synchronize(kForEver));
  expect_lost(other->wait(*semaphore, 1));
  expect_lost(other->signal(*semaphore, 1));
  expect_lost(other->write_timestamp(0));
  expect_lost(semaphore->signal(1));
  expect_lost(semaphore->wait(1, kForEver));
  expect_lost(status_of(semaphore->value()));
  expect_lost(status_of(device().create_buffer({64, 0})));
  expect_lost(status_of(device().create_queue()));
  expect_lost(status_of(device().record({})));
  expect_lost(status_of(try_load("scale", scale_stage())));
}

TEST_F(VulkanLostDevice, WaitThatBeganBeforeEnds) {
  const auto queue = make_queue();
  const auto other = make_queue();
  const auto gate = make_semaphore();
  ASSERT_TRUE(queue->wait(*gate, 1));
  std::thread waiter([&] { expect_lost(queue->synchronize(kForEver)); });
  ASSERT_FALSE(other->signal(*gate, 1));
  waiter.join();
}

VKAPI_ATTR VkResult VKAPI_CALL refuse_device(VkPhysicalDevice, const VkDeviceCreateInfo*,
                                             const VkAllocationCallbacks*, VkDevice*) {
  return VK_ERROR_INITIALIZATION_FAILED;
}

class VulkanRefusedDevice : public VulkanFixture {
 protected:
  VulkanRefusedDevice() : VulkanFixture(&VulkanInterposer::load) {
    interposer_.replace("vkCreateDevice", &refuse_device);
  }
  ~VulkanRefusedDevice() override { device_ = {}; }

  VulkanInterposer interposer_;
};

TEST_F(VulkanRefusedDevice, FirstUseSaysWhy) {
  const auto queue = device().create_queue();
  ASSERT_FALSE(queue);
  EXPECT_EQ(queue.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(queue.error().message(),
            "While opening vulkan:0: vkCreateDevice answers VK_ERROR_INITIALIZATION_FAILED (-3): "
            "the driver could not start.");
}

// Collects the calls that do not answer as they have to in a forked child.
class ChildCalls {
 public:
  template <typename T>
  void refuse(std::string_view call, const base::Result<T>& result) {
    if (result) {
      wrong_ += base::concat(call, " succeeds.\n");
    } else if (result.error().code() != base::ErrorCode::kUnavailable ||
               result.error().message().find("forked child") == std::string::npos) {
      wrong_ += base::concat(call, ": ", result.error().message(), '\n');
    }
  }
  void expect(std::string_view call, bool holds) {
    if (!holds) wrong_ += base::concat(call, '\n');
  }
  const std::string& wrong() const { return wrong_; }

 private:
  std::string wrong_;
};

// One of everything, with work in flight and work that is held back.
class VulkanFork : public VulkanFixture {
 protected:
  void SetUp() override {
    VulkanFixture::SetUp();
    if (!device_) return;
    executable_ = load("scale", scale_stage());
    buffer_ = make_buffer(1 << 20);
    queue_ = make_queue();
    blocked_ = make_queue();
    gate_ = make_semaphore();
    const std::array arguments = {whole(*buffer_), whole(*buffer_), bits(0), bits(16)};
    recording_ = unwrap(device().record({{{executable_.get(), 0, {1, 1, 1}, arguments}}}));
    ASSERT_TRUE(queue_->fill(*buffer_, 0, 1 << 20, 5));
    ASSERT_TRUE(queue_->flush());
    ASSERT_TRUE(blocked_->wait(*gate_, 1));
    ASSERT_TRUE(blocked_->fill(*buffer_, 0, 16, 6));
    ASSERT_TRUE(blocked_->flush());
    ASSERT_TRUE(queue_->replay(*recording_));
  }

  std::string use_in_child();
  std::string release_in_child();

  base::Ref<core::Executable> executable_;
  base::Ref<core::Buffer> buffer_;
  base::Ref<core::Queue> queue_;
  base::Ref<core::Queue> blocked_;
  base::Ref<core::Semaphore> gate_;
  base::Ref<core::Recording> recording_;
};

std::string VulkanFork::use_in_child() {
  ChildCalls calls;
  std::array<std::byte, 4> bytes{};
  const std::array arguments = {whole(*buffer_), whole(*buffer_), bits(0), bits(16)};
  calls.refuse("create_buffer", device().create_buffer({64, 0}));
  calls.refuse("wrap_host_memory", device().wrap_host_memory(bytes.data(), 4));
  calls.refuse("create_queue", device().create_queue());
  calls.refuse("create_semaphore", device().create_semaphore(0));
  calls.refuse("load_executable", try_load("scale", scale_stage()));
  calls.refuse("record", device().record({}));
  calls.expect("host_pointer", buffer_->host_pointer() == nullptr);
  calls.refuse("read", buffer_->read(0, bytes));
  calls.refuse("write", buffer_->write(0, bytes));
  calls.refuse("dispatch", queue_->dispatch({executable_.get(), 0, {1, 1, 1}, arguments}));
  calls.refuse("copy", queue_->copy(*buffer_, 0, *buffer_, 64, 4));
  calls.refuse("fill", queue_->fill(*buffer_, 0, 4, 1));
  calls.refuse("replay", queue_->replay(*recording_));
  calls.refuse("Queue::wait", queue_->wait(*gate_, 1));
  calls.refuse("Queue::signal", queue_->signal(*gate_, 1));
  calls.refuse("flush", queue_->flush());
  calls.refuse("synchronize", blocked_->synchronize(kForEver));
  calls.refuse("write_timestamp", queue_->write_timestamp(0));
  calls.refuse("read_timestamp", queue_->read_timestamp(0));
  calls.refuse("value", gate_->value());
  calls.refuse("Semaphore::signal", gate_->signal(1));
  calls.refuse("Semaphore::wait", gate_->wait(1, kForEver));
  return calls.wrong();
}

std::string VulkanFork::release_in_child() {
  queue_ = {};
  blocked_ = {};
  recording_ = {};
  executable_ = {};
  buffer_ = {};
  gate_ = {};
  device_ = {};
  return "";
}

TEST_F(VulkanFork, ChildIsRefusedAndParentGoesOn) {
  EXPECT_TRUE(tests::passes_in_child([&] { return use_in_child(); }));
  ASSERT_TRUE(gate_->signal(1));
  ASSERT_TRUE(blocked_->synchronize(kForEver));
  ASSERT_TRUE(queue_->synchronize(kForEver));
  EXPECT_EQ(contents<std::uint32_t>(*buffer_)[100], 5U);
}

TEST_F(VulkanFork, ChildReleasesWhatItsParentUses) {
  std::thread waiter([&] { EXPECT_TRUE(gate_->wait(1, kForEver)); });
  EXPECT_TRUE(tests::passes_in_child([&] { return release_in_child(); }));
  EXPECT_TRUE(gate_->signal(1));
  waiter.join();
  EXPECT_TRUE(blocked_->synchronize(kForEver));
}

TEST_F(VulkanFork, ChildOfADeviceThatWasOnlyListedIsRefused) {
  release_in_child();
  reopen();
  EXPECT_TRUE(tests::passes_in_child([&] {
    ChildCalls calls;
    calls.refuse("create_queue", device().create_queue());
    device_ = {};
    return calls.wrong();
  }));
}

}  // namespace
}  // namespace halyard::vulkan
