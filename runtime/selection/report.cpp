// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/report.h"

#include "kernel-store/lock_file.h"
#include "kernel-store/trust/policy.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"
#include "runtime/base/version.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

namespace json = boost::json;

json::array settings(const base::Configuration& configuration) {
  json::array lines;
  for (const base::SettingLine& line : base::setting_lines(configuration)) {
    json::object entry;
    entry["variable"] = std::string(line.variable.name);
    entry["meaning"] = std::string(line.variable.meaning);
    entry["value"] = line.value;
    entry["origin"] = std::string(base::setting_origin_name(line.origin));
    lines.push_back(std::move(entry));
  }
  return lines;
}

std::string_view mode_name(store::StoreCondition::Mode mode) {
  switch (mode) {
    case store::StoreCondition::Mode::kReadWrite:
      return "read-write";
    case store::StoreCondition::Mode::kReadOnly:
      return "read-only";
    case store::StoreCondition::Mode::kMemory:
      return "memory";
  }
  return "";
}

json::object store_members(store::KernelStore& store) {
  json::object members;
  members["url"] = store.url();
  const auto condition = store.condition();
  if (condition) {
    members["mode"] = std::string(mode_name(condition->mode));
    members["reason"] = condition->reason;
  } else {
    members["mode"] = "unusable";
    members["reason"] = condition.error().message();
  }
  return members;
}

std::string bases_text(const std::vector<store::ExecutionBasis>& bases) {
  std::vector<std::string_view> words;
  for (const store::ExecutionBasis basis : bases)
    words.push_back(store::execution_basis_name(basis));
  return words.empty() ? "nothing" : base::join(words);
}

// The file at `path` and what it says, or why it cannot be read.
json::object file_members(const std::string& path, base::Result<std::string> summary) {
  json::object members;
  members["path"] = path;
  members["summary"] = summary ? std::move(*summary) : std::string();
  members["reason"] = summary ? std::string() : summary.error().message();
  return members;
}

base::Result<std::string> policy_summary(const std::string& path) {
  store::Policy policy;
  if (!path.empty()) {
    HALYARD_TRY_ASSIGN(policy, store::load_policy(path));
  }
  return base::concat("in this process: ", bases_text(policy.this_process),
                      "; on devices: ", bases_text(policy.device),
                      "; stale evidence: ", store::stale_policy_name(policy.stale),
                      policy == store::Policy() ? " (default)" : "");
}

base::Result<std::string> trust_summary(const std::string& path) {
  store::TrustList trust;
  if (!path.empty()) {
    HALYARD_TRY_ASSIGN(trust, store::TrustList::load(path));
  }
  const std::size_t count = trust.keys().size();
  return count == 0 ? std::string("no keys") : base::concat(count, count == 1 ? " key" : " keys");
}

base::Result<std::string> lock_summary(const std::string& path) {
  if (path.empty()) return std::string("none");
  HALYARD_TRY_ASSIGN(const store::LockFile lock, store::load_lock_file(path));
  return base::concat(lock.pins.size(), lock.pins.size() == 1 ? " pin" : " pins");
}

json::array backends(core::BackendSet& set) {
  json::array list;
  for (const core::BackendReport& report : set.reports()) {
    json::object entry;
    entry["name"] = report.name;
    entry["devices"] = report.device_count;
    entry["reason"] = report.reason;
    entry["notes"] = json::array(report.notes.begin(), report.notes.end());
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string report_json(Instance& instance) {
  json::object document;
  document["format"] = "halyard.doctor/1";
  document["version"] = base::kVersion;
  document["settings"] = settings(instance.settings().configuration);
  document["data_directory"] = instance.bundle().data_directory();
  document["store"] = store_members(instance.store());
  const RuleFiles& rules = instance.rules();
  document["policy"] = file_members(rules.policy_path(), policy_summary(rules.policy_path()));
  document["trust"] = file_members(rules.trust_path(), trust_summary(rules.trust_path()));
  document["lock"] = file_members(rules.lock_path(), lock_summary(rules.lock_path()));
  document["backends"] = backends(instance.backends());
  return base::canonical_json(document);
}

}  // namespace halyard::selection
