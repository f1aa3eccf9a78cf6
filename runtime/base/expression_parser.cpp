// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/expression_parser.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace halyard::base {
namespace {

constexpr int kOrLevel = 0;
constexpr int kAndLevel = 1;
constexpr int kEqualityLevel = 2;
constexpr int kRelationLevel = 3;
constexpr int kLevels = 7;

// Of two that start alike, the longer stands first.
constexpr std::array<std::string_view, 19> kSymbols = {"<<", ">>", "<=", ">=", "==", "!=", "&&",
                                                       "||", "<",  ">",  "!",  "+",  "-",  "*",
                                                       "/",  "%",  "(",  ")",  ","};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  for (;;) {
    while (length < text.size() && continues_name(text[length]))
      ++length;
    const bool dotted =
        length + 1 < text.size() && text[length] == '.' && continues_name(text[length + 1]);
    if (!dotted) return length;
    ++length;
  }
}

}  // namespace

ExpressionToken ExpressionLexer::next() {
  using Kind = ExpressionToken::Kind;
  const std::size_t start = text_.find_first_not_of(" \t\r\n", position_);
  position_ = std::min(start, text_.size());
  const std::string_view rest = text_.substr(position_);
  if (rest.empty()) return take(Kind::kEnd, 0);
  if (starts_name(rest.front())) return take(Kind::kName, name_length(rest));
  if (is_digit(rest.front())) {
    std::int64_t integer = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), integer);
    auto length = static_cast<std::size_t>(read.ptr - rest.data());
    const bool runs_on = length < rest.size() && (continues_name(rest[length]));
    while (length < rest.size() && continues_name(rest[length]))
      ++length;
    ExpressionToken token =
        take(read.ec == std::errc() && !runs_on ? Kind::kInteger : Kind::kInvalid, length);
    token.integer = integer;
    return token;
  }
  for (const std::string_view symbol : kSymbols) {
    if (rest.starts_with(symbol)) return take(Kind::kSymbol, symbol.size());
  }
  return take(Kind::kInvalid, 1);
}

ExpressionToken ExpressionLexer::take(ExpressionToken::Kind kind, std::size_t length) {
  ExpressionToken token;
  token.kind = kind;
  token.text = text_.substr(position_, length);
  token.column = position_ + 1;
  position_ += length;
  return token;
}

ExpressionParser::ExpressionParser(std::string_view text, const Expression::SlotResolver& resolve)
    : lexer_(text.substr(0, kMaximumExpressionBytes)),
      resolve_(resolve) {
  expression_.text_ = text;
}

Result<Expression> ExpressionParser::parse() {
  const std::size_t size = expression_.text_.size();
  if (size > kMaximumExpressionBytes) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("An expression has ", size, " bytes, more than ", kMaximumExpressionBytes,
                        ", starting \"", expression_.text_.substr(0, 32), "\"."));
  }
  advance();
  HALYARD_TRY(parse_binary(0));
  if (token_.kind != ExpressionToken::Kind::kEnd) {
    return error(token_.column, concat(token_text(), " follows a complete expression"));
  }
  return std::move(expression_);
}

const ExpressionParser::BinaryOperator* ExpressionParser::binary_operator(std::string_view symbol) {
  static constexpr std::array<BinaryOperator, 15> kOperators = {{
      {"||", kOrLevel, Opcode::kOr},
      {"&&", kAndLevel, Opcode::kAnd},
      {"==", kEqualityLevel, Opcode::kEqual},
      {"!=", kEqualityLevel, Opcode::kNotEqual},
      {"<", kRelationLevel, Opcode::kLess},
      {"<=", kRelationLevel, Opcode::kLessEqual},
      {">", kRelationLevel, Opcode::kGreater},
      {">=", kRelationLevel, Opcode::kGreaterEqual},
      {"<<", 4, Opcode::kShiftLeft},
      {">>", 4, Opcode::kShiftRight},
      {"+", 5, Opcode::kAdd},
      {"-", 5, Opcode::kSubtract},
      {"*", 6, Opcode::kMultiply},
      {"/", 6, Opcode::kDivide},
      {"%", 6, Opcode::kRemainder},
  }};
  const auto* const found =
      std::find_if(kOperators.begin(), kOperators.end(),
                   [symbol](const BinaryOperator& binary) { return binary.symbol == symbol; });
  return found == kOperators.end() ? nullptr : found;
}

Status ExpressionParser::parse_binary(int level) {
  if (level == kLevels) return parse_unary();
  HALYARD_TRY(parse_binary(level + 1));
  bool compared = false;
  while (token_.kind == ExpressionToken::Kind::kSymbol) {
    const BinaryOperator* const binary = binary_operator(token_.text);
    if (binary == nullptr || binary->level != level) break;
    if (compared) return error(token_.column, concat(token_text(), " chains comparisons"));
    compared = level == kEqualityLevel || level == kRelationLevel;
    advance();
    if (level == kOrLevel || level == kAndLevel) {
      HALYARD_TRY(parse_logic(*binary));
    } else {
      HALYARD_TRY(parse_binary(level + 1));
      emit(binary->opcode);
    }
  }
  return ok();
}

