// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_scratch.h"

#include "runtime/base/text.h"

#include <new>

namespace halyard::cpu {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

CpuScratch::~CpuScratch() {
  ::operator delete(data_, kAlignment);
}

base::Status CpuScratch::reserve(std::uint64_t size_bytes) {
  if (holds(size_bytes)) return base::ok();
  void* grown = ::operator new(size_bytes, kAlignment, std::nothrow);
  if (grown == nullptr) {
    return base::Error(
        base::ErrorCode::kOutOfMemory,
        base::concat("A thread's kernel scratch (", size_bytes, " bytes) cannot be allocated."));
  }
  ::operator delete(data_, kAlignment);
  data_ = static_cast<std::byte*>(grown);
  size_bytes_ = size_bytes;
  return base::ok();
}

}  // namespace halyard::cpu
