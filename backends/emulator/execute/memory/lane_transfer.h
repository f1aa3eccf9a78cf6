// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/state/wave.h"

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace halyard::emulator {

// How the bytes of a lane become registers, or the other way round. What fills a half of a register
// leaves the other half as it is.
enum class Form : std::uint8_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU8Low,  // a byte, widened to 16 bits, in the low half
  kI8Low,
  kB16Low,
  kU8High,
  kI8High,
  kB16High,
  kB32,
  kB64,
  kB96,
  kB128,
};

constexpr std::uint32_t bytes_of(Form form) {
  switch (form) {
    case Form::kU8:
    case Form::kI8:
    case Form::kU8Low:
    case Form::kI8Low:
    case Form::kU8High:
    case Form::kI8High:
      return 1;
    case Form::kU16:
    case Form::kI16:
    case Form::kB16Low:
    case Form::kB16High:
      return 2;
    case Form::kB64:
      return 8;
    case Form::kB96:
      return 12;
    case Form::kB128:
      return 16;
    case Form::kB32:
      break;
  }
  return 4;
}

constexpr std::uint32_t dwords_of(Form form) {
  return bytes_of(form) < 4 ? 1 : bytes_of(form) / 4;
}

template <typename T>
inline T read_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

inline bool is_full(const Wave& wave, std::uint64_t lanes) {
  return lanes == (wave.lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu);
}

// Calls `visit(lane)` for each of the lanes, lowest first.
template <typename Visit>
inline void for_each_lane(const Wave& wave, std::uint64_t lanes, Visit visit) {
  if (is_full(wave, lanes)) {
    for (std::uint32_t lane = 0; lane < wave.lanes; ++lane)
      visit(lane);
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1)
    visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

// The register of a lane after a load of less than a dword.
template <Form form>
inline std::uint32_t merged(std::uint32_t old, const std::byte* from) {
  constexpr std::uint32_t kLow = 0xffff;
  if constexpr (form == Form::kU8) return read_as<std::uint8_t>(from);
  if constexpr (form == Form::kI8)
    return static_cast<std::uint32_t>(std::int32_t{read_as<std::int8_t>(from)});
  if constexpr (form == Form::kU16) return read_as<std::uint16_t>(from);
  if constexpr (form == Form::kI16)
    return static_cast<std::uint32_t>(std::int32_t{read_as<std::int16_t>(from)});
  std::uint32_t half = 0;
  if constexpr (form == Form::kU8Low || form == Form::kU8High) half = read_as<std::uint8_t>(from);
  if constexpr (form == Form::kI8Low || form == Form::kI8High)
    half = static_cast<std::uint32_t>(std::int32_t{read_as<std::int8_t>(from)}) & kLow;
  if constexpr (form == Form::kB16Low || form == Form::kB16High)
    half = read_as<std::uint16_t>(from);
  constexpr bool kIsHigh = form == Form::kU8High || form == Form::kI8High || form == Form::kB16High;
  return kIsHigh ? (old & kLow) | half << 16 : (old & ~kLow) | half;
}

// Four lanes of four dwords each, turned into four rows of four lanes.
inline void transpose(__m128i& a, __m128i& b, __m128i& c, __m128i& d) {
  const __m128i low_ab = _mm_unpacklo_epi32(a, b);
  const __m128i low_cd = _mm_unpacklo_epi32(c, d);
  const __m128i high_ab = _mm_unpackhi_epi32(a, b);
  const __m128i high_cd = _mm_unpackhi_epi32(c, d);
  a = _mm_unpacklo_epi64(low_ab, low_cd);
  b = _mm_unpackhi_epi64(low_ab, low_cd);
  c = _mm_unpacklo_epi64(high_ab, high_cd);
  d = _mm_unpackhi_epi64(high_ab, high_cd);
}

inline __m128i* quad(std::uint32_t* row) {
  return reinterpret_cast<__m128i*>(row);
}
inline const __m128i* quad(const std::byte* at) {
  return reinterpret_cast<const __m128i*>(at);
}

inline void load_quads(Wave& wave, std::uint32_t row, const LaneAddresses& at) {
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    __m128i a = _mm_loadu_si128(quad(at.bytes(lane)));
    __m128i b = _mm_loadu_si128(quad(at.bytes(lane + 1)));
    __m128i c = _mm_loadu_si128(quad(at.bytes(lane + 2)));
    __m128i d = _mm_loadu_si128(quad(at.bytes(lane + 3)));
    transpose(a, b, c, d);
    _mm_store_si128(quad(wave.row(row) + lane), a);
    _mm_store_si128(quad(wave.row(row + 1) + lane), b);
    _mm_store_si128(quad(wave.row(row + 2) + lane), c);
    _mm_store_si128(quad(wave.row(row + 3) + lane), d);
  }
}

