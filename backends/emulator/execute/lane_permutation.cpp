// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/lane_vectors.h"
#include "backends/emulator/execute/operand_wrappers.h"
#include "backends/emulator/state/wave.h"
#include "backends/emulator/state/workgroup.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace halyard::emulator {
namespace {

using namespace lanes;

constexpr int kNoLane = -1;
constexpr int kNoControl = -2;

int within_row(int row, int column) {
  return column < 0 || column > 15 ? kNoLane : row + column;
}

// Controls that cross rows, of gfx9 alone.
int gfx9_lane(std::uint32_t control, int lane, int lanes) {
  switch (control) {
    case 0x130:  // wave_shl:1
      return lane + 1 < lanes ? lane + 1 : kNoLane;
    case 0x134:  // wave_rol:1
      return (lane + 1) % lanes;
    case 0x138:  // wave_shr:1
      return lane - 1;
    case 0x13c:  // wave_ror:1
      return (lane + lanes - 1) % lanes;
    case 0x142:  // row_bcast:15, the last lane of the row before
      return lane >= 16 ? (lane & ~15) - 1 : kNoLane;
    case 0x143:  // row_bcast:31, the last lane of the half before
      return lane >= 32 ? 31 : kNoLane;
    default:
      return kNoControl;
  }
}

// The source lane of each lane by the control of DPP16, worked out once.
struct SourceLanes {
  static constexpr std::size_t kControls = 0x170;
  explicit SourceLanes(Generation generation) {
    // What crosses rows is of gfx9, which has 64 lanes.
    LanePermutation permutation;
    for (std::size_t control = 0; control < kControls; ++control) {
      permutation.control = static_cast<std::uint16_t>(control);
      for (std::uint32_t lane = 0; lane < 64; ++lane) {
        of[control][lane] =
            static_cast<std::int8_t>(permuted_lane(permutation, lane, 64, generation));
      }
    }
  }
  std::array<std::array<std::int8_t, 64>, kControls> of;
};

const std::int8_t* source_lanes(const LanePermutation& permutation, Generation generation,
                                std::array<std::int8_t, 64>& own) {
  if (permutation.is_dpp8) {
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      own[lane] = static_cast<std::int8_t>((lane & ~7u) + permutation.lanes[lane & 7]);
    }
    return own.data();
  }
  static const SourceLanes gfx9(Generation::kGfx9);
  static const SourceLanes later(Generation::kGfx11);
  return (generation == Generation::kGfx9 ? gfx9 : later).of[permutation.control].data();
}

// The lanes of the rows and banks that are written.
std::uint64_t written_lanes(const LanePermutation& permutation) {
  if (permutation.is_dpp8 || (permutation.row_mask == 15 && permutation.bank_mask == 15)) {
    return ~std::uint64_t{0};
  }
  std::uint64_t banks = 0;
  std::uint64_t rows = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (permutation.bank_mask >> i & 1) banks |= std::uint64_t{0x000f000f000f000f} << (4 * i);
    if (permutation.row_mask >> i & 1) rows |= std::uint64_t{0xffff} << (16 * i);
  }
  return banks & rows;
}

// source[0] into rows for its own use, and EXEC without the lanes that are not written.
void run_permuted(Wave& wave, const Operation& operation) {
  const LanePermutation& permutation = *operation.permutation;
  std::array<std::int8_t, 64> own;
  const std::int8_t* const from = source_lanes(permutation, wave.workgroup->generation, own);
  const std::uint64_t exec = wave.exec();
  const std::uint64_t readable = permutation.fetch_inactive ? ~std::uint64_t{0} : exec;
  const U32 low = fill(static_cast<std::uint32_t>(readable));
  const U32 high = fill(static_cast<std::uint32_t>(readable >> 32));
  const Operand& source = operation.source[0];
  const std::uint32_t count = wave.lanes;
  std::uint64_t existing = 0;
  for (std::uint32_t lane = 0; lane < count; lane += kBlock) {
    const auto* const place = reinterpret_cast<const __m128i*>(from + lane);
    const U32 index = (U32)_mm256_cvtepi8_epi32(_mm_loadl_epi64(place));
    const U32 word = select((U32)((index & 32u) != 0u), high, low);
    const U32 readable_lanes = (U32)((word >> (index & 31u) & 1u) != 0u);
    const U32 exists = readable_lanes & (U32)((I32)index >= 0);
    existing |= std::uint64_t{lane_bits(exists)} << lane;
    for (std::uint32_t i = 0; i < std::max<std::uint32_t>(source.dwords, 1); ++i) {
      const auto* const values = reinterpret_cast<const int*>(wave.row(source.index + i));
      const U32 moved =
          (U32)_mm256_i32gather_epi32(values, (__m256i)(index & (count - 1)), sizeof(int));
      store(wave.row(kTemporaryRow + i) + lane, moved & exists);
    }
  }
  std::uint64_t written = exec & written_lanes(permutation);
  if (!permutation.bound_control && !permutation.is_dpp8) written &= existing;
  Operation inner = operation;
  inner.source[0].index = kTemporaryRow;
  wave.set_mask(kExecIndex, written);
  operation.wrapped(wave, inner);
  if (!operation.name.starts_with("V_CMPX")) wave.set_mask(kExecIndex, exec);
}

}  // namespace

int permuted_lane(const LanePermutation& permutation, std::uint32_t lane, std::uint32_t lanes,
                  Generation generation) {
  const int self = static_cast<int>(lane);
  if (permutation.is_dpp8) return (self & ~7) + permutation.lanes[lane & 7];
  const std::uint32_t control = permutation.control;
  const int row = self & ~15;
  const int column = self & 15;
  const int count = static_cast<int>(control & 15);
  if (control <= 0xff) return (self & ~3) + static_cast<int>(control >> (2 * (lane & 3)) & 3);
  if (control > 0x100 && control <= 0x10f) return within_row(row, column + count);   // row_shl
  if (control > 0x110 && control <= 0x11f) return within_row(row, column - count);   // row_shr
  if (control > 0x120 && control <= 0x12f) return row + (column + 16 - count) % 16;  // row_ror
  if (control == 0x140) return row + 15 - column;                                    // row_mirror
  if (control == 0x141) return (self & ~7) + 7 - (self & 7);  // row_half_mirror
  if (generation == Generation::kGfx9) {
    // row_newbcast of gfx90a takes the codes of row_share.
    if (control >= 0x150 && control <= 0x15f) return row + count;
    return gfx9_lane(control, self, static_cast<int>(lanes));
  }
  if (control >= 0x150 && control <= 0x15f) return row + count;             // row_share
  if (control >= 0x160 && control <= 0x16f) return row + (column ^ count);  // row_xmask
  return kNoControl;
}

Handler choose_permuted(const Operation& operation, const SemanticContext& context) {
  const LanePermutation& permutation = *operation.permutation;
  const bool is_known = permutation.is_dpp8 || (permutation.control < SourceLanes::kControls &&
                                                permuted_lane(permutation, 0, context.lanes,
                                                              context.generation) != kNoControl);
  const bool fits = operation.source[0].is_vector() && operation.source[0].dwords <= 2;
  return is_known && fits ? &run_permuted : nullptr;
}

}  // namespace halyard::emulator
