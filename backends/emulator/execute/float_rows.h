// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/float_blocks.h"
#include "backends/emulator/execute/float_mode_scope.h"
#include "backends/emulator/execute/vector_rows.h"

#include <cstdint>

namespace halyard::emulator::lanes {

// How a function of floats is applied.
struct FloatTraits {
  NanRule nan = NanRule::kFirst;
  // Sources whose sign is changed before all else; a difference is a sum with its second source so.
  std::uint8_t flipped = 0;
  bool accumulates = false;        // the last source is the destination
  bool flushes_denormals = false;  // whatever the mode says
  bool rounds_to_nearest = false;  // likewise
  // Of halves: a result in the low half clears the high one on gfx9.
  bool clears_on_gfx9 = true;
  std::uint8_t integers = 0;  // sources that are no floats
};

template <int kCount, FloatTraits kTraits>
inline Sources<kCount> float_sources(const Wave& wave, const Operation& operation) {
  if constexpr (kTraits.accumulates) {
    return Sources<kCount>(wave, operation, typename Sources<kCount>::WithDestination{});
  } else {
    return Sources<kCount>(wave, operation);
  }
}

// OMOD is without effect where denormal results are kept, but on gfx12; a zero gets positive,
// and what becomes denormal a zero of its sign.
bool scales_result(const Wave& wave, const Operation& operation, std::uint8_t denormals);

template <class Format, class Float = typename Format::Float>
inline Float scaled(Float value, std::uint8_t output_modifier) {
  using Bits = typename Format::Bits;
  const auto factor = output_modifier == 1 ? 2.0f : output_modifier == 2 ? 4.0f : 0.5f;
  return (Float)((Bits)flushed(value * factor) & ~(Bits)(value == 0));
}
// To 0 … 1; a NaN to 0, or kept.
template <class Format, class Float = typename Format::Float>
inline Float clamped(Float value, bool nan_to_zero) {
  using Bits = typename Format::Bits;
  const Bits nan = is_nan(value);
  Bits result = select((Bits)(value > 1.0f), (Bits)(Float{} + 1.0f), (Bits)value);
  result &= (Bits)(value > 0.0f) | nan;
  return (Float)(nan_to_zero ? result & ~nan : result);
}
inline bool clamps_nan_to_zero(const Wave& wave) {
  return wave.mode.dx10_clamp || is_gfx12(wave);
}

// The sign changes of the sources of an operation.
template <class Format, int kCount>
struct SourceSigns {
  using Bits = typename Format::Bits;
  SourceSigns(const Operation& operation, std::uint8_t flipped, decltype(Format::kSign) sign) {
    const Bits none{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      const bool negates = (operation.negate >> i & 1) != (flipped >> i & 1);
      keep[i] = operation.absolute >> i & 1 ? ~(none + sign) : ~none;
      // An absolute value of a flipped source is flipped behind it.
      change[i] = negates ? none + sign : none;
    }
  }
  Bits apply(Bits value, int i) const {
    return (value & keep[i]) ^ change[i];
  }

  Bits keep[kCount];
  Bits change[kCount];
};

template <auto kFunction, int kCount, class Float>
[[gnu::always_inline]] inline Float call(const Float* x) {
  if constexpr (kCount == 1) {
    return kFunction(x[0]);
  } else if constexpr (kCount == 2) {
    return kFunction(x[0], x[1]);
  } else {
    return kFunction(x[0], x[1], x[2]);
  }
}

template <int kCount, auto kFunction, FloatTraits kTraits, class Format>
[[gnu::always_inline]] inline typename Format::Float repaired(typename Format::Float result,
                                                              const typename Format::Float* x) {
  if constexpr (kTraits.nan == NanRule::kOwn) {
    return result;
  } else {
    return repair_nan<kTraits.nan, Format, kCount>(result, x[0], x[kCount >= 2 ? 1 : 0],
                                                   x[kCount - 1]);
  }
}

inline bool any_nan(F32 x) {
  return _mm256_movemask_ps(_mm256_cmp_ps((__m256)x, (__m256)x, _CMP_UNORD_Q)) != 0;
}
inline bool any_nan(F64 x) {
  return _mm256_movemask_pd(_mm256_cmp_pd((__m256d)x, (__m256d)x, _CMP_UNORD_Q)) != 0;
}

// With modifiers, or in a mode that is not the default one.
template <int kCount, auto kFunction, FloatTraits kTraits>
[[gnu::noinline]] void run_f32_full(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources = float_sources<kCount, kTraits>(wave, operation);
  const SourceSigns<SingleFormat, kCount> signs(operation, kTraits.flipped, kSign32);
  const std::uint8_t denormals = kTraits.flushes_denormals ? 0 : wave.mode.denormals_single;
  const bool scales = scales_result(wave, operation, wave.mode.denormals_single);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const FloatModeScope scope(kTraits.rounds_to_nearest ? std::uint8_t{0} : wave.mode.round_single,
                             denormals);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 x[kCount]{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      x[i] = as_f32(signs.apply(sources.block(i, lane), i));
      if ((denormals & 1) == 0 && (kTraits.integers >> i & 1) == 0) x[i] = flushed(x[i]);
    }
    F32 result = call<kFunction, kCount>(x);
    if ((denormals & 2) == 0) result = flushed(result);
    if (any_nan(result)) [[unlikely]] {
      result = repaired<kCount, kFunction, kTraits, SingleFormat>(result, x);
    }
    if (scales) result = scaled<SingleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<SingleFormat>(result, nan_to_zero);
    return as_u32(result);
  });
}

