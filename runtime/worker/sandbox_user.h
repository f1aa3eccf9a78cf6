// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace halyard::worker {

// A user that nobody else is, for what root starts: the limit of processes is not held against
// root, and root's other processes are strangers to it. 0 where this process is not root, or can
// become nobody else.
std::uint32_t choose_sandbox_user();

// The same from the text of /proc/self/uid_map, and a random number.
std::uint32_t choose_user(std::string_view uid_map, std::uint32_t random);

// Processes and threads of the user that this process runs as.
std::uint64_t count_user_tasks();

}  // namespace halyard::worker
