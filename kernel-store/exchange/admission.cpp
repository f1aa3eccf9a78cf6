// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/admission.h"

#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

bool is_approving(KernelState state) {
  return state == KernelState::kVerified || state == KernelState::kPromoted;
}

std::string kernel_text(const KernelPackage& package) {
  return concat("Kernel \"", shown_name(package.record.name), "\" (",
                digest_text(package.id).substr(0, 16), ")");
}

Error corrupt(const KernelPackage& package, std::string_view what) {
  return Error(ErrorCode::kCorruptData, concat(kernel_text(package), ' ', what, '.'));
}

// Whether `approval` rests on one of `records`, which is evidence that its kernel passed there.
bool rests_on(const Approval& approval, const std::vector<EvidenceRecord>& records) {
  if (!approval.evidence) return !is_approving(approval.state);
  return std::any_of(records.begin(), records.end(), [&](const EvidenceRecord& record) {
    return evidence_id(record) == *approval.evidence && record.target == approval.target &&
           (!is_approving(approval.state) || record.verdict == Verdict::kPass);
  });
}

std::string times(std::size_t count, std::string_view one, std::string_view more) {
  return count == 1 ? concat("1 ", one, " is") : concat(count, ' ', more, " are");
}

}  // namespace

Status check_arriving(const ArrivingKernel& kernel) {
  const KernelPackage& package = kernel.package;
  const KernelId id = compute_kernel_id({package.record.canonical_json, &package.files,
                                         package.record.prelude ? *package.record.prelude : "",
                                         package.prelude_digest});
  if (id != package.id) {
    return corrupt(package, concat("has the identity ", digest_text(id)));
  }
  for (const BuildRecord& build : kernel.builds) {
    if (build.inputs.kernel != id) {
      return corrupt(package,
                     concat("comes with a build of kernel ", digest_text(build.inputs.kernel)));
    }
  }
  for (const EvidenceRecord& record : kernel.evidence) {
    if (record.kernel != id) {
      return corrupt(package, concat("comes with evidence of kernel ", digest_text(record.kernel)));
    }
  }
  for (const SignedApproval& signed_approval : kernel.approvals)
    HALYARD_TRY(check_arriving_approval(package, signed_approval));
  return base::ok();
}

Status check_arriving_approval(const KernelPackage& package,
                               const SignedApproval& signed_approval) {
  HALYARD_TRY_ASSIGN(const Approval approval, check_signature(signed_approval));
  if (approval.kernel == package.id) return base::ok();
  return corrupt(package,
                 concat("comes with an approval of kernel ", digest_text(approval.kernel)));
}

Admission::Admission(KernelStore& store, const TrustList& trust, std::int64_t now_ms,
                     bool is_vouched_for, ExchangeReport& report)
    : store_(store),
      trust_(trust),
      now_ms_(now_ms),
      is_vouched_for_(is_vouched_for),
      report_(report) {}

Status Admission::admit(const ArrivingKernel& kernel, const BlobSource& blobs) {
  report_.offered.kernels += 1;
  report_.offered.builds += kernel.builds.size();
  report_.offered.evidence += kernel.evidence.size();
  report_.offered.approvals += kernel.approvals.size();
  report_.offered.states += kernel.history.size();
  HALYARD_TRY_ASSIGN(const std::vector<Accepted> accepted, accept_approvals(kernel));
  HALYARD_TRY(put_kernel(kernel));
  HALYARD_TRY(put_evidence(kernel, accepted));
  HALYARD_TRY(put_builds(kernel, accepted, blobs));
  for (const Accepted& one : accepted)
    HALYARD_TRY(put_approval(kernel, one));
  return note_claims(kernel, accepted);
}