// Without modifiers.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_f32(Wave& wave, const Operation& operation) {
  if (kTraits.flushes_denormals || !is_default_single(wave.mode)) [[unlikely]] {
    return run_f32_full<kCount, kFunction, kTraits>(wave, operation);
  }
  const Sources<kCount> sources = float_sources<kCount, kTraits>(wave, operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 x[kCount]{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      x[i] = as_f32(sources.block(i, lane));
      if (kTraits.flipped >> i & 1) x[i] = as_f32(as_u32(x[i]) ^ kSign32);
    }
    F32 result = call<kFunction, kCount>(x);
    if constexpr (kTraits.nan != NanRule::kOwn) {
      if (any_nan(result)) [[unlikely]] {
        result = repaired<kCount, kFunction, kTraits, SingleFormat>(result, x);
      }
    }
    return as_u32(result);
  });
}

// Sources in vector registers and all lanes active, which is what counts for speed: 32 lanes at
// once.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_f32_registers(Wave& wave, const Operation& operation) {
  if (wave.exec() != all_lanes(wave) || !is_default_single(wave.mode)) [[unlikely]] {
    return run_f32<kCount, kFunction, kTraits>(wave, operation);
  }
  const std::uint32_t* row[kCount];
#pragma GCC unroll 4
  for (int i = 0; i < kCount; ++i) {
    const bool is_last = kTraits.accumulates && i == kCount - 1;
    row[i] = wave.row(
        (is_last ? operation.destination[0] : operation.source[static_cast<std::size_t>(i)]).index);
  }
  std::uint32_t* const out = wave.row(operation.destination[0].index);
  const std::uint32_t lanes = wave.lanes;
  for (std::uint32_t first = 0; first < lanes; first += 4 * kBlock) {
    const auto numbers = [&](F32* x, std::uint32_t block) [[gnu::always_inline]] {
#pragma GCC unroll 4
      for (int i = 0; i < kCount; ++i) {
        x[i] = as_f32(load(row[i] + first + block * kBlock));
        if (kTraits.flipped >> i & 1) x[i] = as_f32(as_u32(x[i]) ^ kSign32);
      }
    };
    F32 result[4];
#pragma GCC unroll 4
    for (std::uint32_t block = 0; block < 4; ++block) {
      F32 x[kCount];
      numbers(x, block);
      result[block] = call<kFunction, kCount>(x);
    }
    if constexpr (kTraits.nan != NanRule::kOwn) {
      const __m256 nan =
          _mm256_or_ps(_mm256_cmp_ps((__m256)result[0], (__m256)result[1], _CMP_UNORD_Q),
                       _mm256_cmp_ps((__m256)result[2], (__m256)result[3], _CMP_UNORD_Q));
      if (_mm256_movemask_ps(nan) != 0) [[unlikely]] {
        for (std::uint32_t block = 0; block < 4; ++block) {
          F32 x[kCount];
          numbers(x, block);
          result[block] = repaired<kCount, kFunction, kTraits, SingleFormat>(result[block], x);
        }
      }
    }
#pragma GCC unroll 4
    for (std::uint32_t block = 0; block < 4; ++block) {
      store(out + first + block * kBlock, as_u32(result[block]));
    }
  }
}

template <int kCount, FloatTraits kTraits>
bool is_float_form(const Operation& operation) {
  return has_vector_form(operation, kTraits.accumulates ? kCount - 1 : kCount);
}

template <int kCount, auto kFunction, FloatTraits kTraits = FloatTraits{}>
Handler f32(const Operation& operation, const SemanticContext&) {
  if (!is_float_form<kCount, kTraits>(operation)) return nullptr;
  if (has_modifiers(operation)) return &run_f32_full<kCount, kFunction, kTraits>;
  if constexpr (!kTraits.flushes_denormals) {
    bool all_registers = true;
    for (std::size_t i = 0; i < (kTraits.accumulates ? kCount - 1 : kCount); ++i) {
      all_registers = all_registers && operation.source[i].is_vector();
    }
    if (all_registers) return &run_f32_registers<kCount, kFunction, kTraits>;
  }
  return &run_f32<kCount, kFunction, kTraits>;
}

// As MODE says at the time.
template <Handler kIeee, Handler kOther>
void run_by_ieee(Wave& wave, const Operation& operation) {
  (wave.mode.ieee ? kIeee : kOther)(wave, operation);
}

