// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/integer_blocks.h"
#include "backends/emulator/execute/semantic_parts.h"
#include "backends/emulator/execute/vector_rows.h"

namespace halyard::emulator {
namespace {

using namespace lanes;

// V_MBCNT: how many bits of the mask belong to lanes below, of the low or the high 32.
template <bool kHigh>
void count_lanes_below(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t first) {
    U32 result{};
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      const std::uint32_t lane = first + i;
      const std::uint64_t below = (std::uint64_t{1} << lane) - 1;
      const std::uint32_t mask = static_cast<std::uint32_t>(kHigh ? below >> 32 : below);
      const std::uint32_t bits = sources.lane(0, lane) & mask;
      result[i] = static_cast<std::uint32_t>(std::popcount(bits)) + sources.lane(1, lane);
    }
    return result;
  });
}
template <Handler kHandler, int kCount>
Handler plain(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, kCount) ? kHandler : nullptr;
}

// Products of numbers of 16 bits with a third one of 32.
template <bool kSigned>
void multiply_add_16(Wave& wave, const Operation& operation) {
  const Sources<3> sources(wave, operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    U32 a = half_of(sources.block(0, lane), operation, 0);
    U32 b = half_of(sources.block(1, lane), operation, 1);
    if (kSigned) {
      a = sign16(a);
      b = sign16(b);
    }
    return a * b + sources.block(2, lane);
  });
}

// Both halves as bytes without sign.
void saturate_bytes(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  write_half_row(wave, operation, true, [&](std::uint32_t lane) {
    const U32 x = sources.block(0, lane);
    const auto byte = [](U32 half) { return max_i(min_i(sign16(half), fill(255u)), fill(0u)); };
    return byte(x) | byte(x >> 16) << 8;
  });
}

constexpr auto kAdd = [](U32 a, U32 b) { return a + b; };
constexpr auto kSub = [](U32 a, U32 b) { return a - b; };
constexpr auto kSubRev = [](U32 a, U32 b) { return b - a; };
constexpr auto kSubRevSaturated = [](U32 a, U32 b) { return sub_saturated_u(b, a); };
constexpr auto kAnd = [](U32 a, U32 b) { return a & b; };
constexpr auto kOr = [](U32 a, U32 b) { return a | b; };
constexpr auto kXor = [](U32 a, U32 b) { return a ^ b; };
constexpr auto kNot = [](U32 a) { return ~a; };
constexpr auto kAddSaturatedU16 = [](U32 a, U32 b) { return min_u(a + b, fill(0xffffu)); };
constexpr auto kSubSaturatedU16 = [](U32 a, U32 b) { return saturate_u16(a - b); };
constexpr auto kSubRevSaturatedU16 = [](U32 a, U32 b) { return saturate_u16(b - a); };
constexpr auto kAddSaturatedI16 = [](U32 a, U32 b) { return saturate_i16(sign16(a) + sign16(b)); };
constexpr auto kSubSaturatedI16 = [](U32 a, U32 b) { return saturate_i16(sign16(a) - sign16(b)); };
constexpr auto kMulLow = [](U32 a, U32 b) { return a * b; };
constexpr auto kMad = [](U32 a, U32 b, U32 c) { return a * b + c; };
constexpr auto kMadSaturatedU16 = [](U32 a, U32 b, U32 c) {
  // A product of two halves and a third one fits in 32 bits.
  return min_u(a * b + c, fill(0xffffu));
};
constexpr auto kMadSaturatedI16 = [](U32 a, U32 b, U32 c) {
  return saturate_i16(sign16(a) * sign16(b) + sign16(c));
};
constexpr auto kMinI16 = [](U32 a, U32 b) { return min_i(sign16(a), sign16(b)); };
constexpr auto kMaxI16 = [](U32 a, U32 b) { return max_i(sign16(a), sign16(b)); };
constexpr auto kLeft = [](U32 a, U32 b) { return shift_left(b, a); };
constexpr auto kRight = [](U32 a, U32 b) { return shift_right(b, a); };
constexpr auto kRightSigned = [](U32 a, U32 b) { return shift_right_signed(b, a); };
constexpr auto kRight64 = [](U64 a, U64 b) { return b >> (a & 63u); };
constexpr auto kRight16 = [](U32 a, U32 b) { return b >> (a & 15u); };
constexpr auto kRightSigned16 = [](U32 a, U32 b) {
  return (U32)((I32)sign16(b) >> (I32)(a & 15u));
};
constexpr auto kLeadingZeros = [](std::uint32_t x) { return leading_zeros(x); };
constexpr auto kTrailingZeros = [](std::uint32_t x) { return trailing_zeros(x); };
constexpr auto kLeadingSigns = [](std::uint32_t x) { return leading_signs(x); };
constexpr auto kSumOfDifferences = [](std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += difference(byte_of(a, i), byte_of(b, i));
  return sum;
};

