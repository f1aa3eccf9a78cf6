// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/approval_check.h"

#include "kernel-store/trust/public_key.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Of two processes that issue at once one meets a replay and takes the next sequence.
constexpr int kIssueTries = 16;
constexpr std::string_view kKeyNamePrefix = "key ";

bool is_approving(KernelState state) {
  return state == KernelState::kVerified || state == KernelState::kPromoted;
}

// Names an approval in a message: "The approval 0123456789abcdef of ed25519:… for kernel …".
std::string name_of(const Approval& approval, const SignedApproval& signed_approval) {
  const std::string id = digest_text(base::Sha256::of(signed_approval.document));
  return concat("The approval ", id.substr(0, 16), " of key ", key_fingerprint(approval.origin));
}

Error refused(std::string message) {
  return Error(ErrorCode::kPermissionDenied, std::move(message));
}

Status check_form(const Approval& approval) {
  const auto invalid = [](std::string message) {
    return Error(ErrorCode::kInvalidArgument, std::move(message));
  };
  switch (approval.state) {
    case KernelState::kVerified:
    case KernelState::kPromoted:
      if (!approval.evidence) {
        return invalid(concat("An approval of ", kernel_state_name(approval.state),
                              " names no evidence that it rests on."));
      }
      break;
    case KernelState::kQuarantined:
    case KernelState::kRetired:
      break;
    case KernelState::kCandidate:
    case KernelState::kSelfTested:
      return invalid(concat("An approval is to say ", kernel_state_name(approval.state),
                            ", and it says one of verified, promoted, quarantined and retired."));
  }
  if (approval.expires_ms != 0 && approval.expires_ms <= approval.issued_ms) {
    return invalid(concat("An approval expires (", approval.expires_ms,
                          ") no later than it is issued (", approval.issued_ms, ")."));
  }
  return base::ok();
}

// Whether `key` may say what `approval` says, and when.
Status check_key(const Approval& approval, const TrustedKey& key, const std::string& name,
                 std::int64_t now_ms) {
  if (now_ms < key.not_before_ms || approval.issued_ms < key.not_before_ms) {
    return refused(concat(name, " does not count: its key \"", key.label, "\" is trusted from ",
                          key.not_before_ms, " ms on, and the approval is of ", approval.issued_ms,
                          " ms at ", now_ms, " ms."));
  }
  if (key.expires_ms != 0 && now_ms >= key.expires_ms) {
    return refused(concat(name, " does not count: the trust in its key \"", key.label,
                          "\" has ended at ", key.expires_ms, " ms, and it is ", now_ms, " ms."));
  }
  if (!key.may(approval.state)) {
    return refused(concat(name, " does not count: its key \"", key.label, "\" may not say ",
                          kernel_state_name(approval.state), '.'));
  }
  return base::ok();
}

Status check_times(const Approval& approval, const std::string& name, std::int64_t now_ms) {
  if (approval.issued_ms > now_ms + kMaxClockDifferenceMs) {
    return refused(concat(name, " does not count: it is issued at ", approval.issued_ms,
                          " ms, which is later than now (", now_ms, " ms)."));
  }
  if (approval.expires_ms != 0 && now_ms >= approval.expires_ms) {
    return refused(concat(name, " does not count: it has expired at ", approval.expires_ms,
                          " ms, and it is ", now_ms, " ms."));
  }
  return base::ok();
}

}  // namespace

std::string key_name(const TrustedKey& key) {
  return concat(kKeyNamePrefix, key.label);
}

bool is_key_name(std::string_view who) {
  return who.starts_with(kKeyNamePrefix);
}

Result<SignedApproval> sign_approval(Approval approval, const SigningKey& key) {
  approval.origin = key.public_key();
  std::sort(approval.builds.begin(), approval.builds.end());
  HALYARD_TRY(check_form(approval));
  SignedApproval signed_approval;
  signed_approval.document = approval_json(approval);
  // The readers' bounds hold for what is written too.
  if (auto read = parse_approval(signed_approval.document, "approval"); !read) {
    return Error(ErrorCode::kInvalidArgument, read.error().message());
  }
  signed_approval.signature = key.sign(kApprovalDomain, signed_approval.document);
  return signed_approval;
}

