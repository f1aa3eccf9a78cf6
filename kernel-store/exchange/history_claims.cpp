// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/history_claims.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;

constexpr std::string_view kFormat = "halyard.history/1";
constexpr base::JsonLimits kLimits = {std::size_t{16} << 20, 6};

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::object change_to_json(const StateChange& change) {
  json::array where;
  for (const std::string& condition : change.where)
    where.push_back(text_of(condition));
  json::object object;
  object["target"] = text_of(change.target);
  object["drivers"] = json::object{{"first", text_of(change.drivers.first)},
                                   {"last", text_of(change.drivers.last)}};
  object["state"] = text_of(kernel_state_name(change.state));
  object["where"] = std::move(where);
  object["share_percent"] = change.share_percent;
  object["who"] = text_of(change.who);
  object["why"] = text_of(change.why);
  if (change.evidence) object["evidence"] = text_of(digest_text(*change.evidence));
  if (change.reverts) object["reverts"] = *change.reverts;
  object["time_ms"] = change.time_ms;
  object["sequence"] = change.sequence;
  return object;
}

Result<StateChange> parse_change(const JsonObject& object, const KernelId& kernel) {
  HALYARD_TRY(
      object.refuse_unknown_keys({"target", "drivers", "state", "where", "share_percent", "who",
                                  "why", "evidence", "reverts", "time_ms", "sequence"}));
  StateChange change;
  change.kernel = kernel;
  HALYARD_TRY_ASSIGN(change.target, object.required_string("target"));
  HALYARD_TRY_ASSIGN(const JsonObject drivers, object.required_object("drivers"));
  HALYARD_TRY(drivers.refuse_unknown_keys({"first", "last"}));
  HALYARD_TRY_ASSIGN(change.drivers.first, drivers.required_string("first"));
  HALYARD_TRY_ASSIGN(change.drivers.last, drivers.required_string("last"));
  HALYARD_TRY_ASSIGN(const std::string state, object.required_string("state"));
  const std::optional<KernelState> known = kernel_state_from_name(state);
  if (!known) return object.error("state", "is no state of a kernel");
  change.state = *known;
  HALYARD_TRY_ASSIGN(change.where, object.required_strings("where"));
  HALYARD_TRY_ASSIGN(const std::int64_t share, object.required_integer("share_percent", {1, 100}));
  change.share_percent = static_cast<std::uint32_t>(share);
  HALYARD_TRY_ASSIGN(change.who, object.required_string("who"));
  HALYARD_TRY_ASSIGN(change.why, object.required_string("why"));
  if (object.has("evidence")) {
    HALYARD_TRY_ASSIGN(const std::string text, object.required_string("evidence"));
    change.evidence = digest_from_text(text);
    if (!change.evidence) return object.error("evidence", "is no SHA-256");
  }
  if (object.has("reverts")) {
    HALYARD_TRY_ASSIGN(change.reverts, object.required_integer("reverts"));
  }
  HALYARD_TRY_ASSIGN(change.time_ms, object.required_integer("time_ms"));
  HALYARD_TRY_ASSIGN(change.sequence, object.required_integer("sequence"));
  return change;
}

}  // namespace

std::string history_json(std::span<const StateChange> history) {
  json::array changes;
  for (const StateChange& change : history)
    changes.push_back(change_to_json(change));
  json::object object;
  object["format"] = text_of(kFormat);
  object["changes"] = std::move(changes);
  return base::canonical_json(object);
}

Result<std::vector<StateChange>> parse_history(std::string_view json_text,
                                               std::string_view source_name,
                                               const KernelId& kernel) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name, kLimits));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(object.refuse_unknown_keys({"format", "changes"}));
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> entries, object.required_objects("changes"));
  std::vector<StateChange> history;
  for (const JsonObject& entry : entries) {
    HALYARD_TRY_ASSIGN(StateChange change, parse_change(entry, kernel));
    history.push_back(std::move(change));
  }
  return history;
}

}  // namespace halyard::store
