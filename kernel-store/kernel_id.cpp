// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_id.h"

namespace halyard::store {
namespace {

void add_files(base::Sha256& hash, const PackageFiles& files) {
  hash.update_field("file count", std::to_string(files.size()));
  for (const auto& [name, contents] : files)
    hash.update_field(name, contents);
}

}  // namespace

KernelId compute_kernel_id(const KernelIdentity& identity) {
  base::Sha256 hash;
  hash.update_field("format", "halyard.kernel-id/1");
  hash.update_field("kernel.json", identity.canonical_json);
  add_files(hash, *identity.files);
  hash.update_field("prelude", identity.prelude);
  hash.update_field("prelude digest", identity.prelude_digest
                                          ? std::as_bytes(std::span(*identity.prelude_digest))
                                          : std::span<const std::byte>());
  return hash.finish();
}

Digest compute_prelude_digest(const PackageFiles& files) {
  base::Sha256 hash;
  hash.update_field("format", "halyard.prelude-digest/1");
  add_files(hash, files);
  return hash.finish();
}

std::string digest_text(const Digest& digest) {
  return base::to_hex(digest);
}

std::optional<Digest> digest_from_text(std::string_view text) {
  Digest digest{};
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    int nibble = 0;
    if (c >= '0' && c <= '9') {
      nibble = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      nibble = c - 'a' + 10;
    } else {
      return std::nullopt;
    }
    digest[i / 2] = static_cast<std::uint8_t>(digest[i / 2] << 4 | nibble);
  }
  return digest;
}

}  // namespace halyard::store