// Bytes of the second source that are 0 mask theirs out.
constexpr auto kMaskedDifferences = [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (int i = 0; i < 4; ++i) {
    if (byte_of(b, i) != 0) c += difference(byte_of(a, i), byte_of(b, i));
  }
  return c;
};

constexpr Semantic kArithmetic[] = {
    {"V_ADD_U32", u32_clamp<2, kAdd, add_saturated_u>},
    {"V_ADD_NC_U32", u32_clamp<2, kAdd, add_saturated_u>},
    {"V_DUAL_ADD_NC_U32", u32<2, kAdd>},
    {"V_SUB_U32", u32_clamp<2, kSub, sub_saturated_u>},
    {"V_SUB_NC_U32", u32_clamp<2, kSub, sub_saturated_u>},
    {"V_SUBREV_U32", u32_clamp<2, kSubRev, kSubRevSaturated>},
    {"V_SUBREV_NC_U32", u32_clamp<2, kSubRev, kSubRevSaturated>},
    {"V_ADD_I32", u32_clamp<2, kAdd, add_saturated_i>},
    {"V_ADD_NC_I32", u32_clamp<2, kAdd, add_saturated_i>},
    {"V_SUB_I32", u32_clamp<2, kSub, sub_saturated_i>},
    {"V_SUB_NC_I32", u32_clamp<2, kSub, sub_saturated_i>},
    {"V_ADD3_U32", u32<3, [](U32 a, U32 b, U32 c) { return a + b + c; }>},
    {"V_LSHL_ADD_U32", u32<3, [](U32 a, U32 b, U32 c) { return shift_left(a, b) + c; }>},
    {"V_ADD_LSHL_U32", u32<3, [](U32 a, U32 b, U32 c) { return shift_left(a + b, c); }>},
    {"V_XAD_U32", u32<3, [](U32 a, U32 b, U32 c) { return (a ^ b) + c; }>},
    {"V_MUL_LO_U32", u32<2, kMulLow>},
    {"V_MUL_HI_U32", u32<2, mul_high_u>},
    {"V_MUL_HI_I32", u32<2, mul_high_i>},
    {"V_MUL_U32_U24", u32<2, [](U32 a, U32 b) { return low24(a) * low24(b); }>},
    {"V_MUL_I32_I24", u32<2, [](U32 a, U32 b) { return sign24(a) * sign24(b); }>},
    {"V_MUL_HI_U32_U24", u32<2, [](U32 a, U32 b) { return mul_high_u(low24(a), low24(b)); }>},
    {"V_MUL_HI_I32_I24", u32<2, [](U32 a, U32 b) { return mul_high_i(sign24(a), sign24(b)); }>},
    {"V_MAD_U32_U24", u32<3, [](U32 a, U32 b, U32 c) { return low24(a) * low24(b) + c; }>},
    {"V_MAD_I32_I24", u32<3, [](U32 a, U32 b, U32 c) { return sign24(a) * sign24(b) + c; }>},
    {"V_MAD_U32_U16", plain<&multiply_add_16<false>, 3>},
    {"V_MAD_I32_I16", plain<&multiply_add_16<true>, 3>},
    {"V_MIN_U32", u32<2, min_u>},
    {"V_MAX_U32", u32<2, max_u>},
    {"V_MIN_I32", u32<2, min_i>},
    {"V_MAX_I32", u32<2, max_i>},
    {"V_MIN3_U32", u32<3, [](U32 a, U32 b, U32 c) { return min_u(min_u(a, b), c); }>},
    {"V_MAX3_U32", u32<3, [](U32 a, U32 b, U32 c) { return max_u(max_u(a, b), c); }>},
    {"V_MIN3_I32", u32<3, [](U32 a, U32 b, U32 c) { return min_i(min_i(a, b), c); }>},
    {"V_MAX3_I32", u32<3, [](U32 a, U32 b, U32 c) { return max_i(max_i(a, b), c); }>},
    {"V_MED3_U32", u32<3, median<min_u, max_u>>},
    {"V_MED3_I32", u32<3, median<min_i, max_i>>},
    {"V_MAXMIN_U32", u32<3, [](U32 a, U32 b, U32 c) { return min_u(max_u(a, b), c); }>},
    {"V_MAXMIN_I32", u32<3, [](U32 a, U32 b, U32 c) { return min_i(max_i(a, b), c); }>},
    {"V_MINMAX_U32", u32<3, [](U32 a, U32 b, U32 c) { return max_u(min_u(a, b), c); }>},
    {"V_MINMAX_I32", u32<3, [](U32 a, U32 b, U32 c) { return max_i(min_i(a, b), c); }>},
    {"V_SAD_U8", each<3, [](std::uint32_t a, std::uint32_t b,
                            std::uint32_t c) { return kSumOfDifferences(a, b) + c; }>},
    {"V_MSAD_U8", each<3, kMaskedDifferences>},
    {"V_SAD_HI_U8", each<3, [](std::uint32_t a, std::uint32_t b,
                               std::uint32_t c) { return (kSumOfDifferences(a, b) << 16) + c; }>},
    {"V_SAD_U16", each<3,
                       [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                         return difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16) +
                                c;
                       }>},
    {"V_SAD_U32", each<3, [](std::uint32_t a, std::uint32_t b,
                             std::uint32_t c) { return difference(a, b) + c; }>},
};

