// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/process_identity.h"

#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

namespace halyard::store {
namespace {

// Field 22 of /proc/<pid>/stat, counted after the command's name, which may hold anything.
std::int64_t start_time(std::int64_t pid) {
  const auto text = base::read_text_file(base::concat("/proc/", pid, "/stat"), 4096);
  if (!text) return 0;
  const std::size_t name_end = text->rfind(')');
  if (name_end == std::string::npos) return 0;
  std::string_view rest = std::string_view(*text).substr(name_end + 1);
  for (int field = 2; field < 22; ++field) {
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos) return 0;
    rest = rest.substr(space + 1);
  }
  std::int64_t start = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), start);
  return start;
}

std::string read_line(const std::string& path) {
  auto text = base::read_text_file(path, 256);
  if (!text) return {};
  while (!text->empty() && text->back() == '\n')
    text->pop_back();
  return std::move(*text);
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

}  // namespace

ProcessIdentity this_process() {
  const auto pid = static_cast<std::int64_t>(::getpid());
  return {pid, start_time(pid), read_line("/proc/sys/kernel/random/boot_id"),
          base::concat(read_line("/etc/machine-id"), '/', host_name())};
}

bool has_ended(const ProcessIdentity& process, const ProcessIdentity& here) {
  if (process.host != here.host) return false;
  if (process.boot_id != here.boot_id) return true;
  if (::kill(static_cast<pid_t>(process.pid), 0) != 0 && errno == ESRCH) return true;
  const std::int64_t start = start_time(process.pid);
  return start != 0 && process.start != 0 && start != process.start;
}

}  // namespace halyard::store
