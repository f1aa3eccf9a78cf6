// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/handle.h"

#include <chrono>
#include <cstdint>

namespace halyard::core {

class Device;

// A timeline: a 64-bit value that only grows, signalled and awaited by queues and by the host.
// Threads: any number at once.
class Semaphore : public ::halyard_semaphore, public base::RefCounted {
 public:
  Device& device() const { return *device_; }

  virtual base::Result<std::uint64_t> value() = 0;
  // Raises the value from the host. INVALID_ARGUMENT when `value` is not above the present one.
  virtual base::Status signal(std::uint64_t value) = 0;
  // Blocks until the value is reached; DEADLINE_EXCEEDED otherwise. A negative timeout waits for
  // ever.
  virtual base::Status wait(std::uint64_t value, std::chrono::nanoseconds timeout) = 0;

 protected:
  explicit Semaphore(Device& device);
  ~Semaphore() override;

 private:
  base::Ref<Device> device_;
};

}  // namespace halyard::core
