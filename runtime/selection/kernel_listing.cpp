// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_listing.h"

#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/selection/stored_kernel.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

namespace json = boost::json;

// A kernel of either layer.
struct ListedKernel {
  const store::BuiltKernel* kernel = nullptr;  // of the bundle, or within `stored`
  base::Ref<const StoredKernel> stored;        // null for a bundled kernel
};

base::Status add_bundled(Instance& instance, const std::string& contract,
                         std::vector<ListedKernel>& out) {
  HALYARD_TRY_ASSIGN(const store::BundledContract* bundled, instance.bundle().kernels(contract));
  for (const store::BuiltKernel& kernel : bundled->kernels)
    out.push_back({&kernel, {}});
  return base::ok();
}

base::Result<std::vector<ListedKernel>> list(Instance& instance,
                                             const std::optional<std::string>& contract) {
  std::vector<ListedKernel> kernels;
  if (contract) {
    HALYARD_TRY(instance.contracts().find(*contract));
    HALYARD_TRY(add_bundled(instance, *contract, kernels));
  } else {
    HALYARD_TRY_ASSIGN(const auto names, instance.bundle().contracts());
    for (const std::string& name : names)
      HALYARD_TRY(add_bundled(instance, name, kernels));
  }
  HALYARD_TRY_ASSIGN(const auto stored, instance.store().list_kernels(contract.value_or("")));
  for (const store::KernelSummary& summary : stored) {
    HALYARD_TRY_ASSIGN(auto kernel, load_stored_kernel(instance.store(), summary.id, ""));
    if (kernel) kernels.push_back({&kernel->kernel, kernel});
  }
  return kernels;
}

json::value parse_own(const std::string& text) {
  auto value = base::parse_json(text, "record");
  return value ? std::move(*value) : json::value(text);
}

base::Result<json::array> state_history(Instance& instance, const store::KernelId& id) {
  json::array history;
  HALYARD_TRY_ASSIGN(const auto changes, instance.store().states(id, ""));
  const auto in_effect = store::changes_in_effect(changes);
  for (const store::StateChange& change : changes) {
    json::object entry;
    entry["target"] = change.target;
    entry["first_driver"] = change.drivers.first;
    entry["last_driver"] = change.drivers.last;
    entry["state"] = std::string(store::kernel_state_name(change.state));
    entry["share_percent"] = change.share_percent;
    entry["where"] = json::array(change.where.begin(), change.where.end());
    entry["in_effect"] = std::find(in_effect.begin(), in_effect.end(), &change) != in_effect.end();
    entry["evidence"] = nullptr;
    if (change.evidence) entry["evidence"] = store::digest_text(*change.evidence);
    entry["who"] = change.who;
    entry["why"] = change.why;
    entry["time_ms"] = change.time_ms;
    history.push_back(std::move(entry));
  }
  return history;
}

