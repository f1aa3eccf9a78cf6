// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace halyard::emulator {

// Which bits of an LDS, or of a wave's scratch, nothing has written. Offsets lie within the size.
class ByteShadow {
 public:
  explicit ByteShadow(std::size_t bytes) : undefined_(bytes, 0xff) {}

  std::size_t size() const { return undefined_.size(); }
  // Up to four bytes from `offset` on; those beyond the end are defined.
  std::uint32_t read(std::uint64_t offset, unsigned bytes) const {
    if (offset >= undefined_.size()) return 0;
    std::uint32_t undefined = 0;
    const std::uint64_t left = undefined_.size() - offset;
    std::memcpy(&undefined, undefined_.data() + offset, left < bytes ? left : bytes);
    return undefined;
  }
  void write(std::uint64_t offset, unsigned bytes, std::uint32_t undefined) {
    if (offset >= undefined_.size()) return;
    const std::uint64_t left = undefined_.size() - offset;
    std::memcpy(undefined_.data() + offset, &undefined, left < bytes ? left : bytes);
  }

 private:
  std::vector<std::uint8_t> undefined_;
};

}  // namespace halyard::emulator
