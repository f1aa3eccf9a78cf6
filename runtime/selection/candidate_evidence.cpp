// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/candidate_evidence.h"

#include "runtime/base/version.h"

#include <utility>

namespace halyard::selection {

store::EvidenceRecord new_evidence(const core::Device& device, const Candidate& candidate,
                                   store::EvidenceKind kind, std::string verifier) {
  store::EvidenceRecord record;
  record.kernel = candidate.kernel->package.id;
  record.parameters = candidate.parameters;
  record.target = candidate.target;
  record.types = candidate.types;
  record.device = device.info().fingerprint;
  record.driver = device.info().driver_id;
  record.toolchain = candidate.build->toolchain;
  record.verifier_name = std::move(verifier);
  record.verifier_version = base::kVersion;
  record.kind = kind;
  record.time = store::utc_now();
  return record;
}

base::Result<std::vector<store::EvidenceRecord>> stored_evidence(Instance& instance,
                                                                 const core::Device& device,
                                                                 const Candidate& candidate,
                                                                 store::EvidenceKind kind) {
  store::EvidenceQuery query;
  query.kernel = candidate.kernel->package.id;
  query.target = candidate.target;
  query.types = candidate.types;
  query.device = device.info().fingerprint;
  query.driver = device.info().driver_id;
  query.kind = kind;
  HALYARD_TRY_ASSIGN(std::vector<store::EvidenceRecord> records,
                     instance.store().find_evidence(query));
  std::erase_if(records, [&](const store::EvidenceRecord& record) {
    return record.parameters != candidate.parameters ||
           record.toolchain != candidate.build->toolchain;
  });
  return records;
}

}  // namespace halyard::selection
