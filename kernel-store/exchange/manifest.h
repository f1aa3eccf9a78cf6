// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/build_key.h"
#include "kernel-store/kernel_id.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// A binary in an export. Its key is that of its inputs.
struct ManifestBuild {
  BuildInputs inputs;
  Digest blob{};
};

// A kernel in an export; everything but inputs and approvals is named by the hash of its bytes.
struct ManifestKernel {
  KernelId id{};
  Digest record{};  // Of its kernel.json in canonical form.
  std::map<std::string, Digest> files;
  std::optional<Digest> prelude_digest;
  std::vector<ManifestBuild> builds;
  std::vector<Digest> evidence;
  std::vector<SignedApproval> approvals;
  std::optional<Digest> history;
};

// What an export holds: a `halyard.export/1` document, in canonical form.
struct Manifest {
  std::vector<ManifestKernel> kernels;
  std::map<Digest, std::uint64_t> objects;  // Their sizes in bytes.
};

std::string manifest_json(const Manifest& manifest);
// Errors: kCorruptData with the JSON pointer of what is wrong: also an object that nothing names or
// that is not listed, one kernel twice, and sizes beyond the bounds of an import.
base::Result<Manifest> parse_manifest(std::string_view json_text, std::string_view source_name);

// Who signed a manifest: a `halyard.export-signature/1` document.
struct ManifestSignature {
  PublicKey key{};
  Signature signature{};
};

std::string manifest_signature_json(const ManifestSignature& signature);
base::Result<ManifestSignature> parse_manifest_signature(std::string_view json_text,
                                                         std::string_view source_name);

}  // namespace halyard::store
