// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval_records.h"
#include "kernel-store/build_key.h"
#include "kernel-store/evidence.h"
#include "kernel-store/kernel_package.h"
#include "kernel-store/kernel_state.h"
#include "kernel-store/launch_markers.h"
#include "kernel-store/request_queue.h"
#include "kernel-store/store_upkeep.h"
#include "runtime/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

// How a store can be used, and why not in full.
struct StoreCondition {
  enum class Mode : std::uint8_t { kReadWrite, kReadOnly, kMemory };

  Mode mode = Mode::kReadWrite;
  std::string reason;  // Empty in the mode that was asked for.
};

// What listing a kernel tells.
struct KernelSummary {
  KernelId id;
  std::string contract;
  std::string name;
  std::string version;
};

// A binary and what it depends on.
struct BuildRecord {
  BuildInputs inputs;
  Digest blob;
};

// Of evidence about one use of a kernel; an absent part matches all.
struct EvidenceQuery {
  KernelId kernel;
  std::optional<std::string> target;
  std::optional<TypeBinding> types;
  std::optional<std::string> device;
  std::optional<std::string> driver;
  std::optional<EvidenceKind> kind;
};

// Immutable records of kernels and what is known about them. Putting a present record succeeds and
// changes nothing; absence is no error.
//
// Threads: any number at once. Processes: any number at once. After fork() a child gets
// kUnavailable from each verb and opens a store of its own. Errors of each verb: kUnavailable while
// another process holds the store for long, kIoError (disk full), kPermissionDenied for a write in
// read-only mode, kCorruptData.
class KernelStore {
 public:
  virtual ~KernelStore() = default;

  // The URL the store was opened with, and what came of it.
  virtual const std::string& url() const = 0;
  virtual base::Result<StoreCondition> condition() = 0;
  // Grows with each kernel, build, state and approval that is added, by any process.
  virtual base::Result<std::uint64_t> generation() = 0;

  virtual base::Status put_kernel(const KernelPackage& package) = 0;
  // A package that does not have the identity it is stored under is a miss, and is set aside.
  virtual base::Result<std::optional<KernelPackage>> get_kernel(const KernelId& id) = 0;
  // Of one contract, or all for an empty name; by contract, name and version.
  virtual base::Result<std::vector<KernelSummary>> list_kernels(std::string_view contract) = 0;
  // Those of a contract whose record names `target`; by name and version.
  virtual base::Result<std::vector<KernelSummary>> find_kernels(std::string_view contract,
                                                                std::string_view target) = 0;

  virtual base::Result<Digest> put_blob(std::span<const std::byte> bytes) = 0;
  // Bytes that do not have the digest are a miss, and are set aside so that they can be put again.
  virtual base::Result<std::optional<std::vector<std::byte>>> get_blob(const Digest& digest) = 0;

  virtual base::Status put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) = 0;
  virtual base::Result<std::optional<BuildRecord>> get_build(const BuildKey& key) = 0;
  // All builds of a kernel, the newest first.
  virtual base::Result<std::vector<BuildRecord>> find_builds(const KernelId& kernel) = 0;

  virtual base::Result<EvidenceId> put_evidence(const EvidenceRecord& record) = 0;
  // The newest first.
  virtual base::Result<std::vector<EvidenceRecord>> find_evidence(const EvidenceQuery& query) = 0;

  // True when the entry is added, false when the history says so already, by judge_transition().
  virtual base::Result<bool> append_state(const StateChange& change) = 0;
  // The history of a kernel, the oldest first; of one target, or all for an empty one.
  virtual base::Result<std::vector<StateChange>> states(const KernelId& kernel,
                                                        std::string_view target) = 0;

  // Live as long as the store.
  virtual RequestQueue& requests() = 0;
  virtual LaunchMarkers& markers() = 0;
  virtual ApprovalRecords& approvals() = 0;
  virtual StoreUpkeep& upkeep() = 0;
};

}  // namespace halyard::store
