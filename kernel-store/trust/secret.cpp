// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/secret.h"

#include <sodium/utils.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

namespace halyard::store {
namespace {

std::size_t page_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t rounded_to_pages(std::size_t size) {
  return (size + page_bytes() - 1) / page_bytes() * page_bytes();
}

}  // namespace

Secret::Secret(std::size_t size) : size_(size) {
  if (size == 0) return;
  // Pages of its own: locking and leaving out of core dumps hold for whole pages.
  allocated_ = rounded_to_pages(size);
  void* const pages = ::operator new(allocated_, std::align_val_t(page_bytes()));
  std::memset(pages, 0, allocated_);
  // As far as the system allows it; a process may lock few pages.
  static_cast<void>(::mlock(pages, allocated_));
  static_cast<void>(::madvise(pages, allocated_, MADV_DONTDUMP));
  bytes_ = static_cast<std::uint8_t*>(pages);
}

Secret::Secret(Secret&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      allocated_(std::exchange(other.allocated_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  std::swap(allocated_, other.allocated_);
  return *this;
}

Secret::~Secret() {
  if (bytes_ == nullptr) return;
  sodium_memzero(bytes_, allocated_);
  static_cast<void>(::munlock(bytes_, allocated_));
  static_cast<void>(::madvise(bytes_, allocated_, MADV_DODUMP));
  ::operator delete(bytes_, std::align_val_t(page_bytes()));
}

Secret Secret::copy_of(std::string_view text) {
  Secret secret(text.size());
  if (!text.empty()) std::memcpy(secret.data(), text.data(), text.size());
  return secret;
}

void Secret::shrink(std::size_t size) {
  if (size >= size_) return;
  sodium_memzero(bytes_ + size, size_ - size);
  size_ = size;
}

}  // namespace halyard::store
