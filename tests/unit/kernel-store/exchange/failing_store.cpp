// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/exchange/failing_store.h"

namespace halyard::store::testing {

using base::Result;
using base::Status;

Status FailingStore::take_write() {
  if (writes_left == 0) return base::Error(base::ErrorCode::kIoError, "The disk is full.");
  --writes_left;
  return base::ok();
}

Result<StoreCondition> FailingStore::condition() {
  return StoreCondition{mode, mode == StoreCondition::Mode::kReadOnly ? "Its medium is." : ""};
}

Status FailingStore::put_kernel(const KernelPackage& package) {
  HALYARD_TRY(take_write());
  return store_.put_kernel(package);
}

Result<Digest> FailingStore::put_blob(std::span<const std::byte> bytes) {
  HALYARD_TRY(take_write());
  return store_.put_blob(bytes);
}

Status FailingStore::put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) {
  HALYARD_TRY(take_write());
  return store_.put_build(inputs, bytes);
}

Result<EvidenceId> FailingStore::put_evidence(const EvidenceRecord& record) {
  HALYARD_TRY(take_write());
  return store_.put_evidence(record);
}

Result<bool> FailingStore::append_state(const StateChange& change) {
  HALYARD_TRY(take_write());
  return store_.append_state(change);
}

Status FailingStore::put_approval(const SignedApproval& approval) {
  HALYARD_TRY(take_write());
  return store_.approvals().put_approval(approval);
}

}  // namespace halyard::store::testing
