// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/vulkan/counted_allocations.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocation_count = 0;

}  // namespace

std::uint64_t halyard::vulkan::allocations_of_this_thread() {
  return allocation_count;
}

void* operator new(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocation_count;
  return std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
