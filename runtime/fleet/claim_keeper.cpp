// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/claim_keeper.h"

#include <utility>

namespace halyard::fleet {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kGlance{100};  // Between two looks at whether to stop.

}  // namespace

ClaimKeeper::ClaimKeeper(store::RequestQueue& queue, store::RequestClaim claim,
                         std::chrono::seconds lease, std::function<bool()> should_stop,
                         std::function<void()> gave_back)
    : queue_(queue),
      claim_(std::move(claim)),
      lease_(lease),
      should_stop_(std::move(should_stop)),
      gave_back_(std::move(gave_back)),
      thread_([this] { run(); }) {}

ClaimKeeper::~ClaimKeeper() {
  end();
}

ClaimKeeper::Claim ClaimKeeper::end() {
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
  return state_;
}

// A store that does not answer is asked again at the next turn, while the lease lasts.
bool ClaimKeeper::renew() {
  const base::Status renewed = queue_.renew_claim(claim_, lease_);
  if (renewed || renewed.error().code() == base::ErrorCode::kUnavailable) return true;
  state_ = Claim::kLost;
  return false;
}

void ClaimKeeper::run() {
  auto next = steady_clock::now() + lease_ / 3;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kGlance, [this] { return is_ended_; })) {
    if (should_stop_()) {
      state_ = queue_.settle_request(claim_, {store::RequestStatus::kOpen, {}, {}, {}})
                   ? Claim::kGivenBack
                   : Claim::kLost;
      lock.unlock();
      gave_back_();
      return;
    }
    if (steady_clock::now() < next) continue;
    if (!renew()) return;
    next = steady_clock::now() + lease_ / 3;
  }
}

}  // namespace halyard::fleet
