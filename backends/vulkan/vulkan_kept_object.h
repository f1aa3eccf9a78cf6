// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"

#include <atomic>
#include <cstdint>

namespace halyard::vulkan {

// What a command buffer keeps alive while the device may use it.
class KeptObject : public base::RefCounted {
 public:
  // False when the owner of `epoch`, a number that no other command buffer has, has asked before;
  // it may also be true again after another one has asked.
  bool is_new_to(std::uint64_t epoch) {
    if (epoch_.load(std::memory_order_relaxed) == epoch) return false;
    epoch_.store(epoch, std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<std::uint64_t> epoch_{0};
};

}  // namespace halyard::vulkan
