// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/trust/secret.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace halyard::store {

// The file of a signing key. Lines, each ended by a line break, in this order:
//
//   halyard.key/1
//   public ed25519:<64 digits>
//   secret <64 digits>
//
// or, encrypted, instead of the last one:
//
//   argon2id <operations> <bytes of memory> <32 digits of salt>
//   sealed <144 digits: nonce and box>
//
// It is read into wiped memory and parsed in place: a JSON parser would leave copies behind.
class KeyFile {
 public:
  // Errors: those of open_guarded_file(); kNotFound; kCorruptData.
  static base::Result<KeyFile> read(const std::string& path);
  static base::Result<KeyFile> parse(Secret text, std::string path);
  static base::Result<Secret> format(const PublicKey& public_key, const Secret& seed,
                                     const Secret& passphrase);
  // Errors: kPermissionDenied where `path` exists.
  static base::Status create(const std::string& path, const Secret& text);

  const PublicKey& public_key() const { return public_key_; }
  bool is_sealed() const { return operations_ != 0; }
  // Errors: kPermissionDenied for a passphrase that is missing, not needed or does not fit;
  // kOutOfMemory.
  base::Result<Secret> open_seed(const Secret& passphrase) const;

 private:
  explicit KeyFile(std::string path) : path_(std::move(path)) {}
  base::Status parse_sealed(std::string_view work, std::string_view sealed);
  base::Error corrupt(std::string_view what) const;

  std::string path_;
  PublicKey public_key_{};
  std::uint64_t operations_ = 0;  // 0: not encrypted.
  std::uint64_t memory_bytes_ = 0;
  Secret salt_;
  Secret payload_;  // The seed, or nonce and box.
};

}  // namespace halyard::store
