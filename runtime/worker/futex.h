// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

namespace halyard::worker {

// Between processes, so not the private kind. May return early.
inline void futex_wait_shared(std::atomic<std::uint32_t>& word, std::uint32_t value,
                              std::chrono::nanoseconds at_most) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  const timespec limit{static_cast<std::time_t>(seconds.count()),
                       static_cast<long>((at_most - seconds).count())};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &limit, nullptr, 0);
}

inline void futex_wake_shared(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// Spins until `word` leaves `value`; false when `limit` passes first.
inline bool spin_until_changed(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                               std::chrono::nanoseconds limit) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (word.load(std::memory_order_acquire) != value) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() - start < limit);
  return false;
}

}  // namespace halyard::worker
