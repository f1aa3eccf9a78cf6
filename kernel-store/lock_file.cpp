// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/lock_file.h"

#include "kernel-store/kernel_json_reader.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/file.h"
#include "runtime/base/json.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <tuple>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::JsonObject;
using base::Result;

constexpr std::string_view kFormat = "halyard.lock/1";
constexpr auto kFormats = std::to_array<std::string_view>({kFormat});

auto order_of(const LockPin& pin) {
  return std::tie(pin.contract, pin.types, pin.target, pin.kernel);
}

void sort_pins(std::vector<LockPin>& pins) {
  std::sort(pins.begin(), pins.end(),
            [](const LockPin& a, const LockPin& b) { return order_of(a) < order_of(b); });
  const auto repeated =
      std::unique(pins.begin(), pins.end(),
                  [](const LockPin& a, const LockPin& b) { return order_of(a) == order_of(b); });
  pins.erase(repeated, pins.end());
}

json::object types_to_json(const TypeBinding& types) {
  json::object object;
  for (const auto& [name, type] : types)
    object[name] = std::string(base::data_type_name(type));
  return object;
}

Result<Digest> required_digest(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string(key));
  const auto digest = digest_from_text(text);
  if (!digest) return object.error(key, "is not 64 lower-case hexadecimal digits");
  return *digest;
}

Result<std::string> required_text(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::string text, object.required_string(key));
  if (text.empty()) return object.error(key, "is empty");
  return text;
}

Result<LockPin> parse_pin(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"contract", "types", "target", "kernel", "build_sha256", "name"}));
  LockPin pin;
  HALYARD_TRY_ASSIGN(pin.contract, required_text(object, "contract"));
  HALYARD_TRY_ASSIGN(const JsonObject types, object.required_object("types"));
  HALYARD_TRY_ASSIGN(pin.types, reader::type_binding_of(types));
  HALYARD_TRY_ASSIGN(pin.target, required_text(object, "target"));
  HALYARD_TRY_ASSIGN(pin.kernel, required_digest(object, "kernel"));
  if (object.has("build_sha256")) {
    HALYARD_TRY_ASSIGN(pin.build, required_digest(object, "build_sha256"));
  }
  HALYARD_TRY_ASSIGN(pin.name, object.optional_string("name", ""));
  return pin;
}

}  // namespace

bool LockPin::is_for(std::string_view other_contract, const TypeBinding& other_types) const {
  return contract == other_contract && types == other_types;
}

std::string lock_file_json(LockFile lock) {
  sort_pins(lock.pins);
  json::array pins;
  for (const LockPin& pin : lock.pins) {
    json::object entry{{"contract", pin.contract},
                       {"types", types_to_json(pin.types)},
                       {"target", pin.target},
                       {"kernel", digest_text(pin.kernel)}};
    if (pin.build) entry["build_sha256"] = digest_text(*pin.build);
    if (!pin.name.empty()) entry["name"] = pin.name;
    pins.push_back(std::move(entry));
  }
  json::object document;
  document["format"] = json::string_view(kFormat.data(), kFormat.size());
  document["pins"] = std::move(pins);
  return base::pretty_json(document);
}

Result<LockFile> parse_lock_file(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject document, JsonObject::from(value, source_name));
  HALYARD_TRY(document.required_choice("format", kFormats));
  HALYARD_TRY(document.refuse_unknown_keys({"format", "pins"}));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> pins, document.required_objects("pins"));
  LockFile lock;
  for (const JsonObject& object : pins) {
    HALYARD_TRY_ASSIGN(LockPin pin, parse_pin(object));
    lock.pins.push_back(std::move(pin));
  }
  const std::size_t count = lock.pins.size();
  sort_pins(lock.pins);
  if (lock.pins.size() != count) return document.error("pins", "holds a kernel twice for one use");
  return lock;
}

Result<LockFile> load_lock_file(const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::string text, base::read_text_file(path, kMaxLockFileBytes));
  return parse_lock_file(text, path);
}

}  // namespace halyard::store
