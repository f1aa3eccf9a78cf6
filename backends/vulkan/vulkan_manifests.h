// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/environment.h"

#include <optional>
#include <string>
#include <vector>

namespace halyard::vulkan {

struct BrokenManifest {
  std::string path;
  std::string reason;  // a sentence
};

// The driver manifests that the Vulkan loader would read, in its order.
struct DriverManifests {
  std::vector<std::string> usable;
  std::vector<BrokenManifest> broken;
};

// Looks where the loader looks: VK_DRIVER_FILES, else VK_ICD_FILENAMES, else VK_ADD_DRIVER_FILES
// and the vulkan/icd.d folders of the user and the system.
DriverManifests find_driver_manifests(
    const base::EnvironmentLookup& lookup = base::process_environment);

// Sets a variable of this process for its own life. No other thread may use the environment
// meanwhile.
class ScopedEnvironmentVariable {
 public:
  ScopedEnvironmentVariable(std::string name, const std::string& value);
  ~ScopedEnvironmentVariable();
  ScopedEnvironmentVariable(const ScopedEnvironmentVariable&) = delete;
  ScopedEnvironmentVariable& operator=(const ScopedEnvironmentVariable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace halyard::vulkan
