// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/state/wave.h"

#include "backends/emulator/state/workgroup.h"

#include <utility>

namespace halyard::emulator {
namespace {

// The bits of the MODE register.
constexpr std::uint32_t kRoundOther = 2;
constexpr std::uint32_t kDenormalsSingle = 4;
constexpr std::uint32_t kDenormalsOther = 6;
constexpr std::uint32_t kDx10Clamp = 8;
constexpr std::uint32_t kIeee = 9;
constexpr std::uint32_t kHalfOverflow = 23;

}  // namespace

std::uint32_t FloatMode::bits() const {
  const auto flag = [](bool is_set, std::uint32_t bit) { return is_set ? 1U << bit : 0U; };
  return round_single | std::uint32_t{round_other} << kRoundOther |
         std::uint32_t{denormals_single} << kDenormalsSingle |
         std::uint32_t{denormals_other} << kDenormalsOther | flag(dx10_clamp, kDx10Clamp) |
         flag(ieee, kIeee) | flag(half_overflow, kHalfOverflow);
}

FloatMode FloatMode::of_bits(std::uint32_t bits) {
  FloatMode mode;
  mode.round_single = static_cast<std::uint8_t>(bits & 3);
  mode.round_other = static_cast<std::uint8_t>(bits >> kRoundOther & 3);
  mode.denormals_single = static_cast<std::uint8_t>(bits >> kDenormalsSingle & 3);
  mode.denormals_other = static_cast<std::uint8_t>(bits >> kDenormalsOther & 3);
  mode.dx10_clamp = (bits >> kDx10Clamp & 1) != 0;
  mode.ieee = (bits >> kIeee & 1) != 0;
  mode.half_overflow = (bits >> kHalfOverflow & 1) != 0;
  return mode;
}

void Wave::stop(Report report) {
  status = WaveStatus::kStopped;
  if (workgroup == nullptr || workgroup->report) return;
  report.workgroup = workgroup->id;
  report.wave = number;
  workgroup->report = std::move(report);
}

}  // namespace halyard::emulator
