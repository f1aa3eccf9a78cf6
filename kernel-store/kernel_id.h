// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/base/sha256.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

// SHA-256 over named, length-prefixed fields, so that no two identities share one form.
KernelId compute_kernel_id(const KernelIdentity& identity);

// The digest of a prelude: its files' names and contents.
Digest compute_prelude_digest(const PackageFiles& files);

std::string digest_text(const Digest& digest);
// 64 lower-case hexadecimal digits.
std::optional<Digest> digest_from_text(std::string_view text);

}  // namespace halyard::store
