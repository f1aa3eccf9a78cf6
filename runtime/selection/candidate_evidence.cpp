// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/candidate_evidence.h"

#include "runtime/base/text.h"
#include "runtime/base/utc_time.h"
#include "runtime/base/version.h"

#include <utility>
#include <variant>

namespace halyard::selection {

bool is_emulated(const core::Device& device) {
  return device.info().kind == core::DeviceKind::kEmulator;
}

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
  if (is_emulated(device)) record.environment[store::kEmulatedMember] = true;
  record.time = base::utc_now();
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

store::AxisValues axis_values(const operators::Problem& problem,
                              std::span<const std::int64_t> launch_axes) {
  store::AxisValues values;
  const operators::Contract& contract = problem.contract();
  for (const auto& axis : problem.prepare_axes())
    values[axis.name] = axis.value;
  for (std::size_t i = 0; i < launch_axes.size(); ++i) {
    values[contract.axes()[contract.launch_axes()[i]].name] = launch_axes[i];
  }
  return values;
}

std::string axes_text(const store::AxisValues& axes) {
  std::string text;
  for (const auto& [name, value] : axes) {
    text += base::concat(text.empty() ? "" : ", ", name, " = ", value);
  }
  return text;
}

boost::json::object attribute_values(const operators::Problem& problem) {
  boost::json::object values;
  for (const auto& [name, value] : problem.attributes()) {
    std::visit([&, key = name](const auto& held) { values[key] = held; }, value);
  }
  return values;
}

}  // namespace halyard::selection