constexpr Semantic kBits[] = {
    {"V_MOV_B32", u32<1, [](U32 a) { return a; }>},
    {"V_DUAL_MOV_B32", u32<1, [](U32 a) { return a; }>},
    {"V_ACCVGPR_READ", u32<1, [](U32 a) { return a; }>},
    {"V_ACCVGPR_READ_B32", u32<1, [](U32 a) { return a; }>},
    {"V_ACCVGPR_WRITE", u32<1, [](U32 a) { return a; }>},
    {"V_ACCVGPR_WRITE_B32", u32<1, [](U32 a) { return a; }>},
    {"V_ACCVGPR_MOV_B32", u32<1, [](U32 a) { return a; }>},
    {"V_MOV_B64", wide<[](U64 a) { return a; }, 2, 2>},
    {"V_NOT_B32", u32<1, kNot>},
    {"V_AND_B32", u32<2, kAnd>},
    {"V_DUAL_AND_B32", u32<2, kAnd>},
    {"V_OR_B32", u32<2, kOr>},
    {"V_XOR_B32", u32<2, kXor>},
    {"V_XNOR_B32", u32<2, [](U32 a, U32 b) { return ~(a ^ b); }>},
    {"V_AND_OR_B32", u32<3, [](U32 a, U32 b, U32 c) { return (a & b) | c; }>},
    {"V_OR3_B32", u32<3, [](U32 a, U32 b, U32 c) { return a | b | c; }>},
    {"V_XOR3_B32", u32<3, [](U32 a, U32 b, U32 c) { return a ^ b ^ c; }>},
    {"V_LSHL_OR_B32", u32<3, [](U32 a, U32 b, U32 c) { return shift_left(a, b) | c; }>},
    {"V_LSHLREV_B32", u32<2, kLeft>},
    {"V_DUAL_LSHLREV_B32", u32<2, kLeft>},
    {"V_LSHRREV_B32", u32<2, kRight>},
    {"V_ASHRREV_I32", u32<2, kRightSigned>},
    {"V_LSHLREV_B64", wide<[](U64 a, U64 b) { return b << (a & 63u); }, 2, 1, 2>},
    {"V_LSHRREV_B64", wide<kRight64, 2, 1, 2>},
    {"V_ASHRREV_I64", each_wide<[](std::uint64_t a, std::uint64_t b) {
       return static_cast<std::uint64_t>(static_cast<std::int64_t>(b) >> (a & 63));
     },
                                2, 1, 2>},
    {"V_LSHL_ADD_U64", wide<[](U64 a, U64 b, U64 c) { return (a << (b & 7u)) + c; }, 2, 2, 1, 2>},
    {"V_BFE_U32", u32<3, extract_u>},
    {"V_BFE_I32", u32<3, extract_i>},
    {"V_BFI_B32", u32<3, [](U32 a, U32 b, U32 c) { return (a & b) | (~a & c); }>},
    {"V_BFM_B32", u32<2, [](U32 a, U32 b) { return shift_left(bit_field_mask(a), b); }>},
    {"V_BFREV_B32", each<1, [](std::uint32_t x) { return reverse_bits(x); }>},
    {"V_ALIGNBIT_B32", u32<3, [](U32 a, U32 b, U32 c) { return align(a, b, c & 31u); }>},
    {"V_ALIGNBYTE_B32", u32<3, [](U32 a, U32 b, U32 c) { return align(a, b, (c & 3u) * 8u); }>},
    {"V_PERM_B32", u32<3, permute_bytes>},
    {"V_BCNT_U32_B32",
     each<2, [](std::uint32_t a,
                std::uint32_t b) { return static_cast<std::uint32_t>(std::popcount(a)) + b; }>},
    {"V_MBCNT_LO_U32_B32", plain<&count_lanes_below<false>, 2>},
    {"V_MBCNT_HI_U32_B32", plain<&count_lanes_below<true>, 2>},
    {"V_FFBH_U32", each<1, kLeadingZeros>},
    {"V_CLZ_I32_U32", each<1, kLeadingZeros>},
    {"V_FFBL_B32", each<1, kTrailingZeros>},
    {"V_CTZ_I32_B32", each<1, kTrailingZeros>},
    {"V_FFBH_I32", each<1, kLeadingSigns>},
    {"V_CLS_I32", each<1, kLeadingSigns>},
    {"V_LERP_U8", each<3,
                       [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                         std::uint32_t result = 0;
                         for (int i = 0; i < 4; ++i) {
                           const std::uint32_t sum =
                               byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1);
                           result |= (sum >> 1 & 0xff) << (8 * i);
                         }
                         return result;
                       }>},
};

