// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/crash_operations.h"

#include "kernel-store/open_store.h"
#include "kernel-store/sqlite_schema.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <utility>

namespace halyard::store::testing {
namespace {

using base::Status;
using std::chrono::seconds;

constexpr std::string_view kTarget = "x86_64-v3";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

BuildInputs build_inputs(std::string driver) {
  BuildInputs inputs{};
  inputs.kernel = make_package("first").id;
  inputs.target = kTarget;
  inputs.driver = std::move(driver);
  return inputs;
}

StateChange change_to(KernelState state) {
  StateChange change;
  change.kernel = make_package("first").id;
  change.target = kTarget;
  change.state = state;
  change.who = "test";
  change.why = "the test says so";
  change.evidence = evidence_id(make_evidence(change.kernel));
  return change;
}

Approval approval(std::uint64_t sequence) {
  Approval approval;
  approval.kernel = make_package("first").id;
  approval.target = kTarget;
  approval.state = KernelState::kRetired;
  // A public key of RFC 8032.
  approval.origin =
      *digest_from_text("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  approval.sequence = sequence;
  return approval;
}

LaunchMarker marker() {
  return {{}, std::string(kTarget), "cpu/0", "cpu 1"};
}

Status without_value(auto result) {
  if (!result) return std::move(result.error());
  return base::ok();
}

void execute(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  char* message = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

// The first rows of the query, joined.
std::string rows_of(sqlite3* database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  std::string text;
  int code = sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(statement);
    if (code != SQLITE_ROW) break;
    for (int column = 0; column < sqlite3_column_count(statement); ++column) {
      const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      if (bytes != nullptr) text.append(bytes, size);
      text += '|';
    }
    text += '\n';
  }
  sqlite3_finalize(statement);
  return code == SQLITE_DONE ? text : "damaged: " + std::string(sqlite3_errmsg(database));
}

FaultDisk empty_disk(FaultVfs& /*vfs*/, const std::string& /*path*/, bool has_shared_memory) {
  FaultDisk disk;
  disk.has_shared_memory = has_shared_memory;
  return disk;
}

FaultDisk schema_1_disk(FaultVfs& vfs, const std::string& path, bool has_shared_memory) {
  FaultDisk disk = empty_disk(vfs, path, has_shared_memory);
  vfs.mount(&disk);
  execute(path, "PRAGMA journal_mode = WAL; BEGIN; " + std::string(sqlite_migrations()[0]) +
                    "PRAGMA application_id = 0x484c5944; PRAGMA user_version = 1; COMMIT;");
  execute(path,
          "INSERT INTO blobs VALUES (zeroblob(32), x'01');"
          "INSERT INTO kernels VALUES (zeroblob(32), 'gemm', 'k', '1.0.0', "
          "'{\"targets\":[\"gfx1100\"]}', NULL, 5);"
          "INSERT INTO kernel_files VALUES (zeroblob(32), 'a', zeroblob(32));"
          "INSERT INTO builds VALUES (x'" +
              digest_text(compute_build_key(build_inputs(""))) +
              "', zeroblob(32), 'x', '{}', '{}', '', '', '[]', zeroblob(32), 6);");
  return disk.after_crash(Remains::kAll, 0);
}

void fill(KernelStore& store) {
  const KernelPackage package = make_package("first");
  EXPECT_TRUE(store.put_kernel(package));
  EXPECT_TRUE(store.put_build(build_inputs("a"), bytes_of(std::string(9000, 'a'))));
  EXPECT_TRUE(store.put_build(build_inputs("b"), bytes_of(std::string(9000, 'b'))));
  EXPECT_TRUE(store.put_evidence(make_evidence(package.id)));
  EXPECT_TRUE(store.append_state(change_to(KernelState::kVerified)));
  SignedApproval signed_approval{approval_json(approval(1)), {}};
  EXPECT_TRUE(store.approvals().put_approval(signed_approval));
  EXPECT_TRUE(store.requests().put_request(RequestKind::kKernel, "", "{\"a\":1}"));
  EXPECT_TRUE(store.requests().claim_request("one", {}, seconds(100'000)));
  EXPECT_TRUE(store.requests().put_request(RequestKind::kVerification, kTarget, "{\"a\":2}"));
  EXPECT_TRUE(store.put_blob(bytes_of(std::string(5000, 'c'))));
  EXPECT_TRUE(store.markers().put_marker(marker()));
}

FaultDisk filled_disk(FaultVfs& vfs, const std::string& path, bool has_shared_memory) {
  FaultDisk disk = empty_disk(vfs, path, has_shared_memory);
  vfs.mount(&disk);
  {
    const auto store = *open_store(path);
    fill(*store);
  }
  return disk.after_crash(Remains::kAll, 0);
}

FaultDisk damaged_disk(FaultVfs& vfs, const std::string& path, bool has_shared_memory) {
  FaultDisk disk = filled_disk(vfs, path, has_shared_memory);
  vfs.mount(&disk);
  execute(path, "UPDATE evidence SET record = replace(record, 'pass', 'fail')");
  return disk.after_crash(Remains::kAll, 0);
}

Status settle(KernelStore& store) {
  RequestClaim claim;
  claim.id = base::Sha256::of("{\"a\":1}");
  claim.token = 1;
  RequestSettlement settlement;
  settlement.outcome = "verified";
  EvidenceRecord evidence = make_evidence(make_package("first").id);
  evidence.message = "another";
  settlement.evidence = {evidence};
  StateChange change = change_to(KernelState::kVerified);
  change.evidence = evidence_id(evidence);
  settlement.states = {change};
  return store.requests().settle_request(claim, settlement);
}

Status collect(KernelStore& store) {
  CollectBounds bounds;
  bounds.blob_bytes = 10'000;
  return without_value(store.upkeep().collect_garbage(bounds));
}

}  // namespace

std::vector<CrashOperation> crash_operations() {
  const auto use = [](KernelStore& store) { return without_value(store.generation()); };
  return {
      {"make", empty_disk, use},
      {"migrate", schema_1_disk, use},
      {"put_kernel", filled_disk,
       [](KernelStore& store) { return store.put_kernel(make_package("second")); }},
      {"put_blob", filled_disk,
       [](KernelStore& store) {
         return without_value(store.put_blob(bytes_of(std::string(20'000, 'd'))));
       }},
      {"put_build", filled_disk,
       [](KernelStore& store) {
         return store.put_build(build_inputs("c"), bytes_of(std::string(3000, 'e')));
       }},
      {"put_evidence", filled_disk,
       [](KernelStore& store) { return without_value(store.put_evidence(make_evidence({}))); }},
      {"append_state", filled_disk,
       [](KernelStore& store) {
         return without_value(store.append_state(change_to(KernelState::kPromoted)));
       }},
      {"put_approval", filled_disk,
       [](KernelStore& store) {
         return store.approvals().put_approval({approval_json(approval(2)), {}});
       }},
      {"put_request", filled_disk,
       [](KernelStore& store) {
         return without_value(
             store.requests().put_request(RequestKind::kMeasurement, kTarget, "{\"a\":3}"));
       }},
      {"claim_request", filled_disk,
       [](KernelStore& store) {
         return without_value(store.requests().claim_request("two", {}, seconds(60)));
       }},
      {"settle_request", filled_disk, settle},
      {"put_marker", filled_disk,
       [](KernelStore& store) {
         LaunchMarker other = marker();
         other.driver = "cpu 2";
         other.device = "cpu/1";
         return store.markers().put_marker(other);
       }},
      {"remove_marker", filled_disk,
       [](KernelStore& store) { return store.markers().remove_marker(marker()); }},
      {"collect_garbage", filled_disk, collect},
      {"verify_records", damaged_disk,
       [](KernelStore& store) {
         return without_value(store.upkeep().verify_records([](const DamagedRecord&) {}));
       }},
  };
}

std::string contents_of(const std::string& path) {
  sqlite3* database = nullptr;
  std::string text;
  if (sqlite3_open(path.c_str(), &database) != SQLITE_OK) {
    text = "damaged: " + std::string(sqlite3_errmsg(database));
  } else if (const std::string check = rows_of(database, "PRAGMA integrity_check(1)");
             check != "ok|\n") {
    text = "damaged: " + check;
  } else {
    // One query a table, of all its columns but times.
    const std::string queries = rows_of(
        database,
        "SELECT 'SELECT ''' || name || ''', ' || (SELECT group_concat(name, ', ') FROM "
        "pragma_table_info(tables.name) WHERE name NOT LIKE '%_ms') || ' FROM ' || name FROM "
        "sqlite_schema AS tables WHERE type = 'table' ORDER BY name");
    std::size_t begin = 0;
    for (std::size_t end = queries.find("|\n"); end != std::string::npos;
         begin = end + 2, end = queries.find("|\n", begin)) {
      text += rows_of(database, queries.substr(begin, end - begin));
    }
  }
  sqlite3_close(database);
  return text;
}

std::int64_t orphans_in(const std::string& path) {
  sqlite3* database = nullptr;
  std::string text = "-1";
  if (sqlite3_open(path.c_str(), &database) == SQLITE_OK) {
    text = rows_of(database,
                   "SELECT (SELECT count(*) FROM blobs WHERE sha256 NOT IN (SELECT blob FROM "
                   "kernel_files) AND sha256 NOT IN (SELECT blob FROM builds)) + (SELECT count(*) "
                   "FROM kernel_files WHERE blob NOT IN (SELECT sha256 FROM blobs) OR kernel NOT "
                   "IN (SELECT id FROM kernels)) + (SELECT count(*) FROM builds WHERE blob NOT IN "
                   "(SELECT sha256 FROM blobs)) + (SELECT count(*) FROM kernel_targets WHERE "
                   "kernel NOT IN (SELECT id FROM kernels))");
  }
  sqlite3_close(database);
  return std::strtoll(text.c_str(), nullptr, 10);
}

}  // namespace halyard::store::testing
