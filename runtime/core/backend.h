// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/environment.h"
#include "runtime/base/log.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::core {

// What backends and their devices may use from their surroundings. A device that needs it keeps a
// reference, since buffers keep devices alive beyond the instance.
// Threads: any number at once; the configuration does not change.
struct BackendSettings final : public base::RefCounted {
  explicit BackendSettings(base::Configuration values, void (*confine_kernel_thread_)() = nullptr)
      : configuration(std::move(values)),
        confine_kernel_thread(confine_kernel_thread_),
        log(configuration.log_level.value) {}

  const base::Configuration configuration;
  // Called by each thread that a backend starts to run kernels on, before the first kernel. With it
  // such threads are started with the device instead of with the first launch. May be null.
  void (*const confine_kernel_thread)();
  mutable base::Log log;
};

// Our code over one driver. Creating one touches no driver.
// Threads: `enumerate` is called once, and `notes` after it; meanwhile other backends may do so.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  // Loads the driver and lists its devices. A failure is the reason why there are none, for
  // people to read; the other backends are unaffected.
  virtual base::Result<std::vector<base::Ref<Device>>> enumerate() = 0;
  // Facts for `doctor` once enumerated: library path, versions, workarounds in force.
  virtual std::vector<std::string> notes() const = 0;
};

using BackendFactory = std::unique_ptr<Backend> (*)(const BackendSettings& settings);

}  // namespace halyard::core
