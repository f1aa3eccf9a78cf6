// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/approval_records.h"
#include "kernel-store/trust/signing_key.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// Signs `approval` with the origin set to `key`. Errors: kInvalidArgument for another state than
// verified, promoted, quarantined and retired, a verified or promoted one without evidence, no
// target, sequence 0, or an expiry that is not after the issue.
base::Result<SignedApproval> sign_approval(Approval approval, const SigningKey& key);

// Signs `approval` with the next sequence of the key and `now_ms` as the time of issue, and keeps
// it.
base::Result<Approval> issue_approval(ApprovalRecords& records, Approval approval,
                                      const SigningKey& key, std::int64_t now_ms);

// The approval, once its signature is that of its origin over its document.
// Errors: kCorruptData; kPermissionDenied for a signature that does not fit.
base::Result<Approval> check_signature(const SignedApproval& signed_approval);

// As check_signature(), and for kernel `kernel`, of a key in `trust` that may say so at `now_ms`,
// and in force then. Errors: kPermissionDenied with the reason. Replays are the caller's to tell.
base::Result<Approval> check_approval(const SignedApproval& signed_approval, const KernelId& kernel,
                                      const TrustList& trust, std::int64_t now_ms);

// What trusted keys say of a kernel at a place.
struct ApprovalStanding {
  enum class Weight : std::uint8_t { kNone, kTrustedKey, kLocalKey };

  Weight weight = Weight::kNone;     // The best key that says verified or promoted.
  std::string label;                 // Of that key.
  std::optional<Approval> approval;  // Its approval.
  // A sentence when a trusted key says quarantined or retired, which outweighs all others.
  std::string objection;
  // A sentence for each approval that does not count.
  std::vector<std::string> refused;
};

// Of each origin the approval of the largest sequence for the target counts, and no older one, also
// when it has expired or does not cover the driver.
ApprovalStanding approval_standing(std::span<const SignedApproval> approvals,
                                   const KernelId& kernel, std::string_view target,
                                   std::string_view driver, const TrustList& trust,
                                   std::int64_t now_ms);

// Who stands for a trusted key in a history: "key <label>".
std::string key_name(const TrustedKey& key);
bool is_key_name(std::string_view who);

// How far the clock of an origin may be ahead.
inline constexpr std::int64_t kMaxClockDifferenceMs = 10 * 60 * 1000;

}  // namespace halyard::store
