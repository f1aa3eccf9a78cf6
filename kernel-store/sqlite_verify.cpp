// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"
#include "runtime/base/text.h"

#include <array>
#include <utility>
#include <vector>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Records that are looked at before others get their turn.
constexpr std::size_t kBatch = 64;

// How the records of a kind are listed, in the order of their identity, and how large each is.
struct Listing {
  RecordKind kind;
  std::string_view sql;
};

constexpr auto kListings = std::to_array<Listing>({
    {RecordKind::kBlob,
     "SELECT sha256, length(bytes) FROM blobs WHERE sha256 > ?1 "
     "ORDER BY sha256 LIMIT 64"},
    {RecordKind::kKernel,
     "SELECT id, length(CAST(record AS BLOB)) FROM kernels WHERE id > ?1 "
     "ORDER BY id LIMIT 64"},
    {RecordKind::kBuild, "SELECT key, 0 FROM builds WHERE key > ?1 ORDER BY key LIMIT 64"},
    {RecordKind::kEvidence,
     "SELECT id, length(CAST(record AS BLOB)) FROM evidence WHERE id > ?1 "
     "ORDER BY id LIMIT 64"},
    {RecordKind::kApproval,
     "SELECT DISTINCT id, length(CAST(document AS BLOB)) FROM approvals "
     "WHERE id > ?1 ORDER BY id LIMIT 64"},
});

struct Listed {
  std::vector<Digest> ids;
  std::uint64_t bytes = 0;
};

// The next records after `after`, or the first ones.
Result<Listed> list_after(SqliteDatabase& database, const Listing& listing,
                          const std::optional<Digest>& after) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows, database.query(listing.sql));
  after ? rows.bind(*after) : rows.bind(std::span<const std::byte>());
  Listed listed;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return listed;
    listed.ids.push_back(rows.digest(0));
    listed.bytes += static_cast<std::uint64_t>(rows.integer(1));
  }
}

Status check_engine(SqliteDatabase& database, const std::string& url) {
  HALYARD_TRY_ASSIGN(const std::string answer, database.text_of("PRAGMA integrity_check(1)"));
  if (answer == "ok") return base::ok();
  return Error(ErrorCode::kCorruptData,
               concat("The store \"", url, "\" fails SQLite's own check: ", answer, "."));
}

}  // namespace

Result<VerifiedRecords> SqliteStore::verify_records(
    const std::function<void(const DamagedRecord&)>& report) {
  {
    HALYARD_TRY_ASSIGN(const Session session, begin_read());
    HALYARD_TRY(check_engine(*session.database, url_));
  }
  VerifiedRecords verified;
  for (const Listing& listing : kListings) {
    std::optional<Digest> after;
    while (true) {
      std::vector<DamagedRecord> damaged;
      std::size_t count = 0;
      {
        HALYARD_TRY_ASSIGN(const Session session, begin_read());
        HALYARD_TRY_ASSIGN(const Listed listed, list_after(*session.database, listing, after));
        HALYARD_TRY_ASSIGN(damaged, check_listed(session, listing.kind, listed.ids));
        count = listed.ids.size();
        verified.records += count;
        verified.bytes += listed.bytes;
        if (count != 0) after = listed.ids.back();
      }
      verified.damaged += damaged.size();
      for (const DamagedRecord& record : damaged)
        report(record);
      if (count < kBatch) break;
    }
  }
  return verified;
}

// What of `ids` is damaged; set aside where the store can be written.
Result<std::vector<DamagedRecord>> SqliteStore::check_listed(const Session& session,
                                                             RecordKind kind,
                                                             const std::vector<Digest>& ids) {
  std::vector<DamagedRecord> damaged;
  for (const Digest& id : ids) {
    HALYARD_TRY_ASSIGN(std::string why, find_damage(*session.database, kind, id));
    if (why.empty()) continue;
    if (is_writable()) {
      HALYARD_TRY_ASSIGN(auto record, set_aside(*session.database, kind, id));
      if (record) damaged.push_back(std::move(*record));
    } else {
      damaged.push_back({std::string(record_kind_name(kind)), id, std::move(why)});
    }
  }
  return damaged;
}

}  // namespace halyard::store
