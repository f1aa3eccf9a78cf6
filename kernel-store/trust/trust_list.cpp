// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/trust_list.h"

#include "kernel-store/trust/guarded_file.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/file.h"
#include "runtime/base/file_descriptor.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cerrno>
#include <utility>

namespace halyard::store {
namespace {

namespace json = boost::json;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::string_view kFormat = "halyard.trust/1";
constexpr base::JsonLimits kLimits = {std::size_t{1} << 20, 8};
constexpr std::size_t kMaxLabelBytes = 64;
constexpr std::int64_t kMaxTimeMs = (std::int64_t{1} << 53) - 1;
constexpr std::string_view kStates[] = {"verified", "promoted", "quarantined", "retired"};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Labels that differ in case only read as one.
bool is_same_label(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

bool is_label(std::string_view label) {
  if (label.empty() || label.size() > kMaxLabelBytes) return false;
  if (label.front() == ' ' || label.back() == ' ') return false;
  return std::all_of(label.begin(), label.end(), [](char c) {
    const char l = lower(c);
    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("_.@+- ").find(c) != std::string_view::npos;
  });
}

bool is_approvable(KernelState state) {
  return std::find(std::begin(kStates), std::end(kStates), kernel_state_name(state)) !=
         std::end(kStates);
}

Error unusable(std::string_view what) {
  return Error(ErrorCode::kInvalidArgument, concat(what, '.'));
}

Status check_key(const TrustedKey& key) {
  if (!is_label(key.label)) {
    return unusable(
        concat("A label has 1 to ", kMaxLabelBytes,
               " of A-Z, a-z, 0-9, _ . @ + - and spaces inside, and this one is not so"));
  }
  if (key.may_say.empty()) return unusable(concat("Key \"", key.label, "\" may say nothing"));
  for (const KernelState state : key.may_say) {
    if (!is_approvable(state)) {
      return unusable(concat("Key \"", key.label, "\" is to say ", kernel_state_name(state),
                             ", and a key says one of ", base::join(kStates)));
    }
  }
  if (key.not_before_ms < 0 || key.not_before_ms > kMaxTimeMs || key.expires_ms < 0 ||
      key.expires_ms > kMaxTimeMs || (key.expires_ms != 0 && key.expires_ms <= key.not_before_ms)) {
    return unusable(concat("Key \"", key.label, "\" expires (", key.expires_ms,
                           ") before it starts (", key.not_before_ms, ")"));
  }
  return base::ok();
}

json::string text_of(std::string_view text) {
  return json::string(text.data(), text.size());
}

Result<TrustedKey> parse_key(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"key", "label", "may_say", "local", "not_before_ms", "expires_ms"}));
  TrustedKey key;
  HALYARD_TRY_ASSIGN(const std::string text, object.required_string("key"));
  const Result<PublicKey> public_key = parse_public_key(text);
  if (!public_key) {
    return object.error("key", "is not \"ed25519:\" and 64 hexadecimal digits of a key");
  }
  key.key = *public_key;
  HALYARD_TRY_ASSIGN(key.label, object.required_string("label"));
  HALYARD_TRY_ASSIGN(const std::vector<std::string> states, object.required_strings("may_say"));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::optional<KernelState> state = kernel_state_from_name(states[i]);
    if (!state || !is_approvable(*state)) {
      return object.error("may_say", concat("holds another word than ", base::join(kStates)));
    }
    key.may_say.push_back(*state);
  }
  HALYARD_TRY_ASSIGN(key.local, object.optional_boolean("local", false));
  HALYARD_TRY_ASSIGN(key.not_before_ms,
                     object.optional_integer("not_before_ms", 0, {0, kMaxTimeMs}));
  HALYARD_TRY_ASSIGN(key.expires_ms, object.optional_integer("expires_ms", 0, {0, kMaxTimeMs}));
  return key;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

bool TrustedKey::may(KernelState state) const {
  return std::find(may_say.begin(), may_say.end(), state) != may_say.end();
}

