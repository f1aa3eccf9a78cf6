// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace halyard::emulator {

// How the undefined bits of an operation's sources become those of its result. Every other one: a
// single undefined bit that takes part makes all bits of the result undefined.
enum class DefinednessRule : std::uint8_t {
  kAny,
  kMove,  // also not
  kAnd,
  kAndNot,  // source[1] is inverted
  kNotAnd,  // source[0] is
  kOr,
  kOrNot,
  kNotOr,
  kXor,
  kSelect,      // by a lane's bit of source[2], or by SCC
  kShiftLeft,   // source[1] by source[0]
  kShiftRight,  // likewise
  kShiftArithmetic,
  kExtractUnsigned,
  kExtractSigned,
  kInsert,  // bits of source[1] where source[0] has ones, else of source[2]
  kAndOr,   // (0 & 1) | 2
  kOr3,
  kXor3,
  kShiftOr,  // (0 << 1) | 2
  kPermute,  // bytes of source[0] and source[1] as source[2] says
  kAlignBit,
  kAlignByte,
  kPackHalves,     // the low half of source[0], that of source[1]; by op_sel the high ones
  kConvertHalves,  // each half of the result from a whole source
  kReverse,
  kCarry,         // sums and products: a bit depends on those below it
  kShiftAdd,      // (0 << 1) + 2
  kPackedHalves,  // VOP3P on 16 bits
  kPackedDwords,  // VOP3P on 32 bits
  kMixed,         // v_fma_mix
  kReadLane,
  kReadFirstLane,
  kWriteLane,
  kRowLanes,   // v_permlane16, v_permlanex16
  kOtherHalf,  // v_permlane64
  kSwap,
  kMatrix,
  kLdsPermute,   // ds_permute_b32: to lanes
  kLdsBpermute,  // from lanes
  kLdsSwizzle,
};

// By AMD's name of the instruction.
DefinednessRule definedness_rule(std::string_view name);

}  // namespace halyard::emulator
