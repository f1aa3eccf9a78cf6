// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/state/workgroup.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::emulator {

// What each wave does between barriers, one line a wave; of the first waves of a launch, and of the
// first stretches of each.
class WaveTimeline {
 public:
  static constexpr std::size_t kMostWaves = 64;
  static constexpr std::size_t kMostStretches = 32;

  // Returns the line of a wave, or kMostWaves where it has none.
  std::size_t add_wave(const Wave& wave);
  void add_instruction(std::size_t line, bool is_wait, bool is_memory);
  void add_barrier(std::size_t line);
  // "workgroup 0 wave 1: 24 instructions (4 memory, 2 waits) | 120 …".
  std::string text() const;

 private:
  struct Stretch {
    std::uint64_t instructions = 0;
    std::uint64_t memory = 0;
    std::uint64_t waits = 0;
  };
  struct Line {
    std::uint64_t workgroup = 0;
    std::uint32_t wave = 0;
    std::uint64_t left_out = 0;  // stretches
    std::vector<Stretch> stretches = {{}};
  };
  std::vector<Line> lines_;
  std::uint64_t waves_left_out_ = 0;
};

}  // namespace halyard::emulator
