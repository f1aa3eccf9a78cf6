// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "kernel-store/postgres/postgres_connection.h"
#include "kernel-store/process_identity.h"
#include "runtime/base/fork_guard.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace halyard::store {

// A store in the schema "halyard" of a database of a PostgreSQL server, over one connection that is
// opened at the first verb and made anew after it was lost. Times are the server's.
class PostgresStore final : public KernelStore,
                            public RequestQueue,
                            public LaunchMarkers,
                            public ApprovalRecords,
                            public StoreUpkeep {
 public:
  // `migrations` are borrowed: those of postgres_migrations(), or of another version of Halyard.
  PostgresStore(const LibpqLibrary& libpq, PostgresUrl url,
                std::span<const char* const> migrations);
  ~PostgresStore() override;

  // Without its password.
  const std::string& url() const override { return connection_.visible_url(); }
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
  // Sole use of the open connection.
  struct Session {
    std::unique_lock<std::mutex> lock;
    PostgresConnection& connection;
  };
  // With a transaction, which goes first.
  struct WriteSession {
    Session session;
    PostgresTransaction transaction;
    PostgresConnection& connection() const { return session.connection; }
  };
  struct StaleMarker {
    LaunchMarker marker;
    ProcessIdentity process;
    std::int64_t time_ms = 0;
  };

  base::Result<Session> begin_read();
  // Excludes migrations and collect_garbage(), or with `alone` all other writers. Fails in
  // read-only mode.
  base::Result<WriteSession> begin_write(bool alone = false);
  bool may_write() const { return condition_.mode == StoreCondition::Mode::kReadWrite; }

  const ProcessIdentity& process();
  base::Result<std::vector<StaleMarker>> find_stale(PostgresConnection& connection);
  base::Status delete_stale_markers(PostgresConnection& connection, std::int64_t latest_ms);

  const base::ForkGuard fork_guard_;
  const std::span<const char* const> migrations_;
  std::mutex mutex_;  // Guards what follows.
  PostgresConnection connection_;
  StoreCondition condition_;
  std::optional<ProcessIdentity> process_;
};

}  // namespace halyard::store
