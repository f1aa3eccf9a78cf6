// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "runtime/base/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

enum class RequestStatus : std::uint8_t { kOpen, kClaimed, kDone, kFailed, kCancelled };

std::string_view request_status_name(RequestStatus status);

using RequestId = Digest;

// An ask for a kernel that is missing or too slow: a JSON document, and what became of it.
struct Request {
  RequestId id{};
  std::string document;  // Canonical JSON.
  RequestStatus status = RequestStatus::kOpen;
  std::string outcome;
  std::int64_t time_ms = 0;  // Since 1970 UTC.
};

// The right to settle a request until the lease ends. Each claim of a request has a larger token
// than the one before.
struct RequestClaim {
  RequestId id{};
  std::string document;
  std::uint64_t token = 0;
};

// Requests and who works on them.
class RequestQueue {
 public:
  virtual ~RequestQueue() = default;

  // The same document is one request; putting it again changes nothing.
  virtual base::Result<RequestId> put_request(std::string_view document) = 0;
  // The oldest request that is open or whose lease has ended; nothing when there is none.
  virtual base::Result<std::optional<RequestClaim>> claim_request(std::string_view owner,
                                                                  std::chrono::seconds lease) = 0;
  // Errors: kPermissionDenied when a later claim has taken the request over, or it is settled.
  virtual base::Status settle_request(const RequestClaim& claim, RequestStatus status,
                                      std::string_view outcome) = 0;
  // The oldest first.
  virtual base::Result<std::vector<Request>> list_requests() = 0;
};

}  // namespace halyard::store