// Halves in the low 16 bits of lanes. A signalling NaN stays one.
inline F32 widen_half(U32 value) {
  const __m256i packed = _mm256_permute4x64_epi64(
      _mm256_packus_epi32((__m256i)(value & 0xffffu), _mm256_setzero_si256()), 0xd8);
  const F32 wide = (F32)_mm256_cvtph_ps(_mm256_castsi256_si128(packed));
  return as_f32(as_u32(wide) & ~(is_nan(wide) & kQuiet32 & ~((value & 0x200u) << 13)));
}
// Rounds as the CPU is set to.
inline U32 narrow_half(F32 value) {
  return (U32)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)value, _MM_FROUND_CUR_DIRECTION));
}
inline U32 flush_half(U32 value) {
  const U32 denormal = (U32)((value & 0x7c00u) == 0u);
  return value & ~(denormal & 0x3ffu);
}
// A finite result that overflowed becomes the largest finite number.
inline U32 limit_half(U32 value, U32 had_infinity) {
  const U32 overflow = (U32)((value & 0x7fffu) == 0x7c00u) & ~had_infinity;
  return select(overflow, (value & 0x8000u) | 0x7bffu, value);
}
inline U32 is_infinite_half(U32 value) {
  return (U32)((value & 0x7fffu) == 0x7c00u);
}

// The numbers are widened to floats; a result may have a sticky last bit.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_f16(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources = float_sources<kCount, kTraits>(wave, operation);
  const SourceSigns<SingleFormat, kCount> signs(operation, kTraits.flipped, 0x8000u);
  const FloatMode mode = wave.mode;
  const bool scales = scales_result(wave, operation, mode.denormals_other);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const bool is_default = is_default_other(mode);
  const FloatModeScope scope(kTraits.rounds_to_nearest ? std::uint8_t{0} : mode.round_other, 3);
  write_half_row(wave, operation, kTraits.clears_on_gfx9, [&](std::uint32_t lane) {
    F32 x[kCount]{};
    U32 infinite{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      U32 half = sources.block(i, lane);
      // What is accumulated lies in the half that is written.
      const bool is_last = kTraits.accumulates && i == kCount - 1;
      half = half_of(half, operation, is_last ? 3 : i);
      half = signs.apply(half, i);
      if (kTraits.integers >> i & 1) {
        x[i] = as_f32(half);
        continue;
      }
      if ((mode.denormals_other & 1) == 0) half = flush_half(half);
      infinite |= is_infinite_half(half);
      x[i] = widen_half(half);
    }
    F32 result = call<kFunction, kCount>(x);
    if (any_nan(result)) [[unlikely]] {
      result = repaired<kCount, kFunction, kTraits, SingleFormat>(result, x);
    }
    if (scales) result = scaled<SingleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<SingleFormat>(result, nan_to_zero);
    U32 half = narrow_half(result);
    if (scales) half = flush_half(half);
    if (!is_default) {
      if ((mode.denormals_other & 2) == 0) half = flush_half(half);
      if (mode.half_overflow) half = limit_half(half, infinite);
    }
    return half;
  });
}
template <int kCount, auto kFunction, FloatTraits kTraits = FloatTraits{}>
Handler f16(const Operation& operation, const SemanticContext&) {
  return is_float_form<kCount, kTraits>(operation) ? &run_f16<kCount, kFunction, kTraits> : nullptr;
}

// Doubles, four lanes at a time.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_f64(Wave& wave, const Operation& operation) {
  std::array<int, kCount> dwords;
  dwords.fill(2);
  WideSources<kCount> sources(wave, operation, dwords);
  if (kTraits.accumulates) sources.set(kCount - 1, wave, operation.destination[0], 2);
  const SourceSigns<DoubleFormat, kCount> signs(operation, kTraits.flipped, kSign64);
  const bool scales = scales_result(wave, operation, wave.mode.denormals_other);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const std::uint64_t exec = wave.exec();
  const std::uint8_t denormals = wave.mode.denormals_other;
  const FloatModeScope scope(wave.mode.round_other, denormals);
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const std::uint64_t bits = exec >> lane & 15;
    if (bits == 0) continue;
    F64 x[kCount]{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      x[i] = as_f64(signs.apply(sources.block(i, lane), i));
      if ((denormals & 1) == 0) x[i] = flushed(x[i]);
    }
    F64 result = call<kFunction, kCount>(x);
    if ((denormals & 2) == 0) result = flushed(result);
    if (any_nan(result)) [[unlikely]] {
      result = repaired<kCount, kFunction, kTraits, DoubleFormat>(result, x);
    }
    if (scales) result = scaled<DoubleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<DoubleFormat>(result, nan_to_zero);
    write_wide(wave, operation.destination[0], 2, lane, as_u64(result), bits);
  }
}
template <int kCount, auto kFunction, FloatTraits kTraits = FloatTraits{}>
Handler f64(const Operation& operation, const SemanticContext&) {
  return is_float_form<kCount, kTraits>(operation) ? &run_f64<kCount, kFunction, kTraits> : nullptr;
}

}  // namespace halyard::emulator::lanes
