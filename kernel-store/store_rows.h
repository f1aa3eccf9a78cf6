// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/build_key.h"
#include "kernel-store/evidence.h"
#include "kernel-store/kernel_package.h"
#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What the engines keep in their columns alike, and the checks that each record passes on its way
// out of one.
namespace halyard::store {

// Milliseconds since 1970 UTC.
std::int64_t unix_time_ms();

// ["-O3"]
std::string string_list_json(const std::vector<std::string>& list);
// Errors: kCorruptData.
base::Result<std::vector<std::string>> parse_string_list(std::string_view json_text);

// A record of the store: absent, sound, or damaged, and then why.
template <typename T>
struct StoredRecord {
  std::optional<T> record;
  std::string damage;

  static StoredRecord sound(T record) { return {std::move(record), {}}; }
  static StoredRecord damaged(std::string why) { return {std::nullopt, std::move(why)}; }
};

struct BlobColumns {
  Digest digest;
  std::vector<std::byte> bytes;
};
StoredRecord<std::vector<std::byte>> check_blob(BlobColumns columns);

struct KernelColumns {
  KernelId id;
  std::string contract;
  std::string name;
  std::string version;
  std::string record;
  std::optional<Digest> prelude_digest;
  PackageFiles files;  // Those that are there.
};
StoredRecord<KernelPackage> check_kernel(KernelColumns columns);

// Borrowed from the row.
struct BuildColumns {
  BuildKey key;
  KernelId kernel;
  std::string_view target;
  std::string_view types;
  std::string_view parameters;
  std::string_view toolchain;
  std::string_view driver;
  std::string_view flags;
  Digest blob;
};
StoredRecord<BuildRecord> check_build(const BuildColumns& columns);

// Borrowed from the row.
struct EvidenceColumns {
  EvidenceId id;
  KernelId kernel;
  std::string_view target;
  std::string_view device;
  std::string_view driver;
  std::string_view types;
  std::string_view kind;
  std::string_view record;
};
StoredRecord<EvidenceRecord> check_evidence(const EvidenceColumns& columns);

struct ApprovalColumns {
  ApprovalId id;
  KernelId kernel;
  std::string_view target;  // Borrowed from the row.
  PublicKey origin;
  std::int64_t sequence = 0;
  SignedApproval approval;
};
StoredRecord<SignedApproval> check_approval_row(ApprovalColumns columns);

}  // namespace halyard::store
