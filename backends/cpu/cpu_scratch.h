// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstddef>
#include <cstdint>

namespace halyard::cpu {

// Private bytes of one thread, aligned to 64, that grow and never shrink.
// Threads: one at a time.
class CpuScratch {
 public:
  CpuScratch() = default;
  CpuScratch(const CpuScratch&) = delete;
  CpuScratch& operator=(const CpuScratch&) = delete;
  ~CpuScratch();

  // Makes room for `size_bytes`; the contents are lost when it grows. OUT_OF_MEMORY otherwise.
  base::Status reserve(std::uint64_t size_bytes);
  bool holds(std::uint64_t size_bytes) const { return size_bytes <= size_bytes_; }
  // Null before the first reserve of more than zero bytes.
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace halyard::cpu
