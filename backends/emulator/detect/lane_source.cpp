// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/lane_source.h"

namespace halyard::emulator {
namespace {

constexpr unsigned kRow = 16;

std::optional<unsigned> within_row(unsigned lane, int distance, bool rotates) {
  const int position = static_cast<int>(lane % kRow) + distance;
  if (!rotates && (position < 0 || position >= static_cast<int>(kRow))) return std::nullopt;
  return lane / kRow * kRow + (static_cast<unsigned>(position) + kRow) % kRow;
}

std::optional<unsigned> within_wave(unsigned lane, int distance, bool rotates, unsigned lanes) {
  const int position = static_cast<int>(lane) + distance;
  if (!rotates && (position < 0 || position >= static_cast<int>(lanes))) return std::nullopt;
  return (static_cast<unsigned>(position) + lanes) % lanes;
}

std::optional<unsigned> controlled_lane(unsigned control, unsigned lane, unsigned lanes) {
  const unsigned low = control & 15;
  const int amount = static_cast<int>(low);
  if (control < 0x100) return (lane & ~3U) | (control >> 2 * (lane & 3) & 3);
  switch (control >> 4) {
    case 0x10:
      return within_row(lane, amount, false);
    case 0x11:
      return within_row(lane, -amount, false);
    case 0x12:
      return within_row(lane, -amount, true);
    case 0x15:
      return lane / kRow * kRow + low;
    case 0x16:
      return lane ^ low;
    default:
      break;
  }
  switch (control) {
    case 0x130:
      return within_wave(lane, 1, false, lanes);
    case 0x134:
      return within_wave(lane, 1, true, lanes);
    case 0x138:
      return within_wave(lane, -1, false, lanes);
    case 0x13c:
      return within_wave(lane, -1, true, lanes);
    case 0x140:
      return lane ^ 15;
    case 0x141:
      return lane ^ 7;
    case 0x142:
      return lane < kRow ? std::nullopt : std::optional<unsigned>(lane / kRow * kRow - 1);
    case 0x143:
      return lane < 2 * kRow ? std::nullopt : std::optional<unsigned>(31);
    default:
      return lane;
  }
}

}  // namespace

std::optional<unsigned> permuted_lane(const LanePermutation& permutation, unsigned lane,
                                      unsigned lanes, std::uint64_t exec) {
  const std::optional<unsigned> source = permutation.is_dpp8
                                             ? (lane & ~7U) | (permutation.lanes[lane & 7] & 7U)
                                             : controlled_lane(permutation.control, lane, lanes);
  if (!source || *source >= lanes) return std::nullopt;
  if (!permutation.fetch_inactive && (exec >> *source & 1) == 0) return std::nullopt;
  return source;
}

bool writes_lane(const LanePermutation& permutation, unsigned lane) {
  return permutation.is_dpp8 || ((permutation.row_mask >> lane / kRow % 4 & 1) != 0 &&
                                 (permutation.bank_mask >> lane / 4 % 4 & 1) != 0);
}

}  // namespace halyard::emulator
