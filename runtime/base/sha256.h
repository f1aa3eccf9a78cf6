// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace halyard::base {

using Sha256Digest = std::array<std::uint8_t, 32>;

// A SHA-256 in progress. One thread at a time.
class Sha256 {
 public:
  Sha256();

  Sha256& update(std::span<const std::byte> bytes);
  Sha256& update(std::string_view text);
  // A named field: both lengths, as 64-bit little-endian, stand before name and bytes, so that no
  // two lists of fields hash the same bytes.
  Sha256& update_field(std::string_view name, std::span<const std::byte> bytes);
  Sha256& update_field(std::string_view name, std::string_view text);
  // The digest of all updates; after it only destruction is allowed.
  Sha256Digest finish();

  static Sha256Digest of(std::span<const std::byte> bytes);
  static Sha256Digest of(std::string_view text);

 private:
  void update_length(std::size_t length);

  static constexpr std::size_t kStateBytes = 104;
  alignas(8) std::array<std::byte, kStateBytes> state_;
};

// Lower-case, two digits a byte.
std::string to_hex(std::span<const std::uint8_t> bytes);

}  // namespace halyard::base
