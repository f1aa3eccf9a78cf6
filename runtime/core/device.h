// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/descriptor_merge.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/buffer.h"
#include "runtime/core/capability.h"
#include "runtime/core/executable.h"
#include "runtime/core/queue.h"
#include "runtime/core/semaphore.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::core {

enum class DeviceKind : std::uint32_t {
  kCpu = 1,
  kIntegratedGpu = 2,
  kDiscreteGpu = 3,
  kVirtualGpu = 4,
  kSoftware = 5,  // a GPU interface executed by the CPU; listed, never picked by default
  kEmulator = 6,
};

struct DeviceInfo {
  std::string id;       // "<backend>:<index>", stable within the process
  std::string name;     // the product's name as the driver gives it
  std::string vendor;   // "AMD", "Mesa", …
  std::string backend;  // "cpu", "vulkan", …
  DeviceKind kind = DeviceKind::kCpu;
  std::string driver;       // driver name and version for people
  std::string driver_id;    // changes when the driver changes; part of build and evidence keys
  std::string fingerprint;  // the same card, board or CPU model gives the same text
  std::string physical_id;  // PCI address or UUID; equal for one card seen by two backends
  std::string pci_id;       // vendor and device, "1002:744c"; "" where there is none
  std::vector<std::string> targets;  // machine code it takes, best first
};

// One thing that executes. Immutable, once listed, but for being lost: once a call has answered
// DEVICE_LOST, every later one does. Threads: any number at once.
class Device : public base::RefCounted {
 public:
  const DeviceInfo& info() const { return info_; }
  // The targets separated by one space.
  const std::string& targets_text() const { return targets_text_; }
  const CapabilitySet& capabilities() const { return capabilities_; }
  // The fact that a kernel may count on; null where there is none. That is any of capabilities(),
  // but that a device which takes SPIR-V only offers no instruction that its driver does not
  // report: what its descriptor says of those (descriptors::is_about_instructions) is about the
  // silicon.
  const Capability* fact_for_kernels(std::string_view name) const;
  // The descriptor whose facts are among the capabilities; "" where none is known.
  const std::string& descriptor_id() const { return descriptor_id_; }
  // Where it and the driver say different things, by key.
  const std::vector<descriptors::Disagreement>& disagreements() const { return disagreements_; }

  // Adds what only the descriptor knows. Called before the device is listed, at most once.
  void merge_descriptor(const descriptors::Descriptor& descriptor);

  virtual base::Result<base::Ref<Buffer>> create_buffer(const BufferDesc& desc) = 0;
  // A buffer over memory of the caller, who keeps it valid for the buffer's life. UNSUPPORTED
  // where the device cannot use host memory in place or the alignment does not fit.
  virtual base::Result<base::Ref<Buffer>> wrap_host_memory(void* data,
                                                           std::uint64_t size_bytes) = 0;
  virtual base::Result<base::Ref<Queue>> create_queue() = 0;
  virtual base::Result<base::Ref<Semaphore>> create_semaphore(std::uint64_t initial_value) = 0;
  virtual base::Result<base::Ref<Executable>> load_executable(const ExecutableDesc& desc) = 0;
  // Records dispatches for Queue::replay; each sees the results of those before it.
  virtual base::Result<base::Ref<Recording>> record(std::span<const Dispatch> dispatches) = 0;

 protected:
  Device(DeviceInfo info, CapabilitySet capabilities);
  ~Device() override;

 private:
  DeviceInfo info_;
  std::string targets_text_;
  CapabilitySet capabilities_;
  std::string descriptor_id_;
  std::vector<descriptors::Disagreement> disagreements_;
};

}  // namespace halyard::core
