// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"

#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

using store::Isolation;

// "full", "reduced", "none".
std::string_view isolation_name(Isolation isolation);

// One mechanism of the system, and what it offers here.
struct IsolationMechanism {
  std::string name;  // "bubblewrap", "seccomp", "landlock", "rlimits"
  bool is_available = false;
  std::string detail;  // a version, or the reason for which it cannot be used
};

// The strongest level that this machine gives, found by trying each mechanism once.
//   full     bubblewrap's namespaces, seccomp, Landlock, resource limits, empty environment
//   reduced  the same without namespaces
//   none     seccomp or Landlock is missing, so that files can be reached
struct IsolationReport {
  Isolation level = Isolation::kNone;
  std::vector<IsolationMechanism> mechanisms;

  // Why the level is not full, as one sentence; empty when it is.
  std::string shortfall() const;
};

// `worker_program` is the halyard-worker executable, with which confinement is tried.
// Takes up to a second the first time; the process keeps what it found. Threads: any number.
const IsolationReport& probe_isolation(const std::string& worker_program);

}  // namespace halyard::worker
