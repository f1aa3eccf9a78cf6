// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// What is asked for.
enum class RequestKind : std::uint8_t { kKernel, kVerification, kMeasurement };
enum class RequestStatus : std::uint8_t { kOpen, kClaimed, kDone, kFailed, kCancelled };

// "kernel", "verification", "measurement".
std::string_view request_kind_name(RequestKind kind);
std::optional<RequestKind> request_kind_from_name(std::string_view name);
std::string_view request_status_name(RequestStatus status);
std::optional<RequestStatus> request_status_from_name(std::string_view name);

using RequestId = Digest;

// What is to be done on a target: a JSON document, and what became of it.
struct Request {
  RequestId id{};  // SHA-256 of the document.
  RequestKind kind = RequestKind::kKernel;
  std::string target;    // Empty when any will do.
  std::string document;  // Canonical JSON.
  RequestStatus status = RequestStatus::kOpen;
  std::string owner;  // Of the last claim.
  std::uint64_t attempts = 0;
  std::string outcome;
  std::int64_t time_ms = 0;  // Since 1970 UTC.
};

// What a claimant can do; an empty list stands for all.
struct RequestFilter {
  std::vector<RequestKind> kinds;
  std::vector<std::string> targets;  // Requests without a target match too.
};

// The right to settle a request until the lease ends. Each claim of a request has a larger token
// than the one before (a fencing token).
struct RequestClaim {
  RequestId id{};
  RequestKind kind = RequestKind::kKernel;
  std::string target;
  std::string document;
  std::uint64_t token = 0;
};

// How a claim ends.
struct RequestSettlement {
  RequestStatus status = RequestStatus::kDone;  // Done, failed, or open to give it back.
  std::string outcome;
  // Stored in the same transaction, or not at all.
  std::vector<EvidenceRecord> evidence;
  // Appended by judge_transition() after the evidence; a refused one refuses the settlement.
  std::vector<StateChange> states;
};

// A request that was claimed this often without being settled fails at the next claim. A claim that
// is given back does not count.
inline constexpr std::uint64_t kMaxRequestAttempts = 5;

// Requests and who works on them. Leases end by the clock of the store's engine.
class RequestQueue {
 public:
  virtual ~RequestQueue() = default;

  // The same document is one request; putting it again changes nothing, but opens one that failed
  // or was cancelled.
  virtual base::Result<RequestId> put_request(RequestKind kind, std::string_view target,
                                              std::string_view document) = 0;
  // The oldest request that matches and is open or whose lease has ended; nothing when there is
  // none.
  virtual base::Result<std::optional<RequestClaim>> claim_request(std::string_view owner,
                                                                  const RequestFilter& filter,
                                                                  std::chrono::seconds lease) = 0;
  // Lets the lease end `lease` from now. Errors: as settle_request().
  virtual base::Status renew_claim(const RequestClaim& claim, std::chrono::seconds lease) = 0;
  // Errors: kPermissionDenied when a later claim has taken the request over, its lease has ended,
  // or it is settled or cancelled; then nothing is stored.
  virtual base::Status settle_request(const RequestClaim& claim,
                                      const RequestSettlement& settlement) = 0;
  // Of an open or claimed request; one that is cancelled stays so. Errors: kNotFound;
  // kPermissionDenied when it is done or failed.
  virtual base::Status cancel_request(const RequestId& id) = 0;
  // The oldest first.
  virtual base::Result<std::vector<Request>> list_requests() = 0;
  // How many requests that match are open or claimed.
  virtual base::Result<std::uint64_t> count_pending(const RequestFilter& filter) = 0;
};

}  // namespace halyard::store
