// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/policy.h"

#include "kernel-store/trust/guarded_file.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
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

constexpr std::string_view kFormat = "halyard.policy/1";
constexpr base::JsonLimits kLimits = {std::size_t{64} << 10, 8};
constexpr auto kBases = std::to_array<std::string_view>(
    {"bundled", "verified", "trusted-key", "local-key", "unverified"});
constexpr auto kStales = std::to_array<std::string_view>({"self-test", "reverify", "refuse"});
constexpr auto kPlaces = std::to_array<std::string_view>({"cpu", "gpu"});

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

json::array bases_to_json(const std::vector<ExecutionBasis>& bases) {
  json::array words;
  for (const ExecutionBasis basis : bases)
    words.push_back(text_of(execution_basis_name(basis)));
  return words;
}

Status parse_bases(const JsonObject& object, std::string_view key,
                   std::vector<ExecutionBasis>& bases) {
  if (!object.has(key)) return base::ok();
  HALYARD_TRY_ASSIGN(const std::vector<std::string> words, object.required_strings(key));
  bases.clear();
  for (const std::string& word : words) {
    const auto found = std::find(kBases.begin(), kBases.end(), word);
    if (found == kBases.end()) {
      return object.error(key, concat("holds another word than ", base::join(kBases)));
    }
    bases.push_back(static_cast<ExecutionBasis>(found - kBases.begin()));
  }
  std::sort(bases.begin(), bases.end());
  if (std::adjacent_find(bases.begin(), bases.end()) != bases.end()) {
    return object.error(key, "holds a word twice");
  }
  return base::ok();
}

}  // namespace

std::string_view execution_basis_name(ExecutionBasis basis) {
  return kBases[static_cast<std::size_t>(basis)];
}

std::string_view stale_policy_name(StalePolicy stale) {
  return kStales[static_cast<std::size_t>(stale)];
}

std::string_view code_place_name(CodePlace place) {
  return kPlaces[static_cast<std::size_t>(place)];
}

const std::vector<ExecutionBasis>& Policy::bases(CodePlace place) const {
  return place == CodePlace::kThisProcess ? this_process : device;
}

Result<Policy> load_policy(const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::optional<std::string> text,
                     read_guarded_file(path, kLimits.size_bytes));
  if (!text) return Policy();
  return parse_policy(*text, path);
}

Result<Policy> parse_policy(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name, kLimits));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(object.refuse_unknown_keys({"format", "execute", "stale"}));
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  Policy policy;
  HALYARD_TRY_ASSIGN(const std::optional<JsonObject> execute, object.optional_object("execute"));
  if (execute) {
    HALYARD_TRY(execute->refuse_unknown_keys({"cpu", "gpu"}));
    HALYARD_TRY(parse_bases(*execute, "cpu", policy.this_process));
    HALYARD_TRY(parse_bases(*execute, "gpu", policy.device));
  }
  HALYARD_TRY_ASSIGN(const std::string stale,
                     object.optional_choice("stale", kStales, stale_policy_name(policy.stale)));
  policy.stale =
      static_cast<StalePolicy>(std::find(kStales.begin(), kStales.end(), stale) - kStales.begin());
  return policy;
}

std::string policy_json(const Policy& policy) {
  json::object execute;
  execute["cpu"] = bases_to_json(policy.this_process);
  execute["gpu"] = bases_to_json(policy.device);
  json::object object;
  object["format"] = text_of(kFormat);
  object["execute"] = std::move(execute);
  object["stale"] = text_of(stale_policy_name(policy.stale));
  return base::pretty_json(object);
}

}  // namespace halyard::store
