// SPDX-License-Identifier: Apache-2.0
#include "tests/failing_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

namespace {

thread_local bool is_armed = false;
thread_local std::uint64_t calls_left = 0;
std::atomic<std::int64_t> live_count{0};

void* allocate(std::size_t size) noexcept {
  if (is_armed && calls_left-- == 0) {
    is_armed = false;
    return nullptr;
  }
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory != nullptr) live_count.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) live_count.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

void halyard::tests::fail_allocation_after(std::uint64_t count) {
  calls_left = count;
  is_armed = true;
}

bool halyard::tests::cancel_failing_allocation() {
  return std::exchange(is_armed, false);
}

std::int64_t halyard::tests::live_allocations() {
  return live_count.load(std::memory_order_relaxed);
}

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size);
}

void operator delete(void* memory) noexcept {
  release(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}
