// SPDX-License-Identifier: Apache-2.0
#ifndef HALYARD_HALYARD_HPP_
#define HALYARD_HALYARD_HPP_

#include "halyard/halyard.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace halyard {

// A failing status with its sentence, thrown in the caller's own code.
class Error : public std::runtime_error {
 public:
  Error(halyard_status status, const std::string& message)
      : std::runtime_error(message),
        status_(status) {}

  halyard_status status() const noexcept { return status_; }

 private:
  halyard_status status_;
};

inline void check(halyard_status status) {
  if (status != HALYARD_STATUS_OK) throw Error(status, halyard_last_error_message());
}

// One reference to a handle: copy is retain, destruction is release.
template <typename T, void (*Retain)(T*), void (*Release)(T*)>
class Handle {
 public:
  Handle() noexcept = default;
  // Takes over a reference that the caller owns.
  explicit Handle(T* handle) noexcept : handle_(handle) {}
  Handle(const Handle& other) noexcept : handle_(other.handle_) {
    if (handle_ != nullptr) Retain(handle_);
  }
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() { Release(handle_); }

  T* get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  T* handle_ = nullptr;
};

// Calls a function of the text protocol twice: for the size, then for the text.
template <typename Call>
std::string read_text(Call&& call) {
  std::size_t size = 0;
  check(call(std::size_t{0}, static_cast<char*>(nullptr), &size));
  std::string text;
  while (true) {
    text.resize(size);
    const std::size_t capacity = size;
    check(call(capacity, text.data(), &size));
    if (size <= capacity) break;
  }
  text.resize(size > 0 ? size - 1 : 0);
  return text;
}

class Device : public Handle<halyard_device, halyard_device_retain, halyard_device_release> {
 public:
  using Handle::Handle;

  halyard_device_info info() const {
    halyard_device_info info = HALYARD_DEVICE_INFO_INIT;
    check(halyard_device_get_info(get(), &info));
    return info;
  }
  halyard_capability capability(const char* key) const {
    halyard_capability capability = HALYARD_CAPABILITY_INIT;
    check(halyard_device_get_capability(get(), key, &capability));
    return capability;
  }
  const char* descriptor_id() const { return halyard_device_descriptor_id(get()); }
  std::vector<halyard_disagreement> disagreements() const {
    std::uint32_t count = 0;
    check(halyard_device_disagreements(get(), 0, nullptr, &count));
    std::vector<halyard_disagreement> all(count, HALYARD_DISAGREEMENT_INIT);
    check(halyard_device_disagreements(get(), count, all.data(), &count));
    return all;
  }
};

class Contract
    : public Handle<halyard_contract, halyard_contract_retain, halyard_contract_release> {
 public:
  using Handle::Handle;

  const char* json() const { return halyard_contract_json(get()); }
};

class Instance
    : public Handle<halyard_instance, halyard_instance_retain, halyard_instance_release> {
 public:
  using Handle::Handle;

  static Instance create(const halyard_instance_desc* desc = nullptr) {
    halyard_instance* handle = nullptr;
    check(halyard_instance_create(desc, &handle));
    return Instance(handle);
  }

  std::vector<Device> devices() const {
    std::uint32_t count = 0;
    check(halyard_instance_devices(get(), 0, nullptr, &count));
    std::vector<halyard_device*> handles(count);
    check(halyard_instance_devices(get(), count, handles.data(), &count));
    std::vector<Device> devices;
    devices.reserve(count);
    for (halyard_device* handle : handles)
      devices.emplace_back(handle);
    return devices;
  }
  Device device(const char* id = nullptr) const {
    halyard_device* handle = nullptr;
    check(halyard_device_get(get(), id, &handle));
    return Device(handle);
  }
  Contract contract(const char* name) const {
    halyard_contract* handle = nullptr;
    check(halyard_contract_get(get(), name, &handle));
    return Contract(handle);
  }
  std::string report() const {
    return read_text([&](std::size_t capacity, char* text, std::size_t* size) {
      return halyard_instance_report(get(), capacity, text, size);
    });
  }
  std::string contracts() const {
    return read_text([&](std::size_t capacity, char* text, std::size_t* size) {
      return halyard_instance_contracts(get(), capacity, text, size);
    });
  }
  std::string kernels(const char* contract = nullptr) const {
    return read_text([&](std::size_t capacity, char* text, std::size_t* size) {
      return halyard_kernel_store_list(get(), contract, capacity, text, size);
    });
  }
  std::string kernel(const char* kernel) const {
    return read_text([&](std::size_t capacity, char* text, std::size_t* size) {
      return halyard_kernel_store_show(get(), kernel, capacity, text, size);
    });
  }
  std::uint64_t store_generation() const { return halyard_instance_store_generation(get()); }
};

