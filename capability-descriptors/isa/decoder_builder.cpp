// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/instruction_decoder.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace halyard::isa {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

constexpr std::uint32_t kBucketShift = 23;
constexpr std::uint32_t kLowBits = (1U << kBucketShift) - 1;
constexpr int kMaxIndexBits = 12;
constexpr std::size_t kMaxCandidates = std::size_t{4} << 20;
// Looks at a candidate while the tables are made; a real set needs some millions.
constexpr std::size_t kMaxLooks = std::size_t{1} << 30;
constexpr std::uint32_t kMaxSizeWords = 8;

// Which bits of which dwords hold an opcode, and what they are.
struct OpcodeBits {
  std::uint32_t mask = 0;  // of the first dword
  std::uint32_t value = 0;
  std::uint32_t high_word = 0;  // the other dword with bits of the opcode, where there is one
  std::uint32_t high_mask = 0;
  std::uint32_t high_value = 0;
  bool fits = true;
};

void place_bit(OpcodeBits& bits, std::uint32_t place, bool set) {
  const std::uint32_t bit = 1U << (place % 32);
  if (place < 32) {
    bits.mask |= bit;
    if (set) bits.value |= bit;
    return;
  }
  if (bits.high_mask != 0 && bits.high_word != place / 32) bits.fits = false;
  bits.high_word = place / 32;
  bits.high_mask |= bit;
  if (set) bits.high_value |= bit;
}

// Places the lowest bits of `rest` and drops them.
void place_range(OpcodeBits& bits, const BitRange& range, std::uint32_t& rest) {
  for (std::uint32_t i = 0; i < range.count; ++i) {
    place_bit(bits, std::uint32_t{range.offset} + i, (rest & 1) != 0);
    rest >>= 1;
  }
}

OpcodeBits opcode_bits(const Encoding& encoding, std::uint32_t part, std::uint32_t opcode) {
  OpcodeBits bits;
  std::uint32_t rest = opcode;
  if (part < encoding.opcodes.size()) {
    for (const std::uint32_t field : encoding.opcodes[part]) {
      for (const BitRange& range : encoding.fields[field].ranges)
        place_range(bits, range, rest);
    }
  }
  // An encoding without opcode has one instruction, whatever its opcode says.
  bits.fits = bits.fits && (rest == 0 || bits.mask == 0);
  return bits;
}

// The lowest bits are dropped until what is left makes a small index of few runs.
std::uint32_t index_bits(std::uint32_t wanted) {
  const auto runs = [](std::uint32_t bits) { return std::popcount(bits & ~(bits << 1)); };
  while (std::popcount(wanted) > kMaxIndexBits || runs(wanted) > 3)
    wanted &= wanted - 1;
  return wanted;
}

}  // namespace

class DecoderBuilder {
 public:
  explicit DecoderBuilder(const InstructionSet& set) : set_(set) {}

  Result<InstructionDecoder> build() {
    for (std::uint32_t i = 0; i < set_.instructions.size(); ++i) {
      const auto& forms = set_.instructions[i].forms;
      for (std::uint32_t j = 0; j < forms.size(); ++j)
        add_form({i, j}, forms[j]);
    }
    std::stable_sort(ranked_.begin(), ranked_.end(), [](const Ranked& left, const Ranked& right) {
      return left.rank() < right.rank();
    });
    for (std::uint32_t bucket = 0; bucket < decoder_.buckets_.size(); ++bucket) {
      HALYARD_TRY(fill_bucket(bucket));
    }
    return std::move(decoder_);
  }

 private:
  using Candidate = InstructionDecoder::Candidate;

  // Of the condition that a candidate has: its own, not "default"; "default"; or that of a larger
  // encoding of the same pair.
  enum class Preference : std::uint8_t { kOther, kDefault, kBorrowed };

  struct Ranked {
    Candidate candidate;
    std::uint32_t part = 0;
    Preference preference = Preference::kDefault;
    std::int32_t order = 0;

    // Lower is preferred. A larger form says more of the dwords than a smaller one.
    std::tuple<std::uint32_t, Preference, std::uint32_t, std::int32_t> rank() const {
      return {part, preference, kMaxSizeWords - candidate.size_words, order};
    }
  };

  void add_form(DecodedForm name, const Form& form);
  void add_borrowed(const Encoding& encoding, const OpcodeBits& bits, Ranked ranked);
  void add_patterns(const Encoding& encoding, const OpcodeBits& bits, Ranked ranked);
  Status fill_bucket(std::uint32_t bucket);
  Status fill_slot(const std::vector<const Ranked*>& inside, std::uint32_t mask,
                   std::uint32_t value);
  std::uint32_t add_high_opcode(const OpcodeBits& bits);

  const InstructionSet& set_;
  InstructionDecoder decoder_;
  std::vector<Ranked> ranked_;
  std::size_t looks_ = 0;
};

void DecoderBuilder::add_form(DecodedForm name, const Form& form) {
  if (form.encoding == kNoIndex) return;
  const Encoding& encoding = set_.encodings[form.encoding];
  const OpcodeBits bits = opcode_bits(encoding, form.part, form.opcode);
  Ranked ranked;
  ranked.candidate.size_words = (encoding.bits + 31) / 32;
  if (encoding.mask == 0 || !bits.fits || ranked.candidate.size_words > kMaxSizeWords) return;
  ranked.part = form.part;
  ranked.candidate.is_paired = encoding.opcodes.size() > 1;
  ranked.order = encoding.order;
  if (form.condition != kNoIndex) {
    const Condition& condition = encoding.conditions[form.condition];
    if (condition.name != "default") ranked.preference = Preference::kOther;
    ranked.candidate.condition =
        decoder_.conditions_.add(encoding, condition.expression, form.part);
    if (ranked.candidate.condition == kNever) return;
  }
  ranked.candidate.form = name;
  ranked.candidate.high_opcode = add_high_opcode(bits);
  add_patterns(encoding, bits, ranked);
  if (encoding.opcodes.size() > 1 && ranked.preference == Preference::kDefault) {
    add_borrowed(encoding, bits, ranked);
  }
}

