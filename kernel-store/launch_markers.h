// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::store {

// A use of a kernel that is not known to end well.
struct LaunchMarker {
  KernelId kernel{};
  std::string target;
  std::string device;  // Fingerprint.
  std::string driver;
};

// Marks of kernels in their first launch. A mark whose process is gone tells that the launch took
// the process, or the machine, with it.
class LaunchMarkers {
 public:
  virtual ~LaunchMarkers() = default;

  // Marks and unmarks for the calling process; on the disk when they return.
  virtual base::Status put_marker(const LaunchMarker& marker) = 0;
  virtual base::Status remove_marker(const LaunchMarker& marker) = 0;
  // Marks left by processes of this machine that are gone, each once; they stay until cleared.
  virtual base::Result<std::vector<LaunchMarker>> stale_markers() = 0;
  // Removes what stale processes left for this use of the kernel.
  virtual base::Status clear_stale_markers(const LaunchMarker& marker) = 0;
};

}  // namespace halyard::store
