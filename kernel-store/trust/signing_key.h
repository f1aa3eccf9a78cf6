// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/trust/secret.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::store {

// An Ed25519 key that signs approvals and exports. Nothing formats or logs its secret half.
//
// Threads: any number may sign at once.
class SigningKey {
 public:
  static base::Result<SigningKey> create();

  // Errors: kNotFound; kPermissionDenied for a file that others can read or that belongs to another
  // user, a symbolic link, a passphrase that does not fit, or none where one is needed;
  // kCorruptData for another form, parameters beyond the bounds, or halves that do not fit.
  static base::Result<SigningKey> load(const std::string& path, const Secret& passphrase);
  // Whether load() needs a passphrase.
  static base::Result<bool> needs_passphrase(const std::string& path);

  // Makes a file of mode 0600, encrypted where `passphrase` is not empty (Argon2id, then
  // XSalsa20-Poly1305). Errors: kPermissionDenied where the file exists: a key is never replaced.
  base::Status save(const std::string& path, const Secret& passphrase) const;

  const PublicKey& public_key() const { return public_key_; }
  // Over `domain`, a zero byte and `text`.
  Signature sign(std::string_view domain, std::string_view text) const;

 private:
  SigningKey(Secret seed, Secret secret_key, const PublicKey& public_key);
  static base::Result<SigningKey> from_seed(Secret seed);

  Secret seed_;        // 32 bytes; what is saved.
  Secret secret_key_;  // 64 bytes; as libsodium signs.
  PublicKey public_key_{};
};

// The work of Argon2id for a new file: the second recommended option of RFC 9106.
inline constexpr std::uint64_t kKeyFileOperations = 3;
inline constexpr std::uint64_t kKeyFileMemoryBytes = std::uint64_t{64} << 20;
// What a file that is read may ask for.
inline constexpr std::uint64_t kMaxKeyFileOperations = 16;
inline constexpr std::uint64_t kMaxKeyFileMemoryBytes = std::uint64_t{512} << 20;

}  // namespace halyard::store
