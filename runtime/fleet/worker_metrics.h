// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace halyard::fleet {

// What one worker has done since it started. Threads: any number at once.
struct WorkerMetrics {
  std::atomic<std::uint64_t> requests_done{0};
  std::atomic<std::uint64_t> requests_failed{0};
  std::atomic<std::uint64_t> requests_given_back{0};
  std::atomic<std::uint64_t> claims_lost{0};
  std::atomic<std::uint64_t> store_failures{0};
  std::atomic<std::int64_t> queue_depth{-1};  // Below 0: not known.
  std::atomic<std::int64_t> busy_ms{0};
  std::atomic<bool> is_busy{false};

  // In the text format of Prometheus; what is not known is left out.
  std::string text() const;
};

}  // namespace halyard::fleet
