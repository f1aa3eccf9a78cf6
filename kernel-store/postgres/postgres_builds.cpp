// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"

#include <utility>

namespace halyard::store {

using base::Result;
using base::Status;

namespace {

struct BuildText {
  explicit BuildText(const BuildInputs& inputs)
      : types(type_binding_json(inputs.types)),
        parameters(parameters_json(inputs.parameters)),
        flags(string_list_json(inputs.flags)) {}

  std::string types;
  std::string parameters;
  std::string flags;
};

// Whether there is such a build, and whether it is set aside.
enum class Presence : std::uint8_t { kAbsent, kSound, kDamaged };

Result<Presence> presence_of(PostgresConnection& connection, const BuildKey& key) {
  PostgresParameters id;
  id.add(key);
  HALYARD_TRY_ASSIGN(const PostgresRows rows,
                     connection.run("SELECT builds.damaged OR blobs.damaged FROM builds JOIN blobs "
                                    "ON blobs.sha256 = builds.blob WHERE key = $1",
                                    id));
  if (rows.empty()) return Presence::kAbsent;
  return rows.boolean(0, 0) ? Presence::kDamaged : Presence::kSound;
}

// Builds that are looked up are kept longest. A role that may not say so is not hindered.
void mark_used(PostgresConnection& connection, const KernelId& kernel) {
  PostgresParameters id;
  id.add(kernel);
  static_cast<void>(
      connection.run("UPDATE builds SET used_ms = now_ms() WHERE kernel = $1 AND used_ms < "
                     "now_ms() - 86400000",
                     id));
}

}  // namespace

BuildColumns build_columns(const PostgresRows& rows, std::size_t row) {
  return {rows.digest(row, 0), rows.digest(row, 1), rows.text(row, 2),
          rows.text(row, 3),   rows.text(row, 4),   rows.text(row, 5),
          rows.text(row, 6),   rows.text(row, 7),   rows.digest(row, 8)};
}

void set_aside_build(PostgresConnection& connection, const Digest& id) {
  PostgresParameters key;
  key.add(id);
  static_cast<void>(connection.run("UPDATE builds SET damaged = true WHERE key = $1", key));
}

Status PostgresStore::put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) {
  const Digest digest = base::Sha256::of(bytes);
  const BuildKey key = compute_build_key(inputs);
  const BuildText text(inputs);
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresConnection& connection = write.connection();
  HALYARD_TRY_ASSIGN(const Presence presence, presence_of(connection, key));
  // A present build keeps its binary; the bytes given with it are not kept for nothing.
  if (presence == Presence::kSound) return base::ok();
  HALYARD_TRY(insert_blob(connection, digest, bytes));
  PostgresParameters values;
  values.add(key)
      .add(inputs.kernel)
      .add(inputs.target)
      .add(text.types)
      .add(text.parameters)
      .add(inputs.toolchain)
      .add(inputs.driver)
      .add(text.flags)
      .add(digest);
  HALYARD_TRY_ASSIGN(
      const PostgresRows put,
      connection.run(
          presence == Presence::kAbsent
              ? "INSERT INTO builds (key, kernel, target, types, parameters, toolchain, driver, "
                "flags, blob) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (key) DO "
                "NOTHING"
              : "UPDATE builds SET kernel = $2, target = $3, types = $4, parameters = $5, "
                "toolchain = $6, driver = $7, flags = $8, blob = $9, damaged = false WHERE key = "
                "$1",
          values));
  if (put.changed() == 0) return base::ok();
  HALYARD_TRY(grow_generation(connection));
  return write.transaction.commit();
}

Result<std::optional<BuildRecord>> PostgresStore::get_build(const BuildKey& key) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters id;
  id.add(key);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run("SELECT key, kernel, target, types, parameters, toolchain, driver, "
                             "flags, blob FROM builds WHERE key = $1 AND NOT damaged",
                             id));
  if (rows.empty()) return std::optional<BuildRecord>();
  auto found = check_build(build_columns(rows, 0));
  if (may_write()) {
    found.record ? mark_used(session.connection, found.record->inputs.kernel)
                 : set_aside_build(session.connection, key);
  }
  return std::move(found.record);
}

Result<std::vector<BuildRecord>> PostgresStore::find_builds(const KernelId& kernel) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters id;
  id.add(kernel);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run("SELECT key, kernel, target, types, parameters, toolchain, driver, "
                             "flags, blob FROM builds WHERE kernel = $1 AND NOT damaged ORDER BY "
                             "sequence DESC",
                             id));
  std::vector<BuildRecord> builds;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto found = check_build(build_columns(rows, i));
    if (found.record) {
      builds.push_back(std::move(*found.record));
    } else if (may_write()) {
      set_aside_build(session.connection, rows.digest(i, 0));
    }
  }
  if (may_write() && !builds.empty()) mark_used(session.connection, kernel);
  return builds;
}

}  // namespace halyard::store
