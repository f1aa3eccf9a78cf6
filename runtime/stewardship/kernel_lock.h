// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/lock_file.h"
#include "runtime/base/result.h"
#include "runtime/stewardship/stewarded_store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::stewardship {

// What a lock is to cover; an empty list stands for all.
struct LockScope {
  std::vector<std::string> contracts;
  std::vector<std::string> targets;
};

// Pins for each contract, type binding and target the kernels of the best state, promoted before
// verified before bundled; those of the next state too while all of the ones before serve some axes
// only. A kernel without a binary is none. Errors: kNotFound for a contract that nobody has; those
// of the store.
base::Result<store::LockFile> make_lock(const StewardedStore& stewarded, const LockScope& scope);

enum class PinStanding : std::uint8_t { kPresent, kMoved, kMissing, kChanged, kRefused };

// "present", "moved", …
std::string_view pin_standing_name(PinStanding standing);

struct CheckedPin {
  store::LockPin pin;
  PinStanding standing = PinStanding::kPresent;
  std::string reason;  // One sentence; empty when present.
};

// Holds each pin against what is here now. Errors: those of the store.
base::Result<std::vector<CheckedPin>> check_lock(const StewardedStore& stewarded,
                                                 const store::LockFile& lock);

// The halyard.lock-check/1 document.
std::string lock_check_json(const std::string& path, const std::vector<CheckedPin>& checked);

}  // namespace halyard::stewardship
