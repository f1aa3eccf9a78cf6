// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace halyard::conformance {

// The devices that the suite runs on: those named by HALYARD_TEST_DEVICE (comma-separated ids or
// backend names), else the first of each backend. A named device that is not there fails the suite.
std::vector<std::string> device_ids();

std::string test_name(const ::testing::TestParamInfo<std::string>& info);

// A test that runs once on each device, with a store of its own in memory.
class DeviceTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;

  Instance instance_;
  Device device_;
  Queue queue_;
};

// Runs `call` and checks that it fails with `status` and a message that holds `part`.
void expect_failure(halyard_status status, const std::string& part,
                    const std::function<void()>& call);

// What an operation is prepared from, in containers; keep it alive during the call.
struct OperationSpec {
  std::string contract;
  std::vector<halyard_type_binding> types;
  std::vector<halyard_axis> axes;
  std::vector<halyard_attribute> attributes;
  std::vector<halyard_constant_binding> constants;
  std::uint32_t flags = 0;

  halyard_operation_desc desc() const;
};

Operation prepare(const Device& device, const OperationSpec& spec);

// A launch record in containers.
struct LaunchSpec {
  std::vector<halyard_view> views;
  std::vector<std::int64_t> axes;
  std::vector<halyard_scalar> scalars;
  halyard_view workspace{};

  halyard_launch record() const;
};

template <typename T>
Buffer make_buffer(const Device& device, const std::vector<T>& values) {
  const std::uint64_t bytes = values.size() * sizeof(T);
  Buffer buffer = Buffer::create(device, bytes == 0 ? 4 : bytes);
  buffer.write(0, values.data(), bytes);
  return buffer;
}

template <typename T>
std::vector<T> read_buffer(const Buffer& buffer) {
  std::vector<T> values(buffer.size_bytes() / sizeof(T));
  buffer.read(0, values.data(), values.size() * sizeof(T));
  return values;
}

inline halyard_view view_of(const Buffer& buffer, std::uint64_t offset_bytes = 0) {
  return {buffer.get(), offset_bytes, 0, nullptr};
}

// Deterministic values in [-1, 1).
std::vector<float> random_floats(std::size_t count, std::uint32_t seed);

}  // namespace halyard::conformance

#define HALYARD_ON_EACH_DEVICE(suite)                                                 \
  INSTANTIATE_TEST_SUITE_P(Devices, suite,                                            \
                           ::testing::ValuesIn(::halyard::conformance::device_ids()), \
                           ::halyard::conformance::test_name)
