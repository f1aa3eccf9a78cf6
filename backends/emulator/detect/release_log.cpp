// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/release_log.h"

#include <algorithm>

namespace halyard::emulator {

void ReleaseLog::release(std::uint32_t wave, std::uint64_t before) {
  if (before <= 1) return;  // nothing has finished
  if (waves_.size() <= wave) waves_.resize(std::size_t{wave} + 1);
  std::vector<Release>& releases = waves_[wave];
  if (!releases.empty() && releases.back().before >= before) return;
  if (releases.size() == kReleasesOfWave) {
    releases.back().before = before;
    return;
  }
  releases.push_back({++now_, before});
}

bool ReleaseLog::knows(std::uint64_t moment, std::uint32_t wave, std::uint64_t access) const {
  if (wave >= waves_.size()) return false;
  const std::vector<Release>& releases = waves_[wave];
  const auto first =
      std::upper_bound(releases.begin(), releases.end(), access,
                       [](std::uint64_t a, const Release& release) { return a < release.before; });
  return first != releases.end() && first->moment <= moment;
}

}  // namespace halyard::emulator
