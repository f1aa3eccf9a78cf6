// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_operand.h"
#include "backends/emulator/execute/matrix/number_format.h"
#include "backends/emulator/execute/memory/semantic_table.h"
#include "backends/emulator/execute/vector_rows.h"
#include "backends/emulator/program/semantics.h"

#include <immintrin.h>

#include <bit>
#include <cstdint>

namespace halyard::emulator {
namespace {

using lanes::Sources;
using lanes::U32;

enum class Addend : std::uint8_t { kSource, kDestination };

// The halves of the registers of A and B that the first and the second product take.
struct Halves {
  std::uint32_t a[2] = {0, 1};
  std::uint32_t b[2] = {0, 1};
};

Halves halves_of(const Operation& operation) {
  Halves halves;
  if (operation.family != isa::EncodingFamily::kVop3p) return halves;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t chosen = i == 0 ? operation.op_sel : operation.op_sel_hi;
    halves.a[i] = chosen & 1;
    halves.b[i] = chosen >> 1 & 1;
  }
  return halves;
}

// Eight lanes as the intrinsics and as the vectors of execute/ take them.
__m256i integers(U32 block) {
  return std::bit_cast<__m256i>(block);
}
__m256 floats(U32 block) {
  return std::bit_cast<__m256>(block);
}
U32 block_of(__m256 floats_of_lanes) {
  return std::bit_cast<U32>(floats_of_lanes);
}
U32 block_of(__m256i integers_of_lanes) {
  return std::bit_cast<U32>(integers_of_lanes);
}
U32 signs_of(U32 block) {
  return block_of(_mm256_srai_epi32(integers(block), 31));
}

template <Addend addend>
Sources<3> sources_of(const Wave& wave, const Operation& operation) {
  if constexpr (addend == Addend::kSource) return Sources<3>(wave, operation);
  return Sources<3>(wave, operation, Sources<3>::WithDestination{});
}

__m256 flipped(__m256 value, std::uint32_t flips, std::uint32_t which) {
  const int sign = (flips >> which & 1) != 0 ? static_cast<int>(0x80000000) : 0;
  return _mm256_xor_ps(value, _mm256_castsi256_ps(_mm256_set1_epi32(sign)));
}

__m256 clamped(__m256 value) {
  // A NaN becomes 0.
  return _mm256_min_ps(_mm256_max_ps(value, _mm256_setzero_ps()), _mm256_set1_ps(1.0F));
}

// Two products of f16 or bf16, which are exact, added to C one after the other, each sum rounded to
// nearest even in single precision, denormals kept. Documents give the order; that gfx90a takes
// denormals for 0 in these, they say of that processor only, which is not told apart here.
template <Number number, Addend addend>
void dot_of_halves(Wave& wave, const Operation& operation) {
  const Sources<3> sources = sources_of<addend>(wave, operation);
  const Halves halves = halves_of(operation);
  lanes::write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    const __m256i a = integers(sources.block(0, lane));
    const __m256i b = integers(sources.block(1, lane));
    __m256 sum = flipped(floats(sources.block(2, lane)), operation.negate, 2);
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t flips = i == 0 ? operation.negate : operation.negate_high;
      const __m256 x = flipped(floats_of<number>(a, halves.a[i]), flips, 0);
      const __m256 y = flipped(floats_of<number>(b, halves.b[i]), flips, 1);
      sum = _mm256_fmadd_ps(x, y, sum);
    }
    return block_of(operation.clamp ? clamped(sum) : sum);
  });
}

// Four products of 8-bit floats, added to C in the order of the bytes.
template <Number a_number, Number b_number>
void dot_of_bytes(Wave& wave, const Operation& operation) {
  const Sources<3> sources(wave, operation);
  lanes::write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    const __m256i a = integers(sources.block(0, lane));
    const __m256i b = integers(sources.block(1, lane));
    __m256 sum = floats(sources.block(2, lane));
    if ((operation.negate_high & 4) != 0) sum = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), sum);
    sum = flipped(sum, operation.negate, 2);
    for (std::uint32_t part = 0; part < 4; ++part)
      sum = _mm256_fmadd_ps(floats_of<a_number>(a, part), floats_of<b_number>(b, part), sum);
    return block_of(sum);
  });
}

