// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/instruction_decoder.h"

#include <algorithm>

namespace halyard::isa {

bool InstructionDecoder::decode(std::span<const std::uint32_t> words,
                                DecodedInstruction* out) const noexcept {
  if (words.empty()) return false;
  const Bucket& bucket = buckets_[words[0] >> (32 - kBucketBits)];
  const Slot& slot = slots_[bucket.first_slot + bucket.gather(words[0])];
  const Candidate* const first = find(slot.first_candidate, slot.first_count, words);
  if (first == nullptr) return false;
  std::uint32_t size_words = first->size_words;
  DecodedForm second_form;
  if (first->is_paired) {
    const Candidate* const second =
        find(slot.first_candidate + slot.first_count, slot.second_count, words);
    if (second == nullptr) return false;
    second_form = second->form;
    size_words = std::max(size_words, second->size_words);
  }
  out->first = first->form;
  out->second = second_form;
  out->size_bytes = size_words * 4;
  return true;
}

const InstructionDecoder::Candidate* InstructionDecoder::find(
    std::uint32_t first, std::uint32_t count, std::span<const std::uint32_t> words) const noexcept {
  for (std::uint32_t i = first; i < first + count; ++i) {
    switch (match(candidates_[i], words)) {
      case Match::kNo:
        break;
      case Match::kYes:
        return &candidates_[i];
      case Match::kCutOff:
        return nullptr;
    }
  }
  return nullptr;
}

InstructionDecoder::Match InstructionDecoder::match(
    const Candidate& candidate, std::span<const std::uint32_t> words) const noexcept {
  if ((words[0] & candidate.mask) != candidate.value) return Match::kNo;
  if (candidate.high_opcode != kNoIndex) {
    const HighOpcode& high = high_opcodes_[candidate.high_opcode];
    if (high.word >= words.size()) return Match::kCutOff;
    if ((words[high.word] & high.mask) != high.value) return Match::kNo;
  }
  switch (conditions_.evaluate(candidate.condition, words)) {
    case ConditionAnswer::kNo:
      return Match::kNo;
    case ConditionAnswer::kCutOff:
      return Match::kCutOff;
    case ConditionAnswer::kYes:
      break;
  }
  return candidate.size_words <= words.size() ? Match::kYes : Match::kCutOff;
}

}  // namespace halyard::isa
