// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/size_expression.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <vector>

namespace halyard::conformance {
namespace {

class Reader {
 public:
  Reader(const std::string& text, const Names& names) : text_(text), names_(names) {}

  std::int64_t read_all() {
    const std::int64_t value = read_sum();
    if (peek() != '\0') fail("it goes on");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw std::runtime_error("\"" + text_ + "\" cannot be read at " + std::to_string(at_) + ": " +
                             reason + ".");
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ')
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  template <typename Predicate>
  std::string take_while(Predicate belongs) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && belongs(static_cast<unsigned char>(text_[at_])))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::int64_t read_sum() {
    std::int64_t value = read_product();
    while (true) {
      if (take('+')) {
        value += read_product();
      } else if (take('-')) {
        value -= read_product();
      } else {
        return value;
      }
    }
  }
  std::int64_t read_product() {
    std::int64_t value = read_operand();
    while (true) {
      if (take('*')) {
        value *= read_operand();
      } else if (take('/')) {
        value /= read_divisor();
      } else if (take('%')) {
        value %= read_divisor();
      } else {
        return value;
      }
    }
  }
  std::int64_t read_divisor() {
    const std::int64_t value = read_operand();
    if (value == 0) fail("it divides by 0");
    return value;
  }
  std::int64_t read_operand() {
    if (take('(')) {
      const std::int64_t value = read_sum();
      if (!take(')')) fail("a parenthesis is open");
      return value;
    }
    peek();
    const std::string digits = take_while([](unsigned char c) { return std::isdigit(c) != 0; });
    if (!digits.empty()) return std::stoll(digits);
    const std::string name =
        take_while([](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (peek() == '(') return call(name);
    const auto found = names_.find(name);
    if (found == names_.end()) fail("\"" + name + "\" has no value");
    return found->second;
  }
  std::int64_t call(const std::string& function) {
    std::vector<std::int64_t> arguments;
    while (take(arguments.empty() ? '(' : ','))
      arguments.push_back(read_sum());
    if (!take(')') || arguments.size() != 2) fail("a call has two arguments");
    const std::int64_t a = arguments[0];
    const std::int64_t b = arguments[1];
    if (function == "min") return std::min(a, b);
    if (function == "max") return std::max(a, b);
    if (function == "ceil_div" && b != 0) return (a + b - 1) / b;
    fail("\"" + function + "\" has no value");
  }

  const std::string& text_;
  const Names& names_;
  std::size_t at_ = 0;
};

}  // namespace

std::int64_t evaluate_size(const std::string& expression, const Names& names) {
  return Reader(expression, names).read_all();
}

}  // namespace halyard::conformance
