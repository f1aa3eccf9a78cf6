// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/flat_addresses.h"

#include <immintrin.h>

namespace halyard::emulator {
namespace {

// Pairs of rows, low and high dword, plus `offset`; `lanes` is a multiple of 4.
void add_pairs(const std::uint32_t* low, const std::uint32_t* high, std::uint32_t lanes,
               std::uint64_t offset, std::uint64_t* sums) {
  const __m256i addend = _mm256_set1_epi64x(static_cast<long long>(offset));
  for (std::uint32_t lane = 0; lane < lanes; lane += 4) {
    const __m256i wide_low =
        _mm256_cvtepu32_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(low + lane)));
    const __m256i wide_high =
        _mm256_cvtepu32_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(high + lane)));
    const __m256i address = _mm256_or_si256(wide_low, _mm256_slli_epi64(wide_high, 32));
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums + lane), _mm256_add_epi64(address, addend));
  }
}

// Unsigned dwords plus `offset`.
void add_words(const std::uint32_t* words, std::uint32_t lanes, std::uint64_t offset,
               std::uint64_t* sums) {
  const __m256i addend = _mm256_set1_epi64x(static_cast<long long>(offset));
  for (std::uint32_t lane = 0; lane < lanes; lane += 4) {
    const __m256i wide =
        _mm256_cvtepu32_epi64(_mm_load_si128(reinterpret_cast<const __m128i*>(words + lane)));
    _mm256_store_si256(reinterpret_cast<__m256i*>(sums + lane), _mm256_add_epi64(wide, addend));
  }
}

// A sum that leaves 32 bits is outside of every lane's scratch, below it or behind it.
void scratch_addresses(const Wave& wave, const Operation& operation, LaneAddresses& at) {
  auto offset = static_cast<std::uint64_t>(operation.immediate);
  if (operation.source[3].is_scalar()) {
    const auto base = static_cast<std::int32_t>(wave.scalar[operation.source[3].index]);
    offset += static_cast<std::uint64_t>(std::int64_t{base});
  }
  if (!operation.source[0].is_vector()) {
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane)
      at.address[lane] = offset;
    return;
  }
  const std::uint32_t* address = wave.row(operation.source[0].index);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    const std::int64_t base = static_cast<std::int32_t>(address[lane]);
    at.address[lane] = static_cast<std::uint64_t>(base) + offset;
  }
}

}  // namespace

bool has_flat_address(FlatFamily family, const Operation& operation) {
  const Operand& base = operation.source[3];
  if (base.is_present() && !base.is_scalar()) return false;
  const Operand& address = operation.source[0];
  if (family == FlatFamily::kScratch) return !address.is_present() || address.is_vector();
  return address.is_vector();
}

bool flat_addresses(FlatFamily family, const Wave& wave, const Operation& operation,
                    LaneAddresses& at) {
  at.lanes = wave.exec();
  if (at.lanes == 0) return false;
  if (family == FlatFamily::kScratch) {
    scratch_addresses(wave, operation, at);
    return true;
  }
  const auto offset = static_cast<std::uint64_t>(operation.immediate);
  const std::uint32_t* low = wave.row(operation.source[0].index);
  if (operation.source[3].is_scalar()) {
    add_words(low, wave.lanes, wave.scalar64(operation.source[3].index) + offset, at.address);
  } else {
    add_pairs(low, low + wave.lanes, wave.lanes, offset, at.address);
  }
  return true;
}

}  // namespace halyard::emulator
