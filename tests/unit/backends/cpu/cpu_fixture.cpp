// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/cpu/cpu_fixture.h"

#include "backends/cpu/cpu_backend.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace halyard::cpu {

const std::vector<std::byte>& probe_kernel() {
  static const std::vector<std::byte> bytes = [] {
    std::ifstream file(HALYARD_PROBE_KERNEL, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> all(text.size());
    std::transform(text.begin(), text.end(), all.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return all;
  }();
  return bytes;
}

core::StageDesc make_stage(const std::string& entry, std::size_t buffers, std::size_t values) {
  core::StageDesc stage;
  stage.entry = entry;
  stage.arguments.resize(buffers + values);
  for (std::size_t i = 0; i < buffers; ++i) {
    stage.arguments[i].is_buffer = true;
    stage.arguments[i].is_written = true;
  }
  return stage;
}

core::ArgumentValue whole(core::Buffer& buffer) {
  core::ArgumentValue value;
  value.buffer = &buffer;
  value.length_bytes = buffer.size_bytes();
  return value;
}

core::ArgumentValue bits(std::uint64_t value) {
  core::ArgumentValue argument;
  argument.bits = value;
  return argument;
}

CpuFixture::CpuFixture() {
  const auto settings = base::make_ref<core::BackendSettings>(base::Configuration());
  const auto backend = create_cpu_backend(*settings);
  auto devices = backend->enumerate();
  if (devices) device_ = devices->at(0);
  EXPECT_TRUE(devices) << devices.error().message();
}

base::Ref<core::Buffer> CpuFixture::make_buffer(std::uint64_t size_bytes, std::uint32_t pattern) {
  auto buffer = device_->create_buffer({size_bytes, 0});
  EXPECT_TRUE(buffer) << buffer.error().message();
  std::fill_n(data<std::uint32_t>(**buffer), size_bytes / 4, pattern);
  return std::move(*buffer);
}

base::Ref<core::Queue> CpuFixture::make_queue() {
  auto queue = device_->create_queue();
  EXPECT_TRUE(queue);
  return std::move(*queue);
}

base::Ref<core::Semaphore> CpuFixture::make_semaphore(std::uint64_t initial_value) {
  auto semaphore = device_->create_semaphore(initial_value);
  EXPECT_TRUE(semaphore);
  return std::move(*semaphore);
}

base::Ref<core::Executable> CpuFixture::load(std::vector<core::StageDesc> stages) {
  core::ExecutableDesc desc;
  desc.name = "probe";
  desc.target = "x86_64-v2";
  desc.code = probe_kernel();
  desc.stages = std::move(stages);
  auto executable = device_->load_executable(desc);
  EXPECT_TRUE(executable) << executable.error().message();
  return std::move(*executable);
}

std::size_t CpuFixture::thread_count() const {
  return static_cast<std::size_t>(
      device_->capabilities().number(core::CapabilityKey::kComputeUnits).value_or(0));
}

}  // namespace halyard::cpu
