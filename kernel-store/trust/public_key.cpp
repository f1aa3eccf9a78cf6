// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/public_key.h"

#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <sodium/core.h>
#include <sodium/crypto_core_ed25519.h>
#include <sodium/crypto_sign.h>

#include <optional>
#include <span>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kPrefix = "ed25519:";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Whether `text` is exactly the lower-case digits of `bytes`, which receives them.
bool read_hex(std::string_view text, std::span<std::uint8_t> bytes) {
  if (text.size() != 2 * bytes.size()) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = hex_digit(text[2 * i]);
    const int low = hex_digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return true;
}

// As many bytes of a text that a user wrote as a message takes.
std::string_view shown(std::string_view text) {
  return text.substr(0, 100);
}

}  // namespace

std::string public_key_text(const PublicKey& key) {
  return concat(kPrefix, base::to_hex(key));
}

Result<PublicKey> parse_public_key(std::string_view text) {
  PublicKey key{};
  if (!text.starts_with(kPrefix) || !read_hex(text.substr(kPrefix.size()), key)) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("\"", shown(text),
                        "\" is no public key, which is \"ed25519:\" and 64 lower-case hexadecimal "
                        "digits."));
  }
  if (crypto_core_ed25519_is_valid_point(key.data()) != 1) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("\"", text, "\" is no point of Ed25519 that a key can be."));
  }
  return key;
}

std::string key_fingerprint(const PublicKey& key) {
  const std::string hex = base::to_hex(
      base::Sha256().update_field("halyard.key/1", std::as_bytes(std::span(key))).finish());
  return concat(hex.substr(0, 4), '-', hex.substr(4, 4), '-', hex.substr(8, 4), '-',
                hex.substr(12, 4));
}

std::string signature_text(const Signature& signature) {
  return base::to_hex(signature);
}

Result<Signature> parse_signature(std::string_view text) {
  Signature signature{};
  if (!read_hex(text, signature)) {
    return Error(
        ErrorCode::kInvalidArgument,
        concat("\"", shown(text), "\" is no signature of 128 lower-case hexadecimal digits."));
  }
  return signature;
}

bool verify_signature(const PublicKey& key, std::string_view domain, std::string_view text,
                      const Signature& signature) {
  std::string message = concat(domain, '\0', text);
  return crypto_sign_verify_detached(signature.data(),
                                     reinterpret_cast<const unsigned char*>(message.data()),
                                     message.size(), key.data()) == 0;
}

}  // namespace halyard::store
