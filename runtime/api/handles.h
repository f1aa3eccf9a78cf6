// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/semaphore.h"

#include "runtime/core/device.h"
#include "runtime/core/handle.h"
#include "runtime/dispatch/operation.h"
#include "runtime/selection/instance.h"

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

namespace halyard::api {

// A device as applications hold it: the core device and the instance it came from.
class DeviceHandle final : public ::halyard_device, public base::RefCounted {
 public:
  DeviceHandle(base::Ref<selection::Instance> instance, base::Ref<core::Device> device)
      : instance_(std::move(instance)),
        device_(std::move(device)) {}

  selection::Instance& instance() const { return *instance_; }
  core::Device& device() const { return *device_; }

 private:
  base::Ref<selection::Instance> instance_;
  base::Ref<core::Device> device_;
};

// An operation as applications hold it, with the instance it chooses from.
class OperationHandle final : public ::halyard_operation, public base::RefCounted {
 public:
  OperationHandle(base::Ref<selection::Instance> instance, base::Ref<dispatch::Operation> operation)
      : instance_(std::move(instance)),
        operation_(std::move(operation)) {}

  selection::Instance& instance() const { return *instance_; }
  dispatch::Operation& operation() const { return *operation_; }

 private:
  base::Ref<selection::Instance> instance_;
  base::Ref<dispatch::Operation> operation_;
};

inline DeviceHandle& device_handle(halyard_device* device) {
  return *static_cast<DeviceHandle*>(device);
}

inline OperationHandle& operation_handle(halyard_operation* operation) {
  return *static_cast<OperationHandle*>(operation);
}

inline core::Device& core_device(halyard_device* device) {
  return device_handle(device).device();
}

// HALYARD_TIMEOUT_FOREVER, and what a signed count cannot hold, becomes a negative duration.
inline std::chrono::nanoseconds to_timeout(std::uint64_t timeout_ns) {
  constexpr auto kLimit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (timeout_ns > kLimit) return std::chrono::nanoseconds(-1);
  return std::chrono::nanoseconds(timeout_ns);
}

}  // namespace halyard::api
