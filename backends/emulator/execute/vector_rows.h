// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/lane_vectors.h"
#include "backends/emulator/program/semantics.h"
#include "backends/emulator/state/wave.h"
#include "backends/emulator/state/workgroup.h"

#include <array>
#include <cstdint>

namespace halyard::emulator::lanes {

// The low dword of an operand that is the same for all lanes.
inline std::uint32_t scalar_value(const Wave& wave, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kScalar:
      return wave.scalar[operand.index];
    case OperandKind::kConstant:
      return static_cast<std::uint32_t>(operand.constant);
    case OperandKind::kScc:
      return wave.scc ? 1 : 0;
    case OperandKind::kVccz:
      return wave.mask(kVccIndex) == 0 ? 1 : 0;
    case OperandKind::kExecz:
      return wave.exec() == 0 ? 1 : 0;
    default:
      return 0;
  }
}
// Of 64 bits: the apertures have their address in the high dword.
std::uint64_t wide_scalar_value(const Wave& wave, const Operand& operand);

inline std::uint64_t all_lanes(const Wave& wave) {
  return wave.lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu;
}

// The bits of a mask operand: VCC, a pair of SGPRs, EXEC or a constant.
inline std::uint64_t mask_value(const Wave& wave, const Operand& operand) {
  const std::uint64_t value =
      operand.is_scalar() ? wave.mask(operand.index) : wide_scalar_value(wave, operand);
  return value & all_lanes(wave);
}

inline bool is_gfx9(const Wave& wave) {
  return wave.workgroup->generation == Generation::kGfx9;
}
inline bool is_gfx12(const Wave& wave) {
  return wave.workgroup->generation == Generation::kGfx12;
}

// Sources of 32 bits as a loop over the lanes reads them.
template <int kCount>
class Sources {
 public:
  Sources(const Wave& wave, const Operation& operation) {
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i)
      set(i, wave, operation.source[static_cast<std::size_t>(i)]);
  }
  // The last one is what the destination holds.
  struct WithDestination {};
  Sources(const Wave& wave, const Operation& operation, WithDestination) {
#pragma GCC unroll 4
    for (int i = 0; i + 1 < kCount; ++i) {
      set(i, wave, operation.source[static_cast<std::size_t>(i)]);
    }
    set(kCount - 1, wave, operation.destination[0]);
  }

  U32 block(int source, std::uint32_t lane) const {
    return load(data_[source] + (lane & keep_[source]));
  }
  std::uint32_t lane(int source, std::uint32_t lane) const {
    return data_[source][lane & keep_[source]];
  }

 private:
  void set(int i, const Wave& wave, const Operand& operand) {
    if (operand.is_vector()) [[likely]] {
      data_[i] = wave.row(operand.index);
      keep_[i] = ~0u;
    } else {
      store(same_[i], fill(scalar_value(wave, operand)));
      data_[i] = same_[i];
      keep_[i] = 0;
    }
  }

  const std::uint32_t* data_[kCount];
  std::uint32_t keep_[kCount];
  alignas(32) std::uint32_t same_[kCount][kBlock];
};

// Sources of one or two dwords each, by four lanes. `lane & 7` indexes what is the same for all.
template <int kCount>
class WideSources {
 public:
  WideSources(const Wave& wave, const Operation& operation, const std::array<int, kCount>& dwords) {
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      set(i, wave, operation.source[static_cast<std::size_t>(i)],
          dwords[static_cast<std::size_t>(i)]);
    }
  }
  void set(int i, const Wave& wave, const Operand& operand, int dwords) {
    if (operand.is_vector()) {
      low_[i] = wave.row(operand.index);
      high_[i] = dwords == 2 ? wave.row(operand.index + 1u) : nullptr;
      keep_[i] = ~0u;
    } else {
      const std::uint64_t value =
          dwords == 2 ? wide_scalar_value(wave, operand) : scalar_value(wave, operand);
      store(same_[i][0], fill(static_cast<std::uint32_t>(value)));
      store(same_[i][1], fill(static_cast<std::uint32_t>(value >> 32)));
      low_[i] = same_[i][0];
      high_[i] = dwords == 2 ? same_[i][1] : nullptr;
      keep_[i] = 0;
    }
  }
  U64 block(int i, std::uint32_t lane) const {
    const std::uint32_t offset = lane & keep_[i];
    return load_pair(low_[i] + offset, high_[i] ? high_[i] + offset : nullptr);
  }

 private:
  const std::uint32_t* low_[kCount];
  const std::uint32_t* high_[kCount];
  std::uint32_t keep_[kCount];
  alignas(32) std::uint32_t same_[kCount][2][kBlock];
};

