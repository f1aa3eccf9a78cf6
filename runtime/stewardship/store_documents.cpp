// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/store_documents.h"

#include "kernel-store/trust/public_key.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <string_view>
#include <utility>

namespace halyard::stewardship {
namespace {

namespace json = boost::json;

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::array texts_of(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::object members_of(const store::StateChange& change) {
  json::object members{{"target", change.target},
                       {"first_driver", change.drivers.first},
                       {"last_driver", change.drivers.last},
                       {"state", text_of(store::kernel_state_name(change.state))},
                       {"share_percent", change.share_percent},
                       {"where", texts_of(change.where)},
                       {"who", change.who},
                       {"why", change.why},
                       {"evidence", nullptr}};
  if (change.evidence) members["evidence"] = store::digest_text(*change.evidence);
  if (change.reverts) members["reverts"] = *change.reverts;
  return members;
}

json::object members_of(const store::Approval& approval) {
  json::object members{{"origin", store::public_key_text(approval.origin)},
                       {"fingerprint", store::key_fingerprint(approval.origin)},
                       {"state", text_of(store::kernel_state_name(approval.state))},
                       {"sequence", approval.sequence},
                       {"issued_ms", approval.issued_ms},
                       {"expires_ms", approval.expires_ms}};
  return members;
}

json::object members_of(const store::ExchangeCounts& counts) {
  return {{"kernels", counts.kernels},
          {"builds", counts.builds},
          {"evidence", counts.evidence},
          {"approvals", counts.approvals},
          {"states", counts.states}};
}

json::object members_of(const store::ExchangeReport& report) {
  return {{"format", "halyard.exchange/1"},    {"offered", members_of(report.offered)},
          {"added", members_of(report.added)}, {"signer", report.signer},
          {"notes", texts_of(report.notes)},   {"notes_left_out", report.notes_left_out}};
}

json::object members_of(const store::Request& request) {
  json::object members{{"id", store::digest_text(request.id)},
                       {"kind", text_of(store::request_kind_name(request.kind))},
                       {"target", request.target},
                       {"status", text_of(store::request_status_name(request.status))},
                       {"owner", request.owner},
                       {"attempts", request.attempts},
                       {"outcome", request.outcome},
                       {"time_ms", request.time_ms}};
  auto document = base::parse_json(request.document, "request");
  members["document"] = document ? std::move(*document) : json::value(request.document);
  return members;
}

json::object members_of(const NamedKernel& kernel) {
  return {{"id", store::digest_text(kernel.id)},
          {"name", kernel.name},
          {"version", kernel.version},
          {"contract", kernel.contract}};
}

}  // namespace

std::string state_change_json(const StateOutcome& outcome) {
  json::object document = members_of(outcome.change);
  document["format"] = "halyard.state-change/1";
  document["kernel"] = members_of(outcome.kernel);
  document["changed"] = outcome.changed;
  document["approval"] = nullptr;
  if (outcome.approval) document["approval"] = members_of(*outcome.approval);
  return base::canonical_json(document);
}

std::string history_json(const NamedKernel& kernel, std::span<const store::StateChange> history) {
  const auto in_effect = store::changes_in_effect(history);
  json::array entries;
  for (const store::StateChange& change : history) {
    json::object entry = members_of(change);
    entry["sequence"] = change.sequence;
    entry["time_ms"] = change.time_ms;
    entry["in_effect"] = std::find(in_effect.begin(), in_effect.end(), &change) != in_effect.end();
    entries.push_back(std::move(entry));
  }
  return base::canonical_json(json::object{{"format", "halyard.history/1"},
                                           {"kernel", members_of(kernel)},
                                           {"entries", std::move(entries)}});
}

std::string verification_json(const store::VerifiedRecords& counts,
                              std::span<const store::DamagedRecord> damaged) {
  json::array list;
  for (const store::DamagedRecord& record : damaged) {
    list.push_back(json::object{
        {"what", record.what}, {"id", store::digest_text(record.id)}, {"why", record.why}});
  }
  return base::canonical_json(json::object{{"format", "halyard.store-verification/1"},
                                           {"records", counts.records},
                                           {"bytes", counts.bytes},
                                           {"damaged", std::move(list)}});
}

std::string collection_json(const store::CollectedRecords& counts) {
  return base::canonical_json(json::object{{"format", "halyard.collection/1"},
                                           {"blobs", counts.blobs},
                                           {"builds", counts.builds},
                                           {"requests", counts.requests},
                                           {"bytes", counts.bytes}});
}

std::string exchange_json(const store::ExchangeReport& report) {
  return base::canonical_json(members_of(report));
}

std::string export_json(const std::string& path, const store::ExchangeReport& report) {
  return base::canonical_json(json::object{{"format", "halyard.export-report/1"},
                                           {"path", path},
                                           {"written", members_of(report.offered)},
                                           {"notes", texts_of(report.notes)}});
}

std::string sync_json(const store::ExchangeReport* pulled, const store::ExchangeReport* pushed) {
  json::object document{{"format", "halyard.sync/1"}, {"pulled", nullptr}, {"pushed", nullptr}};
  if (pulled != nullptr) document["pulled"] = members_of(*pulled);
  if (pushed != nullptr) document["pushed"] = members_of(*pushed);
  return base::canonical_json(document);
}

std::string requests_json(std::span<const store::Request> requests) {
  json::array list;
  for (const store::Request& request : requests)
    list.push_back(members_of(request));
  return base::canonical_json(
      json::object{{"format", "halyard.requests/1"}, {"requests", std::move(list)}});
}

std::string request_json(const store::Request& request) {
  json::object document = members_of(request);
  document["format"] = "halyard.request-detail/1";
  return base::canonical_json(document);
}

std::string trust_list_json(const std::string& path, const store::TrustList& trust) {
  json::array keys;
  for (const store::TrustedKey& key : trust.keys()) {
    json::array may_say;
    for (const store::KernelState state : key.may_say)
      may_say.push_back(text_of(store::kernel_state_name(state)));
    keys.push_back(json::object{{"label", key.label},
                                {"key", store::public_key_text(key.key)},
                                {"fingerprint", store::key_fingerprint(key.key)},
                                {"may_say", std::move(may_say)},
                                {"local", key.local},
                                {"not_before_ms", key.not_before_ms},
                                {"expires_ms", key.expires_ms}});
  }
  return base::canonical_json(
      json::object{{"format", "halyard.trust-list/1"}, {"path", path}, {"keys", std::move(keys)}});
}

std::string key_json(const std::string& path, const store::PublicKey& key) {
  return base::canonical_json(json::object{{"format", "halyard.key/1"},
                                           {"path", path},
                                           {"key", store::public_key_text(key)},
                                           {"fingerprint", store::key_fingerprint(key)}});
}

}  // namespace halyard::stewardship
