// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "runtime/base/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace halyard::store {

// A record whose bytes are not those that its identity names.
struct DamagedRecord {
  std::string what;  // "blob", "kernel", "build", "evidence", "approval".
  Digest id{};
  std::string why;
};

struct VerifiedRecords {
  std::uint64_t records = 0;  // Looked at.
  std::uint64_t damaged = 0;  // Set aside.
  std::uint64_t bytes = 0;    // Hashed.
};

struct CollectBounds {
  // Builds go, those unused for longest first, until blobs take no more than this.
  std::optional<std::uint64_t> blob_bytes;
  // Builds of retired kernels, settled requests and marks of gone processes older than this go.
  std::chrono::seconds older_than{0};
};

struct CollectedRecords {
  std::uint64_t blobs = 0;  // Without a kernel or a build that names them.
  std::uint64_t builds = 0;
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;  // Of blobs.
};

// What keeps a store sound and small. Kernels, evidence, approvals and history are never removed.
class StoreUpkeep {
 public:
  virtual ~StoreUpkeep() = default;

  // Hashes every record again and asks the engine for its own check. A damaged one is reported and
  // set aside: from then on it is a miss, and putting the record again mends it. In a store that
  // cannot be written it is reported only.
  virtual base::Result<VerifiedRecords> verify_records(
      const std::function<void(const DamagedRecord&)>& report) = 0;
  // Leaves no blob that nothing names.
  virtual base::Result<CollectedRecords> collect_garbage(const CollectBounds& bounds) = 0;
};

}  // namespace halyard::store
