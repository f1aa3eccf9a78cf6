// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/poison.h"

#include <cstring>

namespace halyard::verification {
namespace {

// The quiet NaN of a type, its sign bit, the lowest bit of its exponent, and how many payloads
// there are beside none and all bits, which hardware writes.
struct NanForm {
  std::uint64_t quiet;
  std::uint64_t sign;
  std::uint64_t lowest_exponent;
  std::uint64_t payloads;
};

std::optional<NanForm> nan_form(base::DataType type) {
  switch (type) {
    case base::DataType::kF64:
      return NanForm{0x7ff8000000000000U, std::uint64_t{1} << 63, std::uint64_t{1} << 52,
                     0x7fffffffffffeU};
    case base::DataType::kF32:
      return NanForm{0x7fc00000U, 0x80000000U, 0x800000U, 0x3ffffeU};
    case base::DataType::kF16:
      return NanForm{0x7e00U, 0x8000U, 0x400U, 0x1feU};
    case base::DataType::kBf16:
      return NanForm{0x7fc0U, 0x8000U, 0x80U, 0x3eU};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::uint64_t Poison::element_bits(base::DataType type, std::uint64_t element) const {
  const std::uint64_t bits = random_.bits(element);
  const std::optional<NanForm> form = nan_form(type);
  if (!form) return bits;
  // No other NaNs and no infinities, which a kernel may well write.
  if ((bits >> 62) % 2 == 0) return bits & ~form->lowest_exponent;
  return form->quiet | (bits & form->sign) | (1 + bits % form->payloads);
}

void Poison::fill(base::DataType type, std::span<std::byte> bytes) const {
  const std::size_t size_bytes = base::data_type_size_bytes(type);
  for (std::size_t offset = 0; offset < bytes.size(); offset += size_bytes) {
    const std::uint64_t bits = element_bits(type, offset / size_bytes);
    std::memcpy(bytes.data() + offset, &bits, size_bytes);
  }
}

bool Poison::holds(base::DataType type, std::uint64_t element, const std::byte* bytes) const {
  const std::uint64_t bits = element_bits(type, element);
  return std::memcmp(bytes, &bits, base::data_type_size_bytes(type)) == 0;
}

std::byte Poison::guard_byte(std::size_t index) const {
  return static_cast<std::byte>(random_.bits(~(index / 8)) >> (8 * (index % 8)));
}

void Poison::fill_guard(std::span<std::byte> guard) const {
  for (std::size_t i = 0; i < guard.size(); ++i)
    guard[i] = guard_byte(i);
}

std::optional<std::size_t> Poison::first_change(std::span<const std::byte> guard) const {
  for (std::size_t i = 0; i < guard.size(); ++i) {
    if (guard[i] != guard_byte(i)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> Poison::last_change(std::span<const std::byte> guard) const {
  for (std::size_t i = guard.size(); i-- > 0;) {
    if (guard[i] != guard_byte(i)) return i;
  }
  return std::nullopt;
}

}  // namespace halyard::verification
