// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_scratch.h"

#include "runtime/base/text.h"

#include <new>

namespace halyard::cpu {
namespace {

constexpr std::align_val_t kAlignment{64};
// Far above any cache; more is a wrong expression, and the system would promise it and then kill.
constexpr std::uint64_t kMaximumBytes = std::uint64_t{256} << 20;

}  // namespace

CpuScratch::~CpuScratch() {
  ::operator delete(data_, kAlignment);
}

base::Status CpuScratch::reserve(std::uint64_t size_bytes) {
  if (holds(size_bytes)) return base::ok();
  void* grown =
      size_bytes > kMaximumBytes ? nullptr : ::operator new(size_bytes, kAlignment, std::nothrow);
  if (grown == nullptr) {
    return base::Error(
        base::ErrorCode::kOutOfMemory,
        base::concat("A thread's kernel scratch (", size_bytes, " bytes, of at most ",
                     kMaximumBytes, ") cannot be allocated."));
  }
  ::operator delete(data_, kAlignment);
  data_ = static_cast<std::byte*>(grown);
  size_bytes_ = size_bytes;
  return base::ok();
}

}  // namespace halyard::cpu
