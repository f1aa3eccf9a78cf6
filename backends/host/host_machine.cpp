// SPDX-License-Identifier: Apache-2.0
#include "backends/host/host_machine.h"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace halyard::host {

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  // The set has as many bits as the kernel was built for, which only trying tells.
  for (std::size_t sets = 1; sets <= 64; sets *= 2) {
    std::vector<cpu_set_t> set(sets);
    const std::size_t set_bytes = sets * sizeof(cpu_set_t);
    if (::sched_getaffinity(0, set_bytes, set.data()) != 0) {
      if (errno == EINVAL) continue;
      break;
    }
    for (std::size_t cpu = 0; cpu < set_bytes * 8; ++cpu) {
      if (CPU_ISSET_S(cpu, set_bytes, set.data())) cpus.push_back(static_cast<int>(cpu));
    }
    break;
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

std::uint64_t memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace halyard::host
