// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

namespace halyard::emulator {
namespace {

using namespace lanes;

// What holds of two numbers, as a set of: 1 less, 2 equal, 4 greater, 8 unordered.
constexpr std::string_view kFloatRelations[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "LG",
                                                "GE",  "O",   "U",   "NGE", "NLG", "NGT",
                                                "NLE", "NEQ", "NLT", "TRU"};
constexpr std::string_view kIntegerRelations[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
constexpr int kPredicates[] = {_CMP_FALSE_OQ, _CMP_LT_OQ,  _CMP_EQ_OQ,  _CMP_LE_OQ,
                               _CMP_GT_OQ,    _CMP_NEQ_OQ, _CMP_GE_OQ,  _CMP_ORD_Q,
                               _CMP_UNORD_Q,  _CMP_NGE_UQ, _CMP_EQ_UQ,  _CMP_NGT_UQ,
                               _CMP_NLE_UQ,   _CMP_NEQ_UQ, _CMP_NLT_UQ, _CMP_TRUE_UQ};

template <int kRelation>
U32 related(F32 a, F32 b) {
  return (U32)_mm256_cmp_ps((__m256)a, (__m256)b, kPredicates[kRelation]);
}
template <int kRelation>
U64 related(F64 a, F64 b) {
  return (U64)_mm256_cmp_pd((__m256d)a, (__m256d)b, kPredicates[kRelation]);
}
template <int kRelation, class Vector>
auto related_integers(Vector a, Vector b) {
  using Mask = decltype(a < b);
  Mask mask{};
  if (kRelation & 1) mask |= a < b;
  if (kRelation & 2) mask |= a == b;
  if (kRelation & 4) mask |= a > b;
  return mask;
}

// V_CMPX writes EXEC; on gfx9 the other mask too. Lanes that are left out give 0.
void finish(Wave& wave, const Operation& operation, std::uint64_t mask) {
  mask &= wave.exec();
  const bool is_exec = operation.name.starts_with("V_CMPX");
  if (operation.destination[0].is_scalar()) wave.set_mask(operation.destination[0].index, mask);
  if (is_exec) wave.set_mask(kExecIndex, mask);
}

template <class Blocks>
[[gnu::always_inline]] inline void compare_by_eight(Wave& wave, const Operation& operation,
                                                    const Blocks& blocks) {
  std::uint64_t mask = 0;
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += kBlock) {
    mask |= std::uint64_t{lane_bits(blocks(lane))} << lane;
  }
  finish(wave, operation, mask);
}
template <class Blocks>
[[gnu::always_inline]] inline void compare_by_four(Wave& wave, const Operation& operation,
                                                   const Blocks& blocks) {
  std::uint64_t mask = 0;
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    mask |= std::uint64_t{lane_bits64(blocks(lane))} << lane;
  }
  finish(wave, operation, mask);
}

template <int kRelation>
void compare_f32(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const SourceSigns<SingleFormat, 2> signs(operation, 0, kSign32);
  const bool flushes = (wave.mode.denormals_single & 1) == 0;
  compare_by_eight(wave, operation, [&](std::uint32_t lane) {
    F32 a = as_f32(signs.apply(sources.block(0, lane), 0));
    F32 b = as_f32(signs.apply(sources.block(1, lane), 1));
    if (flushes) {
      a = flushed(a);
      b = flushed(b);
    }
    return related<kRelation>(a, b);
  });
}
template <int kRelation>
void compare_f16(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const SourceSigns<SingleFormat, 2> signs(operation, 0, 0x8000u);
  const bool flushes = (wave.mode.denormals_other & 1) == 0;
  compare_by_eight(wave, operation, [&](std::uint32_t lane) {
    U32 a = signs.apply(half_of(sources.block(0, lane), operation, 0), 0);
    U32 b = signs.apply(half_of(sources.block(1, lane), operation, 1), 1);
    if (flushes) {
      a = flush_half(a);
      b = flush_half(b);
    }
    return related<kRelation>(widen_half(a), widen_half(b));
  });
}
template <int kRelation>
void compare_f64(Wave& wave, const Operation& operation) {
  const WideSources<2> sources(wave, operation, {2, 2});
  const SourceSigns<DoubleFormat, 2> signs(operation, 0, kSign64);
  const bool flushes = (wave.mode.denormals_other & 1) == 0;
  compare_by_four(wave, operation, [&](std::uint32_t lane) {
    F64 a = as_f64(signs.apply(sources.block(0, lane), 0));
    F64 b = as_f64(signs.apply(sources.block(1, lane), 1));
    if (flushes) {
      a = flushed(a);
      b = flushed(b);
    }
    return related<kRelation>(a, b);
  });
}

template <int kRelation, bool kSigned>
void compare_32(Wave& wave, const Operation& operation) {
  using Vector = std::conditional_t<kSigned, I32, U32>;
  const Sources<2> sources(wave, operation);
  compare_by_eight(wave, operation, [&](std::uint32_t lane) {
    return (U32)related_integers<kRelation>((Vector)sources.block(0, lane),
                                            (Vector)sources.block(1, lane));
  });
}
template <int kRelation, bool kSigned>
void compare_16(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  compare_by_eight(wave, operation, [&](std::uint32_t lane) {
    // In the high halves the sign is where it counts.
    using Vector = std::conditional_t<kSigned, I32, U32>;
    return (U32)related_integers<kRelation>(
        (Vector)(half_of(sources.block(0, lane), operation, 0) << 16),
        (Vector)(half_of(sources.block(1, lane), operation, 1) << 16));
  });
}
template <int kRelation, bool kSigned>
void compare_64(Wave& wave, const Operation& operation) {
  using Vector = std::conditional_t<kSigned, I64, U64>;
  const WideSources<2> sources(wave, operation, {2, 2});
  compare_by_four(wave, operation, [&](std::uint32_t lane) {
    return (U64)related_integers<kRelation>((Vector)sources.block(0, lane),
                                            (Vector)sources.block(1, lane));
  });
}

// The class of a number as the bit that v_cmp_class tests.
template <class Bits>
std::uint32_t class_bit(Bits bits, Bits infinity, Bits quiet) {
  const Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const Bits value = static_cast<Bits>(bits & static_cast<Bits>(~sign));
  const bool negative = (bits & sign) != 0;
  if (value > infinity) return (value & quiet) == 0 ? 1u : 2u;
  if (value == infinity) return negative ? 1u << 2 : 1u << 9;
  if (value == 0) return negative ? 1u << 5 : 1u << 6;
  if ((value & infinity) == 0) return negative ? 1u << 4 : 1u << 7;
  return negative ? 1u << 3 : 1u << 8;
}

template <int kBits>
void compare_class(Wave& wave, const Operation& operation) {
  const WideSources<2> sources(wave, operation, {kBits == 64 ? 2 : 1, 1});
  const U64 sign = fill64(std::uint64_t{1} << (kBits - 1));
  compare_by_four(wave, operation, [&](std::uint32_t lane) {
    U64 x = sources.block(0, lane);
    U64 classes = sources.block(1, lane);
    if (kBits == 16 && (operation.op_sel & 1)) x >>= 16;
    if (kBits == 16 && (operation.op_sel & 2)) classes >>= 16;
    if (operation.absolute & 1) x &= ~sign;
    if (operation.negate & 1) x ^= sign;
    U64 result{};
    for (int i = 0; i < 4; ++i) {
      std::uint32_t bit = 0;
      if constexpr (kBits == 64) {
        bit = class_bit<std::uint64_t>(x[i], 0x7ff0000000000000u, kQuiet64);
      } else if constexpr (kBits == 32) {
        bit = class_bit<std::uint32_t>(static_cast<std::uint32_t>(x[i]), 0x7f800000u, kQuiet32);
      } else {
        bit = class_bit<std::uint16_t>(static_cast<std::uint16_t>(x[i]), 0x7c00u, 0x0200u);
      }
      result[i] = (classes[i] & bit) != 0 ? ~std::uint64_t{0} : 0;
    }
    return result;
  });
}

template <std::size_t... kRelations>
Handler float_comparison(std::string_view type, std::size_t relation,
                         std::index_sequence<kRelations...>) {
  static constexpr Handler kSingle[] = {&compare_f32<kRelations>...};
  static constexpr Handler kHalf[] = {&compare_f16<kRelations>...};
  static constexpr Handler kDouble[] = {&compare_f64<kRelations>...};
  return type == "F32" ? kSingle[relation] : type == "F16" ? kHalf[relation] : kDouble[relation];
}
template <bool kSigned, std::size_t... kRelations>
Handler integer_comparison(std::string_view bits, std::size_t relation,
                           std::index_sequence<kRelations...>) {
  static constexpr Handler k16[] = {&compare_16<kRelations, kSigned>...};
  static constexpr Handler k32[] = {&compare_32<kRelations, kSigned>...};
  static constexpr Handler k64[] = {&compare_64<kRelations, kSigned>...};
  return bits == "32" ? k32[relation] : bits == "16" ? k16[relation] : k64[relation];
}

// "V_CMPX_NGE_F16" is cut where the underscores are.
Handler compare(const Operation& operation, const SemanticContext&) {
  for (int i = 0; i < 2; ++i) {
    const Operand& source = operation.source[static_cast<std::size_t>(i)];
    if (!source.is_present() || source.kind == OperandKind::kLdsDirect) return nullptr;
  }
  if (operation.output_modifier != 0) return nullptr;
  const std::string_view name = operation.name;
  const std::string_view rest = name.substr(name.find('_', 2) + 1);
  const std::string_view relation = rest.substr(0, rest.find('_'));
  const std::string_view type = rest.substr(rest.find('_') + 1);
  if (relation == "CLASS") {
    return type == "F32"   ? &compare_class<32>
           : type == "F16" ? &compare_class<16>
                           : &compare_class<64>;
  }
  if (type.front() == 'F') {
    for (std::size_t i = 0; i < std::size(kFloatRelations); ++i) {
      if (kFloatRelations[i] == relation || (i == 15 && relation == "T")) {
        return float_comparison(type, i, std::make_index_sequence<16>{});
      }
    }
    return nullptr;
  }
  if (operation.negate != 0 || operation.absolute != 0) return nullptr;
  for (std::size_t i = 0; i < std::size(kIntegerRelations); ++i) {
    if (kIntegerRelations[i] != relation) continue;
    constexpr auto kAll = std::make_index_sequence<8>{};
    return type.front() == 'I' ? integer_comparison<true>(type.substr(1), i, kAll)
                               : integer_comparison<false>(type.substr(1), i, kAll);
  }
  return nullptr;
}

// Each name, spelled once at the start.
class ComparisonTable {
 public:
  ComparisonTable() {
    for (const std::string_view prefix : {"V_CMP_", "V_CMPX_"}) {
      for (const std::string_view type : {"_F16", "_F32", "_F64"}) {
        for (const std::string_view relation : kFloatRelations)
          add(prefix, relation, type);
        add(prefix, "T", type);
        add(prefix, "CLASS", type);
      }
      for (const std::string_view type : {"_I16", "_I32", "_I64", "_U16", "_U32", "_U64"}) {
        for (const std::string_view relation : kIntegerRelations)
          add(prefix, relation, type);
      }
    }
  }
  std::span<const Semantic> entries() const { return {entries_.data(), count_}; }

 private:
  void add(std::string_view prefix, std::string_view relation, std::string_view type) {
    std::array<char, 24>& name = names_[count_];
    std::size_t length = 0;
    for (const std::string_view part : {prefix, relation, type}) {
      for (const char letter : part)
        name[length++] = letter;
    }
    entries_[count_++] = {std::string_view(name.data(), length), compare};
  }

  static constexpr std::size_t kMost = 2 * (3 * 18 + 6 * 8);
  std::array<std::array<char, 24>, kMost> names_{};
  std::array<Semantic, kMost> entries_{};
  std::size_t count_ = 0;
};

}  // namespace

std::span<const Semantic> vector_compare_semantics() {
  static const ComparisonTable table;
  return table.entries();
}

}  // namespace halyard::emulator
