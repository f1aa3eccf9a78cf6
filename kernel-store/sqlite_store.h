// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "kernel-store/process_identity.h"
#include "kernel-store/sqlite_damage.h"
#include "kernel-store/sqlite_open.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace halyard::store {

// A store in one SQLite file, opened at the first verb.
class SqliteStore final : public KernelStore,
                          public RequestQueue,
                          public LaunchMarkers,
                          public ApprovalRecords,
                          public StoreUpkeep {
 public:
  // `memory_reason`: stay in memory, and why; without it the file at `path` is used.
  SqliteStore(std::string url, std::string path, std::optional<std::string> memory_reason);
  ~SqliteStore() override;

  const std::string& url() const override { return url_; }
  base::Result<StoreCondition> condition() override;
  base::Result<std::uint64_t> generation() override;

  base::Status put_kernel(const KernelPackage& package) override;
  base::Result<std::optional<KernelPackage>> get_kernel(const KernelId& id) override;
  base::Result<std::vector<KernelSummary>> list_kernels(std::string_view contract) override;
  base::Result<std::vector<KernelSummary>> find_kernels(std::string_view contract,
                                                        std::string_view target) override;
  base::Result<Digest> put_blob(std::span<const std::byte> bytes) override;
  base::Result<std::optional<std::vector<std::byte>>> get_blob(const Digest& digest) override;
  base::Status put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) override;
  base::Result<std::optional<BuildRecord>> get_build(const BuildKey& key) override;
  base::Result<std::vector<BuildRecord>> find_builds(const KernelId& kernel) override;
  base::Result<EvidenceId> put_evidence(const EvidenceRecord& record) override;
  base::Result<std::vector<EvidenceRecord>> find_evidence(const EvidenceQuery& query) override;
  base::Result<bool> append_state(const StateChange& change) override;
  base::Result<std::vector<StateChange>> states(const KernelId& kernel,
                                                std::string_view target) override;
  RequestQueue& requests() override { return *this; }
  LaunchMarkers& markers() override { return *this; }
  ApprovalRecords& approvals() override { return *this; }
  StoreUpkeep& upkeep() override { return *this; }

  base::Result<RequestId> put_request(RequestKind kind, std::string_view target,
                                      std::string_view document) override;
  base::Result<std::optional<RequestClaim>> claim_request(std::string_view owner,
                                                          const RequestFilter& filter,
                                                          std::chrono::seconds lease) override;
  base::Status renew_claim(const RequestClaim& claim, std::chrono::seconds lease) override;
  base::Status settle_request(const RequestClaim& claim,
                              const RequestSettlement& settlement) override;
  base::Status cancel_request(const RequestId& id) override;
  base::Result<std::vector<Request>> list_requests() override;
  base::Result<std::uint64_t> count_pending(const RequestFilter& filter) override;

  base::Status put_marker(const LaunchMarker& marker) override;
  base::Status remove_marker(const LaunchMarker& marker) override;
  base::Result<std::vector<LaunchMarker>> stale_markers() override;
  base::Status clear_stale_markers(const LaunchMarker& marker) override;

  base::Status put_approval(const SignedApproval& approval) override;
  base::Result<std::vector<SignedApproval>> find_approvals(const KernelId& kernel) override;
  base::Result<std::uint64_t> last_sequence(const PublicKey& origin) override;

  base::Result<VerifiedRecords> verify_records(
      const std::function<void(const DamagedRecord&)>& report) override;
  base::Result<CollectedRecords> collect_garbage(const CollectBounds& bounds) override;

 private:
  // Sole use of the open database.
  struct Session {
    std::unique_lock<std::mutex> lock;
    SqliteDatabase* database;
  };

  struct StaleMarker {
    LaunchMarker marker;
    ProcessIdentity process;
    std::int64_t time_ms = 0;
  };

  base::Result<Session> begin_read();
  // Fails in read-only mode.
  base::Result<Session> begin_write();
  bool is_writable() const;
  base::Status check_process() const;
  const ProcessIdentity& process();
  base::Result<std::vector<StaleMarker>> find_stale(SqliteDatabase& database);
  static base::Status delete_marker(SqliteDatabase& database, const LaunchMarker& marker,
                                    const ProcessIdentity& process);
  // Makes a damaged record a miss for the next reader too, if that can be done soon.
  void put_aside(const Session& session, RecordKind kind, const Digest& id);
  // Notes the day of a build's use, unless the store is busy.
  void note_use(const Session& session, const BuildKey& key, std::int64_t noted_ms);
  base::Result<std::vector<DamagedRecord>> check_listed(const Session& session, RecordKind kind,
                                                        const std::vector<Digest>& ids);
  // How many there were that are no newer than `before_ms`.
  base::Result<std::uint64_t> remove_old_markers(SqliteDatabase& database, std::int64_t before_ms);
  static base::Status settle_fenced(SqliteDatabase& database, const RequestClaim& claim,
                                    const RequestSettlement& settlement);

  const std::string url_;
  const std::string path_;
  const std::optional<std::string> memory_reason_;
  mutable std::atomic<std::int64_t> owner_pid_{0};  // The process of the first verb.
  std::mutex mutex_;                                // Guards what follows.
  OpenedSqlite opened_;
  std::optional<base::Error> locked_;  // What the last opening in vain said.
  std::chrono::steady_clock::time_point locked_until_{};
  std::optional<ProcessIdentity> process_;
};

}  // namespace halyard::store
