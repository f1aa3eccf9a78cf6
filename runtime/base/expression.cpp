// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/expression.h"

#include "runtime/base/expression_parser.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <limits>

namespace halyard::base {
namespace {

// Each level of nesting keeps at most one value per binary operator level that is no logic (five)
// and one argument of a function.
constexpr std::size_t kStackValues = (kMaximumExpressionDepth + 1) * 6 + 2;

constexpr std::int64_t kMinimum64 = std::numeric_limits<std::int64_t>::min();

struct Division {
  std::int64_t quotient;
  std::int64_t remainder;
};

// Processors divide 32 bits several times faster than 64, and axes nearly always fit.
Division divide(std::int64_t left, std::int64_t right) noexcept {
  if ((static_cast<std::uint64_t>(left | right) >> 32) == 0) {
    const auto narrow_left = static_cast<std::uint32_t>(left);
    const auto narrow_right = static_cast<std::uint32_t>(right);
    return {narrow_left / narrow_right, narrow_left % narrow_right};
  }
  return {left / right, left % right};
}

bool ends_name(const ExpressionToken& following) {
  return following.kind != ExpressionToken::Kind::kSymbol || following.text != "(";
}

}  // namespace

Result<Expression> Expression::compile(std::string_view text, const SlotResolver& resolve) {
  return ExpressionParser(text, resolve).parse();
}

std::vector<std::string> Expression::names_of(std::string_view text) {
  std::vector<std::string> names;
  ExpressionLexer lexer(text);
  ExpressionToken token = lexer.next();
  while (token.kind != ExpressionToken::Kind::kEnd) {
    const ExpressionToken following = lexer.next();
    if (token.kind == ExpressionToken::Kind::kName && ends_name(following) &&
        std::find(names.begin(), names.end(), token.text) == names.end()) {
      names.emplace_back(token.text);
    }
    token = following;
  }
  return names;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  names.reserve(names_.size());
  for (const Name& name : names_)
    names.push_back(name.text);
  return names;
}

Result<std::int64_t> Expression::evaluate(std::span<const std::int64_t> slots) const {
  std::int64_t value = 0;
  const Failure failure = run(slots, &value);
  if (failure != Failure::kNone) return error_of(failure, slots);
  return value;
}

bool Expression::evaluate_into(std::span<const std::int64_t> slots,
                               std::int64_t* out) const noexcept {
  return run(slots, out) == Failure::kNone;
}

Expression::Failure Expression::run(std::span<const std::int64_t> slots,
                                    std::int64_t* out) const noexcept {
  if (slots.size() < slots_needed_) return Failure::kMissingSlot;
  std::array<std::int64_t, kStackValues> stack;  // Each value is written before it is read.
  std::int64_t* top = stack.data();              // one past the last value
  const Instruction* const program = program_.data();
  const std::size_t size = program_.size();
  for (std::size_t at = 0; at < size; ++at) {
    const Instruction instruction = program[at];
    switch (instruction.opcode) {
      case Opcode::kConstant:
        *top++ = instruction.operand;
        break;
      case Opcode::kSlot:
        *top++ = slots[static_cast<std::size_t>(instruction.operand)];
        break;
      case Opcode::kOr:
      case Opcode::kAnd:
        if ((top[-1] != 0) != (instruction.opcode == Opcode::kOr)) {
          --top;
          break;
        }
        // The left operand settles it.
        top[-1] = top[-1] != 0 ? 1 : 0;
        at = static_cast<std::size_t>(instruction.operand) - 1;
        break;
      case Opcode::kSelect:
        --top;
        if (*top == 0) at = static_cast<std::size_t>(instruction.operand) - 1;
        break;
      case Opcode::kJump:
        at = static_cast<std::size_t>(instruction.operand) - 1;
        break;
      case Opcode::kTruth:
        top[-1] = top[-1] != 0 ? 1 : 0;
        break;
      case Opcode::kNot:
        top[-1] = top[-1] == 0 ? 1 : 0;
        break;
      case Opcode::kNegate:
        if (top[-1] == kMinimum64) return Failure::kOverflow;
        top[-1] = -top[-1];
        break;
      default: {
        --top;
        const Failure failure = apply(instruction.opcode, top[-1], top[0], &top[-1]);
        if (failure != Failure::kNone) return failure;
      }
    }
  }
  *out = top[-1];
  return Failure::kNone;
}

Expression::Failure Expression::apply(Opcode opcode, std::int64_t left, std::int64_t right,
                                      std::int64_t* out) noexcept {
  switch (opcode) {
    case Opcode::kAdd:
      return __builtin_add_overflow(left, right, out) ? Failure::kOverflow : Failure::kNone;
    case Opcode::kSubtract:
      return __builtin_sub_overflow(left, right, out) ? Failure::kOverflow : Failure::kNone;
    case Opcode::kMultiply:
      return __builtin_mul_overflow(left, right, out) ? Failure::kOverflow : Failure::kNone;
    case Opcode::kDivide:
    case Opcode::kCeilDivide: {
      if (right == 0) return Failure::kDivisionByZero;
      if (left == kMinimum64 && right == -1) return Failure::kOverflow;
      const Division division = divide(left, right);
      const bool rounds_up =
          opcode == Opcode::kCeilDivide && division.remainder != 0 && (left < 0) == (right < 0);
      *out = division.quotient + (rounds_up ? 1 : 0);
      return Failure::kNone;
    }
    case Opcode::kRemainder:
      if (right == 0) return Failure::kDivisionByZero;
      *out = right == -1 ? 0 : divide(left, right).remainder;
      return Failure::kNone;
    case Opcode::kShiftLeft: {
      if (right < 0 || right > 63) return Failure::kShiftOutOfRange;
      const std::int64_t shifted = left << right;
      if (shifted >> right != left) return Failure::kOverflow;
      *out = shifted;
      return Failure::kNone;
    }
    case Opcode::kShiftRight:
      if (right < 0 || right > 63) return Failure::kShiftOutOfRange;
      *out = left >> right;
      return Failure::kNone;
    case Opcode::kEqual:
      *out = left == right ? 1 : 0;
      return Failure::kNone;
    case Opcode::kNotEqual:
      *out = left != right ? 1 : 0;
      return Failure::kNone;
    case Opcode::kLess:
      *out = left < right ? 1 : 0;
      return Failure::kNone;
    case Opcode::kLessEqual:
      *out = left <= right ? 1 : 0;
      return Failure::kNone;
    case Opcode::kGreater:
      *out = left > right ? 1 : 0;
      return Failure::kNone;
    case Opcode::kGreaterEqual:
      *out = left >= right ? 1 : 0;
      return Failure::kNone;
    case Opcode::kMinimum:
      *out = std::min(left, right);
      return Failure::kNone;
    case Opcode::kMaximum:
      *out = std::max(left, right);
      return Failure::kNone;
    default:
      return Failure::kNone;
  }
}

Error Expression::error_of(Failure failure, std::span<const std::int64_t> slots) const {
  if (failure == Failure::kMissingSlot) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("Expression \"", text_, "\" needs ", slots_needed_, " values, but has ",
                        slots.size(), "."));
  }
  std::string_view what = "overflows 64 bits";
  if (failure == Failure::kDivisionByZero) what = "divides by zero";
  if (failure == Failure::kShiftOutOfRange) what = "shifts by a count outside 0 to 63";
  std::string values;
  for (const Name& name : names_) {
    values += concat(values.empty() ? " (" : ", ", name.text, " = ", slots[name.slot]);
  }
  if (!values.empty()) values += ")";
  return Error(ErrorCode::kInvalidArgument,
               concat("Expression \"", text_, "\" ", what, values, "."));
}

}  // namespace halyard::base
