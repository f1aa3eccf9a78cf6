// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/export.h"

#include "kernel-store/exchange/entry_name.h"
#include "kernel-store/exchange/export_writer.h"
#include "kernel-store/exchange/history_claims.h"
#include "kernel-store/exchange/import.h"
#include "kernel-store/exchange/manifest.h"
#include "kernel-store/trust/public_key.h"
#include "runtime/base/text.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Gathers what an export holds. Records other than binaries are kept; those are read again when
// they are written.
class Collection {
 public:
  Collection(KernelStore& store, const std::string& target, ExchangeReport& report)
      : store_(store),
        target_(target),
        report_(report) {}

  Status add(const KernelId& id);

  const Manifest& manifest() const { return manifest_; }
  // The bytes of an object. Errors: kCorruptData for a binary that is gone since.
  Result<std::string> object(const Digest& digest) const;

 private:
  Digest keep(std::string bytes);
  Status add_builds(const KernelId& id, ManifestKernel& entry);
  Status add_evidence(const KernelId& id, ManifestKernel& entry);
  Status add_approvals(const KernelId& id, ManifestKernel& entry);
  bool is_wanted(std::string_view target) const { return target_.empty() || target == target_; }

  KernelStore& store_;
  const std::string& target_;
  ExchangeReport& report_;
  Manifest manifest_;
  std::map<Digest, std::string> kept_;
};

Digest Collection::keep(std::string bytes) {
  const Digest digest = base::Sha256::of(bytes);
  manifest_.objects.emplace(digest, bytes.size());
  kept_.emplace(digest, std::move(bytes));
  return digest;
}

Status Collection::add_builds(const KernelId& id, ManifestKernel& entry) {
  HALYARD_TRY_ASSIGN(std::vector<BuildRecord> builds, store_.find_builds(id));
  std::sort(builds.begin(), builds.end(), [](const BuildRecord& a, const BuildRecord& b) {
    return compute_build_key(a.inputs) < compute_build_key(b.inputs);
  });
  for (BuildRecord& build : builds) {
    if (!is_wanted(build.inputs.target)) continue;
    HALYARD_TRY_ASSIGN(const auto bytes, store_.get_blob(build.blob));
    if (!bytes) {
      report_.note(concat("Build ", digest_text(build.blob), " of kernel ", digest_text(id),
                          " is left out, since its bytes are missing or damaged."));
      continue;
    }
    manifest_.objects.emplace(build.blob, bytes->size());
    entry.builds.push_back({std::move(build.inputs), build.blob});
  }
  return base::ok();
}

Status Collection::add_evidence(const KernelId& id, ManifestKernel& entry) {
  HALYARD_TRY_ASSIGN(const std::vector<EvidenceRecord> records,
                     store_.find_evidence({id, {}, {}, {}, {}, {}}));
  for (const EvidenceRecord& record : records) {
    if (is_wanted(record.target)) entry.evidence.push_back(keep(evidence_json(record)));
  }
  std::sort(entry.evidence.begin(), entry.evidence.end());
  return base::ok();
}

Status Collection::add_approvals(const KernelId& id, ManifestKernel& entry) {
  HALYARD_TRY_ASSIGN(std::vector<SignedApproval> approvals, store_.approvals().find_approvals(id));
  std::erase_if(approvals, [this](const SignedApproval& signed_approval) {
    const Result<Approval> approval = parse_approval(signed_approval.document, "approval");
    return !approval || !is_wanted(approval->target);
  });
  entry.approvals = std::move(approvals);
  return base::ok();
}

Status Collection::add(const KernelId& id) {
  HALYARD_TRY_ASSIGN(const std::optional<KernelPackage> package, store_.get_kernel(id));
  if (!package) {
    return Error(ErrorCode::kNotFound,
                 concat("The store has no sound kernel ", digest_text(id), "."));
  }
  ManifestKernel entry;
  entry.id = id;
  entry.record = keep(package->record.canonical_json);
  for (const auto& [name, bytes] : package->files)
    entry.files.emplace(name, keep(bytes));
  entry.prelude_digest = package->prelude_digest;
  HALYARD_TRY(add_builds(id, entry));
  HALYARD_TRY(add_evidence(id, entry));
  HALYARD_TRY(add_approvals(id, entry));
  HALYARD_TRY_ASSIGN(const std::vector<StateChange> history, store_.states(id, target_));
  if (!history.empty()) entry.history = keep(history_json(history));
  report_.offered.kernels += 1;
  report_.offered.builds += entry.builds.size();
  report_.offered.evidence += entry.evidence.size();
  report_.offered.approvals += entry.approvals.size();
  report_.offered.states += history.size();
  manifest_.kernels.push_back(std::move(entry));
  return base::ok();
}

Result<std::string> Collection::object(const Digest& digest) const {
  const auto kept = kept_.find(digest);
  if (kept != kept_.end()) return kept->second;
  HALYARD_TRY_ASSIGN(const auto bytes, store_.get_blob(digest));
  if (!bytes) {
    return Error(ErrorCode::kCorruptData,
                 concat("The blob ", digest_text(digest), " is gone since the export began."));
  }
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

// Sorted, each once.
Result<std::vector<KernelId>> selected(KernelStore& store, const ExportSelection& selection) {
  std::vector<KernelId> ids = selection.kernels;
  if (ids.empty()) {
    HALYARD_TRY_ASSIGN(const std::vector<KernelSummary> summaries,
                       store.list_kernels(selection.contract));
    for (const KernelSummary& summary : summaries)
      ids.push_back(summary.id);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Status write_all(ExportWriter& writer, const Collection& collection, const std::string& manifest,
                 const SigningKey* signer) {
  HALYARD_TRY(writer.add(std::string(kManifestName), manifest));
  if (signer != nullptr) {
    const ManifestSignature signature{signer->public_key(), signer->sign(kExportDomain, manifest)};
    HALYARD_TRY(writer.add(std::string(kSignatureName), manifest_signature_json(signature)));
  }
  for (const auto& [digest, size] : collection.manifest().objects) {
    HALYARD_TRY_ASSIGN(const std::string bytes, collection.object(digest));
    HALYARD_TRY(writer.add(object_name(digest), bytes));
  }
  return writer.finish();
}

}  // namespace

Result<std::unique_ptr<ExportWriter>> create_export(const std::string& path) {
  struct stat facts = {};
  if (::lstat(path.c_str(), &facts) == 0) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("\"", path, "\" exists, and an export replaces nothing."));
  }
  return is_archive_name(path) ? create_archive(path) : create_folder(path);
}

Result<ExchangeReport> export_store(KernelStore& store, const ExportSelection& selection,
                                    const std::string& path, const SigningKey* signer) {
  HALYARD_TRY_ASSIGN(const std::unique_ptr<ExportWriter> writer, create_export(path));
  ExchangeReport report;
  Collection collection(store, selection.target, report);
  HALYARD_TRY_ASSIGN(const std::vector<KernelId> ids, selected(store, selection));
  for (const KernelId& id : ids) {
    const Status added = collection.add(id);
    // A damaged kernel is missed only by who asks for it.
    if (!added && added.error().code() == ErrorCode::kNotFound && selection.kernels.empty()) {
      report.note(added.error().message());
    } else {
      HALYARD_TRY(added);
    }
  }
  const std::string manifest = manifest_json(collection.manifest());
  // What an import would refuse is not written.
  if (const auto read = parse_manifest(manifest, kManifestName); !read) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The export is beyond what an import takes: ", read.error().message()));
  }
  HALYARD_TRY(write_all(*writer, collection, manifest, signer));
  return report;
}

}  // namespace halyard::store
