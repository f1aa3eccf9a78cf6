// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace halyard::emulator {

// What waves have made known to one another through atomics, without saying to whom: what a wave
// had finished when it did one (a release) is known to whoever does a later one that reads (an
// acquire). Which addresses they use is left out, so that it never takes ordered accesses for a
// race, and may take a race for ordered.
class ReleaseLog {
 public:
  // Accesses of `wave` with a lower number than `before` have finished.
  void release(std::uint32_t wave, std::uint64_t before);
  // The moment from which on an acquirer knows all releases so far.
  std::uint64_t now() const { return now_; }
  // Whether who acquired at `moment` knows access number `access` of `wave`.
  bool knows(std::uint64_t moment, std::uint32_t wave, std::uint64_t access) const;

 private:
  struct Release {
    std::uint64_t moment = 0;
    std::uint64_t before = 0;
  };
  // A wave with more of them moves what it finishes later to the last one.
  static constexpr std::size_t kReleasesOfWave = 32;

  std::vector<std::vector<Release>> waves_;
  std::uint64_t now_ = 0;
};

}  // namespace halyard::emulator