constexpr Semantic kHalves[] = {
    {"V_ADD_U16", u16_clamp<2, kAdd, kAddSaturatedU16>},
    {"V_ADD_NC_U16", u16_clamp<2, kAdd, kAddSaturatedU16>},
    {"V_SUB_U16", u16_clamp<2, kSub, kSubSaturatedU16>},
    {"V_SUB_NC_U16", u16_clamp<2, kSub, kSubSaturatedU16>},
    {"V_SUBREV_U16", u16_clamp<2, kSubRev, kSubRevSaturatedU16>},
    {"V_ADD_I16", u16_clamp<2, kAdd, kAddSaturatedI16, false>},
    {"V_ADD_NC_I16", u16_clamp<2, kAdd, kAddSaturatedI16>},
    {"V_SUB_I16", u16_clamp<2, kSub, kSubSaturatedI16, false>},
    {"V_SUB_NC_I16", u16_clamp<2, kSub, kSubSaturatedI16>},
    {"V_MUL_LO_U16", u16<2, kMulLow>},
    {"V_MAD_U16", u16_clamp<3, kMad, kMadSaturatedU16, false>},
    {"V_MAD_I16", u16_clamp<3, kMad, kMadSaturatedI16, false>},
    {"V_MAD_LEGACY_U16", u16_clamp<3, kMad, kMadSaturatedU16>},
    {"V_MAD_LEGACY_I16", u16_clamp<3, kMad, kMadSaturatedI16>},
    {"V_MIN_U16", u16<2, min_u>},
    {"V_MAX_U16", u16<2, max_u>},
    {"V_MIN_I16", u16<2, kMinI16>},
    {"V_MAX_I16", u16<2, kMaxI16>},
    {"V_MIN3_U16", u16<3, [](U32 a, U32 b, U32 c) { return min_u(min_u(a, b), c); }, false>},
    {"V_MAX3_U16", u16<3, [](U32 a, U32 b, U32 c) { return max_u(max_u(a, b), c); }, false>},
    {"V_MIN3_I16",
     u16<3, [](U32 a, U32 b, U32 c) { return min_i(kMinI16(a, b), sign16(c)); }, false>},
    {"V_MAX3_I16",
     u16<3, [](U32 a, U32 b, U32 c) { return max_i(kMaxI16(a, b), sign16(c)); }, false>},
    {"V_MED3_U16", u16<3, median<min_u, max_u>, false>},
    {"V_MED3_I16",
     u16<3,
         [](U32 a, U32 b, U32 c) { return median<min_i, max_i>(sign16(a), sign16(b), sign16(c)); },
         false>},
    {"V_LSHLREV_B16", u16<2, [](U32 a, U32 b) { return b << (a & 15u); }>},
    {"V_LSHRREV_B16", u16<2, kRight16>},
    {"V_ASHRREV_I16", u16<2, kRightSigned16>},
    {"V_SAT_PK_U8_I16", plain<&saturate_bytes, 1>},
    {"V_MOV_B16", u16<1, [](U32 a) { return a; }>},
    {"V_NOT_B16", u16<1, kNot>},
    {"V_AND_B16", u16<2, kAnd>},
    {"V_OR_B16", u16<2, kOr>},
    {"V_XOR_B16", u16<2, kXor>},
};

}  // namespace

std::span<const Semantic> vector_integer_semantics() {
  static constexpr auto kAll = join(kArithmetic, kBits, kHalves);
  return kAll;
}

}  // namespace halyard::emulator
