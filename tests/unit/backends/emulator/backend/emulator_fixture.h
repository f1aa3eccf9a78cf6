// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/environment.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/backend.h"
#include "runtime/core/device.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard::emulator {

// The code object of probe.s, for gfx1100.
const std::vector<std::byte>& probe_object();

// A configuration over the data directory of the sources.
base::Configuration emulator_configuration();

// A stage of a kernel of probe.s: a buffer "words" and a count.
core::StageDesc probe_stage(const std::string& entry);

// The device emulator:gfx1100 with all that it makes, failing the test where it makes none.
class EmulatorFixture : public testing::Test {
 protected:
  // The device of all tests with emulator_configuration(), which reads its tables once.
  EmulatorFixture();
  explicit EmulatorFixture(const base::Configuration& configuration);
  explicit EmulatorFixture(const core::BackendSettings& settings);

  base::Result<base::Ref<core::Executable>> try_load(core::StageDesc stage);
  base::Ref<core::Executable> load(const std::string& entry);
  // Words of this value.
  base::Ref<core::Buffer> make_buffer(std::size_t count, std::uint32_t value = 0);
  base::Ref<core::Queue> make_queue();
  // One launch of as many groups of 32 lanes as `count` takes.
  static base::Status run(core::Queue& queue, core::Executable& executable, core::Buffer& words,
                          std::uint32_t count);
  static std::uint32_t word(const core::Buffer& buffer, std::size_t index);

  base::Ref<core::Device> device_;
};

}  // namespace halyard::emulator
