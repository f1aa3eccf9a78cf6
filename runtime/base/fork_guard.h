// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace halyard::base {

// Tells whether the process was forked since construction: threads do not survive a fork, and what
// they held stays locked.
// Threads: any number at once.
class ForkGuard {
 public:
  // `what` begins the sentence of check(): "The CPU device".
  explicit ForkGuard(std::string what);
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;
  ~ForkGuard();

  // One load where the kernel can wipe a page on fork, a getpid() elsewhere.
  bool in_child() const {
    return marker_ != nullptr ? marker_->load(std::memory_order_relaxed) == 0 : pid_differs();
  }
  // UNAVAILABLE in a child.
  Status check() const;

 private:
  bool pid_differs() const;

  std::string what_;
  std::atomic<std::uint32_t>* marker_ = nullptr;  // in a page that a fork wipes, or null
  pid_t pid_;
};

}  // namespace halyard::base
