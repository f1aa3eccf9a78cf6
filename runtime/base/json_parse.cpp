// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <functional>
#include <unordered_set>
#include <utility>

namespace halyard::base {
namespace {

namespace json = boost::json;

// Builds the value from the parser's events, and refuses what the grammar allows but we do not.
class DocumentBuilder {
 public:
  // NOLINTBEGIN(readability-identifier-naming): names that the parser asks for.
  static constexpr std::size_t max_object_size = std::size_t(-1);
  static constexpr std::size_t max_array_size = std::size_t(-1);
  static constexpr std::size_t max_key_size = std::size_t(-1);
  static constexpr std::size_t max_string_size = std::size_t(-1);
  // NOLINTEND(readability-identifier-naming)

  explicit DocumentBuilder(std::string_view text) : text_(text) { stack_.reset(); }

  json::value release() { return stack_.release(); }
  // What this refused, empty when it refused nothing, and the place, where it is known.
  const std::string& refusal() const { return refusal_; }
  std::optional<std::size_t> refusal_offset() const { return refusal_offset_; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return true; }
  bool on_array_end(std::size_t count, json::error_code&) {
    stack_.push_array(count);
    return true;
  }
  bool on_object_begin(json::error_code&) {
    keys_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t count, json::error_code&) {
    keys_.pop_back();
    stack_.push_object(count);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_string(part);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    key_.append(part.data(), part.size());
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code& code) {
    const bool whole = key_.empty();
    key_.append(part.data(), part.size());
    stack_.push_key(part);
    const auto [place, is_new] = keys_.back().insert(std::exchange(key_, {}));
    if (is_new) return true;
    refuse(concat("the key \"", *place, "\" stands twice in one object"), code);
    // The key's own quote stands one byte before its text.
    if (const auto offset = offset_of(part); whole && offset) refusal_offset_ = *offset - 1;
    return false;
  }
  bool on_number_part(json::string_view part, json::error_code&) {
    number_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t value, json::string_view, json::error_code&) {
    number_.clear();
    stack_.push_int64(value);
    return true;
  }
  bool on_uint64(std::uint64_t value, json::string_view, json::error_code&) {
    number_.clear();
    stack_.push_uint64(value);
    return true;
  }
  bool on_double(double approximation, json::string_view part, json::error_code& code) {
    number_.append(part.data(), part.size());
    const std::string literal = std::exchange(number_, {});
    if (literal.find_first_of(".eE") == std::string::npos) {
      refuse(concat("the integer ", shortened(literal), " does not fit 64 bits"), code);
    } else {
      // The parser's own conversion may be off by a rounding.
      double value = approximation;
      std::from_chars(literal.data(), literal.data() + literal.size(), value);
      if (std::isfinite(value)) {
        stack_.push_double(value);
        return true;
      }
      refuse(concat("the number ", shortened(literal), " is too large for a double"), code);
    }
    refusal_offset_ = offset_of(part);
    return false;
  }
  bool on_bool(bool value, json::error_code&) {
    stack_.push_bool(value);
    return true;
  }
  bool on_null(json::error_code&) {
    stack_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  static std::string shortened(const std::string& literal) {
    constexpr std::size_t kShown = 40;
    return literal.size() <= kShown ? literal
                                    : concat(std::string_view(literal).substr(0, kShown), "…");
  }

  void refuse(std::string what, json::error_code& code) {
    refusal_ = std::move(what);
    code = json::error::input_error;
  }

  std::optional<std::size_t> offset_of(json::string_view part) const {
    const std::less<const char*> before;
    const char* const end = text_.data() + text_.size();
    if (before(part.data(), text_.data()) || before(end, part.data())) return std::nullopt;
    return static_cast<std::size_t>(part.data() - text_.data());
  }

  std::string_view text_;
  json::value_stack stack_;
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
  std::string number_;
  std::string refusal_;
  std::optional<std::size_t> refusal_offset_;
};

std::string syntax_sentence(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the document ends too early";
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte >= 0x80) return "the text is not valid UTF-8, or stands outside a string";
  if (byte >= 0x20 && byte != 0x7f)
    return concat("the character '", text[offset], "' is out of place");
  constexpr std::string_view kDigits = "0123456789abcdef";
  return concat("the byte 0x", kDigits[byte >> 4], kDigits[byte & 15], " is out of place");
}

std::string sentence_of(const json::error_code& code, std::string_view text, std::size_t offset,
                        const JsonLimits& limits) {
  if (code == json::error::too_deep) return concat("the nesting is deeper than ", limits.depth);
  if (code == json::error::incomplete) return "the document ends too early";
  if (code == json::error::exponent_overflow) return "the exponent of a number is too large";
  if (code == json::error::illegal_leading_surrogate ||
      code == json::error::illegal_trailing_surrogate ||
      code == json::error::expected_utf16_escape) {
    return "an escaped surrogate has no partner";
  }
  if (code == json::error::expected_hex_digit) return "an escape has no four hexadecimal digits";
  return syntax_sentence(text, offset);
}

Error error_at(std::string_view source_name, std::string_view text, std::size_t offset,
               std::string_view sentence) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return Error(
      ErrorCode::kCorruptData,
      concat(source_name, ':', line, ':', before.size() - line_start + 1, ": ", sentence, '.'));
}

}  // namespace

Result<json::value> parse_json(std::string_view text, std::string_view source_name,
                               const JsonLimits& limits) {
  if (text.size() > limits.size_bytes) {
    return Error(ErrorCode::kCorruptData, concat(source_name, ": the document has ", text.size(),
                                                 " bytes, more than ", limits.size_bytes, "."));
  }
  if (text.starts_with("\xef\xbb\xbf")) {
    return error_at(source_name, text, 0, "a byte order mark stands before the document");
  }
  json::parse_options options;
  options.max_depth = limits.depth;
  json::basic_parser<DocumentBuilder> parser(options, text);
  json::error_code code;
  const std::size_t consumed = parser.write_some(false, text.data(), text.size(), code);
  if (code) {
    const DocumentBuilder& builder = parser.handler();
    if (builder.refusal().empty()) {
      return error_at(source_name, text, consumed, sentence_of(code, text, consumed, limits));
    }
    return error_at(source_name, text, builder.refusal_offset().value_or(consumed),
                    builder.refusal());
  }
  if (consumed < text.size()) {
    return error_at(source_name, text, consumed, "more text follows the document");
  }
  return parser.handler().release();
}

}  // namespace halyard::base
