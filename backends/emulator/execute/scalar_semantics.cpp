// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/integer_blocks.h"
#include "backends/emulator/execute/scalar_operands.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <algorithm>
#include <type_traits>

namespace halyard::emulator {
namespace {

using namespace scalars;

constexpr auto kNot = [](auto a) { return ~a; };
constexpr auto kMove = [](auto a) { return a; };
constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kSub = [](auto a, auto b) { return a - b; };
constexpr auto kMul = [](auto a, auto b) { return a * b; };

constexpr auto kAddU = [](bool& scc, U a, U b) {
  U sum = 0;
  scc = __builtin_add_overflow(a, b, &sum);
  return sum;
};
constexpr auto kSubU = [](bool& scc, U a, U b) {
  scc = a < b;
  return a - b;
};
constexpr auto kAddCarry = [](bool& scc, U a, U b) {
  const W sum = W{a} + b + (scc ? 1 : 0);
  scc = sum >> 32 != 0;
  return static_cast<U>(sum);
};
constexpr auto kSubBorrow = [](bool& scc, U a, U b) {
  const W less = W{b} + (scc ? 1 : 0);
  scc = less > a;
  return static_cast<U>(a - less);
};
constexpr auto kAddI = [](bool& scc, I a, I b) {
  I sum = 0;
  scc = __builtin_add_overflow(a, b, &sum);
  return sum;
};
constexpr auto kSubI = [](bool& scc, I a, I b) {
  I difference = 0;
  scc = __builtin_sub_overflow(a, b, &difference);
  return difference;
};
template <int kShift>
constexpr auto shifted_add = [](bool& scc, U a, U b) {
  const W sum = (W{a} << kShift) + b;
  scc = sum >> 32 != 0;
  return static_cast<U>(sum);
};
constexpr auto kMin = [](bool& scc, auto a, auto b) {
  scc = a < b;
  return a < b ? a : b;
};
constexpr auto kMax = [](bool& scc, auto a, auto b) {
  scc = a >= b;
  return a >= b ? a : b;
};
constexpr auto kSelect = [](bool& scc, auto a, auto b) { return scc ? a : b; };
constexpr auto kLeft = [](auto a, U b) { return a << (b & (8 * sizeof(a) - 1)); };
constexpr auto kRight = [](auto a, U b) {
  return static_cast<decltype(a)>(a >> (b & (8 * sizeof(a) - 1)));
};
constexpr auto kFieldMask32 = [](U a, U b) { return ((U{1} << (a & 31)) - 1) << (b & 31); };
constexpr auto kFieldMask64 = [](U a, U b) { return ((W{1} << (a & 63)) - 1) << (b & 63); };

// The offset and the width of a field are in one number; a field may reach beyond the top.
template <class T>
constexpr auto field = [](T value, U where) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr U kBits = 8 * sizeof(T);
  const U offset = where & (kBits - 1);
  const U width = std::min<U>(where >> 16 & 0x7f, kBits - offset);
  if (width == 0) return T{0};
  const auto top = static_cast<T>(static_cast<Unsigned>(value) << (kBits - offset - width));
  return static_cast<T>(top >> (kBits - width));
};
constexpr auto kAbsolute = [](I a) { return a < 0 ? U{0} - static_cast<U>(a) : static_cast<U>(a); };
constexpr auto kAbsoluteDifference = [](I a, I b) {
  return kAbsolute(static_cast<I>(static_cast<U>(a) - static_cast<U>(b)));
};
template <class T>
constexpr auto ones = [](T a) { return std::popcount(a); };
template <class T>
constexpr auto zeros = [](T a) { return std::popcount(static_cast<T>(~a)); };
template <class T>
constexpr auto first_one = [](T a) { return a == 0 ? -1 : std::countr_zero(a); };
template <class T>
constexpr auto first_zero = [](T a) { return first_one<T>(static_cast<T>(~a)); };
template <class T>
constexpr auto from_top = [](T a) { return a == 0 ? -1 : std::countl_zero(a); };
template <class T>
constexpr auto signs_from_top = [](T a) {
  const bool negative = (a >> (8 * sizeof(T) - 1)) != 0;
  return from_top<T>(negative ? static_cast<T>(~a) : a);
};
constexpr auto kReverse32 = [](U a) { return lanes::reverse_bits(a); };
constexpr auto kReverse64 = [](W a) {
  return W{lanes::reverse_bits(static_cast<U>(a))} << 32 |
         lanes::reverse_bits(static_cast<U>(a >> 32));
};
// One bit for each group of four that has one.
template <class T>
constexpr auto quads = [](T a) {
  T result = 0;
  for (U i = 0; i < 2 * sizeof(T); ++i) {
    if (a >> (4 * i) & 15) result |= T{1} << i;
  }
  return result;
};
template <class T>
constexpr auto whole_quads = [](T a) {
  T result = 0;
  for (U i = 0; i < 2 * sizeof(T); ++i) {
    if (a >> (4 * i) & 15) result |= T{15} << (4 * i);
  }
  return result;
};
constexpr auto kReplicate = [](U a) {
  W result = 0;
  for (int i = 0; i < 32; ++i) {
    if (a >> i & 1) result |= W{3} << (2 * i);
  }
  return result;
};

// The destination takes part.
template <class T, bool kSet>
Handler set_bit(const Operation& operation, const SemanticContext&) {
  if (!has_scalar_form(operation, 1, true)) return nullptr;
  return [](Wave& wave, const Operation& self) {
    const T bit = T{1} << (source<U>(wave, self, 0) & (8 * sizeof(T) - 1));
    const std::uint16_t index = self.destination[0].index;
    const T old = static_cast<T>(sizeof(T) == 8 ? wave.scalar64(index) : wave.scalar[index]);
    put<T>(wave, self, kSet ? old | bit : old & ~bit);
  };
}
template <class T>
Handler move_if_scc(const Operation& operation, const SemanticContext&) {
  if (!has_scalar_form(operation, 1, true)) return nullptr;
  return [](Wave& wave, const Operation& self) {
    if (wave.scc) put<T>(wave, self, source<T>(wave, self, 0));
  };
}

constexpr Semantic kArithmetic[] = {
    {"S_ADD_U32", scalar<kAddU, Scc::kOwn, U, U, U>},
    {"S_ADD_CO_U32", scalar<kAddU, Scc::kOwn, U, U, U>},
    {"S_SUB_U32", scalar<kSubU, Scc::kOwn, U, U, U>},
    {"S_SUB_CO_U32", scalar<kSubU, Scc::kOwn, U, U, U>},
    {"S_ADDC_U32", scalar<kAddCarry, Scc::kOwn, U, U, U>},
    {"S_ADD_CO_CI_U32", scalar<kAddCarry, Scc::kOwn, U, U, U>},
    {"S_SUBB_U32", scalar<kSubBorrow, Scc::kOwn, U, U, U>},
    {"S_SUB_CO_CI_U32", scalar<kSubBorrow, Scc::kOwn, U, U, U>},
    {"S_ADD_I32", scalar<kAddI, Scc::kOwn, U, I, I>},
    {"S_ADD_CO_I32", scalar<kAddI, Scc::kOwn, U, I, I>},
    {"S_SUB_I32", scalar<kSubI, Scc::kOwn, U, I, I>},
    {"S_SUB_CO_I32", scalar<kSubI, Scc::kOwn, U, I, I>},
    {"S_ADD_NC_U64", scalar<kAdd, Scc::kKept, W, W, W>},
    {"S_SUB_NC_U64", scalar<kSub, Scc::kKept, W, W, W>},
    {"S_MUL_U64", scalar<kMul, Scc::kKept, W, W, W>},
    {"S_MUL_I32", scalar<kMul, Scc::kKept, U, U, U>},
    {"S_MUL_HI_U32", scalar<[](U a, U b) { return W{a} * b / (W{1} << 32); }, Scc::kKept, U, U, U>},
    {"S_MUL_HI_I32",
     scalar<[](I a, I b) { return static_cast<W>(S{a} * b) / (W{1} << 32); }, Scc::kKept, U, I, I>},
    {"S_LSHL1_ADD_U32", scalar<shifted_add<1>, Scc::kOwn, U, U, U>},
    {"S_LSHL2_ADD_U32", scalar<shifted_add<2>, Scc::kOwn, U, U, U>},
    {"S_LSHL3_ADD_U32", scalar<shifted_add<3>, Scc::kOwn, U, U, U>},
    {"S_LSHL4_ADD_U32", scalar<shifted_add<4>, Scc::kOwn, U, U, U>},
    {"S_MIN_U32", scalar<kMin, Scc::kOwn, U, U, U>},
    {"S_MAX_U32", scalar<kMax, Scc::kOwn, U, U, U>},
    {"S_MIN_I32", scalar<kMin, Scc::kOwn, U, I, I>},
    {"S_MAX_I32", scalar<kMax, Scc::kOwn, U, I, I>},
    {"S_ABS_I32", scalar<kAbsolute, Scc::kNonZero, U, I>},
    {"S_ABSDIFF_I32", scalar<kAbsoluteDifference, Scc::kNonZero, U, I, I>},
    {"S_CSELECT_B32", scalar<kSelect, Scc::kOwn, U, U, U>},
    {"S_CSELECT_B64", scalar<kSelect, Scc::kOwn, W, W, W>},
    {"S_SEXT_I32_I8", scalar<[](U a) { return static_cast<std::int8_t>(a); }, Scc::kKept, U, U>},
    {"S_SEXT_I32_I16", scalar<[](U a) { return static_cast<std::int16_t>(a); }, Scc::kKept, U, U>},
    {"S_PACK_LL_B32_B16",
     scalar<[](U a, U b) { return (a & 0xffff) | b << 16; }, Scc::kKept, U, U, U>},
    {"S_PACK_LH_B32_B16",
     scalar<[](U a, U b) { return (a & 0xffff) | (b & 0xffff0000); }, Scc::kKept, U, U, U>},
    {"S_PACK_HH_B32_B16",
     scalar<[](U a, U b) { return a / 0x10000 | (b & 0xffff0000); }, Scc::kKept, U, U, U>},
    {"S_PACK_HL_B32_B16",
     scalar<[](U a, U b) { return a / 0x10000 | b << 16; }, Scc::kKept, U, U, U>},
};

constexpr Semantic kBits[] = {
    {"S_MOV_B32", scalar<kMove, Scc::kKept, U, U>},
    {"S_MOV_B64", scalar<kMove, Scc::kKept, W, W>},
    {"S_CMOV_B32", move_if_scc<U>},
    {"S_CMOV_B64", move_if_scc<W>},
    {"S_NOT_B32", scalar<kNot, Scc::kNonZero, U, U>},
    {"S_NOT_B64", scalar<kNot, Scc::kNonZero, W, W>},
    {"S_AND_B32", scalar<kAnd, Scc::kNonZero, U, U, U>},
    {"S_AND_B64", scalar<kAnd, Scc::kNonZero, W, W, W>},
    {"S_OR_B32", scalar<kOr, Scc::kNonZero, U, U, U>},
    {"S_OR_B64", scalar<kOr, Scc::kNonZero, W, W, W>},
    {"S_XOR_B32", scalar<kXor, Scc::kNonZero, U, U, U>},
    {"S_XOR_B64", scalar<kXor, Scc::kNonZero, W, W, W>},
    {"S_NAND_B32", scalar<kNand, Scc::kNonZero, U, U, U>},
    {"S_NAND_B64", scalar<kNand, Scc::kNonZero, W, W, W>},
    {"S_NOR_B32", scalar<kNor, Scc::kNonZero, U, U, U>},
    {"S_NOR_B64", scalar<kNor, Scc::kNonZero, W, W, W>},
    {"S_XNOR_B32", scalar<kXnor, Scc::kNonZero, U, U, U>},
    {"S_XNOR_B64", scalar<kXnor, Scc::kNonZero, W, W, W>},
    {"S_ANDN2_B32", scalar<kAndNot1, Scc::kNonZero, U, U, U>},
    {"S_ANDN2_B64", scalar<kAndNot1, Scc::kNonZero, W, W, W>},
    {"S_AND_NOT1_B32", scalar<kAndNot1, Scc::kNonZero, U, U, U>},
    {"S_AND_NOT1_B64", scalar<kAndNot1, Scc::kNonZero, W, W, W>},
    {"S_ORN2_B32", scalar<kOrNot1, Scc::kNonZero, U, U, U>},
    {"S_ORN2_B64", scalar<kOrNot1, Scc::kNonZero, W, W, W>},
    {"S_OR_NOT1_B32", scalar<kOrNot1, Scc::kNonZero, U, U, U>},
    {"S_OR_NOT1_B64", scalar<kOrNot1, Scc::kNonZero, W, W, W>},
    {"S_LSHL_B32", scalar<kLeft, Scc::kNonZero, U, U, U>},
    {"S_LSHL_B64", scalar<kLeft, Scc::kNonZero, W, W, U>},
    {"S_LSHR_B32", scalar<kRight, Scc::kNonZero, U, U, U>},
    {"S_LSHR_B64", scalar<kRight, Scc::kNonZero, W, W, U>},
    {"S_ASHR_I32", scalar<kRight, Scc::kNonZero, U, I, U>},
    {"S_ASHR_I64", scalar<kRight, Scc::kNonZero, W, S, U>},
    {"S_BFM_B32", scalar<kFieldMask32, Scc::kKept, U, U, U>},
    {"S_BFM_B64", scalar<kFieldMask64, Scc::kKept, W, U, U>},
    {"S_BFE_U32", scalar<field<U>, Scc::kNonZero, U, U, U>},
    {"S_BFE_I32", scalar<field<I>, Scc::kNonZero, U, I, U>},
    {"S_BFE_U64", scalar<field<W>, Scc::kNonZero, W, W, U>},
    {"S_BFE_I64", scalar<field<S>, Scc::kNonZero, W, S, U>},
    {"S_BREV_B32", scalar<kReverse32, Scc::kKept, U, U>},
    {"S_BREV_B64", scalar<kReverse64, Scc::kKept, W, W>},
    {"S_BCNT0_I32_B32", scalar<zeros<U>, Scc::kNonZero, U, U>},
    {"S_BCNT0_I32_B64", scalar<zeros<W>, Scc::kNonZero, U, W>},
    {"S_BCNT1_I32_B32", scalar<ones<U>, Scc::kNonZero, U, U>},
    {"S_BCNT1_I32_B64", scalar<ones<W>, Scc::kNonZero, U, W>},
    {"S_FF0_I32_B32", scalar<first_zero<U>, Scc::kKept, U, U>},
    {"S_FF0_I32_B64", scalar<first_zero<W>, Scc::kKept, U, W>},
    {"S_FF1_I32_B32", scalar<first_one<U>, Scc::kKept, U, U>},
    {"S_FF1_I32_B64", scalar<first_one<W>, Scc::kKept, U, W>},
    {"S_CTZ_I32_B32", scalar<first_one<U>, Scc::kKept, U, U>},
    {"S_CTZ_I32_B64", scalar<first_one<W>, Scc::kKept, U, W>},
    {"S_FLBIT_I32_B32", scalar<from_top<U>, Scc::kKept, U, U>},
    {"S_FLBIT_I32_B64", scalar<from_top<W>, Scc::kKept, U, W>},
    {"S_CLZ_I32_U32", scalar<from_top<U>, Scc::kKept, U, U>},
    {"S_CLZ_I32_U64", scalar<from_top<W>, Scc::kKept, U, W>},
    {"S_FLBIT_I32", scalar<signs_from_top<U>, Scc::kKept, U, U>},
    {"S_FLBIT_I32_I64", scalar<signs_from_top<W>, Scc::kKept, U, W>},
    {"S_CLS_I32", scalar<signs_from_top<U>, Scc::kKept, U, U>},
    {"S_CLS_I32_I64", scalar<signs_from_top<W>, Scc::kKept, U, W>},
    {"S_QUADMASK_B32", scalar<quads<U>, Scc::kNonZero, U, U>},
    {"S_QUADMASK_B64", scalar<quads<W>, Scc::kNonZero, W, W>},
    {"S_WQM_B32", scalar<whole_quads<U>, Scc::kNonZero, U, U>},
    {"S_WQM_B64", scalar<whole_quads<W>, Scc::kNonZero, W, W>},
    {"S_BITREPLICATE_B64_B32", scalar<kReplicate, Scc::kKept, W, U>},
    {"S_BITSET0_B32", set_bit<U, false>},
    {"S_BITSET0_B64", set_bit<W, false>},
    {"S_BITSET1_B32", set_bit<U, true>},
    {"S_BITSET1_B64", set_bit<W, true>},
};

}  // namespace

std::span<const Semantic> scalar_semantics() {
  static constexpr auto kAll = join(kArithmetic, kBits);
  return kAll;
}

}  // namespace halyard::emulator
