// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_url.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>
#include <string_view>

namespace halyard::store {
namespace {

using base::Error;
using base::ErrorCode;

constexpr auto kSecrets = std::to_array<std::string_view>({"password", "sslpassword"});

std::string escape(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~,:*/").find(c) != std::string_view::npos) {
      escaped += c;
    } else {
      escaped += '%';
      escaped += kHex[byte >> 4];
      escaped += kHex[byte & 15];
    }
  }
  return escaped;
}

// Made anew of what libpq understood, so that a password cannot hide in it.
std::string visible_text(const std::map<std::string, std::string>& options) {
  std::string place = "postgresql://";
  std::string rest;
  for (const auto& [name, value] : options) {
    if (name == "user" || name == "dbname") continue;
    rest += (rest.empty() ? "?" : "&") + escape(name) + "=" + escape(value);
  }
  const auto part = [&](const char* name) {
    const auto found = options.find(name);
    return found == options.end() ? std::string() : escape(found->second);
  };
  if (options.contains("user")) place += part("user") + "@";
  return place + "/" + part("dbname") + rest;
}

// Whether all before the options has one '@' at most, and none behind the host. Of a password with
// '@' or '/' libpq takes a part for the host, the port or the database, and shows it.
bool has_plain_place(std::string_view url) {
  const std::string_view place = url.substr(0, url.find('?'));
  const std::size_t begin = place.find("//");
  if (begin == std::string_view::npos) return true;
  const std::string_view rest = place.substr(begin + 2);
  const std::size_t first = rest.find('@');
  return first == std::string_view::npos || (first < rest.find('/') && first == rest.rfind('@'));
}

}  // namespace

base::Result<PostgresUrl> parse_postgres_url(const LibpqLibrary& libpq, const std::string& url) {
  if (!has_plain_place(url)) {
    return Error(ErrorCode::kInvalidArgument,
                 "The store's URL has a second \"@\", or one behind its host; within a name or a "
                 "password \"@\" is written %40, and \"/\" is written %2F.");
  }
  char* reason = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(libpq.PQconninfoFree)> parsed(
      libpq.PQconninfoParse(url.c_str(), &reason), libpq.PQconninfoFree);
  // libpq's own sentence may repeat the password.
  libpq.PQfreemem(reason);
  if (parsed == nullptr) {
    return Error(ErrorCode::kInvalidArgument,
                 "The store's URL is not \"postgresql://[user[:password]@]host[:port]/database"
                 "[?option=value…]\" as PostgreSQL's client library reads it.");
  }
  std::map<std::string, std::string> options;
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    if (std::find(kSecrets.begin(), kSecrets.end(), option->keyword) != kSecrets.end()) continue;
    options.emplace(option->keyword, option->val);
  }
  return PostgresUrl{url, visible_text(options)};
}

}  // namespace halyard::store