// A half that lists no literal may take the one of the pair all the same: it then has the size of
// the encoding whose condition says so.
void DecoderBuilder::add_borrowed(const Encoding& encoding, const OpcodeBits& bits, Ranked ranked) {
  ranked.preference = Preference::kBorrowed;
  for (const Encoding& larger : set_.encodings) {
    if (larger.bits <= encoding.bits || larger.opcodes.size() != encoding.opcodes.size() ||
        larger.mask != encoding.mask) {
      continue;
    }
    for (const Condition& condition : larger.conditions) {
      if (condition.name == "default") continue;
      ranked.candidate.condition =
          decoder_.conditions_.add(larger, condition.expression, ranked.part);
      ranked.candidate.size_words = std::min((larger.bits + 31) / 32, kMaxSizeWords);
      if (ranked.candidate.condition != kNever) add_patterns(encoding, bits, ranked);
    }
  }
}

std::uint32_t DecoderBuilder::add_high_opcode(const OpcodeBits& bits) {
  if (bits.high_mask == 0) return kNoIndex;
  decoder_.high_opcodes_.push_back({bits.high_word, bits.high_mask, bits.high_value});
  return static_cast<std::uint32_t>(decoder_.high_opcodes_.size() - 1);
}

// One candidate for each identifier that the opcode fits to. Where two instructions share an
// encoding, an identifier has the opcode of one of them only, so their bits are left out of it.
void DecoderBuilder::add_patterns(const Encoding& encoding, const OpcodeBits& bits, Ranked ranked) {
  std::uint32_t mask = encoding.mask;
  if (encoding.opcodes.size() > 1) {
    for (std::uint32_t part = 0; part < encoding.opcodes.size(); ++part)
      mask &= ~opcode_bits(encoding, part, 0).mask;
  }
  std::vector<std::uint32_t> values;
  for (const std::uint32_t identifier : encoding.identifiers) {
    const std::uint32_t shared = mask & bits.mask;
    if ((identifier & shared) != (bits.value & shared)) continue;
    values.push_back((identifier & mask) | bits.value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  ranked.candidate.mask = mask | bits.mask;
  for (const std::uint32_t value : values) {
    ranked.candidate.value = value;
    ranked_.push_back(ranked);
  }
}

Status DecoderBuilder::fill_bucket(std::uint32_t bucket) {
  const std::uint32_t high = bucket << kBucketShift;
  std::vector<const Ranked*> inside;
  std::uint32_t wanted = 0;
  for (const Ranked& ranked : ranked_) {
    const Candidate& candidate = ranked.candidate;
    if (((candidate.value ^ high) & candidate.mask & ~kLowBits) != 0) continue;
    inside.push_back(&ranked);
    wanted |= candidate.mask & kLowBits;
  }
  const std::uint32_t gathered = index_bits(wanted);
  InstructionDecoder::Bucket& out = decoder_.buckets_[bucket];
  out.first_slot = static_cast<std::uint32_t>(decoder_.slots_.size());
  std::uint8_t left = 0;
  std::size_t run = 0;
  for (std::uint32_t rest = gathered; rest != 0;) {
    const int right = std::countr_zero(rest);
    const int count = std::countr_one(rest >> right);
    const std::uint32_t mask = ((1U << count) - 1) << right;
    out.gather.runs[run++] = {mask, static_cast<std::uint8_t>(right), left};
    left = static_cast<std::uint8_t>(left + count);
    rest &= ~mask;
  }
  for (std::uint32_t index = 0; index < 1U << left; ++index) {
    std::uint32_t value = high;
    for (const auto& r : out.gather.runs)
      value |= index >> r.left << r.right & r.mask;
    HALYARD_TRY(fill_slot(inside, gathered | ~kLowBits, value));
  }
  return base::ok();
}

// The slot for dwords whose bits in `mask` are `value`.
Status DecoderBuilder::fill_slot(const std::vector<const Ranked*>& inside, std::uint32_t mask,
                                 std::uint32_t value) {
  InstructionDecoder::Slot slot;
  slot.first_candidate = static_cast<std::uint32_t>(decoder_.candidates_.size());
  std::array<std::size_t, 2> counts = {0, 0};
  for (const Ranked* const ranked : inside) {
    const Candidate& candidate = ranked->candidate;
    if (((candidate.value ^ value) & candidate.mask & mask) != 0 || ranked->part > 1) continue;
    decoder_.candidates_.push_back(candidate);
    ++counts[ranked->part];
  }
  looks_ += inside.size();
  if (decoder_.candidates_.size() > kMaxCandidates || looks_ > kMaxLooks || counts[0] > 0xffff ||
      counts[1] > 0xffff) {
    return Error(ErrorCode::kCorruptData, concat("The identifiers of \"", set_.id,
                                                 "\" match so many dwords that a table of them ",
                                                 "has more than ", kMaxCandidates, " entries."));
  }
  slot.first_count = static_cast<std::uint16_t>(counts[0]);
  slot.second_count = static_cast<std::uint16_t>(counts[1]);
  decoder_.slots_.push_back(slot);
  return base::ok();
}

Result<InstructionDecoder> InstructionDecoder::create(const InstructionSet& set) {
  return DecoderBuilder(set).build();
}

}  // namespace halyard::isa
