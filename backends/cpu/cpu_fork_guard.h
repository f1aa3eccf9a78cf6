// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace halyard::cpu {

// Tells whether the process was forked since construction: threads do not survive a fork.
// Threads: any number at once.
class CpuForkGuard {
 public:
  CpuForkGuard();
  CpuForkGuard(const CpuForkGuard&) = delete;
  CpuForkGuard& operator=(const CpuForkGuard&) = delete;
  ~CpuForkGuard();

  // One load where the kernel can wipe a page on fork, a getpid() elsewhere.
  bool in_child() const {
    return marker_ != nullptr ? marker_->load(std::memory_order_relaxed) == 0 : pid_differs();
  }
  // UNAVAILABLE in a child.
  base::Status check() const;

 private:
  bool pid_differs() const;

  std::atomic<std::uint32_t>* marker_ = nullptr;  // in a page that a fork wipes, or null
  pid_t pid_;
};

}  // namespace halyard::cpu
