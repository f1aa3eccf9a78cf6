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
  // Whether any bit of up to 16 bytes is undefined.
  bool is_undefined(std::uint64_t offset, unsigned bytes) const {
    if (offset + bytes > undefined_.size()) return true;
    const std::uint8_t* const at = undefined_.data() + offset;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    if (bytes == 4) {
      std::memcpy(&low, at, 4);
    } else if (bytes == 16) {
      std::memcpy(&low, at, 8);
      std::memcpy(&high, at + 8, 8);
    } else if (bytes == 8) {
      std::memcpy(&low, at, 8);
    } else {
      for (unsigned i = 0; i < bytes; ++i)
        low |= at[i];
    }
    return (low | high) != 0;
  }
  // Makes bytes defined.
  void define(std::uint64_t offset, unsigned bytes) {
    if (offset + bytes > undefined_.size()) return;
    std::uint8_t* const at = undefined_.data() + offset;
    if (bytes == 4)
      std::memset(at, 0, 4);
    else if (bytes == 16)
      std::memset(at, 0, 16);
    else
      std::memset(at, 0, bytes);
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