Result<TrustList> TrustList::load(const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::optional<std::string> text,
                     read_guarded_file(path, kLimits.size_bytes));
  if (!text) return TrustList();
  return parse(*text, path);
}

Result<TrustList> TrustList::parse(std::string_view json_text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value, base::parse_json(json_text, source_name, kLimits));
  HALYARD_TRY_ASSIGN(const JsonObject object, JsonObject::from(value, source_name));
  HALYARD_TRY(object.refuse_unknown_keys({"format", "keys"}));
  HALYARD_TRY_ASSIGN(const std::string format, object.required_string("format"));
  if (format != kFormat) {
    return object.error("format", concat("is \"", format, "\", not \"", kFormat, "\""));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> entries, object.required_objects("keys"));
  TrustList list;
  for (const JsonObject& entry : entries) {
    HALYARD_TRY_ASSIGN(TrustedKey key, parse_key(entry));
    if (const Status added = list.add(std::move(key)); !added) {
      return Error(ErrorCode::kCorruptData,
                   concat(source_name, ": ", entry.path(), ": ", added.error().message()));
    }
  }
  return list;
}

std::string TrustList::to_json() const {
  json::array entries;
  for (const TrustedKey& key : keys_) {
    json::array states;
    for (const KernelState state : key.may_say)
      states.push_back(text_of(kernel_state_name(state)));
    json::object entry;
    entry["label"] = text_of(key.label);
    entry["key"] = text_of(public_key_text(key.key));
    entry["may_say"] = std::move(states);
    entry["local"] = key.local;
    entry["not_before_ms"] = key.not_before_ms;
    entry["expires_ms"] = key.expires_ms;
    entries.push_back(std::move(entry));
  }
  json::object object;
  object["format"] = text_of(kFormat);
  object["keys"] = std::move(entries);
  return base::pretty_json(object);
}

const TrustedKey* TrustList::find(const PublicKey& key) const {
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const TrustedKey& known) { return known.key == key; });
  return found == keys_.end() ? nullptr : &*found;
}

const TrustedKey* TrustList::find(std::string_view name) const {
  for (const TrustedKey& known : keys_) {
    if (is_same_label(known.label, name) || public_key_text(known.key) == name) return &known;
  }
  return nullptr;
}

Status TrustList::add(TrustedKey key) {
  HALYARD_TRY(check_key(key));
  if (keys_.size() >= kMaxTrustedKeys) {
    return unusable(concat("The trust list holds ", keys_.size(), " keys, and no more fit"));
  }
  if (const TrustedKey* const known = find(key.key)) {
    return unusable(concat("The trust list holds this key as \"", known->label, '"'));
  }
  if (const TrustedKey* const known = find(key.label)) {
    return unusable(concat("The trust list holds another key as \"", known->label, '"'));
  }
  std::sort(key.may_say.begin(), key.may_say.end());
  key.may_say.erase(std::unique(key.may_say.begin(), key.may_say.end()), key.may_say.end());
  const auto place = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const TrustedKey& known) { return key.label < known.label; });
  keys_.insert(place, std::move(key));
  return base::ok();
}

Status TrustList::remove(std::string_view name) {
  const TrustedKey* const known = find(name);
  if (known == nullptr) {
    return Error(ErrorCode::kNotFound,
                 concat("The trust list holds no key \"", name.substr(0, 100), "\"."));
  }
  keys_.erase(keys_.begin() + (known - keys_.data()));
  return base::ok();
}

Status change_trust_list(const std::string& path, const std::function<Status(TrustList&)>& change) {
  HALYARD_TRY(base::make_private_directories(folder_of(path)));
  const std::string lock_path = path + ".lock";
  const base::FileDescriptor lock(
      ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock) return base::system_error(errno, "Cannot open", lock_path);
  while (::flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return base::system_error(errno, "Cannot lock", lock_path);
  }
  HALYARD_TRY_ASSIGN(TrustList list, TrustList::load(path));
  HALYARD_TRY(change(list));
  return base::write_file_atomic(path, list.to_json(), 0644);
}

}  // namespace halyard::store
