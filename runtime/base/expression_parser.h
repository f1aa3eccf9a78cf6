// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/expression.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace halyard::base {

constexpr std::size_t kMaximumExpressionBytes = 4096;
constexpr int kMaximumExpressionDepth = 64;

// One lexical piece of an expression.
struct ExpressionToken {
  enum class Kind : std::uint8_t { kEnd, kName, kInteger, kSymbol, kInvalid };
  Kind kind = Kind::kEnd;
  std::string_view text;
  std::int64_t integer = 0;
  std::size_t column = 1;  // in bytes, from 1
};

// Cuts a text into tokens. Borrows the text.
class ExpressionLexer {
 public:
  explicit ExpressionLexer(std::string_view text) : text_(text) {}
  // An integer beyond 64 bits is kInvalid, as is a character that starts no token.
  ExpressionToken next();

 private:
  ExpressionToken take(ExpressionToken::Kind kind, std::size_t length);

  std::string_view text_;
  std::size_t position_ = 0;
};

// Parses one text by recursive descent, emitting the program as it goes. For one use.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Expression::SlotResolver& resolve);
  Result<Expression> parse();

 private:
  using Opcode = Expression::Opcode;

  struct BinaryOperator {
    std::string_view symbol;
    int level;  // higher binds tighter
    Opcode opcode;
  };

  static const BinaryOperator* binary_operator(std::string_view symbol);
  Status parse_binary(int level);
  Status parse_logic(const BinaryOperator& binary);
  Status parse_unary();
  Status parse_primary();
  Status parse_call(const ExpressionToken& name);
  Status parse_select();
  Status parse_name(const ExpressionToken& name);

  void advance() { token_ = lexer_.next(); }
  bool at(std::string_view symbol) const;
  Status expect(std::string_view symbol);
  std::size_t emit(Opcode opcode, std::int64_t operand = 0);
  void land(std::size_t jump);
  Error error(std::size_t column, std::string_view what) const;
  std::string token_text() const;

  ExpressionLexer lexer_;
  const Expression::SlotResolver& resolve_;
  ExpressionToken token_;
  Expression expression_;
  int depth_ = 0;
};

}  // namespace halyard::base
