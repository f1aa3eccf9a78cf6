// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/expression.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace halyard::isa {

using ConditionId = std::uint32_t;
inline constexpr ConditionId kAlways = 0;
inline constexpr ConditionId kNever = 1;

enum class ConditionAnswer : std::uint8_t { kNo, kYes, kCutOff };

// The conditions of a set, compiled for speed. A condition is a conjunction; each of its parts that
// looks at one field only becomes a set of the values of that field, so that it costs an extraction
// and a look-up. What is left is evaluated as an expression.
class ConditionTable {
 public:
  ConditionTable();

  // Compiles an expression over the fields of an encoding; equal ones get equal ids. `part` is the
  // half that the condition is for: for the second half each field is replaced by the one whose
  // name has Y in the place of X, if there is one.
  ConditionId add(const Encoding& encoding, const std::string& expression, std::uint32_t part);

  // kCutOff where a field lies beyond `words`. Never allocates.
  ConditionAnswer evaluate(ConditionId id, std::span<const std::uint32_t> words) const noexcept {
    if (id == kAlways) return ConditionAnswer::kYes;
    return evaluate_tests(conditions_[id], words);
  }

 private:
  static constexpr unsigned kMaxFieldBits = 10;

  // The bits of a field within one dword, and the values that pass.
  struct Test {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;
    std::uint32_t first_bitmap = 0;  // into bitmaps_

    bool same_field(const Test& other) const {
      return word == other.word && shift == other.shift && mask == other.mask;
    }
  };

  struct General {
    base::Expression expression;
    std::vector<Field> fields;  // by slot
    std::uint32_t size_words = 0;
  };

  struct Condition {
    std::uint32_t first_test = 0;
    std::uint32_t test_count = 0;
    std::uint32_t first_general = 0;
    std::uint32_t general_count = 0;
    bool never = false;
  };

  ConditionAnswer evaluate_tests(const Condition& condition,
                                 std::span<const std::uint32_t> words) const noexcept;
  bool add_part(const Encoding& encoding, std::string_view text, std::uint32_t part,
                Condition& condition);
  bool add_test(const Field& field, const base::Expression& expression, Condition& condition);

  std::vector<Condition> conditions_;
  std::vector<Test> tests_;
  std::vector<std::uint64_t> bitmaps_;
  std::vector<General> generals_;
  std::map<std::pair<std::string, std::string>, ConditionId> known_;
};

}  // namespace halyard::isa
