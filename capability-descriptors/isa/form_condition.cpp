// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/form_condition.h"

#include "capability-descriptors/isa/field_value.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace halyard::isa {
namespace {

using base::Expression;

constexpr std::size_t kMaxFieldsOfPart = 16;

// `text` cut at each "&&" that is in no brackets; whole where an "||" is beside them.
std::vector<std::string_view> conjuncts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth != 0 || i + 1 >= text.size()) continue;
    if (text.substr(i, 2) == "||") return {text};
    if (text.substr(i, 2) == "&&") {
      parts.push_back(text.substr(start, i - start));
      start = i + 2;
    }
  }
  parts.push_back(text.substr(start));
  return parts;
}

const Field* field_named(const Encoding& encoding, std::string_view name) {
  const auto found = std::find_if(encoding.fields.begin(), encoding.fields.end(),
                                  [&](const Field& field) { return field.name == name; });
  return found == encoding.fields.end() ? nullptr : &*found;
}

// The field of a name in a condition for one half of an encoding.
const Field* field_of_part(const Encoding& encoding, std::string_view name, std::uint32_t part) {
  if (part != 0) {
    std::string other(name);
    std::replace(other.begin(), other.end(), 'X', 'Y');
    if (const Field* const field = field_named(encoding, other)) return field;
  }
  return field_named(encoding, name);
}

// Dwords that reach to the end of a field.
std::uint32_t words_to_end_of(const Field& field) {
  std::uint32_t words = 0;
  for (const BitRange& range : field.ranges) {
    words = std::max(words, (std::uint32_t{range.offset} + range.count + 31) / 32);
  }
  return words;
}

bool lies_in_one_word(const Field& field, unsigned max_bits) {
  if (field.ranges.size() != 1 || field.padding_bits != 0 || field.inverted_bit_of != kNoIndex) {
    return false;
  }
  const BitRange range = field.ranges[0];
  return range.count > 0 && range.count <= max_bits && range.offset % 32 + range.count <= 32;
}

}  // namespace

ConditionTable::ConditionTable() {
  conditions_.resize(2);
  conditions_[kNever].never = true;
}

ConditionId ConditionTable::add(const Encoding& encoding, const std::string& expression,
                                std::uint32_t part) {
  const auto [known, is_new] =
      known_.try_emplace({base::concat(encoding.name, '/', part), expression}, kNever);
  if (!is_new || expression.empty()) return known->second;
  Condition condition;
  condition.first_test = static_cast<std::uint32_t>(tests_.size());
  condition.first_general = static_cast<std::uint32_t>(generals_.size());
  for (const std::string_view text : conjuncts_of(expression)) {
    if (!add_part(encoding, text, part, condition)) return kNever;
  }
  if (condition.test_count == 0 && condition.general_count == 0) return known->second = kAlways;
  conditions_.push_back(condition);
  return known->second = static_cast<ConditionId>(conditions_.size() - 1);
}

// False where the part is never true, which includes what cannot be evaluated.
bool ConditionTable::add_part(const Encoding& encoding, std::string_view text, std::uint32_t part,
                              Condition& condition) {
  std::vector<const Field*> fields;
  const auto resolve = [&](std::string_view name) -> std::optional<std::uint32_t> {
    const Field* const field = field_of_part(encoding, name, part);
    if (field == nullptr) return std::nullopt;
    const auto known = std::find(fields.begin(), fields.end(), field);
    const auto slot = static_cast<std::uint32_t>(known - fields.begin());
    if (known == fields.end()) fields.push_back(field);
    return slot;
  };
  const auto expression = Expression::compile(text, resolve);
  if (!expression || fields.size() > kMaxFieldsOfPart) return false;
  if (fields.empty()) {
    const auto value = expression->evaluate({});
    return value && *value != 0;
  }
  if (fields.size() == 1 && lies_in_one_word(*fields[0], kMaxFieldBits)) {
    return add_test(*fields[0], *expression, condition);
  }
  General general = {*expression, {}, 0};
  for (const Field* const field : fields) {
    general.fields.push_back(*field);
    general.size_words = std::max(general.size_words, words_to_end_of(*field));
  }
  generals_.push_back(std::move(general));
  ++condition.general_count;
  return true;
}

bool ConditionTable::add_test(const Field& field, const Expression& expression,
                              Condition& condition) {
  const BitRange range = field.ranges[0];
  Test test;
  test.word = range.offset / 32U;
  test.shift = range.offset % 32U;
  test.mask = (1U << range.count) - 1;
  const auto first = tests_.begin() + condition.first_test;
  auto same =
      std::find_if(first, tests_.end(), [&](const Test& other) { return other.same_field(test); });
  if (same == tests_.end()) {
    test.first_bitmap = static_cast<std::uint32_t>(bitmaps_.size());
    bitmaps_.resize(bitmaps_.size() + test.mask / 64 + 1, ~std::uint64_t{0});
    tests_.push_back(test);
    ++condition.test_count;
    same = tests_.end() - 1;
  }
  bool passes_once = false;
  for (std::uint32_t value = 0; value <= test.mask; ++value) {
    std::uint64_t& bitmap = bitmaps_[same->first_bitmap + value / 64];
    const std::array<std::int64_t, 1> slots = {value};
    std::int64_t result = 0;
    if (!expression.evaluate_into(slots, &result) || result == 0) {
      bitmap &= ~(std::uint64_t{1} << value % 64);
    }
    passes_once = passes_once || (bitmap >> value % 64 & 1) != 0;
  }
  return passes_once;
}

ConditionAnswer ConditionTable::evaluate_tests(
    const Condition& condition, std::span<const std::uint32_t> words) const noexcept {
  if (condition.never) return ConditionAnswer::kNo;
  for (std::uint32_t i = 0; i < condition.test_count; ++i) {
    const Test& test = tests_[condition.first_test + i];
    if (test.word >= words.size()) return ConditionAnswer::kCutOff;
    const std::uint32_t value = words[test.word] >> test.shift & test.mask;
    if ((bitmaps_[test.first_bitmap + value / 64] >> value % 64 & 1) == 0) {
      return ConditionAnswer::kNo;
    }
  }
  for (std::uint32_t i = 0; i < condition.general_count; ++i) {
    const General& general = generals_[condition.first_general + i];
    if (general.size_words > words.size()) return ConditionAnswer::kCutOff;
    std::array<std::int64_t, kMaxFieldsOfPart> slots;
    for (std::size_t slot = 0; slot < general.fields.size(); ++slot) {
      slots[slot] = static_cast<std::int64_t>(raw_field_value(general.fields[slot], words));
    }
    std::int64_t result = 0;
    if (!general.expression.evaluate_into(slots, &result) || result == 0) {
      return ConditionAnswer::kNo;
    }
  }
  return ConditionAnswer::kYes;
}

}  // namespace halyard::isa
