// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {

using PublicKey = std::array<std::uint8_t, 32>;  // Ed25519.
using Signature = std::array<std::uint8_t, 64>;  // Ed25519.

// What the holder of a key says of a kernel: that it may have a state on a target.
struct Approval {
  KernelId kernel{};
  std::string target;
  DriverRange drivers;
  KernelState state = KernelState::kVerified;  // Verified, promoted, quarantined or retired.
  std::optional<EvidenceId> evidence;          // What it rests on.
  // Binaries that it vouches for, at most kMaxApprovedBuilds, sorted. One that arrives from
  // elsewhere is kept only where an approval names it, since a kernel's identity is its source.
  std::vector<Digest> builds;
  PublicKey origin{};
  std::uint64_t sequence = 0;   // Grows with each approval of the origin, from 1.
  std::int64_t issued_ms = 0;   // Since 1970 UTC.
  std::int64_t expires_ms = 0;  // Since 1970 UTC; 0 for never.
};

// An approval as it is stored and sent: the canonical text that was signed, and the signature over
// "halyard.approval/1", a zero byte and the text.
struct SignedApproval {
  std::string document;
  Signature signature{};
};

inline constexpr std::size_t kMaxApprovedBuilds = 64;

using ApprovalId = Digest;  // SHA-256 of the document.

// The canonical `halyard.approval/1` text.
std::string approval_json(const Approval& approval);
// Errors: kCorruptData with the JSON pointer of what is wrong; also for a text that is not
// canonical.
base::Result<Approval> parse_approval(std::string_view json_text, std::string_view source_name);

}  // namespace halyard::store
