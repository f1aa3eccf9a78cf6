// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/handle.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace halyard::core {

class Buffer;
class Device;
class Executable;
class Recording;
class Semaphore;

// One argument of a dispatch, in the order of the stage's layout: a buffer range or a value.
struct ArgumentValue {
  Buffer* buffer = nullptr;        // borrowed; null for values
  std::uint64_t offset_bytes = 0;  // of the first byte the kernel sees
  std::uint64_t length_bytes = 0;  // of the range from there; 0 binds a valid empty range
  std::uint64_t bits = 0;          // values: zero- or sign-extended, f32 in the low 32 bits
};

// One launch of one stage, with everything evaluated. Ranges lie inside their buffers.
struct Dispatch {
  Executable* executable = nullptr;  // borrowed for the call; the queue keeps what it needs
  std::uint32_t stage = 0;
  std::array<std::uint32_t, 3> grid = {1, 1, 1};  // workgroups, none zero
  std::span<const ArgumentValue> arguments;
};

enum class Clock : std::uint32_t { kHost = 1, kDevice = 2 };

inline constexpr std::uint32_t kTimestampSlots = 256;

// Work on one device in order: each command sees the results of those before it. Its end flushes.
// The queue keeps executables, buffers and semaphores alive until the work that uses them ends.
// Threads: one at a time (externally synchronised); several queues of a device at once.
class Queue : public ::halyard_queue, public base::RefCounted {
 public:
  Device& device() const { return *device_; }

  virtual base::Status dispatch(const Dispatch& dispatch) = 0;
  // Ranges are inside the buffers; source and destination do not overlap.
  virtual base::Status copy(Buffer& source, std::uint64_t source_offset, Buffer& destination,
                            std::uint64_t destination_offset, std::uint64_t length_bytes) = 0;
  // Fills with a repeated 32-bit pattern; offset and length are multiples of 4.
  virtual base::Status fill(Buffer& buffer, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                            std::uint32_t pattern) = 0;
  // Runs a recording made on this device.
  virtual base::Status replay(Recording& recording) = 0;

  // Later commands start once the semaphore has reached `value`. Waiting before the signal is
  // submitted is allowed.
  virtual base::Status wait(Semaphore& semaphore, std::uint64_t value) = 0;
  // The semaphore takes `value` once all earlier commands are done.
  virtual base::Status signal(Semaphore& semaphore, std::uint64_t value) = 0;
  // Hands everything so far to the device.
  virtual base::Status flush() = 0;
  // Flushes, and blocks until all is done; DEADLINE_EXCEEDED otherwise. A negative timeout waits
  // for ever.
  virtual base::Status synchronize(std::chrono::nanoseconds timeout) = 0;

  // Notes the time at which all earlier commands are done. `slot` < kTimestampSlots.
  virtual base::Status write_timestamp(std::uint32_t slot) = 0;
  // The time of a slot in nanoseconds of `timestamp_clock()`, after a synchronize.
  virtual base::Result<std::uint64_t> read_timestamp(std::uint32_t slot) = 0;
  virtual Clock timestamp_clock() const = 0;

 protected:
  explicit Queue(Device& device);
  ~Queue() override;

 private:
  base::Ref<Device> device_;
};

// Dispatches recorded once and replayed. Keeps what it refers to alive. Immutable.
class Recording : public base::RefCounted {
 public:
  Device& device() const { return *device_; }

 protected:
  explicit Recording(Device& device);
  ~Recording() override;

 private:
  base::Ref<Device> device_;
};

}  // namespace halyard::core
