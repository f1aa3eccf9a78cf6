// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/signing_key.h"

#include "kernel-store/trust/key_file.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/text.h"

#include <sodium/core.h>
#include <sodium/crypto_sign.h>
#include <sodium/randombytes.h>

#include <cstring>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

}  // namespace

SigningKey::SigningKey(Secret seed, Secret secret_key, const PublicKey& public_key)
    : seed_(std::move(seed)),
      secret_key_(std::move(secret_key)),
      public_key_(public_key) {}

Result<SigningKey> SigningKey::from_seed(Secret seed) {
  Secret secret_key(crypto_sign_SECRETKEYBYTES);
  PublicKey public_key{};
  crypto_sign_seed_keypair(public_key.data(), secret_key.data(), seed.data());
  return SigningKey(std::move(seed), std::move(secret_key), public_key);
}

Result<SigningKey> SigningKey::create() {
  if (sodium_init() < 0) {
    return Error(ErrorCode::kUnavailable, "The system gives no random numbers for a key.");
  }
  Secret seed(crypto_sign_SEEDBYTES);
  randombytes_buf(seed.data(), seed.size());
  return from_seed(std::move(seed));
}

Result<SigningKey> SigningKey::load(const std::string& path, const Secret& passphrase) {
  HALYARD_TRY_ASSIGN(const KeyFile file, KeyFile::read(path));
  HALYARD_TRY_ASSIGN(Secret seed, file.open_seed(passphrase));
  HALYARD_TRY_ASSIGN(SigningKey key, from_seed(std::move(seed)));
  if (key.public_key() != file.public_key()) {
    return Error(ErrorCode::kCorruptData,
                 concat("\"", path, "\" names the public key ", public_key_text(file.public_key()),
                        ", which its secret key does not have."));
  }
  return key;
}

Result<bool> SigningKey::needs_passphrase(const std::string& path) {
  HALYARD_TRY_ASSIGN(const KeyFile file, KeyFile::read(path));
  return file.is_sealed();
}

Status SigningKey::save(const std::string& path, const Secret& passphrase) const {
  HALYARD_TRY_ASSIGN(const Secret text, KeyFile::format(public_key_, seed_, passphrase));
  return KeyFile::create(path, text);
}

Signature SigningKey::sign(std::string_view domain, std::string_view text) const {
  const std::string message = concat(domain, '\0', text);
  Signature signature{};
  crypto_sign_detached(signature.data(), nullptr,
                       reinterpret_cast<const unsigned char*>(message.data()), message.size(),
                       secret_key_.data());
  return signature;
}

}  // namespace halyard::store
