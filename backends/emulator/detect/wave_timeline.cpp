// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/wave_timeline.h"

#include "runtime/base/text.h"

namespace halyard::emulator {

using base::concat;

std::size_t WaveTimeline::add_wave(const Wave& wave) {
  if (lines_.size() == kMostWaves) {
    ++waves_left_out_;
    return kMostWaves;
  }
  Line line;
  line.workgroup = wave.workgroup ? wave.workgroup->flat_id : 0;
  line.wave = wave.number;
  lines_.push_back(std::move(line));
  return lines_.size() - 1;
}

void WaveTimeline::add_instruction(std::size_t line, bool is_wait, bool is_memory) {
  if (line >= lines_.size()) return;
  Stretch& stretch = lines_[line].stretches.back();
  ++stretch.instructions;
  if (is_wait) ++stretch.waits;
  if (is_memory) ++stretch.memory;
}

void WaveTimeline::add_barrier(std::size_t line) {
  if (line >= lines_.size()) return;
  if (lines_[line].stretches.size() == kMostStretches)
    ++lines_[line].left_out;
  else
    lines_[line].stretches.emplace_back();
}

std::string WaveTimeline::text() const {
  std::string text;
  for (const Line& line : lines_) {
    text += concat("workgroup ", line.workgroup, " wave ", line.wave, ": ");
    for (std::size_t i = 0; i < line.stretches.size(); ++i) {
      const Stretch& stretch = line.stretches[i];
      text += concat(i == 0 ? "" : " | ", stretch.instructions, " instructions (", stretch.memory,
                     " memory, ", stretch.waits, " waits)");
    }
    if (line.left_out != 0) text += concat(" with ", line.left_out, " more barriers");
    text += "\n";
  }
  if (waves_left_out_ != 0) text += concat("and ", waves_left_out_, " more waves\n");
  return text;
}

}  // namespace halyard::emulator
