// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"

#include <optional>
#include <string>
#include <string_view>

namespace halyard::store {

// What an export holds: manifest.json, manifest.signature where it is signed, and each other thing
// under the hash of its bytes, so that no name from elsewhere is ever a path.
inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::string_view kSignatureName = "manifest.signature";
inline constexpr std::string_view kObjectsName = "objects";

// "objects/" and the digest.
std::string object_name(const Digest& digest);
std::optional<Digest> object_of(std::string_view name);

// Why no export holds an entry of this name, without a full stop; empty when one may. The name of a
// folder ends with '/'.
std::string entry_name_fault(std::string_view name);

// A name as a message shows it: what a terminal could act on is escaped, and the length bounded.
std::string shown_name(std::string_view name);

}  // namespace halyard::store
