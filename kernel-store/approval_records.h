// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "runtime/base/result.h"

#include <vector>

namespace halyard::store {

// The signed approvals of a store. Keeping one gives it no weight: whoever reads it checks the
// signature and whether the key is trusted.
class ApprovalRecords {
 public:
  virtual ~ApprovalRecords() = default;

  // A present approval changes nothing. The newest of an origin for a kernel and target counts.
  // Errors: kPermissionDenied for a replay: another approval of the same origin, kernel and target
  // has this sequence or a later one; kCorruptData for a document that does not parse.
  virtual base::Status put_approval(const SignedApproval& approval) = 0;
  // Of a kernel, by origin and sequence.
  virtual base::Result<std::vector<SignedApproval>> find_approvals(const KernelId& kernel) = 0;
  // The largest sequence of an origin, 0 without one.
  virtual base::Result<std::uint64_t> last_sequence(const PublicKey& origin) = 0;
};

}  // namespace halyard::store
