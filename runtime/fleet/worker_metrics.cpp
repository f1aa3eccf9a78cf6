// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/worker_metrics.h"

#include "runtime/base/text.h"

#include <string_view>

namespace halyard::fleet {
namespace {

template <typename Number>
void append_metric(std::string& out, std::string_view name, std::string_view kind,
                   std::string_view help, Number value) {
  out += base::concat("# HELP ", name, ' ', help, "\n# TYPE ", name, ' ', kind, '\n', name, ' ',
                      value, '\n');
}

}  // namespace

std::string WorkerMetrics::text() const {
  std::string out;
  append_metric(out, "halyard_worker_requests_done_total", "counter",
                "Requests settled with a verdict.", requests_done.load());
  append_metric(out, "halyard_worker_requests_failed_total", "counter",
                "Requests settled as failed, without a verdict.", requests_failed.load());
  append_metric(out, "halyard_worker_requests_given_back_total", "counter",
                "Requests opened again without an answer.", requests_given_back.load());
  append_metric(out, "halyard_worker_claims_lost_total", "counter",
                "Claims that ended before they were settled.", claims_lost.load());
  append_metric(out, "halyard_worker_store_failures_total", "counter",
                "Calls of the store that failed.", store_failures.load());
  append_metric(out, "halyard_worker_busy_seconds_total", "counter", "Time spent on requests.",
                static_cast<double>(busy_ms.load()) / 1000);
  append_metric(out, "halyard_worker_busy", "gauge", "1 while a request is worked on.",
                is_busy.load() ? 1 : 0);
  if (const std::int64_t depth = queue_depth.load(); depth >= 0) {
    append_metric(out, "halyard_worker_queue_depth", "gauge",
                  "Open and claimed requests that this worker's devices can do.", depth);
  }
  return out;
}

}  // namespace halyard::fleet