Result<std::vector<Admission::Accepted>> Admission::accept_approvals(const ArrivingKernel& kernel) {
  HALYARD_TRY_ASSIGN(const std::vector<SignedApproval> known,
                     store_.approvals().find_approvals(kernel.package.id));
  HALYARD_TRY_ASSIGN(const std::vector<EvidenceRecord> evidence,
                     store_.find_evidence({kernel.package.id, {}, {}, {}, {}, {}}));
  // The last word of each origin on a target, here or there.
  using Subject = std::pair<PublicKey, std::string>;
  std::map<Subject, std::uint64_t> last;
  std::set<std::string> present;
  for (const SignedApproval& signed_approval : known) {
    const Result<Approval> approval = check_signature(signed_approval);
    if (!approval) continue;
    present.insert(signed_approval.document);
    std::uint64_t& sequence = last[{approval->origin, approval->target}];
    sequence = std::max(sequence, approval->sequence);
  }
  std::map<Subject, Accepted> newest;
  for (const SignedApproval& signed_approval : kernel.approvals) {
    Result<Approval> approval = check_approval(signed_approval, kernel.package.id, trust_, now_ms_);
    if (!approval) {
      report_.note(approval.error().message());
      continue;
    }
    Subject subject{approval->origin, approval->target};
    const bool is_present = present.contains(signed_approval.document);
    const std::uint64_t here = last.contains(subject) ? last[subject] : 0;
    if (here > approval->sequence || (here == approval->sequence && !is_present)) {
      if (is_present) continue;
      report_.note(concat(kernel_text(kernel.package), " has an approval of sequence ", here,
                          " of the same key on ", approval->target, ", so one of sequence ",
                          approval->sequence, " is a replay."));
      continue;
    }
    if (!rests_on(*approval, kernel.evidence) && !rests_on(*approval, evidence)) {
      report_.note(concat(kernel_text(kernel.package), " has an approval of ",
                          kernel_state_name(approval->state), " on ", approval->target,
                          " without the passed evidence that it names."));
      continue;
    }
    Accepted& held = newest[subject];
    if (held.signed_approval != nullptr && held.approval.sequence >= approval->sequence) continue;
    held = {&signed_approval, std::move(*approval), is_present};
  }
  std::vector<Accepted> accepted;
  for (auto& [subject, one] : newest)
    accepted.push_back(std::move(one));
  return accepted;
}

Status Admission::put_kernel(const ArrivingKernel& kernel) {
  HALYARD_TRY_ASSIGN(const auto present, store_.get_kernel(kernel.package.id));
  if (present) return base::ok();
  HALYARD_TRY(store_.put_kernel(kernel.package));
  ++report_.added.kernels;
  return base::ok();
}

Status Admission::put_evidence(const ArrivingKernel& kernel,
                               const std::vector<Accepted>& accepted) {
  HALYARD_TRY_ASSIGN(const std::vector<EvidenceRecord> known,
                     store_.find_evidence({kernel.package.id, {}, {}, {}, {}, {}}));
  std::set<EvidenceId> present;
  for (const EvidenceRecord& record : known)
    present.insert(evidence_id(record));
  std::set<EvidenceId> named;
  for (const Accepted& one : accepted) {
    if (one.approval.evidence) named.insert(*one.approval.evidence);
  }
  std::size_t left_out = 0;
  for (const EvidenceRecord& record : kernel.evidence) {
    const EvidenceId id = evidence_id(record);
    if (present.contains(id)) continue;
    // A self-test tells about the machine that made it.
    const bool travels = is_vouched_for_ && record.kind != EvidenceKind::kSelfTest;
    if (!travels && !named.contains(id)) {
      ++left_out;
      continue;
    }
    HALYARD_TRY(store_.put_evidence(record));
    ++report_.added.evidence;
  }
  if (left_out != 0) {
    report_.note(concat(kernel_text(kernel.package), ": ",
                        times(left_out, "evidence record", "evidence records"),
                        " left out, being self-tests or without a trusted key that names them."));
  }
  return base::ok();
}

Status Admission::put_builds(const ArrivingKernel& kernel, const std::vector<Accepted>& accepted,
                             const BlobSource& blobs) {
  std::set<Digest> named;
  for (const Accepted& one : accepted) {
    if (is_approving(one.approval.state)) {
      named.insert(one.approval.builds.begin(), one.approval.builds.end());
    }
  }
  std::size_t left_out = 0;
  for (const BuildRecord& build : kernel.builds) {
    if (is_vouched_for_ || named.contains(build.blob)) {
      HALYARD_TRY(put_build(kernel, build, blobs));
    } else {
      HALYARD_TRY_ASSIGN(const auto present, store_.get_build(compute_build_key(build.inputs)));
      if (!present) ++left_out;
    }
  }
  if (left_out != 0) {
    report_.note(concat(kernel_text(kernel.package), ": ", times(left_out, "build", "builds"),
                        " left out, since no trusted key vouches for the machine code."));
  }
  return base::ok();
}

