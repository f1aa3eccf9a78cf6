// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/host_bytes.h"

#include "runtime/base/text.h"

#include <unistd.h>

#include <new>

namespace halyard::base {
namespace {

std::uint64_t machine_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return UINT64_MAX;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

Error no_room(std::uint64_t size_bytes, std::uint64_t machine) {
  return Error(ErrorCode::kOutOfMemory,
               concat("The host, which has ", machine, " bytes of memory, has no room for ",
                      size_bytes, " bytes."));
}

}  // namespace

Result<HostBytes> make_host_bytes(std::uint64_t size_bytes, std::byte value) {
  const std::uint64_t machine = machine_bytes();
  if (size_bytes > machine) return no_room(size_bytes, machine);
  try {
    return HostBytes(size_bytes, value);
  } catch (const std::bad_alloc&) {
    return no_room(size_bytes, machine);
  }
}

}  // namespace halyard::base