class Buffer : public Handle<halyard_buffer, halyard_buffer_retain, halyard_buffer_release> {
 public:
  using Handle::Handle;

  static Buffer create(const Device& device, std::uint64_t size_bytes, std::uint32_t usage = 0) {
    halyard_buffer_desc desc = HALYARD_BUFFER_DESC_INIT;
    desc.size_bytes = size_bytes;
    desc.usage = usage;
    halyard_buffer* handle = nullptr;
    check(halyard_buffer_create(device.get(), &desc, &handle));
    return Buffer(handle);
  }
  static Buffer wrap(const Device& device, void* data, std::uint64_t size_bytes) {
    halyard_buffer* handle = nullptr;
    check(halyard_buffer_wrap_host_memory(device.get(), data, size_bytes, &handle));
    return Buffer(handle);
  }

  std::uint64_t size_bytes() const { return halyard_buffer_size_bytes(get()); }
  void* host_pointer() const { return halyard_buffer_host_pointer(get()); }
  void write(std::uint64_t offset_bytes, const void* data, std::uint64_t size_bytes) const {
    check(halyard_buffer_write(get(), offset_bytes, data, size_bytes));
  }
  void read(std::uint64_t offset_bytes, void* data, std::uint64_t size_bytes) const {
    check(halyard_buffer_read(get(), offset_bytes, data, size_bytes));
  }
};

class Constant
    : public Handle<halyard_constant, halyard_constant_retain, halyard_constant_release> {
 public:
  using Handle::Handle;

  static Constant create(const Device& device, halyard_type type,
                         const std::vector<std::int64_t>& shape, const void* data) {
    halyard_constant_desc desc = HALYARD_CONSTANT_DESC_INIT;
    desc.type = type;
    desc.rank = static_cast<std::uint32_t>(shape.size());
    desc.shape = shape.data();
    desc.data = data;
    halyard_constant* handle = nullptr;
    check(halyard_constant_create(device.get(), &desc, &handle));
    return Constant(handle);
  }
  std::uint64_t size_bytes() const { return halyard_constant_size_bytes(get()); }
};

class Semaphore
    : public Handle<halyard_semaphore, halyard_semaphore_retain, halyard_semaphore_release> {
 public:
  using Handle::Handle;

  static Semaphore create(const Device& device, std::uint64_t initial_value = 0) {
    halyard_semaphore* handle = nullptr;
    check(halyard_semaphore_create(device.get(), initial_value, &handle));
    return Semaphore(handle);
  }
  std::uint64_t value() const {
    std::uint64_t value = 0;
    check(halyard_semaphore_value(get(), &value));
    return value;
  }
  void signal(std::uint64_t value) const { check(halyard_semaphore_signal(get(), value)); }
  void wait(std::uint64_t value, std::uint64_t timeout_ns = HALYARD_TIMEOUT_FOREVER) const {
    check(halyard_semaphore_wait(get(), value, timeout_ns));
  }
};

class Operation;
class Sequence;

class Queue : public Handle<halyard_queue, halyard_queue_retain, halyard_queue_release> {
 public:
  using Handle::Handle;

