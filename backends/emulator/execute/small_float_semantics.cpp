// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"
#include "backends/emulator/execute/small_float.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace halyard::emulator {
namespace {

// The last code of a finite number.
std::uint32_t last_code(const SmallFormat& format) {
  if (format.is_fnuz) return 0x7f;
  return format.fraction_bits == 3 ? 0x7e : 0x7b;
}

}  // namespace

std::uint32_t float_bits_of(std::uint8_t byte, const SmallFormat& format) {
  const std::uint32_t code = byte & 0x7fu;
  const std::uint32_t sign = std::uint32_t{byte & 0x80u} << 24;
  if (format.is_fnuz && byte == 0x80) return lanes::kDefaultNan32;
  if (!format.is_fnuz && code > last_code(format)) {
    const bool is_infinity = format.fraction_bits == 2 && code == 0x7c;
    return is_infinity ? sign | 0x7f800000u : lanes::kDefaultNan32;
  }
  const int exponent = static_cast<int>(code >> format.fraction_bits);
  const auto fraction = static_cast<int>(code & ((1u << format.fraction_bits) - 1));
  const int whole = exponent == 0 ? fraction : fraction + (1 << format.fraction_bits);
  const int power = std::max(exponent, 1) - format.bias - format.fraction_bits;
  return std::bit_cast<std::uint32_t>(std::ldexp(static_cast<float>(whole), power)) | sign;
}

std::uint8_t small_float_of(float value, const SmallFormat& format, bool saturates) {
  const std::uint32_t sign = std::bit_cast<std::uint32_t>(value) >> 24 & 0x80;
  const std::uint32_t nan = format.is_fnuz ? 0x80u : sign | 0x7fu;
  const bool has_infinity = !format.is_fnuz && format.fraction_bits == 2;
  const std::uint32_t beyond = has_infinity ? sign | 0x7cu : nan;
  if (std::isnan(value)) return static_cast<std::uint8_t>(nan);
  if (std::isinf(value)) return static_cast<std::uint8_t>(beyond);
  const double magnitude = std::fabs(double{value});
  const int least = 1 - format.bias;
  const int exponent = magnitude == 0 ? least : std::max(std::ilogb(magnitude), least);
  // A whole number of steps; with the exponent it counts the codes, over a carry too.
  const double steps = std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  if (exponent > 127 - format.fraction_bits - 8) {
    return static_cast<std::uint8_t>(saturates ? sign | last_code(format) : beyond);
  }
  const auto code = (static_cast<std::uint32_t>(exponent - least) << format.fraction_bits) +
                    static_cast<std::uint32_t>(steps);
  if (code > last_code(format)) {
    return static_cast<std::uint8_t>(saturates ? sign | last_code(format) : beyond);
  }
  if (format.is_fnuz && code == 0) return 0;  // no negative zero
  return static_cast<std::uint8_t>(sign | code);
}

namespace {

using namespace lanes;

SmallFormat format_of(const Wave& wave, bool is_bf8) {
  return is_bf8 ? SmallFormat::bf8(is_gfx9(wave)) : SmallFormat::fp8(is_gfx9(wave));
}

// One byte: the first one, that of SDWA, or on gfx12 the one that op_sel says, its bits swapped.
template <bool kBf8>
void run_to_float(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const SmallFormat format = format_of(wave, kBf8);
  const std::uint32_t byte = (operation.op_sel & 1u) * 2 + (operation.op_sel >> 1 & 1u);
  write_row(wave, operation.destination[0], [&](std::uint32_t first) {
    U32 result{};
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      const std::uint32_t value = sources.lane(0, first + i) >> (8 * byte);
      result[i] = float_bits_of(static_cast<std::uint8_t>(value), format);
    }
    return result;
  });
}
// Two bytes of a half to a pair of registers.
template <bool kBf8>
void run_to_pair(Wave& wave, const Operation& operation) {
  const WideSources<1> sources(wave, operation, {1});
  const SmallFormat format = format_of(wave, kBf8);
  const std::uint32_t shift = operation.op_sel & 1 ? 16 : 0;
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const U64 source = sources.block(0, lane) >> shift;
    U64 result{};
    for (int i = 0; i < 4; ++i) {
      const auto low = static_cast<std::uint8_t>(source[i]);
      const auto high = static_cast<std::uint8_t>(source[i] >> 8);
      result[i] = float_bits_of(low, format) | std::uint64_t{float_bits_of(high, format)} << 32;
    }
    write_wide(wave, operation.destination[0], 2, lane, result, exec >> lane & 15);
  }
}
// Two floats to the half that op_sel says; the other one is kept.
template <bool kBf8>
void run_from_floats(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const SourceSigns<SingleFormat, 2> signs(operation, 0, kSign32);
  const SmallFormat format = format_of(wave, kBf8);
  const bool saturates = wave.mode.half_overflow;
  write_half_row(wave, operation, false, [&](std::uint32_t lane) {
    const F32 low = as_f32(signs.apply(sources.block(0, lane), 0));
    const F32 high = as_f32(signs.apply(sources.block(1, lane), 1));
    U32 result{};
    for (int i = 0; i < 8; ++i) {
      result[i] = small_float_of(low[i], format, saturates) |
                  std::uint32_t{small_float_of(high[i], format, saturates)} << 8;
    }
    return result;
  });
}

template <Handler kHandler, int kCount, bool kTakesSigns>
Handler small(const Operation& operation, const SemanticContext& context) {
  const bool complete = has_vector_form(operation, kCount) && operation.output_modifier == 0 &&
                        !operation.clamp && context.generation != Generation::kGfx11 &&
                        (kTakesSigns || (operation.negate == 0 && operation.absolute == 0));
  return complete ? kHandler : nullptr;
}

constexpr Semantic kAll[] = {
    {"V_CVT_F32_FP8", small<&run_to_float<false>, 1, false>},
    {"V_CVT_F32_BF8", small<&run_to_float<true>, 1, false>},
    {"V_CVT_PK_F32_FP8", small<&run_to_pair<false>, 1, false>},
    {"V_CVT_PK_F32_BF8", small<&run_to_pair<true>, 1, false>},
    {"V_CVT_PK_FP8_F32", small<&run_from_floats<false>, 2, true>},
    {"V_CVT_PK_BF8_F32", small<&run_from_floats<true>, 2, true>},
};

}  // namespace

std::span<const Semantic> small_float_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
