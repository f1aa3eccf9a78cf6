// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"

#include <map>
#include <utility>

namespace halyard::store {

using base::Result;
using base::Status;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// True when the kernel was not there, or was set aside.
Result<bool> insert_kernel_row(PostgresConnection& connection, const KernelPackage& package) {
  const KernelRecord& record = package.record;
  PostgresParameters values;
  values.add(package.id)
      .add(record.contract)
      .add(record.name)
      .add(record.version)
      .add(record.canonical_json);
  package.prelude_digest ? values.add(*package.prelude_digest) : values.add_null();
  HALYARD_TRY_ASSIGN(
      const PostgresRows inserted,
      connection.run("INSERT INTO kernels (id, contract, name, version, record, prelude_sha256) "
                     "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING",
                     values));
  if (inserted.changed() == 1) return true;
  PostgresParameters id;
  id.add(package.id);
  HALYARD_TRY_ASSIGN(const PostgresRows present,
                     connection.run("SELECT damaged FROM kernels WHERE id = $1", id));
  if (present.empty() || !present.boolean(0, 0)) return false;
  HALYARD_TRY(
      connection.run("UPDATE kernels SET contract = $2, name = $3, version = $4, record = "
                     "$5, prelude_sha256 = $6, damaged = false WHERE id = $1",
                     values));
  return true;
}

Status insert_kernel_files(PostgresConnection& connection, const KernelPackage& package,
                           bool is_new) {
  std::map<Digest, std::string_view> contents;  // In the order in which blobs are locked.
  for (const auto& [name, text] : package.files)
    contents.emplace(base::Sha256::of(text), text);
  for (const auto& [digest, text] : contents)
    HALYARD_TRY(insert_blob(connection, digest, bytes_of(text)));
  if (!is_new) return base::ok();
  for (const auto& [name, text] : package.files) {
    const Digest digest = base::Sha256::of(text);
    PostgresParameters values;
    values.add(package.id).add(name).add(digest);
    HALYARD_TRY(
        connection.run("INSERT INTO kernel_files (kernel, name, blob) VALUES ($1, $2, $3) "
                       "ON CONFLICT (kernel, name) DO NOTHING",
                       values));
  }
  for (const std::string& target : package.record.targets) {
    PostgresParameters values;
    values.add(package.id).add(package.record.contract).add(target);
    HALYARD_TRY(
        connection.run("INSERT INTO kernel_targets (kernel, contract, target) VALUES ($1, "
                       "$2, $3) ON CONFLICT DO NOTHING",
                       values));
  }
  return base::ok();
}

std::vector<KernelSummary> summaries_of(const PostgresRows& rows) {
  std::vector<KernelSummary> kernels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    kernels.push_back({rows.digest(i, 0), std::string(rows.text(i, 1)),
                       std::string(rows.text(i, 2)), std::string(rows.text(i, 3))});
  }
  return kernels;
}

}  // namespace

Status insert_blob(PostgresConnection& connection, const Digest& digest,
                   std::span<const std::byte> bytes) {
  PostgresParameters id;
  id.add(digest);
  HALYARD_TRY_ASSIGN(const PostgresRows present,
                     connection.run("SELECT damaged FROM blobs WHERE sha256 = $1", id));
  if (!present.empty() && !present.boolean(0, 0)) return base::ok();
  PostgresParameters values;
  values.add(digest).add(bytes);
  HALYARD_TRY(connection.run(
      present.empty()
          ? "INSERT INTO blobs (sha256, bytes) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING"
          : "UPDATE blobs SET bytes = $2, damaged = false WHERE sha256 = $1",
      values));
  return base::ok();
}

Status grow_generation(PostgresConnection& connection) {
  HALYARD_TRY(connection.run("UPDATE generation SET value = value + 1"));
  return base::ok();
}

