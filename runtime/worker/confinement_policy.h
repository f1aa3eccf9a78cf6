// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

enum class SyscallProfile : std::uint8_t;

// What a confined process may do with a file, or a folder and all below it.
inline constexpr std::uint32_t kReadPath = 1U << 0;
inline constexpr std::uint32_t kExecutePath = 1U << 1;
inline constexpr std::uint32_t kWritePath = 1U << 2;   // also make, rename and remove below it
inline constexpr std::uint32_t kDevicePath = 1U << 3;  // ioctl

struct PathRule {
  std::string path;
  std::uint32_t rights = 0;
};

// Only `memory_bytes` may be 0, for no limit.
struct ProcessLimits {
  std::uint64_t memory_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t cpu_seconds = 0;
  std::uint64_t user_processes = 0;  // of the user that it runs as, on the whole
};

// What the supervisor tells the program `halyard-confine`, through a sealed file in memory.
struct ConfinementPolicy {
  SyscallProfile profile{};
  bool is_namespaced = false;  // the guard is the first process of a pid namespace
  bool has_landlock = true;
  bool has_filter = true;
  std::uint32_t user = 0;         // to become, when started as root; 0: stay
  std::int32_t control_file = 3;  // a socket to the supervisor
  ProcessLimits limits;
  std::string working_directory;
  std::vector<std::int32_t> kept_files;  // from 3 up, ascending
  std::vector<PathRule> paths;
  std::vector<std::string> arguments;  // the program first
  std::vector<std::string> environment;
};

// Both throw nothing and need no other library, as the program is linked statically.
std::string encode_policy(const ConfinementPolicy& policy);
// Empty for bytes that encode_policy() does not write.
std::optional<ConfinementPolicy> decode_policy(std::string_view bytes);

inline constexpr std::size_t kMaxPolicyBytes = std::size_t{1} << 20;

// One message of the guard, over the control socket.
struct GuardReport {
  enum class Kind : std::uint32_t { kStarted = 1, kRefused, kEnded };
  Kind kind = Kind::kStarted;
  std::int32_t wait_status = 0;        // kEnded, as waitpid() gives it
  std::uint64_t cpu_microseconds = 0;  // kEnded, with the children that were waited for
  char reason[240] = {};               // kRefused; a sentence's end, terminated by zero
};

}  // namespace halyard::worker
