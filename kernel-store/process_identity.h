// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace halyard::store {

// A process of this boot of this machine. Process ids are reused; the start time tells them apart.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t start = 0;  // Clock ticks since boot; 0 where it is unknown.
  std::string boot_id;
  std::string host;  // The machine and its name.

  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity this_process();

// Whether `process` is of the same host as `here` and certainly runs no more.
bool has_ended(const ProcessIdentity& process, const ProcessIdentity& here);

}  // namespace halyard::store
