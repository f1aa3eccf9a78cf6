// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/ptx_reader.h"

#include "runtime/base/text.h"
#include "runtime/verification/conformance/finding_list.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace halyard::verification {
namespace {

using base::concat;

constexpr std::size_t kMostFaults = 16;

constexpr auto kDirectives = std::to_array<std::string_view>({
    ".version",
    ".target",
    ".address_size",
    ".visible",
    ".weak",
    ".extern",
    ".entry",
    ".func",
    ".param",
    ".reg",
    ".local",
    ".shared",
    ".const",
    ".global",
    ".align",
    ".ptr",
    ".file",
    ".loc",

    ".pragma",
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnctapersm",
    ".maxnreg",
    ".noreturn",
    ".branchtargets",
    ".explicitcluster",
    ".reqnctapercluster",
    ".maxclusterrank",
    ".b8",
    ".b16",
    ".b32",
    ".b64",
    ".b128",
    ".u8",
    ".u16",
    ".u32",
    ".u64",
    ".s8",
    ".s16",
    ".s32",
    ".s64",
    ".f16",
    ".f16x2",
    ".bf16",
    ".bf16x2",
    ".f32",
    ".f64",
    ".pred",
    ".v2",
    ".v4",
});

struct Token {
  std::string_view text;
  std::size_t line = 0;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

std::uint64_t bytes_of_type(std::string_view type) {
  std::uint64_t bits = 0;
  const std::size_t digit = type.find_first_of("0123456789");
  if (digit == std::string_view::npos) return 0;
  std::from_chars(type.data() + digit, type.data() + type.size(), bits);
  if (type.ends_with("x2")) bits *= 2;
  return bits / 8;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

class PtxReader {
 public:
  explicit PtxReader(std::string_view text) : text_(text) {}

  PtxModule read() {
    Token token;
    while (next(token))
      take(token);
    if (depth_ != 0) fault("ends within braces");
    return std::move(module_);
  }

 private:
  // The next token: a word, a text in quotes, or one other character.
  bool next(Token& out);
  void skip_blanks();
  void take(const Token& token);
  void take_directive(const Token& token);
  void take_entry(std::size_t line);
  void take_function();
  void take_variable(const Token& space, bool is_extern);
  void take_call(const Token& token);
  std::array<std::uint64_t, 3> take_dimensions();
  std::vector<std::uint64_t> take_parameters();
  bool peek_is(char c) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == c;
  }
  void skip_list() {
    Token token;
    while (next(token) && token.text != ")") {
    }
  }
  void fault(std::string what) {
    if (module_.faults.size() < kMostFaults) module_.faults.push_back(std::move(what));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t depth_ = 0;
  bool is_extern_ = false;
  PtxModule module_;
};

void PtxReader::skip_blanks() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_, 2);
    if (rest == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest == "/*") {
      const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size());
      line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(end),
                                                   '\n'));
      at_ = std::min(end + 2, text_.size());
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n') {
      line_ += rest[0] == '\n' ? 1 : 0;
      ++at_;
    } else {
      return;
    }
  }
}

bool PtxReader::next(Token& out) {
  skip_blanks();
  if (at_ >= text_.size()) return false;
  std::size_t end = at_ + 1;
  if (text_[at_] == '"') {
    end = std::min(text_.find('"', end), text_.size() - 1) + 1;
  } else if (is_word(text_[at_])) {
    while (end < text_.size() && is_word(text_[end]))
      ++end;
  }
  out = {text_.substr(at_, end - at_), line_};
  at_ = end;
  return true;
}

void PtxReader::take(const Token& token) {
  if (token.text == "{") {
    ++depth_;
  } else if (token.text == "}") {
    if (depth_ == 0)
      return fault(concat("has a brace in line ", token.line, " that closes nothing"));
    --depth_;
  } else if (token.text.front() == '.') {
    take_directive(token);
  } else if (depth_ > 0) {
    const std::string_view opcode = token.text.substr(0, token.text.find('.'));
    if (opcode == "trap" || opcode == "brkpt") {
      fault(concat("has ", opcode, " in line ", token.line, ", which no kernel may do"));
    } else if (opcode == "call") {
      take_call(token);
    }
  }
}

