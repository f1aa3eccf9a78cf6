// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/exchange/admission.h"
#include "kernel-store/exchange/entry_source.h"
#include "kernel-store/exchange/manifest.h"
#include "kernel-store/exchange/spool.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace halyard::store {

// An export that is read to its end, each of its objects having the hash that it goes by. One
// thread at a time.
class StagedExport {
 public:
  // Reads nothing that the manifest does not announce. `path` is for messages.
  // Errors: those of the source; kCorruptData naming the entry that is missing, not announced,
  // there twice, or of another size or hash; kPermissionDenied for a signature that does not fit.
  static base::Result<StagedExport> read(EntrySource& source, const std::string& path);

  const Manifest& manifest() const { return manifest_; }
  // Whose signature the manifest has.
  const std::optional<PublicKey>& signer() const { return signer_; }

  // The kernel with all that is said of it, checked as check_arriving() does.
  base::Result<ArrivingKernel> kernel(const ManifestKernel& entry) const;
  base::Result<std::string> object(const Digest& digest) const;

 private:
  StagedExport(Spool spool, std::string path) : spool_(std::move(spool)), path_(std::move(path)) {}

  base::Status read_manifest(EntrySource& source);
  base::Status read_signature(EntrySource& source, const Entry& entry);
  base::Status read_object(EntrySource& source, const Entry& entry);
  base::Result<KernelPackage> package(const ManifestKernel& entry) const;
  // The name of an object in messages.
  std::string source_name(const Digest& digest) const;

  Manifest manifest_;
  std::string manifest_text_;
  std::optional<PublicKey> signer_;
  Spool spool_;
  std::map<Digest, std::uint64_t> offsets_;
  std::string path_;
};

}  // namespace halyard::store
