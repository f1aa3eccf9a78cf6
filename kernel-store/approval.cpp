// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/approval.h"

#include "kernel-store/trust/public_key.h"
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
using base::Status;

constexpr std::string_view kFormat = "halyard.approval/1";
constexpr base::JsonLimits kLimits = {std::size_t{16} << 10, 4};
constexpr std::size_t kMaxNameBytes = 256;
// What every reader of JSON holds exactly.
constexpr std::int64_t kMaxInteger = (std::int64_t{1} << 53) - 1;
constexpr std::string_view kStates[] = {"verified", "promoted", "quarantined", "retired"};

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

Result<std::string> short_string(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::string text, object.required_string(key));
  if (text.size() > kMaxNameBytes) {
    return object.error(key, concat("has ", text.size(), " bytes, more than ", kMaxNameBytes));
  }
  return text;
}

Result<Digest> required_digest(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(key));
  const std::optional<Digest> digest = digest_from_text(text);
  if (!digest) return object.error(key, "is not a SHA-256 of 64 lower-case hexadecimal digits");
  return *digest;
}

Status parse_builds_of(const JsonObject& object, Approval& approval) {
  HALYARD_TRY_ASSIGN(const std::vector<std::string> builds, object.optional_strings("builds"));
  if (builds.size() > kMaxApprovedBuilds) {
    return object.error(
        "builds", concat("holds ", builds.size(), " entries, more than ", kMaxApprovedBuilds));
  }
  for (const std::string& text : builds) {
    const std::optional<Digest> build = digest_from_text(text);
    if (!build) return object.error("builds", "holds what is no SHA-256");
    if (!approval.builds.empty() && *build <= approval.builds.back()) {
      return object.error("builds", "is not sorted");
    }
    approval.builds.push_back(*build);
  }
  return base::ok();
}

Status parse_subject(const JsonObject& object, Approval& approval) {
  HALYARD_TRY_ASSIGN(approval.kernel, required_digest(object, "kernel"));
  HALYARD_TRY_ASSIGN(approval.target, short_string(object, "target"));
  if (approval.target.empty()) return object.error("target", "is empty");
  HALYARD_TRY_ASSIGN(const JsonObject drivers, object.required_object("drivers"));
  HALYARD_TRY(drivers.refuse_unknown_keys({"first", "last"}));
  HALYARD_TRY_ASSIGN(approval.drivers.first, short_string(drivers, "first"));
  HALYARD_TRY_ASSIGN(approval.drivers.last, short_string(drivers, "last"));
  HALYARD_TRY_ASSIGN(const std::string state, object.required_choice("state", kStates));
  approval.state = *kernel_state_from_name(state);
  if (object.has("evidence")) {
    HALYARD_TRY_ASSIGN(approval.evidence, required_digest(object, "evidence"));
  }
  return parse_builds_of(object, approval);
}

Status parse_origin(const JsonObject& object, Approval& approval) {
  HALYARD_TRY_ASSIGN(const std::string origin, object.required_string("origin"));
  const Result<PublicKey> key = parse_public_key(origin);
  if (!key) return object.error("origin", "is not \"ed25519:\" and 64 hexadecimal digits of a key");
  approval.origin = *key;
  HALYARD_TRY_ASSIGN(const std::int64_t sequence,
                     object.required_integer("sequence", {1, kMaxInteger}));
  approval.sequence = static_cast<std::uint64_t>(sequence);
  HALYARD_TRY_ASSIGN(approval.issued_ms, object.required_integer("issued_ms", {0, kMaxInteger}));
  HALYARD_TRY_ASSIGN(approval.expires_ms, object.required_integer("expires_ms", {0, kMaxInteger}));
  return base::ok();
}

}  // namespace

std::string approval_json(const Approval& approval) {
  json::object object;
  object["format"] = text_of(kFormat);
  object["kernel"] = text_of(digest_text(approval.kernel));
  object["target"] = text_of(approval.target);
  object["drivers"] = json::object{{"first", text_of(approval.drivers.first)},
                                   {"last", text_of(approval.drivers.last)}};
  object["state"] = text_of(kernel_state_name(approval.state));
  if (approval.evidence) object["evidence"] = text_of(digest_text(*approval.evidence));
  if (!approval.builds.empty()) {
    json::array builds;
    for (const Digest& build : approval.builds)
      builds.push_back(text_of(digest_text(build)));
    object["builds"] = std::move(builds);
  }
  object["origin"] = text_of(public_key_text(approval.origin));
  object["sequence"] = approval.sequence;
  object["issued_ms"] = approval.issued_ms;
  object["expires_ms"] = approval.expires_ms;
  return base::canonical_json(object);
}

Result<Approval> parse_approval(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name, kLimits));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(
      object.refuse_unknown_keys({"format", "kernel", "target", "drivers", "state", "evidence",
                                  "builds", "origin", "sequence", "issued_ms", "expires_ms"}));
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  Approval approval;
  HALYARD_TRY(parse_subject(object, approval));
  HALYARD_TRY(parse_origin(object, approval));
  // One approval has one text, so that its identity and its signature are of one thing.
  if (approval_json(approval) != json_text) {
    return object.error_here("is not in canonical form (RFC 8785)");
  }
  return approval;
}

}  // namespace halyard::store