void PtxReader::take_directive(const Token& token) {
  const std::string_view name = token.text;
  if (std::find(kDirectives.begin(), kDirectives.end(), name) == kDirectives.end()) {
    return fault(concat("has the directive ", printable(name), " in line ", token.line,
                        ", which no kernel needs"));
  }
  Token value;
  if (name == ".version" && next(value)) {
    if (!module_.version.empty()) fault(concat("has a second .version in line ", token.line));
    module_.version = value.text;
  } else if (name == ".target" && next(value)) {
    module_.targets.push_back(value.text);
    while (peek_is(',') && next(value) && next(value))
      module_.targets.push_back(value.text);
  } else if (name == ".address_size" && next(value)) {
    module_.address_size = value.text;
  } else if (name == ".extern") {
    is_extern_ = true;
    return;
  } else if (name == ".entry") {
    take_entry(token.line);
  } else if (name == ".func") {
    take_function();
  } else if (name == ".shared" || name == ".global" || name == ".const") {
    take_variable(token, is_extern_);
  } else if (name == ".maxntid" || name == ".reqntid") {
    const auto dimensions = take_dimensions();
    if (module_.entries.empty()) return;
    (name == ".maxntid" ? module_.entries.back().largest_block
                        : module_.entries.back().required_block) = dimensions;
  }
  is_extern_ = false;
}

std::array<std::uint64_t, 3> PtxReader::take_dimensions() {
  std::array<std::uint64_t, 3> out{1, 1, 1};
  Token token;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!next(token)) break;
    out[d] = number(token.text);
    if (!peek_is(',')) break;
    next(token);
  }
  return out;
}

// From the opening parenthesis on, which may be missing.
std::vector<std::uint64_t> PtxReader::take_parameters() {
  std::vector<std::uint64_t> out;
  if (!peek_is('(')) return out;
  Token token;
  std::string_view last;
  while (next(token) && token.text != ")") {
    if (token.text == ".param") {
      out.push_back(0);
    } else if (token.text == ".align" || token.text == ".ptr") {
      // The alignment is a number of its own.
    } else if (!out.empty() && token.text.front() == '.' && out.back() == 0) {
      out.back() = bytes_of_type(token.text);
    } else if (!out.empty() && last == "[") {
      std::uint64_t bytes = 0;
      out.back() = __builtin_mul_overflow(out.back(), number(token.text), &bytes) ? 0 : bytes;
    }
    last = token.text;
  }
  return out;
}

void PtxReader::take_entry(std::size_t line) {
  Token name;
  if (!next(name)) return;
  if (is_extern_) fault(concat("has an entry in line ", line, " that is defined elsewhere"));
  PtxEntry entry;
  entry.name = name.text;
  entry.parameter_bytes = take_parameters();
  module_.entries.push_back(std::move(entry));
  if (peek_is(';')) fault(concat("has entry \"", printable(name.text), "\" without code"));
}

void PtxReader::take_function() {
  if (peek_is('(')) skip_list();
  Token name;
  if (!next(name)) return;
  if (peek_is('(')) skip_list();
  Token token;
  // Attributes may stand between the parameters and the body.
  while (next(token) && token.text != ";" && token.text != "{") {
  }
  if (token.text == "{" && !is_extern_) {
    ++depth_;
    module_.functions.push_back(name.text);
  } else if (is_extern_) {
    fault(concat("takes the function \"", printable(name.text), "\" from elsewhere (.extern)"));
  }
}

void PtxReader::take_variable(const Token& space, bool is_extern) {
  std::uint64_t bytes = 0;
  bool is_initialised = false;
  std::string_view name;
  std::string_view last;
  Token token;
  while (next(token) && token.text != ";") {
    if (token.text == "=") is_initialised = true;
    if (is_initialised) continue;
    if (token.text.front() == '.') {
      if (const std::uint64_t size = bytes_of_type(token.text); size != 0) bytes = size;
    } else if (last == "[" && token.text != "]") {
      if (__builtin_mul_overflow(bytes, number(token.text), &bytes)) bytes = ~std::uint64_t{0} >> 1;
    } else if (is_word(token.text.front()) && last != ".align") {
      name = token.text;
    }
    last = token.text;
  }
  const std::string shown = printable(name);
  if (space.text == ".shared") {
    if (!is_extern && __builtin_add_overflow(module_.shared_bytes, bytes, &module_.shared_bytes)) {
      module_.shared_bytes = ~std::uint64_t{0};
    }
  } else if (is_extern) {
    fault(concat("takes the variable \"", shown, "\" from elsewhere (.extern ", space.text, ")"));
  } else if (space.text == ".global" && !is_initialised) {
    fault(concat("has ", bytes, " bytes of writable data that outlive a launch (\"", shown,
                 "\" in line ", space.line, ")"));
  }
}

void PtxReader::take_call(const Token& token) {
  Token callee;
  if (peek_is('(')) {
    skip_list();
    if (peek_is(',')) next(callee);
  }
  if (next(callee)) module_.calls.push_back({callee.text, token.line});
}

}  // namespace

PtxModule read_ptx(std::string_view text) {
  return PtxReader(text).read();
}

}  // namespace halyard::verification
