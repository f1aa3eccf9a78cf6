// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_id.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

enum class KernelState : std::uint8_t {
  kCandidate,
  kSelfTested,
  kVerified,
  kPromoted,
  kQuarantined,
  kRetired,
};

// "candidate", "self-tested", …
std::string_view kernel_state_name(KernelState state);
std::optional<KernelState> kernel_state_from_name(std::string_view name);

// Driver ids from `first` to `last`, both included; an empty end is open. Runs of digits compare as
// numbers, so "mesa 22.3.6" < "mesa 22.10.0".
struct DriverRange {
  std::string first;
  std::string last;

  bool contains(std::string_view driver) const;
  // Each driver of `other`.
  bool contains(const DriverRange& other) const;
  bool overlaps(const DriverRange& other) const;
  // Its first driver comes after its last.
  bool is_turned_round() const;
  bool operator==(const DriverRange&) const = default;
};

// "all drivers", "driver mesa 22.3.6", "drivers mesa 22.3.6 to mesa 23", "drivers from mesa 22".
std::string driver_range_text(const DriverRange& drivers);

// One entry of a kernel's append-only history.
struct StateChange {
  KernelId kernel{};
  std::string target;
  DriverRange drivers;
  KernelState state = KernelState::kCandidate;
  // Conditions over the contract's axes that a promotion is for, all of them; empty for all axes.
  std::vector<std::string> where;
  std::uint32_t share_percent = 100;  // Of the hosts, 1 to 100; in_share() tells which.
  std::string who;
  std::string why;
  std::optional<EvidenceId> evidence;
  // The sequence of the entry that this one takes back: then `state` and what goes with it are
  // those of the entry before that one.
  std::optional<std::int64_t> reverts;
  std::int64_t time_ms = 0;   // Since 1970 UTC; set by the store when 0.
  std::int64_t sequence = 0;  // Place in the history of the store, which sets it.
};

// Where a state is asked for. `host` is that of base's host id; an empty one takes only what is for
// all hosts.
struct StatePlace {
  std::string_view target;
  std::string_view driver;
  std::string_view host;
};

// Whether `host` belongs to the `percent` of hosts that take a change of `kernel` first: the same
// hosts for a larger share, and other hosts for another kernel.
bool in_share(const KernelId& kernel, std::string_view host, std::uint32_t percent);

// The entries of `history` that count: neither taken back nor there to take one back, in the same
// order. Borrowed from `history`.
std::vector<const StateChange*> changes_in_effect(std::span<const StateChange> history);

// The entry of `history` (the oldest first) that decides at `place`: the last one in effect that
// covers target, driver and host; null without one, which is a candidate. Borrowed from `history`.
const StateChange* last_change(std::span<const StateChange> history, const StatePlace& place);

}  // namespace halyard::store
