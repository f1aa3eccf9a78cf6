// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::store {

// "ed25519:" and 64 lower-case hexadecimal digits: the only form.
std::string public_key_text(const PublicKey& key);
// Errors: kInvalidArgument for another form, and for a point that any signature would fit.
base::Result<PublicKey> parse_public_key(std::string_view text);

// What people compare: 16 digits in groups of four, "1f2e-03c4-…", of a hash of the key.
std::string key_fingerprint(const PublicKey& key);

// 128 lower-case hexadecimal digits.
std::string signature_text(const Signature& signature);
base::Result<Signature> parse_signature(std::string_view text);

// What a signature is over: `domain`, a zero byte and `text`, so that a signature made for one kind
// of document fits no other.
bool verify_signature(const PublicKey& key, std::string_view domain, std::string_view text,
                      const Signature& signature);

inline constexpr std::string_view kApprovalDomain = "halyard.approval/1";
inline constexpr std::string_view kExportDomain = "halyard.export/1";

}  // namespace halyard::store