  static Queue create(const Device& device) {
    halyard_queue* handle = nullptr;
    check(halyard_queue_create(device.get(), &handle));
    return Queue(handle);
  }
  inline void enqueue(const Operation& operation, const halyard_launch& launch) const;
  inline void enqueue(const Sequence& sequence) const;
  void copy(const Buffer& source, std::uint64_t source_offset, const Buffer& destination,
            std::uint64_t destination_offset, std::uint64_t size_bytes) const {
    check(halyard_queue_copy(get(), source.get(), source_offset, destination.get(),
                             destination_offset, size_bytes));
  }
  void fill(const Buffer& buffer, std::uint64_t offset, std::uint64_t size_bytes,
            std::uint32_t pattern) const {
    check(halyard_queue_fill(get(), buffer.get(), offset, size_bytes, pattern));
  }
  void wait(const Semaphore& semaphore, std::uint64_t value) const {
    check(halyard_queue_wait(get(), semaphore.get(), value));
  }
  void signal(const Semaphore& semaphore, std::uint64_t value) const {
    check(halyard_queue_signal(get(), semaphore.get(), value));
  }
  void flush() const { check(halyard_queue_flush(get())); }
  void synchronize(std::uint64_t timeout_ns = HALYARD_TIMEOUT_FOREVER) const {
    check(halyard_queue_synchronize(get(), timeout_ns));
  }
  void write_timestamp(std::uint32_t slot) const {
    check(halyard_queue_write_timestamp(get(), slot));
  }
  std::uint64_t timestamp_ns(std::uint32_t slot, std::uint32_t* clock = nullptr) const {
    std::uint64_t time_ns = 0;
    std::uint32_t which = 0;
    check(halyard_queue_read_timestamp(get(), slot, &time_ns, &which));
    if (clock != nullptr) *clock = which;
    return time_ns;
  }
};

class Operation
    : public Handle<halyard_operation, halyard_operation_retain, halyard_operation_release> {
 public:
  using Handle::Handle;

  static Operation prepare(const Device& device, const halyard_operation_desc& desc) {
    halyard_operation* handle = nullptr;
    check(halyard_operation_prepare(device.get(), &desc, &handle));
    return Operation(handle);
  }
  halyard_operation_info info() const {
    halyard_operation_info info = HALYARD_OPERATION_INFO_INIT;
    check(halyard_operation_get_info(get(), &info));
    return info;
  }
  std::uint64_t workspace_bytes(const std::vector<std::int64_t>& axes) const {
    std::uint64_t bytes = 0;
    check(halyard_operation_workspace_bytes(get(), static_cast<std::uint32_t>(axes.size()),
                                            axes.data(), &bytes));
    return bytes;
  }
  const char* explanation() const { return halyard_operation_explanation(get()); }
  bool refresh() const {
    std::uint32_t changed = 0;
    check(halyard_operation_refresh(get(), &changed));
    return changed != 0;
  }
};

class Sequence
    : public Handle<halyard_sequence, halyard_sequence_retain, halyard_sequence_release> {
 public:
  using Handle::Handle;

  static Sequence create(const Device& device) {
    halyard_sequence* handle = nullptr;
    check(halyard_sequence_create(device.get(), &handle));
    return Sequence(handle);
  }
  std::uint32_t add(const Operation& operation, const halyard_launch& launch) const {
    std::uint32_t index = 0;
    check(halyard_sequence_add(get(), operation.get(), &launch, &index));
    return index;
  }
  void update(std::uint32_t index, const halyard_launch& launch) const {
    check(halyard_sequence_update(get(), index, &launch));
  }
};

inline void Queue::enqueue(const Operation& operation, const halyard_launch& launch) const {
  check(halyard_operation_enqueue(operation.get(), get(), &launch));
}

inline void Queue::enqueue(const Sequence& sequence) const {
  check(halyard_sequence_enqueue(sequence.get(), get()));
}

}  // namespace halyard

#endif
