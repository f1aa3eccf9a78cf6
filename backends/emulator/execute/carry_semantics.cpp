// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/semantic_parts.h"
#include "backends/emulator/execute/vector_rows.h"

namespace halyard::emulator {
namespace {

using namespace lanes;

enum class CarryOperation : std::uint8_t { kAdd, kSub, kSubRev };

// The carry out of lanes that EXEC leaves out is 0.
template <CarryOperation kOperation, bool kCarryIn>
void run_carry(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const std::uint64_t carry_in = kCarryIn ? mask_value(wave, operation.source[2]) : 0;
  const std::uint64_t exec = wave.exec();
  std::uint64_t carry_out = 0;
  std::uint32_t* const out = wave.row(operation.destination[0].index);
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += kBlock) {
    U32 a = sources.block(0, lane);
    U32 b = sources.block(1, lane);
    const U32 in = kCarryIn ? lane_mask(carry_in >> lane & 0xff) & 1u : fill(0u);
    U32 result{};
    U32 carry{};
    if (kOperation == CarryOperation::kAdd) {
      const U32 sum = a + b;
      result = sum + in;
      carry = (U32)(sum < a) | (U32)(result < sum);
    } else {
      if (kOperation == CarryOperation::kSubRev) std::swap(a, b);
      const U32 rest = a - b;
      result = rest - in;
      carry = (U32)(a < b) | (U32)(rest < in);
    }
    carry_out |= std::uint64_t{lane_bits(carry)} << lane;
    store_masked(out + lane, result, exec >> lane & 0xff);
  }
  wave.set_mask(operation.destination[1].index, carry_out & exec);
}

template <CarryOperation kOperation, bool kCarryIn>
Handler carry(const Operation& operation, const SemanticContext&) {
  const bool complete =
      is_integer_form(operation, kCarryIn ? 3 : 2) && operation.destination[1].is_scalar();
  return complete ? &run_carry<kOperation, kCarryIn> : nullptr;
}

// D = A * B + C of 64 bits, and its bit 64.
template <bool kSigned>
void run_multiply_add_64(Wave& wave, const Operation& operation) {
  const WideSources<3> sources(wave, operation, {1, 1, 2});
  const std::uint64_t exec = wave.exec();
  std::uint64_t carry_out = 0;
  for (std::uint32_t first = 0; first < wave.lanes; first += 4) {
    const U64 a = sources.block(0, first);
    const U64 b = sources.block(1, first);
    const U64 c = sources.block(2, first);
    U64 result{};
    for (std::uint32_t i = 0; i < 4; ++i) {
      bool carry = false;
      if (kSigned) {
        const std::int64_t product =
            std::int64_t{static_cast<std::int32_t>(a[i])} * static_cast<std::int32_t>(b[i]);
        std::int64_t sum = 0;
        const bool overflow =
            __builtin_add_overflow(product, static_cast<std::int64_t>(c[i]), &sum);
        result[i] = static_cast<std::uint64_t>(sum);
        carry = (sum < 0) != overflow;  // the sign of the sum of 65 bits
      } else {
        std::uint64_t sum = 0;
        carry = __builtin_add_overflow(a[i] * b[i], std::uint64_t{c[i]}, &sum);
        result[i] = sum;
      }
      carry_out |= std::uint64_t{carry} << (first + i);
    }
    write_wide(wave, operation.destination[0], 2, first, result, exec >> first & 15);
  }
  if (operation.destination[1].is_scalar()) {
    wave.set_mask(operation.destination[1].index, carry_out & exec);
  }
}
template <bool kSigned>
Handler multiply_add_64(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, 3) ? &run_multiply_add_64<kSigned> : nullptr;
}

// Bits of the sources as their modifiers leave them.
U32 with_modifiers(U32 value, const Operation& operation, int source, std::uint32_t sign) {
  if (operation.absolute >> source & 1) value &= ~sign;
  if (operation.negate >> source & 1) value ^= sign;
  return value;
}

void run_select(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const std::uint64_t mask = mask_value(wave, operation.source[2]);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    return select(lane_mask(mask >> lane & 0xff),
                  with_modifiers(sources.block(1, lane), operation, 1, 0x80000000u),
                  with_modifiers(sources.block(0, lane), operation, 0, 0x80000000u));
  });
}
void run_select_half(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const std::uint64_t mask = mask_value(wave, operation.source[2]);
  write_half_row(wave, operation, false, [&](std::uint32_t lane) {
    const U32 no = half_of(sources.block(0, lane), operation, 0);
    const U32 yes = half_of(sources.block(1, lane), operation, 1);
    return select(lane_mask(mask >> lane & 0xff), with_modifiers(yes, operation, 1, 0x8000u),
                  with_modifiers(no, operation, 0, 0x8000u));
  });
}
template <Handler kHandler>
Handler selection(const Operation& operation, const SemanticContext&) {
  const bool complete = has_vector_form(operation, 3) && !operation.source[2].is_vector() &&
                        operation.output_modifier == 0 && !operation.clamp;
  return complete ? kHandler : nullptr;
}

void run_swap(Wave& wave, const Operation& operation) {
  std::uint32_t* const a = wave.row(operation.destination[0].index);
  std::uint32_t* const b = wave.row(operation.source[0].index);
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    if (exec >> lane & 1) std::swap(a[lane], b[lane]);
  }
}
Handler swap(const Operation& operation, const SemanticContext&) {
  const bool complete = is_integer_form(operation, 1) && operation.source[0].is_vector() &&
                        operation.permutation == nullptr && operation.sub_dword == nullptr;
  return complete ? &run_swap : nullptr;
}

constexpr Semantic kAll[] = {
    {"V_ADD_CO_U32", carry<CarryOperation::kAdd, false>},
    {"V_SUB_CO_U32", carry<CarryOperation::kSub, false>},
    {"V_SUBREV_CO_U32", carry<CarryOperation::kSubRev, false>},
    {"V_ADDC_CO_U32", carry<CarryOperation::kAdd, true>},
    {"V_ADD_CO_CI_U32", carry<CarryOperation::kAdd, true>},
    {"V_SUBB_CO_U32", carry<CarryOperation::kSub, true>},
    {"V_SUB_CO_CI_U32", carry<CarryOperation::kSub, true>},
    {"V_SUBBREV_CO_U32", carry<CarryOperation::kSubRev, true>},
    {"V_SUBREV_CO_CI_U32", carry<CarryOperation::kSubRev, true>},
    {"V_MAD_U64_U32", multiply_add_64<false>},
    {"V_MAD_CO_U64_U32", multiply_add_64<false>},
    {"V_MAD_I64_I32", multiply_add_64<true>},
    {"V_MAD_CO_I64_I32", multiply_add_64<true>},
    {"V_CNDMASK_B32", selection<&run_select>},
    {"V_DUAL_CNDMASK_B32", selection<&run_select>},
    {"V_CNDMASK_B16", selection<&run_select_half>},
    {"V_SWAP_B32", swap},
};

}  // namespace

std::span<const Semantic> carry_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
