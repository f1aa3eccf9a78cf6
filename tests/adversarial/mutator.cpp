// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/mutator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <utility>

namespace halyard::adversarial {
namespace {

struct Replacement {
  std::string_view from;
  std::string_view to;
};

// Binary operators stand between spaces, which tells them from pointers and templates.
constexpr std::array kOperators = {
    Replacement{" + ", " - "},   Replacement{" - ", " + "},   Replacement{" * ", " / "},
    Replacement{" * ", " + "},   Replacement{" / ", " * "},   Replacement{" % ", " / "},
    Replacement{" < ", " <= "},  Replacement{" < ", " > "},   Replacement{" <= ", " < "},
    Replacement{" > ", " >= "},  Replacement{" > ", " < "},   Replacement{" >= ", " > "},
    Replacement{" == ", " != "}, Replacement{" != ", " == "}, Replacement{" && ", " || "},
    Replacement{" || ", " && "}, Replacement{" += ", " -= "}, Replacement{" *= ", " /= "},
    Replacement{" /= ", " *= "},
};

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view{} : line.substr(begin);
}

bool is_left_alone(std::string_view line) {
  const std::string_view text = trimmed(line);
  for (const std::string_view start :
       {"#", "//", "layout", "using", "template", "namespace", "static_assert", "}", "shared"}) {
    if (text.starts_with(start)) return true;
  }
  return text.empty();
}

bool is_declaration(std::string_view text) {
  for (const std::string_view start :
       {"const ", "constexpr ", "auto ", "auto* ", "int", "uint", "float ", "T ", "T* ", "bool ",
        "F32v ", "return", "vec4 "}) {
    if (text.starts_with(start)) return true;
  }
  return false;
}

// The mutations of one line, which begins at `offset` in the source.
class LineMutator {
 public:
  LineMutator(std::string line, std::size_t number, std::size_t offset, std::vector<Mutation>& out)
      : line_(std::move(line)),
        number_(number),
        offset_(offset),
        out_(out) {}

  void run() {
    find_operators();
    find_literals();
    find_bounds();
    find_indices();
    find_arguments();
    find_statements();
  }

 private:
  void add(std::string_view kind, std::size_t at, std::string_view before, std::string after) {
    out_.push_back({std::string(kind), number_, offset_ + at, std::string(before), after});
  }

  void find_operators() {
    for (const Replacement& each : kOperators) {
      for (std::size_t at = line_.find(each.from); at != std::string::npos;
           at = line_.find(each.from, at + 1)) {
        add("operator", at, each.from, std::string(each.to));
      }
    }
  }

  template <typename Make>
  void find_all(const std::regex& pattern, Make make) {
    for (std::sregex_iterator i(line_.begin(), line_.end(), pattern), end; i != end; ++i)
      make(*i);
  }

  void find_literals() {
    static const std::regex kNumber(R"((^|[^\w.])(\d+)([^\w.]|$))");
    find_all(kNumber, [this](const std::smatch& match) {
      const long value = std::stol(match[2].str());
      const auto at = static_cast<std::size_t>(match.position(2));
      add("literal", at, match[2].str(), std::to_string(value + 1));
      if (value > 0) add("literal", at, match[2].str(), std::to_string(value - 1));
    });
    static const std::regex kFloat(R"((\d+\.\d+(e-?\d+)?f?))");
    find_all(kFloat, [this](const std::smatch& match) {
      const bool is_zero = std::stod(match[1].str()) == 0;
      add("literal", static_cast<std::size_t>(match.position(1)), match[1].str(),
          is_zero ? "1.0f" : "(" + match[1].str() + " * 1.5f)");
    });
  }

  void find_bounds() {
    static const std::regex kBound(R"(; (\w+) < ([\w/* .]+)(;| &&))");
    find_all(kBound, [this](const std::smatch& match) {
      const auto at = static_cast<std::size_t>(match.position(2));
      add("bound", at, match[2].str(), match[2].str() + " - 1");
      add("bound", at, match[2].str(), match[2].str() + " + 1");
    });
  }

  void find_indices() {
    static const std::regex kIndex(R"(\w\[([\w +*]+)\])");
    find_all(kIndex, [this](const std::smatch& match) {
      const auto at = static_cast<std::size_t>(match.position(1));
      add("index", at, match[1].str(), match[1].str() + " + 1");
    });
  }

  void find_arguments() {
    static const std::regex kCall(R"((\w+)\((\w+), (\w+)(, \w+)?\))");
    find_all(kCall, [this](const std::smatch& match) {
      const std::string name = match[1].str();
      // Where the order of the first two says nothing.
      if (name == "min" || name == "max" || match[2] == match[3]) return;
      const auto at = static_cast<std::size_t>(match.position(2));
      if (name == "fma") {
        const std::string rest = match[4].str().substr(2);
        add("arguments", static_cast<std::size_t>(match.position(3)), match[3].str() + ", " + rest,
            rest + ", " + match[3].str());
        return;
      }
      add("arguments", at, match[2].str() + ", " + match[3].str(),
          match[3].str() + ", " + match[2].str());
    });
  }

  void find_statements() {
    const std::size_t end = line_.find(';');
    const std::string_view text = trimmed(line_);
    if (end == std::string::npos || text.starts_with("for ")) return;
    const auto begin = static_cast<std::size_t>(text.data() - line_.data());
    const std::string_view statement = std::string_view(line_).substr(begin, end + 1 - begin);
    if (is_declaration(statement)) return;
    const bool is_assignment = statement.find(" = ") != std::string_view::npos ||
                               statement.find("= ") != std::string_view::npos;
    const bool is_guard = statement.starts_with("if ") || statement == "continue;";
    const bool is_call = statement.ends_with(");") && !statement.starts_with("if ");
    if (!is_assignment && !is_guard && !is_call) return;
    add(statement.starts_with("barrier") ? "barrier" : "statement", begin, statement, ";");
  }

  std::string line_;
  std::size_t number_;
  std::size_t offset_;
  std::vector<Mutation>& out_;
};

}  // namespace

std::vector<Mutation> find_mutations(std::string_view source) {
  std::vector<Mutation> mutations;
  std::size_t number = 1;
  bool is_block = false;  // of a layout or a push constant
  for (std::size_t begin = 0; begin < source.size(); ++number) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    std::string line(source.substr(begin, end - begin));
    if (trimmed(line).starts_with("layout(push_constant)")) is_block = true;
    const bool is_mutable = !is_block && !is_left_alone(line);
    if (is_block && trimmed(line).starts_with("}")) is_block = false;
    if (const std::size_t comment = line.find("//"); comment != std::string::npos) {
      line.resize(comment);
    }
    if (is_mutable) LineMutator(std::move(line), number, begin, mutations).run();
    begin = end + 1;
  }
  return mutations;
}

std::string mutated(std::string_view source, const Mutation& mutation) {
  std::string text(source);
  text.replace(mutation.offset, mutation.before.size(), mutation.after);
  return text;
}

}  // namespace halyard::adversarial