template <auto kFunction, int kCount, class Blocks>
[[gnu::always_inline]] inline auto apply_block(const Blocks& blocks, std::uint32_t lane) {
  if constexpr (kCount == 1) {
    return kFunction(blocks.block(0, lane));
  } else if constexpr (kCount == 2) {
    return kFunction(blocks.block(0, lane), blocks.block(1, lane));
  } else {
    return kFunction(blocks.block(0, lane), blocks.block(1, lane), blocks.block(2, lane));
  }
}

// Writes eight lanes after another of a row, those of EXEC.
template <class Blocks>
[[gnu::always_inline]] inline void write_row(Wave& wave, const Operand& destination,
                                             const Blocks& blocks) {
  std::uint32_t* const out = wave.row(destination.index);
  const std::uint64_t exec = wave.exec();
  const std::uint32_t lanes = wave.lanes;
  if (exec == all_lanes(wave)) [[likely]] {
    for (std::uint32_t lane = 0; lane < lanes; lane += kBlock)
      store(out + lane, blocks(lane));
    return;
  }
  for (std::uint32_t lane = 0; lane < lanes; lane += kBlock) {
    const std::uint64_t bits = exec >> lane & 0xff;
    if (bits != 0) store_masked(out + lane, blocks(lane), bits);
  }
}

// Functions of U32 blocks.
template <int kCount, auto kFunction>
void run_u32(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources(wave, operation);
  write_row(wave, operation.destination[0],
            [&](std::uint32_t lane) { return apply_block<kFunction, kCount>(sources, lane); });
}

// Functions of dwords.
template <int kCount, auto kFunction>
void run_each(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources(wave, operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t first) {
    alignas(32) std::uint32_t result[kBlock];
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      const std::uint32_t lane = first + i;
      if constexpr (kCount == 1) {
        result[i] = kFunction(sources.lane(0, lane));
      } else if constexpr (kCount == 2) {
        result[i] = kFunction(sources.lane(0, lane), sources.lane(1, lane));
      } else {
        result[i] = kFunction(sources.lane(0, lane), sources.lane(1, lane), sources.lane(2, lane));
      }
    }
    return load(result);
  });
}

inline void write_wide(Wave& wave, const Operand& destination, int dwords, std::uint32_t lane,
                       U64 value, std::uint64_t bits) {
  store_four(wave.row(destination.index) + lane, low_dwords(value), bits);
  if (dwords == 2) {
    store_four(wave.row(destination.index + 1u) + lane, high_dwords(value), bits);
  }
}

// Functions of U64 blocks; a source of one dword has 0 above.
template <auto kFunction, int kOut, int... kIn>
void run_wide(Wave& wave, const Operation& operation) {
  constexpr int kCount = sizeof...(kIn);
  const WideSources<kCount> sources(wave, operation, {kIn...});
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const std::uint64_t bits = exec >> lane & 15;
    if (bits == 0) continue;
    write_wide(wave, operation.destination[0], kOut, lane,
               apply_block<kFunction, kCount>(sources, lane), bits);
  }
}

// Turns a function of numbers of 64 bits into one of blocks.
template <auto kFunction>
inline constexpr auto each_of_four = [](auto... blocks) {
  U64 result{};
  for (int i = 0; i < 4; ++i)
    result[i] = kFunction(blocks[i]...);
  return result;
};