// The sum of two numbers, one of them small, within the range of the result.
template <bool is_signed>
U32 saturated(U32 sum, U32 addend) {
  const U32 total = sum + addend;
  if constexpr (is_signed) {
    const U32 overflow = signs_of((sum ^ total) & (addend ^ total));
    return lanes::select(overflow, signs_of(addend) ^ 0x7fffffffu, total);
  } else {
    return total | std::bit_cast<U32>(total < addend);
  }
}

// Products of integers, exactly, and their sum with C, which wraps or stays within 32 bits.
template <Number a_number, Number b_number, Addend addend, bool is_signed>
void dot_of_integers(Wave& wave, const Operation& operation) {
  constexpr std::uint32_t kParts = 32 / bits_of(a_number);
  const Sources<3> sources = sources_of<addend>(wave, operation);
  lanes::write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    const __m256i a = integers(sources.block(0, lane));
    const __m256i b = integers(sources.block(1, lane));
    __m256 products = _mm256_setzero_ps();
    for (std::uint32_t part = 0; part < kParts; ++part) {
      products =
          _mm256_fmadd_ps(floats_of<a_number>(a, part), floats_of<b_number>(b, part), products);
    }
    const U32 sum = block_of(_mm256_cvttps_epi32(products));
    const U32 c = sources.block(2, lane);
    return operation.clamp ? saturated<is_signed>(sum, c) : sum + c;
  });
}

// Pairs of 16-bit integers; two of their products may not fit in 32 bits.
template <bool is_signed, Addend addend>
void dot_of_words(Wave& wave, const Operation& operation) {
  const Sources<3> sources = sources_of<addend>(wave, operation);
  const Halves halves = halves_of(operation);
  lanes::write_row(wave, operation.destination[0], [&](std::uint32_t first) {
    U32 result{};
    for (std::uint32_t i = 0; i < lanes::kBlock; ++i) {
      const std::uint32_t a = sources.lane(0, first + i);
      const std::uint32_t b = sources.lane(1, first + i);
      const std::uint32_t c = sources.lane(2, first + i);
      std::int64_t sum = is_signed ? std::int64_t{static_cast<std::int32_t>(c)} : std::int64_t{c};
      for (std::uint32_t product = 0; product < 2; ++product) {
        const std::uint32_t x = a >> 16 * halves.a[product] & 0xffff;
        const std::uint32_t y = b >> 16 * halves.b[product] & 0xffff;
        sum += is_signed ? std::int64_t{static_cast<std::int16_t>(x)} * static_cast<std::int16_t>(y)
                         : std::int64_t{x} * y;
      }
      constexpr std::int64_t kLeast = is_signed ? INT32_MIN : 0;
      constexpr std::int64_t kMost = is_signed ? std::int64_t{INT32_MAX} : std::int64_t{UINT32_MAX};
      if (operation.clamp) sum = sum < kLeast ? kLeast : sum > kMost ? kMost : sum;
      result[i] = static_cast<std::uint32_t>(sum);
    }
    return result;
  });
}

bool is_source(const Operand& operand) {
  return operand.is_vector() || operand.is_scalar() || operand.kind == OperandKind::kConstant;
}

template <Addend addend>
bool has_operands(const Operation& operation) {
  return operation.destination[0].is_vector() && is_source(operation.source[0]) &&
         is_source(operation.source[1]) && operation.absolute == 0 &&
         operation.output_modifier == 0 &&
         (addend == Addend::kDestination || is_source(operation.source[2]));
}

// The halves of constants are as the program says. VOP3 forms of what VOP2 holds take modifiers of
// whole registers, which are not defined for halves.
template <Number number, Addend addend>
Handler choose_halves(const Operation& operation, const SemanticContext&) {
  const bool is_packed = operation.family == isa::EncodingFamily::kVop3p;
  const bool has_modifiers =
      operation.negate != 0 || operation.negate_high != 0 || operation.op_sel != 0;
  const bool fits = has_operands<addend>(operation) && (is_packed || !has_modifiers) &&
                    (operation.negate_high & 4) == 0 && ((operation.op_sel & 0xc) == 0);
  return fits ? dot_of_halves<number, addend> : nullptr;
}