Result<Approval> issue_approval(ApprovalRecords& records, Approval approval, const SigningKey& key,
                                std::int64_t now_ms) {
  approval.origin = key.public_key();
  approval.issued_ms = now_ms;
  for (int attempt = 1;; ++attempt) {
    HALYARD_TRY_ASSIGN(const std::uint64_t last, records.last_sequence(approval.origin));
    approval.sequence = last + 1;
    HALYARD_TRY_ASSIGN(const SignedApproval signed_approval, sign_approval(approval, key));
    const Status put = records.put_approval(signed_approval);
    if (put) return approval;
    if (put.error().code() != ErrorCode::kPermissionDenied || attempt == kIssueTries) {
      return put.error();
    }
    // A store that cannot be written refuses too, and its sequence stays.
    HALYARD_TRY_ASSIGN(const std::uint64_t now, records.last_sequence(approval.origin));
    if (now == last) return put.error();
  }
}

Result<Approval> check_signature(const SignedApproval& signed_approval) {
  HALYARD_TRY_ASSIGN(const Approval approval, parse_approval(signed_approval.document, "approval"));
  if (!verify_signature(approval.origin, kApprovalDomain, signed_approval.document,
                        signed_approval.signature)) {
    return refused(concat(name_of(approval, signed_approval),
                          " does not count: its signature is not that of its key over it."));
  }
  return approval;
}

Result<Approval> check_approval(const SignedApproval& signed_approval, const KernelId& kernel,
                                const TrustList& trust, std::int64_t now_ms) {
  HALYARD_TRY_ASSIGN(const Approval approval, check_signature(signed_approval));
  const std::string name = name_of(approval, signed_approval);
  if (approval.kernel != kernel) {
    return refused(concat(name, " does not count: it is of kernel ", digest_text(approval.kernel),
                          ", not of ", digest_text(kernel), '.'));
  }
  const TrustedKey* const key = trust.find(approval.origin);
  if (key == nullptr) {
    return refused(concat(name, " does not count: the key ", public_key_text(approval.origin),
                          " is not trusted."));
  }
  HALYARD_TRY(check_key(approval, *key, name, now_ms));
  HALYARD_TRY(check_times(approval, name, now_ms));
  if (const Status form = check_form(approval); !form) {
    return refused(concat(name, " does not count: ", form.error().message()));
  }
  return approval;
}

ApprovalStanding approval_standing(std::span<const SignedApproval> approvals,
                                   const KernelId& kernel, std::string_view target,
                                   std::string_view driver, const TrustList& trust,
                                   std::int64_t now_ms) {
  ApprovalStanding standing;
  // The last word of each origin; whoever sent the others cannot bring them back.
  std::map<PublicKey, std::pair<std::uint64_t, const SignedApproval*>> newest;
  for (const SignedApproval& signed_approval : approvals) {
    const Result<Approval> approval = check_signature(signed_approval);
    if (!approval) {
      standing.refused.push_back(approval.error().message());
      continue;
    }
    if (approval->kernel != kernel) {
      standing.refused.push_back(
          check_approval(signed_approval, kernel, trust, now_ms).error().message());
      continue;
    }
    if (approval->target != target) continue;
    auto& last = newest[approval->origin];
    if (last.second == nullptr || last.first < approval->sequence) {
      last = {approval->sequence, &signed_approval};
    }
  }
  for (const auto& [origin, last] : newest) {
    Result<Approval> approval = check_approval(*last.second, kernel, trust, now_ms);
    if (!approval) {
      standing.refused.push_back(approval.error().message());
      continue;
    }
    if (!approval->drivers.contains(driver)) {
      standing.refused.push_back(concat(name_of(*approval, *last.second),
                                        " does not count: it is not for driver \"", driver, "\"."));
      continue;
    }
    const TrustedKey& key = *trust.find(origin);
    if (!is_approving(approval->state)) {
      standing.objection = concat("Key \"", key.label, "\" says that the kernel is ",
                                  kernel_state_name(approval->state), " on ", target, '.');
      continue;
    }
    const auto weight =
        key.local ? ApprovalStanding::Weight::kLocalKey : ApprovalStanding::Weight::kTrustedKey;
    if (weight <= standing.weight) continue;
    standing.weight = weight;
    standing.label = key.label;
    standing.approval = std::move(*approval);
  }
  return standing;
}

}  // namespace halyard::store
