// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/field_value.h"

#include <algorithm>

namespace halyard::isa {
namespace {

std::uint64_t bits_at(std::span<const std::uint32_t> words, std::size_t offset,
                      std::size_t count) noexcept {
  std::uint64_t value = 0;
  for (std::size_t done = 0; done < count;) {
    const std::size_t word = (offset + done) / 32;
    if (word >= words.size()) break;
    const std::size_t shift = (offset + done) % 32;
    const std::size_t taken = std::min(32 - shift, count - done);
    const std::uint64_t bits = words[word] >> shift & ((std::uint64_t{1} << taken) - 1);
    value |= bits << done;
    done += taken;
  }
  return value;
}

}  // namespace

std::uint64_t raw_field_value(const Field& field, std::span<const std::uint32_t> words) noexcept {
  std::uint64_t value = 0;
  std::size_t done = 0;
  for (const BitRange& range : field.ranges) {
    if (done >= 64) break;
    const std::size_t count = std::min<std::size_t>(range.count, 64 - done);
    value |= bits_at(words, range.offset, count) << done;
    done += count;
  }
  return value;
}

std::uint64_t field_value(const Encoding& encoding, std::uint32_t field,
                          std::span<const std::uint32_t> words) noexcept {
  const Field& layout = encoding.fields[field];
  std::uint64_t value = raw_field_value(layout, words);
  if (layout.padding_bits > 0 && layout.padding_bits < 64) {
    value = value << layout.padding_bits | layout.padding;
  }
  if (layout.inverted_bit_of != kNoIndex) {
    const std::uint64_t other = raw_field_value(encoding.fields[layout.inverted_bit_of], words);
    value = (value & ~std::uint64_t{1}) | (~other & 1);
  }
  return value;
}

}  // namespace halyard::isa
