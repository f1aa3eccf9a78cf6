// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/vulkan/vulkan_backend.h"
#include "backends/vulkan/vulkan_device.h"
#include "runtime/core/backend.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace halyard::vulkan {

inline constexpr std::chrono::nanoseconds kForEver{-1};

template <typename T>
T unwrap(base::Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message();
    std::abort();
  }
  return std::move(*result);
}

// The first device of the machine, and short ways to make what lies on it. A machine without one
// skips, with the reason.
class VulkanFixture : public testing::Test {
 protected:
  explicit VulkanFixture(VulkanBackend::LibraryLoader loader = [] {
    return VulkanLibrary::load(vulkan_library_names());
  });
  ~VulkanFixture() override;

  void SetUp() override;
  // Ends the device and lists again.
  void reopen();

  VulkanDevice& device() { return static_cast<VulkanDevice&>(*device_); }
  VulkanOpenDevice& open() { return *unwrap(device().open()); }

  base::Ref<core::Queue> make_queue() { return unwrap(device_->create_queue()); }
  base::Ref<core::Semaphore> make_semaphore() { return unwrap(device_->create_semaphore(0)); }
  base::Ref<core::Buffer> make_buffer(std::uint64_t size_bytes) {
    return unwrap(device_->create_buffer({size_bytes, 0}));
  }
  template <typename T>
  base::Ref<core::Buffer> make_buffer(const std::vector<T>& values) {
    auto buffer = make_buffer(values.size() * sizeof(T));
    EXPECT_TRUE(buffer->write(0, std::as_bytes(std::span(values))));
    return buffer;
  }
  template <typename T>
  std::vector<T> contents(core::Buffer& buffer) {
    std::vector<T> values(buffer.size_bytes() / sizeof(T));
    EXPECT_TRUE(buffer.read(0, std::as_writable_bytes(std::span(values))));
    return values;
  }

  // y = x * factor + addend: binding 0 and 3, factor and count pushed.
  static core::StageDesc scale_stage();
  static core::StageDesc increment_stage();
  static core::StageDesc subgroup_stage();
  base::Ref<core::Executable> load(const std::string& shader, core::StageDesc stage);
  base::Result<base::Ref<core::Executable>> try_load(const std::string& shader,
                                                     core::StageDesc stage);
  base::Status scale(core::Queue& queue, core::Executable& executable, core::Buffer& x,
                     core::Buffer& y, float factor);

  static std::vector<std::byte> shader_code(const std::string& name);
  static core::ArgumentValue whole(core::Buffer& buffer) {
    return {&buffer, 0, buffer.size_bytes(), 0};
  }
  static core::ArgumentValue bits(std::uint64_t value) { return {nullptr, 0, 0, value}; }

  // The loader unloads its drivers with the last instance. What they keep for good would then be
  // lost, and a leak to a sanitizer; so one instance stays.
  static const VulkanInstance* kept_instance;
  static void keep_drivers_loaded();

  std::filesystem::path cache_directory_;
  base::Ref<core::BackendSettings> settings_;
  VulkanBackend::LibraryLoader loader_;
  base::Ref<core::Device> device_;
  std::vector<std::string> notes_;
};

}  // namespace halyard::vulkan
