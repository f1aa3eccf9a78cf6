// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_timeline.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/semaphore.h"

#include <chrono>
#include <cstdint>

namespace halyard::cpu {

// What applications, and commands that signal, hold of a timeline.
class CpuSemaphore final : public core::Semaphore {
 public:
  CpuSemaphore(core::Device& device, base::Ref<CpuTimeline> timeline);

  base::Result<std::uint64_t> value() override;
  base::Status signal(std::uint64_t value) override;
  base::Status wait(std::uint64_t value, std::chrono::nanoseconds timeout) override;

  const base::Ref<CpuTimeline>& timeline() const { return timeline_; }

 private:
  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  // Ends the waits for values that are not reached.
  ~CpuSemaphore() override;

  base::Ref<CpuTimeline> timeline_;
};

}  // namespace halyard::cpu
