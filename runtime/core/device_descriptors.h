// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor_catalog.h"
#include "runtime/base/ref.h"
#include "runtime/core/backend.h"
#include "runtime/core/device.h"

#include <cstddef>
#include <mutex>
#include <optional>

namespace halyard::core {

// The descriptors of this machine, shipped and imported, for the devices that its drivers list.
// Creating one touches no file.
// Threads: any number at once.
class DeviceDescriptors {
 public:
  explicit DeviceDescriptors(base::Ref<const BackendSettings> settings);

  // Merges the descriptor that fits under what the driver says. A descriptor or folder that cannot
  // be read is a warning in the log, each told once, and the device stays as it is.
  void merge_into(Device& device);

 private:
  const descriptors::DescriptorCatalog* catalog();
  void warn(const base::Error& error) const;

  base::Ref<const BackendSettings> settings_;
  std::mutex mutex_;  // guards all below
  bool opened_ = false;
  std::optional<descriptors::DescriptorCatalog> catalog_;
  std::size_t told_ = 0;  // of the catalog's problems
};

}  // namespace halyard::core
