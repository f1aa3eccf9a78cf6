// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/sha256.h"

#include <sodium/crypto_hash_sha256.h>

#include <new>

namespace halyard::base {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

crypto_hash_sha256_state* state_in(std::byte* storage) {
  return std::launder(reinterpret_cast<crypto_hash_sha256_state*>(storage));
}

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(crypto_hash_sha256_state) <= kStateBytes);
  static_assert(alignof(crypto_hash_sha256_state) <= 8);
  crypto_hash_sha256_init(new (state_.data()) crypto_hash_sha256_state);
}

Sha256& Sha256::update(std::span<const std::byte> bytes) {
  crypto_hash_sha256_update(state_in(state_.data()),
                            reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return *this;
}

Sha256& Sha256::update(std::string_view text) {
  return update(bytes_of(text));
}

void Sha256::update_length(std::size_t length) {
  std::array<std::byte, 8> encoded;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    encoded[i] = static_cast<std::byte>((std::uint64_t{length} >> (8 * i)) & 0xff);
  }
  update(encoded);
}

Sha256& Sha256::update_field(std::string_view name, std::span<const std::byte> bytes) {
  update_length(name.size());
  update(name);
  update_length(bytes.size());
  return update(bytes);
}

Sha256& Sha256::update_field(std::string_view name, std::string_view text) {
  return update_field(name, bytes_of(text));
}

Sha256Digest Sha256::finish() {
  Sha256Digest digest;
  crypto_hash_sha256_final(state_in(state_.data()), digest.data());
  return digest;
}

Sha256Digest Sha256::of(std::span<const std::byte> bytes) {
  return Sha256().update(bytes).finish();
}
Sha256Digest Sha256::of(std::string_view text) {
  return Sha256().update(text).finish();
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

}  // namespace halyard::base