template <Number a, Number b>
Handler choose_bytes(const Operation& operation, const SemanticContext&) {
  const bool fits = has_operands<Addend::kSource>(operation) && (operation.negate & 3) == 0 &&
                    (operation.negate_high & 3) == 0 && !operation.clamp;
  return fits ? dot_of_bytes<a, b> : nullptr;
}

template <Number number, Addend addend>
Handler choose_integers(const Operation& operation, const SemanticContext&) {
  constexpr bool kIsSigned = number == Number::kI8 || number == Number::kI4;
  const bool fits = has_operands<addend>(operation) && operation.negate == 0 &&
                    operation.negate_high == 0 && operation.op_sel == 0;
  return fits ? dot_of_integers<number, number, addend, kIsSigned> : nullptr;
}

// NEG says which of A and B are signed; the sum is.
template <Number kSigned, Number kUnsigned>
Handler choose_by_sign(const Operation& operation, const SemanticContext&) {
  constexpr Addend kAddend = Addend::kSource;
  if (!has_operands<kAddend>(operation) || (operation.negate & 4) != 0 ||
      operation.negate_high != 0 || operation.op_sel != 0)
    return nullptr;
  switch (operation.negate & 3) {
    case 0:
      return dot_of_integers<kUnsigned, kUnsigned, kAddend, true>;
    case 1:
      return dot_of_integers<kSigned, kUnsigned, kAddend, true>;
    case 2:
      return dot_of_integers<kUnsigned, kSigned, kAddend, true>;
    default:
      return dot_of_integers<kSigned, kSigned, kAddend, true>;
  }
}

template <bool is_signed, Addend addend>
Handler choose_words(const Operation& operation, const SemanticContext&) {
  const bool fits = has_operands<addend>(operation) && operation.negate == 0 &&
                    operation.negate_high == 0 && (operation.op_sel & 0xc) == 0;
  return fits ? dot_of_words<is_signed, addend> : nullptr;
}

constexpr HandlerChoice kAccumulateHalves = choose_halves<Number::kF16, Addend::kDestination>;
constexpr HandlerChoice kAccumulateBrains = choose_halves<Number::kBf16, Addend::kDestination>;
constexpr HandlerChoice kAccumulateBytes = choose_integers<Number::kI8, Addend::kDestination>;

constexpr Semantic kSemantics[] = {
    {"V_DOT2_F32_F16", choose_halves<Number::kF16, Addend::kSource>},
    {"V_DOT2_F32_BF16", choose_halves<Number::kBf16, Addend::kSource>},
    {"V_DOT2ACC_F32_F16", kAccumulateHalves},
    {"V_DOT2C_F32_F16", kAccumulateHalves},
    {"V_DUAL_DOT2ACC_F32_F16", kAccumulateHalves},
    {"V_DUAL_DOT2ACC_F32_BF16", kAccumulateBrains},
    {"V_DOT4_F32_FP8_FP8", choose_bytes<Number::kE4m3, Number::kE4m3>},
    {"V_DOT4_F32_FP8_BF8", choose_bytes<Number::kE4m3, Number::kE5m2>},
    {"V_DOT4_F32_BF8_FP8", choose_bytes<Number::kE5m2, Number::kE4m3>},
    {"V_DOT4_F32_BF8_BF8", choose_bytes<Number::kE5m2, Number::kE5m2>},
    {"V_DOT4_I32_I8", choose_integers<Number::kI8, Addend::kSource>},
    {"V_DOT4_U32_U8", choose_integers<Number::kU8, Addend::kSource>},
    {"V_DOT4_I32_IU8", choose_by_sign<Number::kI8, Number::kU8>},
    {"V_DOT4C_I32_I8", kAccumulateBytes},
    {"V_DOT8_I32_I4", choose_integers<Number::kI4, Addend::kSource>},
    {"V_DOT8_U32_U4", choose_integers<Number::kU4, Addend::kSource>},
    {"V_DOT8_I32_IU4", choose_by_sign<Number::kI4, Number::kU4>},
    {"V_DOT8C_I32_I4", choose_integers<Number::kI4, Addend::kDestination>},
    {"V_DOT2_I32_I16", choose_words<true, Addend::kSource>},
    {"V_DOT2_U32_U16", choose_words<false, Addend::kSource>},
    {"V_DOT2C_I32_I16", choose_words<true, Addend::kDestination>},
};

}  // namespace

std::span<const Semantic> dot_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