// The low or high halves of a source as op_sel says, in the low half of each lane.
inline U32 half_of(U32 value, const Operation& operation, int source) {
  const int shift = operation.op_sel >> source & 1 ? 16 : 0;
  return (U32)_mm256_srl_epi32((__m256i)value, _mm_cvtsi32_si128(shift)) & 0xffffu;
}

// Puts results of 16 bits into the half that op_sel says. The other half is kept, but for most
// instructions of gfx9, where a result in the low half clears it.
inline U32 merge_half(U32 old, U32 value, bool high, bool clears) {
  value &= 0xffffu;
  if (high) return (old & 0xffffu) | value << 16;
  return clears ? value : (old & 0xffff0000u) | value;
}

template <class Blocks>
[[gnu::always_inline]] inline void write_half_row(Wave& wave, const Operation& operation,
                                                  bool clears_on_gfx9, const Blocks& blocks) {
  const bool high = (operation.op_sel & 8) != 0;
  const bool clears = clears_on_gfx9 && is_gfx9(wave);
  const std::uint32_t* const old = wave.row(operation.destination[0].index);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    return merge_half(load(old + lane), blocks(lane), high, clears);
  });
}

// Functions of U32 blocks with numbers of 16 bits.
template <int kCount, auto kFunction, bool kClearsOnGfx9>
void run_u16(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources(wave, operation);
  write_half_row(wave, operation, kClearsOnGfx9, [&](std::uint32_t lane) {
    const U32 a = half_of(sources.block(0, lane), operation, 0);
    if constexpr (kCount == 1) {
      return kFunction(a);
    } else {
      const U32 b = half_of(sources.block(1, lane), operation, 1);
      if constexpr (kCount == 2) {
        return kFunction(a, b);
      } else {
        return kFunction(a, b, half_of(sources.block(2, lane), operation, 2));
      }
    }
  });
}

// Whether an operation writes a vector register and has `count` sources that can be read.
bool has_vector_form(const Operation& operation, int count);
inline bool has_modifiers(const Operation& operation) {
  return operation.negate != 0 || operation.absolute != 0 || operation.output_modifier != 0 ||
         operation.clamp;
}
inline bool is_integer_form(const Operation& operation, int count) {
  return has_vector_form(operation, count) && !has_modifiers(operation);
}

// Choices for tables. Forms with modifiers that an instruction does not take are not executed.
template <int kCount, auto kFunction>
Handler u32(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, kCount) ? &run_u32<kCount, kFunction> : nullptr;
}
// With another function where CLAMP saturates.
template <int kCount, auto kFunction, auto kSaturated>
Handler u32_clamp(const Operation& operation, const SemanticContext& context) {
  if (!operation.clamp) return u32<kCount, kFunction>(operation, context);
  Operation plain = operation;
  plain.clamp = false;
  return u32<kCount, kSaturated>(plain, context);
}
template <int kCount, auto kFunction>
Handler each(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, kCount) ? &run_each<kCount, kFunction> : nullptr;
}
template <int kCount, auto kFunction, bool kClearsOnGfx9 = true>
Handler u16(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, kCount) ? &run_u16<kCount, kFunction, kClearsOnGfx9> : nullptr;
}
template <int kCount, auto kFunction, auto kSaturated, bool kClearsOnGfx9 = true>
Handler u16_clamp(const Operation& operation, const SemanticContext& context) {
  if (!operation.clamp) return u16<kCount, kFunction, kClearsOnGfx9>(operation, context);
  Operation plain = operation;
  plain.clamp = false;
  return u16<kCount, kSaturated, kClearsOnGfx9>(plain, context);
}
template <auto kFunction, int kOut, int... kIn>
Handler wide(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, sizeof...(kIn)) ? &run_wide<kFunction, kOut, kIn...> : nullptr;
}
template <auto kFunction, int kOut, int... kIn>
Handler each_wide(const Operation& operation, const SemanticContext& context) {
  return wide<each_of_four<kFunction>, kOut, kIn...>(operation, context);
}

}  // namespace halyard::emulator::lanes
