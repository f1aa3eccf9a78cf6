// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/sandbox_user.h"

#include "runtime/base/file.h"

#include <dirent.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

namespace halyard::worker {
namespace {

constexpr std::uint64_t kFirstOfMany = 0x7000'0000;
constexpr std::uint64_t kManyUsers = 1U << 24;

struct FolderClose {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

std::uint32_t choose_user(std::string_view uid_map, std::uint32_t random) {
  std::istringstream lines{std::string(uid_map)};
  std::uint64_t first = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  std::uint64_t best_first = 0;
  std::uint64_t best_count = 0;
  while (lines >> first >> outside >> count) {
    if (count > best_count) {
      best_first = first;
      best_count = count;
    }
  }
  if (best_first + best_count > kFirstOfMany + kManyUsers) {
    return static_cast<std::uint32_t>(kFirstOfMany + random % kManyUsers);
  }
  // The upper half of a small range: system users are at its beginning.
  const std::uint64_t half = best_count / 2;
  if (half == 0) return 0;
  return static_cast<std::uint32_t>(best_first + best_count - 1 - random % half);
}

std::uint32_t choose_sandbox_user() {
  if (::geteuid() != 0) return 0;
  constexpr std::size_t kMaxBytes = 65536;
  const auto map = base::read_text_file("/proc/self/uid_map", kMaxBytes);
  const auto groups = base::read_text_file("/proc/self/setgroups", kMaxBytes);
  if (!map || (groups && groups->starts_with("deny"))) return 0;
  std::uint32_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) return 0;
  return choose_user(*map, random);
}

std::uint64_t count_user_tasks() {
  const std::unique_ptr<DIR, FolderClose> folder(::opendir("/proc"));
  std::uint64_t tasks = 0;
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    struct stat status {};
    const std::string path = std::string("/proc/") + entry->d_name + "/task";
    // Two links are the folder's own.
    if (::stat(path.c_str(), &status) == 0 && status.st_uid == ::getuid()) {
      tasks += std::max<std::uint64_t>(status.st_nlink, 3) - 2;
    }
  }
  return tasks;
}

}  // namespace halyard::worker
