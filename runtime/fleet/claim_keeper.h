// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/request_queue.h"
#include "runtime/base/result.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace halyard::fleet {

// Renews a claim on a thread of its own while it is worked on, and gives it back when the worker
// shall stop. The queue is borrowed; it is used by this thread while it lives.
class ClaimKeeper {
 public:
  enum class Claim : std::uint8_t { kHeld, kLost, kGivenBack };

  // `should_stop` and `gave_back` are called on the keeper's thread.
  ClaimKeeper(store::RequestQueue& queue, store::RequestClaim claim, std::chrono::seconds lease,
              std::function<bool()> should_stop, std::function<void()> gave_back);
  ~ClaimKeeper();
  ClaimKeeper(const ClaimKeeper&) = delete;
  ClaimKeeper& operator=(const ClaimKeeper&) = delete;

  // Ends the thread; what has become of the claim.
  Claim end();

 private:
  void run();
  // False when there is nothing left to keep.
  bool renew();

  store::RequestQueue& queue_;
  const store::RequestClaim claim_;
  const std::chrono::seconds lease_;
  const std::function<bool()> should_stop_;
  const std::function<void()> gave_back_;
  std::mutex mutex_;  // Guards what follows.
  std::condition_variable ended_;
  bool is_ended_ = false;
  Claim state_ = Claim::kHeld;
  std::thread thread_;
};

}  // namespace halyard::fleet