// Each approval with whether it counts, and why not.
base::Result<json::array> approvals_of(Instance& instance, const store::KernelId& id) {
  HALYARD_TRY_ASSIGN(const auto approvals, instance.store().approvals().find_approvals(id));
  HALYARD_TRY_ASSIGN(const auto rules, instance.rules().current());
  const auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  json::array list;
  for (const store::SignedApproval& one : approvals) {
    const auto approval = store::check_approval(one, id, rules->trust, now_ms.count());
    const auto document = store::parse_approval(one.document, "approval");
    json::object entry;
    entry["counts"] = approval.has_value();
    entry["reason"] = approval ? std::string() : approval.error().message();
    if (document) {
      const store::TrustedKey* const key = rules->trust.find(document->origin);
      entry["origin"] = store::public_key_text(document->origin);
      entry["label"] = key == nullptr ? std::string() : key->label;
      entry["target"] = document->target;
      entry["first_driver"] = document->drivers.first;
      entry["last_driver"] = document->drivers.last;
      entry["state"] = std::string(store::kernel_state_name(document->state));
      entry["sequence"] = document->sequence;
      entry["issued_ms"] = document->issued_ms;
      entry["expires_ms"] = document->expires_ms;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

base::Result<json::object> members_of(Instance& instance, const ListedKernel& listed) {
  const store::KernelPackage& package = listed.kernel->package;
  const store::KernelRecord& record = package.record;
  json::object members;
  members["id"] = store::digest_text(package.id);
  members["name"] = record.name;
  members["version"] = record.version;
  members["contract"] = base::concat(record.contract, "@", record.contract_major);
  members["language"] = std::string(store::word_of(record.language));
  members["targets"] = json::array(record.targets.begin(), record.targets.end());
  json::array types;
  for (const auto& binding : record.types) {
    types.push_back(parse_own(store::type_binding_json(binding)));
  }
  members["types"] = std::move(types);
  members["origin"] = listed.stored ? "store" : "bundled";
  HALYARD_TRY_ASSIGN(members["states"], state_history(instance, package.id));
  return members;
}

json::array builds_of(const store::BuiltKernel& kernel) {
  json::array builds;
  for (const store::KernelBuild& build : kernel.builds) {
    json::object entry;
    entry["target"] = build.target;
    entry["types"] = parse_own(store::type_binding_json(build.types));
    entry["file"] = build.file;
    entry["sha256"] = store::digest_text(build.sha256);
    entry["toolchain"] = build.toolchain;
    entry["flags"] = json::array(build.flags.begin(), build.flags.end());
    builds.push_back(std::move(entry));
  }
  return builds;
}

}  // namespace

base::Result<std::string> kernels_json(Instance& instance,
                                       const std::optional<std::string>& contract) {
  HALYARD_TRY_ASSIGN(const auto kernels, list(instance, contract));
  json::object document;
  document["format"] = "halyard.kernels/1";
  json::array entries;
  for (const ListedKernel& kernel : kernels) {
    HALYARD_TRY_ASSIGN(json::object members, members_of(instance, kernel));
    entries.push_back(std::move(members));
  }
  document["kernels"] = std::move(entries);
  return base::canonical_json(document);
}

base::Result<std::string> kernel_detail_json(Instance& instance, std::string_view kernel) {
  HALYARD_TRY_ASSIGN(const auto kernels, list(instance, std::nullopt));
  const ListedKernel* found = nullptr;
  for (const ListedKernel& listed : kernels) {
    const store::KernelPackage& package = listed.kernel->package;
    const bool by_id = kernel.size() >= 8 && store::digest_text(package.id).starts_with(kernel);
    if (!by_id && package.record.name != kernel) continue;
    if (found != nullptr && found->kernel->package.id != package.id) {
      return base::Error(base::ErrorCode::kInvalidArgument,
                         base::concat("\"", kernel, "\" names several kernels, among them ",
                                      store::digest_text(found->kernel->package.id), " and ",
                                      store::digest_text(package.id), "."));
    }
    found = &listed;
  }
  if (found == nullptr) {
    return base::Error(base::ErrorCode::kNotFound,
                       base::concat("There is no kernel \"", kernel, "\"."));
  }
  HALYARD_TRY_ASSIGN(json::object document, members_of(instance, *found));
  document["format"] = "halyard.kernel-detail/1";
  document["record"] = parse_own(found->kernel->package.record.canonical_json);
  document["builds"] = builds_of(*found->kernel);
  HALYARD_TRY_ASSIGN(document["approvals"], approvals_of(instance, found->kernel->package.id));
  json::array evidence;
  store::EvidenceQuery query;
  query.kernel = found->kernel->package.id;
  HALYARD_TRY_ASSIGN(const auto records, instance.store().find_evidence(query));
  for (const store::EvidenceRecord& record : records) {
    evidence.push_back(parse_own(store::evidence_json(record)));
  }
  document["evidence"] = std::move(evidence);
  return base::canonical_json(document);
}

}  // namespace halyard::selection
