// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_document.h"

#include "kernel-store/kernel_words.h"
#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;

json::value parse_own(const std::string& text) {
  auto value = base::parse_json(text, "record");
  return value ? std::move(*value) : json::value(text);
}

base::Result<json::array> state_history(KernelStore& store, const KernelId& id) {
  json::array history;
  HALYARD_TRY_ASSIGN(const auto changes, store.states(id, ""));
  const auto in_effect = changes_in_effect(changes);
  for (const StateChange& change : changes) {
    json::object entry;
    entry["target"] = change.target;
    entry["first_driver"] = change.drivers.first;
    entry["last_driver"] = change.drivers.last;
    entry["state"] = std::string(kernel_state_name(change.state));
    entry["share_percent"] = change.share_percent;
    entry["where"] = json::array(change.where.begin(), change.where.end());
    entry["in_effect"] = std::find(in_effect.begin(), in_effect.end(), &change) != in_effect.end();
    entry["evidence"] = nullptr;
    if (change.evidence) entry["evidence"] = digest_text(*change.evidence);
    entry["who"] = change.who;
    entry["why"] = change.why;
    entry["time_ms"] = change.time_ms;
    history.push_back(std::move(entry));
  }
  return history;
}

// Each approval with whether it counts, and why not.
base::Result<json::array> approvals_of(KernelStore& store, const KernelId& id,
                                       const TrustList& trust, std::int64_t now_ms) {
  HALYARD_TRY_ASSIGN(const auto approvals, store.approvals().find_approvals(id));
  json::array list;
  for (const SignedApproval& one : approvals) {
    const auto approval = check_approval(one, id, trust, now_ms);
    const auto document = parse_approval(one.document, "approval");
    json::object entry;
    entry["counts"] = approval.has_value();
    entry["reason"] = approval ? std::string() : approval.error().message();
    if (document) {
      const TrustedKey* const key = trust.find(document->origin);
      entry["origin"] = public_key_text(document->origin);
      entry["label"] = key == nullptr ? std::string() : key->label;
      entry["target"] = document->target;
      entry["first_driver"] = document->drivers.first;
      entry["last_driver"] = document->drivers.last;
      entry["state"] = std::string(kernel_state_name(document->state));
      entry["sequence"] = document->sequence;
      entry["issued_ms"] = document->issued_ms;
      entry["expires_ms"] = document->expires_ms;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

json::array builds_of(const BuiltKernel& kernel) {
  json::array builds;
  for (const KernelBuild& build : kernel.builds) {
    json::object entry;
    entry["target"] = build.target;
    entry["types"] = parse_own(type_binding_json(build.types));
    entry["file"] = build.file;
    entry["sha256"] = digest_text(build.sha256);
    entry["toolchain"] = build.toolchain;
    entry["flags"] = json::array(build.flags.begin(), build.flags.end());
    builds.push_back(std::move(entry));
  }
  return builds;
}

}  // namespace

base::Result<json::object> kernel_members(KernelStore& store, const BuiltKernel& kernel,
                                          bool bundled) {
  const KernelPackage& package = kernel.package;
  const KernelRecord& record = package.record;
  json::object members;
  members["id"] = digest_text(package.id);
  members["name"] = record.name;
  members["version"] = record.version;
  members["contract"] = base::concat(record.contract, "@", record.contract_major);
  members["language"] = std::string(word_of(record.language));
  members["targets"] = json::array(record.targets.begin(), record.targets.end());
  json::array types;
  for (const auto& binding : record.types)
    types.push_back(parse_own(type_binding_json(binding)));
  members["types"] = std::move(types);
  members["origin"] = bundled ? "bundled" : "store";
  HALYARD_TRY_ASSIGN(members["states"], state_history(store, package.id));
  return members;
}

std::string kernels_document(json::array kernels) {
  return base::canonical_json(
      json::object{{"format", "halyard.kernels/1"}, {"kernels", std::move(kernels)}});
}

base::Result<std::string> kernel_detail_document(KernelStore& store, const BuiltKernel& kernel,
                                                 bool bundled, const TrustList& trust,
                                                 std::int64_t now_ms) {
  const KernelId& id = kernel.package.id;
  HALYARD_TRY_ASSIGN(json::object document, kernel_members(store, kernel, bundled));
  document["format"] = "halyard.kernel-detail/1";
  document["record"] = parse_own(kernel.package.record.canonical_json);
  document["builds"] = builds_of(kernel);
  HALYARD_TRY_ASSIGN(document["approvals"], approvals_of(store, id, trust, now_ms));
  json::array evidence;
  EvidenceQuery query;
  query.kernel = id;
  HALYARD_TRY_ASSIGN(const auto records, store.find_evidence(query));
  for (const EvidenceRecord& record : records)
    evidence.push_back(parse_own(evidence_json(record)));
  document["evidence"] = std::move(evidence);
  return base::canonical_json(document);
}

}  // namespace halyard::store
