// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"
#include "kernel-store/state_rules.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

Result<StateChange> state_of_row(const PostgresRows& rows, std::size_t row,
                                 const KernelId& kernel) {
  const auto state = kernel_state_from_name(rows.text(row, 4));
  if (!state) {
    return Error(ErrorCode::kCorruptData,
                 concat("The store holds the state \"", rows.text(row, 4), "\", which is none."));
  }
  StateChange change;
  change.kernel = kernel;
  change.sequence = rows.integer(row, 0);
  change.target = rows.text(row, 1);
  change.drivers = {std::string(rows.text(row, 2)), std::string(rows.text(row, 3))};
  change.state = *state;
  HALYARD_TRY_ASSIGN(change.where, parse_string_list(rows.text(row, 5)));
  change.share_percent = static_cast<std::uint32_t>(rows.integer(row, 6));
  change.who = rows.text(row, 7);
  change.why = rows.text(row, 8);
  if (!rows.is_null(row, 9)) change.evidence = rows.digest(row, 9);
  if (!rows.is_null(row, 10)) change.reverts = rows.integer(row, 10);
  change.time_ms = rows.integer(row, 11);
  return change;
}

Status insert_state_row(PostgresConnection& connection, const StateChange& change) {
  const std::string where = string_list_json(change.where);
  PostgresParameters values;
  values.add(change.kernel)
      .add(change.target)
      .add(change.drivers.first)
      .add(change.drivers.last)
      .add(kernel_state_name(change.state))
      .add(where)
      .add(static_cast<std::int64_t>(change.share_percent))
      .add(change.who)
      .add(change.why);
  change.evidence ? values.add(*change.evidence) : values.add_null();
  change.reverts ? values.add(*change.reverts) : values.add_null();
  change.time_ms != 0 ? values.add(change.time_ms) : values.add_null();
  HALYARD_TRY(connection.run(
      "INSERT INTO states (kernel, target, first_driver, last_driver, state, conditions, "
      "share_percent, who, why, evidence, reverts, time_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, "
      "$8, $9, $10, $11, coalesce($12, now_ms()))",
      values));
  return base::ok();
}

}  // namespace

Status lock_history(PostgresConnection& connection, const KernelId& kernel,
                    std::string_view target) {
  PostgresParameters values;
  values.add(kernel).add(target);
  HALYARD_TRY(connection.run(
      "SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex') || $2::text, 0))",
      values));
  return base::ok();
}

Result<std::vector<StateChange>> read_history(PostgresConnection& connection,
                                              const KernelId& kernel, std::string_view target) {
  PostgresParameters values;
  values.add(kernel).add(target);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      connection.run("SELECT sequence, target, first_driver, last_driver, state, conditions, "
                     "share_percent, who, why, evidence, reverts, time_ms FROM states WHERE kernel "
                     "= $1 AND ($2 = '' OR target = $2) ORDER BY sequence",
                     values));
  std::vector<StateChange> history;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    HALYARD_TRY_ASSIGN(StateChange change, state_of_row(rows, i, kernel));
    history.push_back(std::move(change));
  }
  return history;
}

Result<bool> insert_state(PostgresConnection& connection, const StateChange& change) {
  HALYARD_TRY(lock_history(connection, change.kernel, change.target));
  HALYARD_TRY_ASSIGN(const std::vector<StateChange> all,
                     read_history(connection, change.kernel, change.target));
  std::vector<StateChange> history;
  for (const StateChange& each : all) {
    if (each.target == change.target) history.push_back(each);
  }
  HALYARD_TRY_ASSIGN(const Transition transition, judge_transition(history, change));
  if (transition == Transition::kUnchanged) return false;
  HALYARD_TRY(insert_state_row(connection, change));
  HALYARD_TRY(grow_generation(connection));
  return true;
}

Result<bool> PostgresStore::append_state(const StateChange& change) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  HALYARD_TRY_ASSIGN(const bool is_added, insert_state(write.connection(), change));
  if (is_added) HALYARD_TRY(write.transaction.commit());
  return is_added;
}

Result<std::vector<StateChange>> PostgresStore::states(const KernelId& kernel,
                                                       std::string_view target) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  return read_history(session.connection, kernel, target);
}

}  // namespace halyard::store