Status Admission::put_build(const ArrivingKernel& kernel, const BuildRecord& build,
                            const BlobSource& blobs) {
  HALYARD_TRY_ASSIGN(const auto present, store_.get_build(compute_build_key(build.inputs)));
  if (present && present->blob == build.blob) {
    HALYARD_TRY_ASSIGN(const auto bytes, store_.get_blob(build.blob));
    if (bytes) return base::ok();
  }
  HALYARD_TRY_ASSIGN(const std::optional<std::string> bytes, blobs(build.blob));
  if (!bytes || base::Sha256::of(*bytes) != build.blob) {
    report_.note(concat(kernel_text(kernel.package), ": the build ", digest_text(build.blob),
                        " for ", shown_name(build.inputs.target),
                        " is left out, since its bytes are missing or damaged."));
    return base::ok();
  }
  HALYARD_TRY(store_.put_build(build.inputs, std::as_bytes(std::span(*bytes))));
  if (!present) ++report_.added.builds;
  return base::ok();
}

Status Admission::put_approval(const ArrivingKernel& kernel, const Accepted& accepted) {
  if (accepted.is_present) return base::ok();
  // The state first: what is cut between the two is done again, since the approval is still new.
  HALYARD_TRY(append_backed(accepted.approval, *trust_.find(accepted.approval.origin)));
  const Status put = store_.approvals().put_approval(*accepted.signed_approval);
  if (!put && put.error().code() == ErrorCode::kPermissionDenied) {
    report_.note(concat(kernel_text(kernel.package), ": ", put.error().message()));
    return base::ok();
  }
  HALYARD_TRY(put);
  ++report_.added.approvals;
  return base::ok();
}

Status Admission::append_backed(const Approval& approval, const TrustedKey& key) {
  StateChange change;
  change.kernel = approval.kernel;
  change.target = approval.target;
  change.drivers = approval.drivers;
  change.state = approval.state;
  change.who = key_name(key);
  change.why = concat("Approval ", approval.sequence, " of key ", key_fingerprint(key.key), '.');
  change.evidence = approval.evidence;
  if (!is_approving(approval.state)) return append_noted(change);
  HALYARD_TRY_ASSIGN(const std::vector<StateChange> history,
                     store_.states(approval.kernel, approval.target));
  for (const StateChange* const held : changes_in_effect(history)) {
    if (held->state <= KernelState::kPromoted || !held->drivers.overlaps(approval.drivers))
      continue;
    report_.note(concat("The kernel ", digest_text(approval.kernel).substr(0, 16), " stays ",
                        kernel_state_name(held->state), " on ", shown_name(approval.target),
                        ", as this store has it, though key \"", key.label, "\" says ",
                        kernel_state_name(approval.state), '.'));
    return base::ok();
  }
  if (approval.state == KernelState::kPromoted && key.may(KernelState::kVerified)) {
    StateChange verified = change;
    verified.state = KernelState::kVerified;
    HALYARD_TRY(append_noted(verified));
  }
  return append_noted(change);
}

Status Admission::append_noted(const StateChange& change) {
  const Result<bool> appended = store_.append_state(change);
  if (!appended) {
    if (appended.error().code() != ErrorCode::kPermissionDenied &&
        appended.error().code() != ErrorCode::kInvalidArgument) {
      return appended.error();
    }
    report_.note(appended.error().message());
    return base::ok();
  }
  if (*appended) ++report_.added.states;
  return base::ok();
}

Status Admission::note_claims(const ArrivingKernel& kernel, const std::vector<Accepted>& accepted) {
  std::map<std::string, KernelState> claims;
  for (const StateChange* const change : changes_in_effect(kernel.history)) {
    claims[change->target] = change->state;
  }
  for (const auto& [target, state] : claims) {
    if (!is_approving(state)) continue;
    const bool is_backed = std::any_of(accepted.begin(), accepted.end(), [&](const Accepted& one) {
      return one.approval.target == target;
    });
    if (is_backed) continue;
    HALYARD_TRY_ASSIGN(const std::vector<StateChange> here,
                       store_.states(kernel.package.id, target));
    const auto changes = changes_in_effect(here);
    if (!changes.empty() && is_approving(changes.back()->state)) continue;
    report_.note(concat(kernel_text(kernel.package), " is ", kernel_state_name(state), " on ",
                        shown_name(target),
                        " elsewhere, and no approval of a trusted key backs that."));
  }
  return base::ok();
}

}  // namespace halyard::store
