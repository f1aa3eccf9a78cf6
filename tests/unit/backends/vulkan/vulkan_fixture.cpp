// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/vulkan_fixture.h"

#include "runtime/base/file.h"

#include <unistd.h>

#include <bit>
#include <utility>

namespace halyard::vulkan {
namespace {

core::ArgumentLayout bound(std::uint32_t binding, bool is_written) {
  core::ArgumentLayout layout;
  layout.is_buffer = true;
  layout.is_written = is_written;
  layout.binding = binding;
  return layout;
}

core::ArgumentLayout pushed(std::uint32_t offset, std::uint32_t size_bytes, bool is_buffer) {
  core::ArgumentLayout layout;
  layout.is_buffer = is_buffer;
  layout.size_bytes = size_bytes;
  layout.push = offset;
  return layout;
}

base::Ref<core::BackendSettings> make_settings(const std::filesystem::path& cache_directory) {
  base::Configuration configuration;
  configuration.cache_directory.value = cache_directory.string();
  return base::make_ref<core::BackendSettings>(std::move(configuration));
}

std::filesystem::path fresh_directory() {
  static int count = 0;
  return std::filesystem::temp_directory_path() /
         ("halyard-vulkan-" + std::to_string(getpid()) + "-" + std::to_string(++count));
}

}  // namespace

const VulkanInstance* VulkanFixture::kept_instance = nullptr;

void VulkanFixture::keep_drivers_loaded() {
  if (kept_instance != nullptr) return;
  auto library = VulkanLibrary::load(vulkan_library_names());
  if (!library) return;
  auto instance = VulkanInstance::create(std::move(*library));
  if (instance) kept_instance = instance->detach();
}

VulkanFixture::VulkanFixture(VulkanBackend::LibraryLoader loader)
    : cache_directory_(fresh_directory()),
      settings_(make_settings(cache_directory_)),
      loader_(std::move(loader)) {
  keep_drivers_loaded();
}

VulkanFixture::~VulkanFixture() {
  device_ = {};
  std::filesystem::remove_all(cache_directory_);
}

void VulkanFixture::SetUp() {
  reopen();
}

void VulkanFixture::reopen() {
  device_ = {};
  VulkanBackend backend(*settings_, loader_);
  auto devices = backend.enumerate();
  notes_ = backend.notes();
  if (!devices) {
    // A run with the data folder, or for a device, must not pass by skipping.
    const bool must_run = base::process_environment("HALYARD_TEST_DATA") ||
                          base::process_environment("HALYARD_TEST_DEVICE");
    if (must_run) FAIL() << devices.error().message();
    GTEST_SKIP() << devices.error().message();
  }
  device_ = devices->front();
}

core::StageDesc VulkanFixture::scale_stage() {
  core::StageDesc stage;
  stage.entry = "main";
  stage.arguments = {bound(0, false), bound(3, true), pushed(0, 4, false), pushed(4, 4, false)};
  stage.constants = {{0, 64}};
  stage.block = {64, 1, 1};
  return stage;
}

core::StageDesc VulkanFixture::increment_stage() {
  core::StageDesc stage;
  stage.entry = "main";
  stage.arguments = {pushed(0, 8, true), pushed(8, 4, false), pushed(12, 4, false)};
  stage.block = {64, 1, 1};
  return stage;
}

core::StageDesc VulkanFixture::subgroup_stage() {
  core::StageDesc stage;
  stage.entry = "main";
  stage.arguments = {bound(0, true)};
  stage.block = {64, 1, 1};
  return stage;
}

std::vector<std::byte> VulkanFixture::shader_code(const std::string& name) {
  return unwrap(base::read_file(HALYARD_VULKAN_SHADERS "/" + name + ".spv", 1 << 20));
}

base::Result<base::Ref<core::Executable>> VulkanFixture::try_load(const std::string& shader,
                                                                  core::StageDesc stage) {
  const std::vector<std::byte> code = shader_code(shader);
  return device_->load_executable({shader, "spirv-1.5", code, {std::move(stage)}});
}

base::Ref<core::Executable> VulkanFixture::load(const std::string& shader, core::StageDesc stage) {
  return unwrap(try_load(shader, std::move(stage)));
}

base::Status VulkanFixture::scale(core::Queue& queue, core::Executable& executable, core::Buffer& x,
                                  core::Buffer& y, float factor) {
  const auto count = static_cast<std::uint32_t>(x.size_bytes() / sizeof(float));
  const std::array arguments = {whole(x), whole(y), bits(std::bit_cast<std::uint32_t>(factor)),
                                bits(count)};
  return queue.dispatch({&executable, 0, {(count + 63) / 64, 1, 1}, arguments});
}

}  // namespace halyard::vulkan
