// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/encoding_layout.h"
#include "capability-descriptors/isa/form_view.h"
#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::isa {

// Writes instructions as assemblers read them. Borrows the set.
//
// Immutable: any number of threads may write at once.
class InstructionWriter {
 public:
  // `wavefront_size` is 32 or 64; masks of lanes are as wide.
  InstructionWriter(const InstructionSet& set, std::uint32_t wavefront_size);

  // "v_add_f32_e32 v0, s1, v2" for what was decoded from the start of `words`. A branch goes to
  // `label`, or where that is empty to a distance in dwords, as the field stands.
  std::string text(const DecodedInstruction& decoded, std::span<const std::uint32_t> words,
                   std::string_view label = {}) const;

  // How far an instruction branches, in dwords from its end; nothing for one that does not branch
  // by a constant distance.
  std::optional<std::int64_t> branch_distance(const DecodedInstruction& decoded,
                                              std::span<const std::uint32_t> words) const;

 private:
  FormView view(const DecodedForm& form, std::span<const std::uint32_t> words,
                std::string_view label) const;

  const InstructionSet& set_;
  std::vector<EncodingLayout> layouts_;
  TextGeneration generation_;
  std::uint32_t wavefront_size_;
};

}  // namespace halyard::isa
