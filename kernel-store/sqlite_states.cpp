// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"
#include "kernel-store/state_rules.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kSelect =
    "SELECT target, first_driver, last_driver, state, conditions, share_percent, who, why, "
    "evidence, reverts, time_ms, sequence FROM states WHERE kernel = ?1 AND "
    "(?2 = '' OR target = ?2) ORDER BY sequence";
constexpr std::string_view kSelectOfTarget =
    "SELECT target, first_driver, last_driver, state, conditions, share_percent, who, why, "
    "evidence, reverts, time_ms, sequence FROM states WHERE kernel = ?1 AND target = ?2 "
    "ORDER BY sequence";

Result<StateChange> state_of(const SqliteQuery& row, const KernelId& kernel) {
  const auto state = kernel_state_from_name(row.text(3));
  if (!state) {
    return Error(ErrorCode::kCorruptData,
                 concat("Entry ", row.integer(11), " of the store's history has the state \"",
                        row.text(3), "\", which is none."));
  }
  StateChange change;
  change.kernel = kernel;
  change.target = row.text(0);
  change.drivers = {std::string(row.text(1)), std::string(row.text(2))};
  change.state = *state;
  if (row.text(4) != "[]") {
    HALYARD_TRY_ASSIGN(change.where, parse_string_list(row.text(4)));
  }
  change.share_percent = static_cast<std::uint32_t>(row.integer(5));
  change.who = row.text(6);
  change.why = row.text(7);
  if (!row.is_null(8)) change.evidence = row.digest(8);
  if (!row.is_null(9)) change.reverts = row.integer(9);
  change.time_ms = row.integer(10);
  change.sequence = row.integer(11);
  return change;
}

}  // namespace

Result<std::vector<StateChange>> rows::read_states(SqliteDatabase& database, const KernelId& kernel,
                                                   std::string_view target) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows, database.query(target.empty() ? kSelect : kSelectOfTarget));
  rows.bind(kernel).bind(target);
  std::vector<StateChange> history;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return history;
    HALYARD_TRY_ASSIGN(StateChange change, state_of(rows, kernel));
    history.push_back(std::move(change));
  }
}

Result<bool> rows::insert_state(SqliteDatabase& database, const StateChange& change) {
  HALYARD_TRY_ASSIGN(std::vector<StateChange> history,
                     read_states(database, change.kernel, change.target));
  if (change.target.empty()) {
    std::erase_if(history, [](const StateChange& each) { return !each.target.empty(); });
  }
  HALYARD_TRY_ASSIGN(const Transition transition, judge_transition(history, change));
  if (transition == Transition::kUnchanged) return false;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery insert,
        database.query("INSERT INTO states (kernel, target, first_driver, last_driver, state, "
                       "conditions, share_percent, who, why, evidence, reverts, time_ms) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    insert.bind(change.kernel)
        .bind(change.target)
        .bind(change.drivers.first)
        .bind(change.drivers.last)
        .bind(kernel_state_name(change.state))
        .bind(string_list_json(change.where))
        .bind(std::int64_t{change.share_percent})
        .bind(change.who)
        .bind(change.why);
    change.evidence ? insert.bind(*change.evidence) : insert.bind_null();
    change.reverts ? insert.bind(*change.reverts) : insert.bind_null();
    HALYARD_TRY(insert.bind(change.time_ms != 0 ? change.time_ms : unix_time_ms()).run());
  }
  HALYARD_TRY(grow_generation(database));
  return true;
}

Result<bool> SqliteStore::append_state(const StateChange& change) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  HALYARD_TRY_ASSIGN(const bool added, rows::insert_state(*session.database, change));
  if (added) HALYARD_TRY(transaction.commit());
  return added;
}

Result<std::vector<StateChange>> SqliteStore::states(const KernelId& kernel,
                                                     std::string_view target) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  return rows::read_states(*session.database, kernel, target);
}

}  // namespace halyard::store