Result<std::optional<StoredRecord<KernelPackage>>> read_kernel(PostgresConnection& connection,
                                                               const KernelId& id) {
  PostgresParameters key;
  key.add(id);
  HALYARD_TRY_ASSIGN(const PostgresRows rows,
                     connection.run("SELECT contract, name, version, record, prelude_sha256 FROM "
                                    "kernels WHERE id = $1 AND NOT damaged",
                                    key));
  if (rows.empty()) return std::optional<StoredRecord<KernelPackage>>();
  KernelColumns columns;
  columns.id = id;
  columns.contract = rows.text(0, 0);
  columns.name = rows.text(0, 1);
  columns.version = rows.text(0, 2);
  columns.record = rows.text(0, 3);
  if (!rows.is_null(0, 4)) columns.prelude_digest = rows.digest(0, 4);
  HALYARD_TRY_ASSIGN(
      const PostgresRows files,
      connection.run("SELECT kernel_files.name, blobs.bytes FROM kernel_files JOIN blobs ON "
                     "blobs.sha256 = kernel_files.blob WHERE kernel = $1 AND NOT blobs.damaged",
                     key));
  for (std::size_t i = 0; i < files.size(); ++i)
    columns.files.emplace(files.text(i, 0), files.text(i, 1));
  return std::optional(check_kernel(std::move(columns)));
}

// A record that cannot be marked is found damaged again by the next reader.
void set_aside_kernel(PostgresConnection& connection, const Digest& id) {
  PostgresParameters key;
  key.add(id);
  static_cast<void>(connection.run("UPDATE kernels SET damaged = true WHERE id = $1", key));
}

void set_aside_blob(PostgresConnection& connection, const Digest& id) {
  PostgresParameters key;
  key.add(id);
  static_cast<void>(connection.run("UPDATE blobs SET damaged = true WHERE sha256 = $1", key));
}

Status PostgresStore::put_kernel(const KernelPackage& package) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  HALYARD_TRY_ASSIGN(const bool is_new, insert_kernel_row(write.connection(), package));
  HALYARD_TRY(insert_kernel_files(write.connection(), package, is_new));
  if (is_new) HALYARD_TRY(grow_generation(write.connection()));
  return write.transaction.commit();
}

Result<std::optional<KernelPackage>> PostgresStore::get_kernel(const KernelId& id) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(auto found, read_kernel(session.connection, id));
  if (!found) return std::optional<KernelPackage>();
  if (!found->record && may_write()) set_aside_kernel(session.connection, id);
  return std::move(found->record);
}

Result<std::vector<KernelSummary>> PostgresStore::list_kernels(std::string_view contract) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters values;
  values.add(contract);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run("SELECT id, contract, name, version FROM kernels WHERE NOT damaged "
                             "AND ($1 = '' OR contract = $1) ORDER BY contract, name, version, id",
                             values));
  return summaries_of(rows);
}

Result<std::vector<KernelSummary>> PostgresStore::find_kernels(std::string_view contract,
                                                               std::string_view target) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters values;
  values.add(contract).add(target);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run(
          "SELECT kernels.id, kernels.contract, kernels.name, kernels.version FROM kernel_targets "
          "JOIN kernels ON kernels.id = kernel_targets.kernel WHERE kernel_targets.contract = $1 "
          "AND kernel_targets.target = $2 AND NOT damaged ORDER BY name, version, id",
          values));
  return summaries_of(rows);
}

Result<Digest> PostgresStore::put_blob(std::span<const std::byte> bytes) {
  const Digest digest = base::Sha256::of(bytes);
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  HALYARD_TRY(insert_blob(write.connection(), digest, bytes));
  HALYARD_TRY(write.transaction.commit());
  return digest;
}

Result<std::optional<std::vector<std::byte>>> PostgresStore::get_blob(const Digest& digest) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters key;
  key.add(digest);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run("SELECT bytes FROM blobs WHERE sha256 = $1 AND NOT damaged", key));
  if (rows.empty()) return std::optional<std::vector<std::byte>>();
  const std::span<const std::byte> bytes = rows.bytes(0, 0);
  auto found = check_blob({digest, {bytes.begin(), bytes.end()}});
  if (!found.record && may_write()) set_aside_blob(session.connection, digest);
  return std::move(found.record);
}

}  // namespace halyard::store
