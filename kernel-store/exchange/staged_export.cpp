// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/staged_export.h"

#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/history_claims.h"
#include "kernel-store/exchange/import.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr std::uint64_t kMaxSignatureBytes = 4096;

// The bytes of a small entry.
Result<std::string> read_text(EntrySource& source, const Entry& entry, std::uint64_t limit,
                              const std::string& path) {
  if (entry.size_bytes > limit) {
    return entry_error(ErrorCode::kCorruptData, path, entry.name,
                       concat("has ", entry.size_bytes, " bytes, more than ", limit));
  }
  std::string text;
  HALYARD_TRY(source.read([&text](std::span<const std::byte> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return base::ok();
  }));
  return text;
}

}  // namespace

Result<StagedExport> StagedExport::read(EntrySource& source, const std::string& path) {
  HALYARD_TRY_ASSIGN(Spool spool, Spool::create());
  StagedExport staged(std::move(spool), path);
  HALYARD_TRY(staged.read_manifest(source));
  bool is_first = true;
  for (;; is_first = false) {
    HALYARD_TRY_ASSIGN(const std::optional<Entry> entry, source.next());
    if (!entry) break;
    if (is_first && entry->name == kSignatureName) {
      HALYARD_TRY(staged.read_signature(source, *entry));
    } else {
      HALYARD_TRY(staged.read_object(source, *entry));
    }
  }
  for (const auto& [digest, size] : staged.manifest_.objects) {
    if (!staged.offsets_.contains(digest)) {
      return entry_error(ErrorCode::kCorruptData, path, object_name(digest),
                         "is announced and missing");
    }
  }
  return staged;
}

Status StagedExport::read_manifest(EntrySource& source) {
  HALYARD_TRY_ASSIGN(const std::optional<Entry> entry, source.next());
  if (!entry || entry->name != kManifestName) {
    return Error(ErrorCode::kCorruptData, concat("\"", path_, "\" does not begin with ",
                                                 kManifestName, ", as an export does."));
  }
  HALYARD_TRY_ASSIGN(manifest_text_, read_text(source, *entry, kMaxManifestBytes, path_));
  HALYARD_TRY_ASSIGN(manifest_, parse_manifest(manifest_text_, concat(path_, '/', kManifestName)));
  return base::ok();
}

Status StagedExport::read_signature(EntrySource& source, const Entry& entry) {
  HALYARD_TRY_ASSIGN(const std::string text, read_text(source, entry, kMaxSignatureBytes, path_));
  HALYARD_TRY_ASSIGN(const ManifestSignature signature,
                     parse_manifest_signature(text, concat(path_, '/', kSignatureName)));
  if (!verify_signature(signature.key, kExportDomain, manifest_text_, signature.signature)) {
    return entry_error(
        ErrorCode::kPermissionDenied, path_, entry.name,
        concat("holds no signature of key ", public_key_text(signature.key), " over the manifest"));
  }
  signer_ = signature.key;
  return base::ok();
}

Status StagedExport::read_object(EntrySource& source, const Entry& entry) {
  const std::optional<Digest> digest = object_of(entry.name);
  const auto announced = digest ? manifest_.objects.find(*digest) : manifest_.objects.end();
  if (announced == manifest_.objects.end()) {
    return entry_error(ErrorCode::kCorruptData, path_, entry.name,
                       "is not announced by the manifest");
  }
  if (entry.size_bytes != announced->second) {
    return entry_error(
        ErrorCode::kCorruptData, path_, entry.name,
        concat("has ", entry.size_bytes, " bytes, and the manifest announces ", announced->second));
  }
  if (!offsets_.emplace(*digest, spool_.size_bytes()).second) {
    return entry_error(ErrorCode::kCorruptData, path_, entry.name, "is there twice");
  }
  base::Sha256 hash;
  HALYARD_TRY(source.read([&](std::span<const std::byte> bytes) {
    hash.update(bytes);
    return spool_.append(bytes);
  }));
  const Digest found = hash.finish();
  if (found != *digest) {
    return entry_error(ErrorCode::kCorruptData, path_, entry.name,
                       concat("has the SHA-256 ", digest_text(found)));
  }
  return base::ok();
}

std::string StagedExport::source_name(const Digest& digest) const {
  return concat(path_, '/', object_name(digest));
}

Result<std::string> StagedExport::object(const Digest& digest) const {
  return spool_.read(offsets_.at(digest), manifest_.objects.at(digest));
}

Result<KernelPackage> StagedExport::package(const ManifestKernel& entry) const {
  std::uint64_t size = 0;
  for (const auto& [name, digest] : entry.files)
    size += manifest_.objects.at(digest);
  if (size > kMaxPackageBytes || manifest_.objects.at(entry.record) > kMaxKernelJsonBytes) {
    return Error(ErrorCode::kCorruptData,
                 concat("Kernel ", digest_text(entry.id), " of \"", path_, "\" has files of ", size,
                        " bytes or a record of ", manifest_.objects.at(entry.record),
                        ", more than ", kMaxPackageBytes, " or ", kMaxKernelJsonBytes, '.'));
  }
  HALYARD_TRY_ASSIGN(const std::string text, object(entry.record));
  HALYARD_TRY_ASSIGN(KernelRecord record, parse_kernel_record(text, source_name(entry.record)));
  if (record.canonical_json != text) {
    return Error(ErrorCode::kCorruptData,
                 concat(source_name(entry.record), ": is not in canonical form (RFC 8785)."));
  }
  PackageFiles files;
  for (const auto& [name, digest] : entry.files) {
    HALYARD_TRY_ASSIGN(std::string bytes, object(digest));
    files.emplace(name, std::move(bytes));
  }
  HALYARD_TRY_ASSIGN(KernelPackage package, make_kernel_package(std::move(record), std::move(files),
                                                                entry.prelude_digest));
  if (package.id != entry.id) {
    return Error(ErrorCode::kCorruptData,
                 concat("Kernel ", digest_text(entry.id), " of \"", path_, "\" has the identity ",
                        digest_text(package.id), '.'));
  }
  return package;
}

Result<ArrivingKernel> StagedExport::kernel(const ManifestKernel& entry) const {
  ArrivingKernel kernel;
  HALYARD_TRY_ASSIGN(kernel.package, package(entry));
  for (const ManifestBuild& build : entry.builds)
    kernel.builds.push_back({build.inputs, build.blob});
  for (const Digest& digest : entry.evidence) {
    HALYARD_TRY_ASSIGN(const std::string text, object(digest));
    HALYARD_TRY_ASSIGN(EvidenceRecord record, parse_evidence(text, source_name(digest)));
    if (evidence_json(record) != text) {
      return Error(ErrorCode::kCorruptData,
                   concat(source_name(digest), ": is not in canonical form (RFC 8785)."));
    }
    kernel.evidence.push_back(std::move(record));
  }
  kernel.approvals = entry.approvals;
  if (entry.history) {
    HALYARD_TRY_ASSIGN(const std::string text, object(*entry.history));
    HALYARD_TRY_ASSIGN(kernel.history, parse_history(text, source_name(*entry.history), entry.id));
  }
  HALYARD_TRY(check_arriving(kernel));
  return kernel;
}

}  // namespace halyard::store
