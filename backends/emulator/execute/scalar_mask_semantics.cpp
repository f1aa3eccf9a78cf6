// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/scalar_operands.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <type_traits>

// What changes EXEC, what only sets SCC, and what takes a constant of 16 bits.
namespace halyard::emulator {
namespace {

using namespace scalars;

// Functions of EXEC and a source: the old EXEC, or the new one (WREXEC), goes to the destination.
template <auto kFunction, class T, bool kWritesNew>
Handler exec_operation(const Operation& operation, const SemanticContext&) {
  if (!has_scalar_form(operation, 1, true)) return nullptr;
  return [](Wave& wave, const Operation& self) {
    const T old =
        static_cast<T>(sizeof(T) == 8 ? wave.scalar64(kExecIndex) : wave.scalar[kExecIndex]);
    const T value = static_cast<T>(kFunction(source<T>(wave, self, 0), old));
    put<T>(wave, self, kWritesNew ? value : old);
    if constexpr (sizeof(T) == 8) {
      wave.set_scalar64(kExecIndex, value);
    } else {
      wave.scalar[kExecIndex] = value;
    }
    wave.scc = value != 0;
  };
}

// SOPK: the destination and the constant.
template <auto kFunction, class T>
Handler with_constant(const Operation& operation, const SemanticContext&) {
  if (!operation.destination[0].is_scalar()) return nullptr;
  return [](Wave& wave, const Operation& self) {
    U& place = wave.scalar[self.destination[0].index];
    place =
        static_cast<U>(kFunction(wave.scc, static_cast<T>(place), static_cast<T>(self.immediate)));
  };
}
// The register that is compared is a destination, or a source, in the tables.
template <auto kFunction, class T>
Handler test_constant(const Operation& operation, const SemanticContext&) {
  if (!operation.destination[0].is_scalar() && !operation.source[0].is_scalar()) return nullptr;
  return [](Wave& wave, const Operation& self) {
    const Operand& place = self.destination[0].is_scalar() ? self.destination[0] : self.source[0];
    constexpr bool kUnsigned = std::is_unsigned_v<T>;
    const T constant = static_cast<T>(kUnsigned ? self.immediate & 0xffff : self.immediate);
    wave.scc = kFunction(static_cast<T>(wave.scalar[place.index]), constant);
  };
}

constexpr Semantic kExec[] = {
    {"S_AND_SAVEEXEC_B32", exec_operation<kAnd, U, false>},
    {"S_AND_SAVEEXEC_B64", exec_operation<kAnd, W, false>},
    {"S_OR_SAVEEXEC_B32", exec_operation<kOr, U, false>},
    {"S_OR_SAVEEXEC_B64", exec_operation<kOr, W, false>},
    {"S_XOR_SAVEEXEC_B32", exec_operation<kXor, U, false>},
    {"S_XOR_SAVEEXEC_B64", exec_operation<kXor, W, false>},
    {"S_NAND_SAVEEXEC_B32", exec_operation<kNand, U, false>},
    {"S_NAND_SAVEEXEC_B64", exec_operation<kNand, W, false>},
    {"S_NOR_SAVEEXEC_B32", exec_operation<kNor, U, false>},
    {"S_NOR_SAVEEXEC_B64", exec_operation<kNor, W, false>},
    {"S_XNOR_SAVEEXEC_B32", exec_operation<kXnor, U, false>},
    {"S_XNOR_SAVEEXEC_B64", exec_operation<kXnor, W, false>},
    {"S_ANDN2_SAVEEXEC_B64", exec_operation<kAndNot1, W, false>},
    {"S_AND_NOT1_SAVEEXEC_B32", exec_operation<kAndNot1, U, false>},
    {"S_AND_NOT1_SAVEEXEC_B64", exec_operation<kAndNot1, W, false>},
    {"S_ORN2_SAVEEXEC_B64", exec_operation<kOrNot1, W, false>},
    {"S_OR_NOT1_SAVEEXEC_B32", exec_operation<kOrNot1, U, false>},
    {"S_OR_NOT1_SAVEEXEC_B64", exec_operation<kOrNot1, W, false>},
    {"S_ANDN1_SAVEEXEC_B64", exec_operation<kAndNot0, W, false>},
    {"S_AND_NOT0_SAVEEXEC_B32", exec_operation<kAndNot0, U, false>},
    {"S_AND_NOT0_SAVEEXEC_B64", exec_operation<kAndNot0, W, false>},
    {"S_ORN1_SAVEEXEC_B64", exec_operation<kOrNot0, W, false>},
    {"S_OR_NOT0_SAVEEXEC_B32", exec_operation<kOrNot0, U, false>},
    {"S_OR_NOT0_SAVEEXEC_B64", exec_operation<kOrNot0, W, false>},
    {"S_ANDN1_WREXEC_B64", exec_operation<kAndNot0, W, true>},
    {"S_AND_NOT0_WREXEC_B32", exec_operation<kAndNot0, U, true>},
    {"S_AND_NOT0_WREXEC_B64", exec_operation<kAndNot0, W, true>},
    {"S_ANDN2_WREXEC_B64", exec_operation<kAndNot1, W, true>},
    {"S_AND_NOT1_WREXEC_B32", exec_operation<kAndNot1, U, true>},
    {"S_AND_NOT1_WREXEC_B64", exec_operation<kAndNot1, W, true>},
};

constexpr auto kEq = [](auto a, auto b) { return a == b; };
constexpr auto kNe = [](auto a, auto b) { return a != b; };
constexpr auto kGt = [](auto a, auto b) { return b < a; };
constexpr auto kGe = [](auto a, auto b) { return b <= a; };
constexpr auto kLt = [](auto a, auto b) { return a < b; };
constexpr auto kLe = [](auto a, auto b) { return a <= b; };
template <bool kSet>
constexpr auto has_bit =
    [](auto a, U b) { return ((a >> (b & (8 * sizeof(a) - 1)) & 1) != 0) == kSet; };
constexpr auto kAddConstant = [](bool& scc, I a, I b) {
  I sum = 0;
  scc = __builtin_add_overflow(a, b, &sum);
  return sum;
};
constexpr auto kMulConstant = [](bool&, I a, I b) { return static_cast<U>(a) * static_cast<U>(b); };
constexpr auto kTakeConstant = [](bool&, I, I b) { return b; };
constexpr auto kTakeIfScc = [](bool& scc, I a, I b) { return scc ? b : a; };

constexpr Semantic kTests[] = {
    {"S_CMP_EQ_I32", test<kEq, I, I>},
    {"S_CMP_LG_I32", test<kNe, I, I>},
    {"S_CMP_GT_I32", test<kGt, I, I>},
    {"S_CMP_GE_I32", test<kGe, I, I>},
    {"S_CMP_LT_I32", test<kLt, I, I>},
    {"S_CMP_LE_I32", test<kLe, I, I>},
    {"S_CMP_EQ_U32", test<kEq, U, U>},
    {"S_CMP_LG_U32", test<kNe, U, U>},
    {"S_CMP_GT_U32", test<kGt, U, U>},
    {"S_CMP_GE_U32", test<kGe, U, U>},
    {"S_CMP_LT_U32", test<kLt, U, U>},
    {"S_CMP_LE_U32", test<kLe, U, U>},
    {"S_CMP_EQ_U64", test<kEq, W, W>},
    {"S_CMP_LG_U64", test<kNe, W, W>},
    {"S_BITCMP0_B32", test<has_bit<false>, U, U>},
    {"S_BITCMP0_B64", test<has_bit<false>, W, U>},
    {"S_BITCMP1_B32", test<has_bit<true>, U, U>},
    {"S_BITCMP1_B64", test<has_bit<true>, W, U>},
    {"S_MOVK_I32", with_constant<kTakeConstant, I>},
    {"S_CMOVK_I32", with_constant<kTakeIfScc, I>},
    {"S_ADDK_I32", with_constant<kAddConstant, I>},
    {"S_ADDK_CO_I32", with_constant<kAddConstant, I>},
    {"S_MULK_I32", with_constant<kMulConstant, I>},
    {"S_CMPK_EQ_I32", test_constant<kEq, I>},
    {"S_CMPK_LG_I32", test_constant<kNe, I>},
    {"S_CMPK_GT_I32", test_constant<kGt, I>},
    {"S_CMPK_GE_I32", test_constant<kGe, I>},
    {"S_CMPK_LT_I32", test_constant<kLt, I>},
    {"S_CMPK_LE_I32", test_constant<kLe, I>},
    {"S_CMPK_EQ_U32", test_constant<kEq, U>},
    {"S_CMPK_LG_U32", test_constant<kNe, U>},
    {"S_CMPK_GT_U32", test_constant<kGt, U>},
    {"S_CMPK_GE_U32", test_constant<kGe, U>},
    {"S_CMPK_LT_U32", test_constant<kLt, U>},
    {"S_CMPK_LE_U32", test_constant<kLe, U>},
};

}  // namespace

std::span<const Semantic> scalar_mask_semantics() {
  static constexpr auto kAll = join(kExec, kTests);
  return kAll;
}

}  // namespace halyard::emulator
