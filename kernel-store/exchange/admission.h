// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/exchange_report.h"
#include "kernel-store/kernel_store.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace halyard::store {

// A kernel that comes from elsewhere, and what is said of it there.
struct ArrivingKernel {
  KernelPackage package;
  std::vector<BuildRecord> builds;
  std::vector<EvidenceRecord> evidence;
  std::vector<SignedApproval> approvals;
  std::vector<StateChange> history;
};

// The bytes of an arriving binary; none when they are not to be had.
using BlobSource = std::function<base::Result<std::optional<std::string>>(const Digest& blob)>;

// Whether each record is what its identity says: the kernel's id, the kernel of all others, the
// form and signature of approvals. Errors: kCorruptData and kPermissionDenied, naming the kernel.
base::Status check_arriving(const ArrivingKernel& kernel);
// The part of it that is about one approval.
base::Status check_arriving_approval(const KernelPackage& package,
                                     const SignedApproval& signed_approval);

// Lets kernels into a store. One thread at a time.
class Admission {
 public:
  // `is_vouched_for`: someone trusted says that evidence and binaries are what they seem.
  Admission(KernelStore& store, const TrustList& trust, std::int64_t now_ms, bool is_vouched_for,
            ExchangeReport& report);

  // `kernel` has passed check_arriving(). What is already in the store stays as it is.
  base::Status admit(const ArrivingKernel& kernel, const BlobSource& blobs);

 private:
  // An approval that counts.
  struct Accepted {
    const SignedApproval* signed_approval = nullptr;
    Approval approval;
    bool is_present = false;
  };

  base::Result<std::vector<Accepted>> accept_approvals(const ArrivingKernel& kernel);
  base::Status put_kernel(const ArrivingKernel& kernel);
  base::Status put_evidence(const ArrivingKernel& kernel, const std::vector<Accepted>& accepted);
  base::Status put_builds(const ArrivingKernel& kernel, const std::vector<Accepted>& accepted,
                          const BlobSource& blobs);
  base::Status put_build(const ArrivingKernel& kernel, const BuildRecord& build,
                         const BlobSource& blobs);
  base::Status put_approval(const ArrivingKernel& kernel, const Accepted& accepted);
  base::Status append_backed(const Approval& approval, const TrustedKey& key);
  base::Status append_noted(const StateChange& change);
  base::Status note_claims(const ArrivingKernel& kernel, const std::vector<Accepted>& accepted);

  KernelStore& store_;
  const TrustList& trust_;
  std::int64_t now_ms_;
  bool is_vouched_for_;
  ExchangeReport& report_;
};

}  // namespace halyard::store