inline void store_quads(Wave& wave, std::uint32_t row, const LaneAddresses& at) {
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    __m128i a = _mm_load_si128(quad(wave.row(row) + lane));
    __m128i b = _mm_load_si128(quad(wave.row(row + 1) + lane));
    __m128i c = _mm_load_si128(quad(wave.row(row + 2) + lane));
    __m128i d = _mm_load_si128(quad(wave.row(row + 3) + lane));
    transpose(a, b, c, d);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at.bytes(lane)), a);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at.bytes(lane + 1)), b);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at.bytes(lane + 2)), c);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(at.bytes(lane + 3)), d);
  }
}

inline __m128i load_two(const std::byte* low, const std::byte* high) {
  return _mm_unpacklo_epi64(_mm_loadl_epi64(quad(low)), _mm_loadl_epi64(quad(high)));
}

inline void load_pairs(Wave& wave, std::uint32_t row, const LaneAddresses& at) {
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const __m128 ab = _mm_castsi128_ps(load_two(at.bytes(lane), at.bytes(lane + 1)));
    const __m128 cd = _mm_castsi128_ps(load_two(at.bytes(lane + 2), at.bytes(lane + 3)));
    const __m128 low = _mm_shuffle_ps(ab, cd, 0x88);
    const __m128 high = _mm_shuffle_ps(ab, cd, 0xdd);
    _mm_store_si128(quad(wave.row(row) + lane), _mm_castps_si128(low));
    _mm_store_si128(quad(wave.row(row + 1) + lane), _mm_castps_si128(high));
  }
}

inline void store_pairs(Wave& wave, std::uint32_t row, const LaneAddresses& at) {
  const auto put = [&](std::uint32_t lane, __m128i value) {
    _mm_storel_epi64(reinterpret_cast<__m128i*>(at.bytes(lane)), value);
  };
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const __m128i low = _mm_load_si128(quad(wave.row(row) + lane));
    const __m128i high = _mm_load_si128(quad(wave.row(row + 1) + lane));
    const __m128i ab = _mm_unpacklo_epi32(low, high);
    const __m128i cd = _mm_unpackhi_epi32(low, high);
    put(lane, ab);
    put(lane + 1, _mm_unpackhi_epi64(ab, ab));
    put(lane + 2, cd);
    put(lane + 3, _mm_unpackhi_epi64(cd, cd));
  }
}

// Into the registers from `row` on.
template <Form form>
inline void load_lanes(Wave& wave, std::uint32_t row, const LaneAddresses& at) {
  std::uint32_t* first = wave.row(row);
  if constexpr (bytes_of(form) < 4) {
    for_each_lane(wave, at.lanes, [&](std::uint32_t lane) {
      first[lane] = merged<form>(first[lane], at.bytes(lane));
    });
  } else if constexpr (form == Form::kB32) {
    if (at.is_dense) {
      std::memcpy(first, at.bytes(0), std::size_t{4} * wave.lanes);
      return;
    }
    for_each_lane(wave, at.lanes, [&](std::uint32_t lane) {
      first[lane] = read_as<std::uint32_t>(at.bytes(lane));
    });
  } else {
    if (is_full(wave, at.lanes)) {
      if constexpr (form == Form::kB128) return load_quads(wave, row, at);
      if constexpr (form == Form::kB64) return load_pairs(wave, row, at);
    }
    for_each_lane(wave, at.lanes, [&](std::uint32_t lane) {
      for (std::uint32_t dword = 0; dword < dwords_of(form); ++dword) {
        first[std::size_t{dword} * wave.lanes + lane] =
            read_as<std::uint32_t>(at.bytes(lane) + std::size_t{4} * dword);
      }
    });
  }
}

// From the registers from `row` on; where lanes overlap, the highest one's bytes stay.
template <Form form>
inline void store_lanes(Wave& wave, std::uint32_t row, const LaneAddresses& at) {
  const std::uint32_t* first = wave.row(row);
  if constexpr (bytes_of(form) < 4) {
    constexpr std::uint32_t kShift = form == Form::kB16High || form == Form::kU8High ? 16 : 0;
    for_each_lane(wave, at.lanes, [&](std::uint32_t lane) {
      const std::uint32_t value = first[lane] >> kShift;
      std::memcpy(at.bytes(lane), &value, bytes_of(form));
    });
  } else if constexpr (form == Form::kB32) {
    if (at.is_dense) {
      std::memcpy(at.bytes(0), first, std::size_t{4} * wave.lanes);
      return;
    }
    for_each_lane(wave, at.lanes,
                  [&](std::uint32_t lane) { std::memcpy(at.bytes(lane), first + lane, 4); });
  } else {
    if (is_full(wave, at.lanes)) {
      if constexpr (form == Form::kB128) return store_quads(wave, row, at);
      if constexpr (form == Form::kB64) return store_pairs(wave, row, at);
    }
    for_each_lane(wave, at.lanes, [&](std::uint32_t lane) {
      for (std::uint32_t dword = 0; dword < dwords_of(form); ++dword) {
        std::memcpy(at.bytes(lane) + std::size_t{4} * dword,
                    first + std::size_t{dword} * wave.lanes + lane, 4);
      }
    });
  }
}

}  // namespace halyard::emulator
