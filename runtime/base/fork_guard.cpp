// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/fork_guard.h"

#include "runtime/base/text.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <utility>

namespace halyard::base {
namespace {

std::size_t page_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

ForkGuard::ForkGuard(std::string what) : what_(std::move(what)), pid_(::getpid()) {
  void* page =
      ::mmap(nullptr, page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (::madvise(page, page_bytes(), MADV_WIPEONFORK) != 0) {
    ::munmap(page, page_bytes());
    return;
  }
  marker_ = new (page) std::atomic<std::uint32_t>(1);
}

ForkGuard::~ForkGuard() {
  if (marker_ != nullptr) ::munmap(marker_, page_bytes());
}

Status ForkGuard::check() const {
  if (!in_child()) return ok();
  return Error(ErrorCode::kUnavailable, concat(what_, " was opened in process ", pid_,
                                               " and cannot be used in its forked child ",
                                               ::getpid(), ", where its threads do not exist."));
}

bool ForkGuard::pid_differs() const {
  return ::getpid() != pid_;
}

}  // namespace halyard::base
