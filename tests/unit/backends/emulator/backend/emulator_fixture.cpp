// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/backend/emulator_fixture.h"

#include "backends/emulator/emulator_backend.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace halyard::emulator {

const std::vector<std::byte>& probe_object() {
  static const std::vector<std::byte> bytes = [] {
    std::ifstream file(HALYARD_PROBE_OBJECT, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> all(text.size());
    std::transform(text.begin(), text.end(), all.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
    return all;
  }();
  return bytes;
}

base::Configuration emulator_configuration() {
  base::Configuration configuration;
  configuration.data_directory.value = HALYARD_TEST_DATA_DIRECTORY;
  configuration.emulator_threads.value = 2;
  configuration.emulator_budget.value = 1'000'000;
  return configuration;
}

core::StageDesc probe_stage(const std::string& entry) {
  core::StageDesc stage;
  stage.entry = entry;
  stage.block = {32, 1, 1};
  stage.arguments.resize(2);
  stage.arguments[0].name = "words";
  stage.arguments[0].is_buffer = true;
  stage.arguments[0].is_written = true;
  stage.arguments[1].name = "count";
  stage.arguments[1].size_bytes = 4;
  return stage;
}

namespace {

base::Ref<core::Device> make_device(const core::BackendSettings& settings) {
  const auto backend = create_emulator_backend(settings);
  auto devices = backend->enumerate();
  EXPECT_TRUE(devices) << devices.error().message();
  return devices ? devices->at(0) : base::Ref<core::Device>();
}

}  // namespace

EmulatorFixture::EmulatorFixture() {
  static const base::Ref<core::Device> shared =
      make_device(*base::make_ref<core::BackendSettings>(emulator_configuration()));
  device_ = shared;
}

EmulatorFixture::EmulatorFixture(const base::Configuration& configuration)
    : EmulatorFixture(*base::make_ref<core::BackendSettings>(configuration)) {}

EmulatorFixture::EmulatorFixture(const core::BackendSettings& settings)
    : device_(make_device(settings)) {}

base::Result<base::Ref<core::Executable>> EmulatorFixture::try_load(core::StageDesc stage) {
  core::ExecutableDesc desc;
  desc.name = "probe";
  desc.target = "amdgcn-gfx1100";
  desc.code = probe_object();
  desc.stages.push_back(std::move(stage));
  return device_->load_executable(desc);
}

base::Ref<core::Executable> EmulatorFixture::load(const std::string& entry) {
  auto executable = try_load(probe_stage(entry));
  EXPECT_TRUE(executable) << executable.error().message();
  return std::move(*executable);
}

base::Ref<core::Buffer> EmulatorFixture::make_buffer(std::size_t count, std::uint32_t value) {
  auto buffer = device_->create_buffer({count * sizeof(value), 0});
  EXPECT_TRUE(buffer) << buffer.error().message();
  std::fill_n(reinterpret_cast<std::uint32_t*>((*buffer)->host_pointer()), count, value);
  return std::move(*buffer);
}

base::Ref<core::Queue> EmulatorFixture::make_queue() {
  auto queue = device_->create_queue();
  EXPECT_TRUE(queue) << queue.error().message();
  return std::move(*queue);
}

base::Status EmulatorFixture::run(core::Queue& queue, core::Executable& executable,
                                  core::Buffer& words, std::uint32_t count) {
  std::array<core::ArgumentValue, 2> arguments;
  arguments[0].buffer = &words;
  arguments[0].length_bytes = words.size_bytes();
  arguments[1].bits = count;
  return queue.dispatch({&executable, 0, {(count + 31) / 32, 1, 1}, arguments});
}

std::uint32_t EmulatorFixture::word(const core::Buffer& buffer, std::size_t index) {
  std::uint32_t value = 0;
  std::memcpy(&value, buffer.host_pointer() + index * sizeof(value), sizeof(value));
  return value;
}

}  // namespace halyard::emulator
