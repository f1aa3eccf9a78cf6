// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::base {

// An integer formula of a contract or kernel, such as "ceil_div(M, TILE_M) * 2", compiled to a flat
// program over numbered slots.
//
// Values are 64-bit; every overflow is a failure, and so are division by zero and shifts outside
// 0 to 63. Operators, from loose to tight: || && (== !=) (< <= > >=) (<< >>) (+ -) (* / %) (! -).
// Comparisons and logic give 0 or 1 and do not chain; / and % truncate; && || and select evaluate
// only what they need. Functions: ceil_div(a, b), min(a, b), max(a, b), select(condition, a, b).
// Names are letters, digits and underscores, with dotted suffixes ("device.compute_units"). A text
// has 4096 bytes at most and nests 64 deep at most.
//
// Immutable: any number of threads may evaluate one at once.
class Expression {
 public:
  // The slot that holds the value of `name`; nothing for a name that does not exist.
  using SlotResolver = std::function<std::optional<std::uint32_t>(std::string_view name)>;

  // Errors: kInvalidArgument, naming the text and the column, for a text that is no expression and
  // for a name that `resolve` does not know.
  static Result<Expression> compile(std::string_view text, const SlotResolver& resolve);

  // The names a text uses, each once, in order of first use; what cannot be read is left out.
  static std::vector<std::string> names_of(std::string_view text);

  // Errors: kInvalidArgument, naming the text and the values of its names.
  Result<std::int64_t> evaluate(std::span<const std::int64_t> slots) const;

  // As evaluate(), without the sentence: false on a failure, and then *out is untouched. Never
  // allocates.
  bool evaluate_into(std::span<const std::int64_t> slots, std::int64_t* out) const noexcept;

  bool is_constant() const { return names_.empty(); }
  const std::string& text() const { return text_; }
  // The names this expression uses, each once, in order of first use.
  std::vector<std::string> names() const;

 private:
  friend class ExpressionParser;

  enum class Opcode : std::uint8_t {
    kConstant,  // pushes `operand`
    kSlot,      // pushes the slot `operand`
    kOr,        // the left side is true: leaves 1 and jumps to `operand`; else drops it
    kAnd,       // the left side is false: leaves 0 and jumps to `operand`; else drops it
    kSelect,    // drops the condition; false: jumps to `operand`
    kJump,
    kTruth,  // any non-zero value becomes 1
    kNot,
    kNegate,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kShiftLeft,
    kShiftRight,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kCeilDivide,
    kMinimum,
    kMaximum,
  };

  struct Instruction {
    Opcode opcode;
    std::int64_t operand;
  };

  struct Name {
    std::string text;
    std::uint32_t slot;
  };

  enum class Failure : std::uint8_t {
    kNone,
    kOverflow,
    kDivisionByZero,
    kShiftOutOfRange,
    kMissingSlot
  };

  Expression() = default;
  Failure run(std::span<const std::int64_t> slots, std::int64_t* out) const noexcept;
  static Failure apply(Opcode opcode, std::int64_t left, std::int64_t right,
                       std::int64_t* out) noexcept;
  Error error_of(Failure failure, std::span<const std::int64_t> slots) const;

  std::string text_;
  std::vector<Instruction> program_;
  std::vector<Name> names_;
  std::uint32_t slots_needed_ = 0;
};

}  // namespace halyard::base
