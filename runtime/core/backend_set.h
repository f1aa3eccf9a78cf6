// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/backend.h"
#include "runtime/core/device_descriptors.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::core {

// What became of a backend: its devices, or the reason for having none.
struct BackendReport {
  std::string name;
  std::size_t device_count = 0;
  std::string reason;              // empty when it has devices
  std::vector<std::string> notes;  // library path, versions, workarounds in force
};

struct NamedBackendFactory {
  std::string_view name;
  BackendFactory create;
};

// The backends of a process and their devices. Creating one opens no driver; each backend is
// enumerated on the first call that needs it, and one that fails or hangs leaves the others as they
// are for the calls that name them.
// Threads: any number at once.
class BackendSet {
 public:
  BackendSet(std::span<const NamedBackendFactory> factories,
             base::Ref<const BackendSettings> settings);
  ~BackendSet();

  // All devices of all backends, best first within a backend.
  std::vector<base::Ref<Device>> devices();
  // "cpu:0", "vulkan:1", a backend's name for its first device, or a physical id behind the
  // backend's name. Enumerates no other backend. "default" is the best GPU that is no software,
  // else the CPU. NOT_FOUND lists what there is.
  base::Result<base::Ref<Device>> device(std::string_view id);
  std::vector<BackendReport> reports();

 private:
  struct Entry;

  // Enumerates on the first call. What it fills does not change afterwards.
  const Entry& enumerate_once(Entry& entry);
  void enumerate(Entry& entry);
  base::Result<base::Ref<Device>> default_device();

  base::Ref<const BackendSettings> settings_;
  DeviceDescriptors descriptors_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace halyard::core