Status ExpressionParser::parse_logic(const BinaryOperator& binary) {
  const std::size_t jump = emit(binary.opcode);
  HALYARD_TRY(parse_binary(binary.level + 1));
  emit(Opcode::kTruth);
  land(jump);
  return ok();
}

Status ExpressionParser::parse_unary() {
  std::vector<Opcode> prefixes;
  for (; at("!") || at("-"); advance()) {
    prefixes.push_back(at("!") ? Opcode::kNot : Opcode::kNegate);
  }
  HALYARD_TRY(parse_primary());
  std::for_each(prefixes.rbegin(), prefixes.rend(), [this](Opcode opcode) { emit(opcode); });
  return ok();
}

Status ExpressionParser::parse_primary() {
  const ExpressionToken token = token_;
  if (token.kind == ExpressionToken::Kind::kInteger) {
    advance();
    emit(Opcode::kConstant, token.integer);
    return ok();
  }
  if (token.kind == ExpressionToken::Kind::kName) {
    advance();
    return at("(") ? parse_call(token) : parse_name(token);
  }
  if (token.kind == ExpressionToken::Kind::kInvalid && is_digit(token.text.front())) {
    return error(token.column, concat(token_text(), " is not a 64-bit integer"));
  }
  if (!at("(")) {
    return error(token.column, concat(token_text(), " stands where a value is expected"));
  }
  if (++depth_ > kMaximumExpressionDepth) {
    return error(token.column, concat("the nesting is deeper than ", kMaximumExpressionDepth));
  }
  advance();
  HALYARD_TRY(parse_binary(0));
  --depth_;
  return expect(")");
}

Status ExpressionParser::parse_call(const ExpressionToken& name) {
  struct Function {
    std::string_view name;
    Opcode opcode;
  };
  static constexpr std::array<Function, 4> kFunctions = {{{"ceil_div", Opcode::kCeilDivide},
                                                          {"min", Opcode::kMinimum},
                                                          {"max", Opcode::kMaximum},
                                                          {"select", Opcode::kSelect}}};
  const auto* const function =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&name](const Function& candidate) { return candidate.name == name.text; });
  if (function == kFunctions.end()) {
    return error(name.column, concat("the function \"", name.text, "\" is unknown"));
  }
  if (++depth_ > kMaximumExpressionDepth) {
    return error(name.column, concat("the nesting is deeper than ", kMaximumExpressionDepth));
  }
  advance();
  HALYARD_TRY(parse_binary(0));
  HALYARD_TRY(expect(","));
  if (function->opcode == Opcode::kSelect) {
    HALYARD_TRY(parse_select());
  } else {
    HALYARD_TRY(parse_binary(0));
    emit(function->opcode);
  }
  --depth_;
  return expect(")");
}

Status ExpressionParser::parse_select() {
  const std::size_t to_second = emit(Opcode::kSelect);
  HALYARD_TRY(parse_binary(0));
  HALYARD_TRY(expect(","));
  const std::size_t to_end = emit(Opcode::kJump);
  land(to_second);
  HALYARD_TRY(parse_binary(0));
  land(to_end);
  return ok();
}

Status ExpressionParser::parse_name(const ExpressionToken& name) {
  const std::optional<std::uint32_t> slot = resolve_ ? resolve_(name.text) : std::nullopt;
  if (!slot) return error(name.column, concat("the name \"", name.text, "\" is unknown"));
  emit(Opcode::kSlot, *slot);
  std::vector<Expression::Name>& names = expression_.names_;
  const bool known = std::any_of(names.begin(), names.end(), [&name](const Expression::Name& seen) {
    return seen.text == name.text;
  });
  if (!known) names.push_back({std::string(name.text), *slot});
  expression_.slots_needed_ = std::max(expression_.slots_needed_, *slot + 1);
  return ok();
}

bool ExpressionParser::at(std::string_view symbol) const {
  return token_.kind == ExpressionToken::Kind::kSymbol && token_.text == symbol;
}

Status ExpressionParser::expect(std::string_view symbol) {
  if (!at(symbol)) {
    return error(token_.column, concat(token_text(), " stands where \"", symbol, "\" is expected"));
  }
  advance();
  return ok();
}

std::size_t ExpressionParser::emit(Opcode opcode, std::int64_t operand) {
  expression_.program_.push_back({opcode, operand});
  return expression_.program_.size() - 1;
}

void ExpressionParser::land(std::size_t jump) {
  expression_.program_[jump].operand = static_cast<std::int64_t>(expression_.program_.size());
}

Error ExpressionParser::error(std::size_t column, std::string_view what) const {
  return Error(ErrorCode::kInvalidArgument,
               concat("Expression \"", expression_.text_, "\", column ", column, ": ", what, "."));
}

std::string ExpressionParser::token_text() const {
  if (token_.kind == ExpressionToken::Kind::kEnd) return "the end";
  return concat("\"", token_.text, "\"");
}

}  // namespace halyard::base
