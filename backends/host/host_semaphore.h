// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/host/host_timeline.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/semaphore.h"

#include <chrono>
#include <cstdint>

namespace halyard::host {

// What applications, and commands that signal, hold of a timeline.
class HostSemaphore final : public core::Semaphore {
 public:
  HostSemaphore(core::Device& device, base::Ref<HostTimeline> timeline);

  base::Result<std::uint64_t> value() override;
  base::Status signal(std::uint64_t value) override;
  base::Status wait(std::uint64_t value, std::chrono::nanoseconds timeout) override;

  const base::Ref<HostTimeline>& timeline() const { return timeline_; }

 private:
  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  // Ends the waits for values that are not reached.
  ~HostSemaphore() override;

  base::Ref<HostTimeline> timeline_;
};

}  // namespace halyard::host
