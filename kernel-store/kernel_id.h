// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/base/sha256.h"

namespace halyard::store {

using Digest = base::Sha256Digest;

// What a kernel is: the SHA-256 of everything that changes its meaning.
using KernelId = Digest;

// Files of a package by name.
using PackageFiles = std::map<std::string, std::string>;

// Everything that changes what a kernel means.
struct KernelIdentity {
  std::string_view canonical_json;  // Of kernel.json.
  const PackageFiles* files = nullptr;
  std::string_view prelude;              // "c++/1"; empty without one.
  std::optional<Digest> prelude_digest;  // Of prelude_digest().
};

// SHA-256 over a length-prefixed form, so that no two identities share one text.
KernelId compute_kernel_id(const KernelIdentity& identity);

// The digest of a prelude: its files' names and contents.
Digest compute_prelude_digest(const PackageFiles& files);

// The SHA-256 of a sequence of fields, each preceded by its length in eight bytes.
class FieldHash {
 public:
  // `tag` keeps digests of unlike things apart.
  explicit FieldHash(std::string_view tag);
  FieldHash& add(std::string_view field);
  FieldHash& add(std::span<const std::uint8_t> field);
  FieldHash& add_count(std::uint64_t count);
  Digest finish();

 private:
  base::Sha256 hash_;
};

std::string digest_text(const Digest& digest);
// 64 lower-case hexadecimal digits.
std::optional<Digest> digest_from_text(std::string_view text);

}  // namespace halyard::store
