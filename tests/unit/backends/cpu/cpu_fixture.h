// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/core/device.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard::cpu {

// The bytes of the shared object of probe_kernel.cpp.
const std::vector<std::byte>& probe_kernel();

// A description of one stage whose first `buffers` arguments are buffers, followed by `values`.
core::StageDesc make_stage(const std::string& entry, std::size_t buffers, std::size_t values = 0);

// A buffer as an argument, whole, and a value.
core::ArgumentValue whole(core::Buffer& buffer);
core::ArgumentValue bits(std::uint64_t value);

// The CPU device of this machine with all that it makes, failing the test where it makes none.
class CpuFixture : public testing::Test {
 protected:
  CpuFixture();

  base::Ref<core::Buffer> make_buffer(std::uint64_t size_bytes, std::uint32_t pattern = 0);
  base::Ref<core::Queue> make_queue();
  base::Ref<core::Semaphore> make_semaphore(std::uint64_t initial_value = 0);
  base::Ref<core::Executable> load(std::vector<core::StageDesc> stages);
  // How many threads take part in a large launch.
  std::size_t thread_count() const;

  template <typename T>
  static T* data(core::Buffer& buffer) {
    return reinterpret_cast<T*>(buffer.host_pointer());
  }

  base::Ref<core::Device> device_;
};

}  // namespace halyard::cpu
