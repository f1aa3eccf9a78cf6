// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/canonical_json.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace halyard::base {
namespace {

namespace json = boost::json;

std::string_view view_of(const json::key_value_pair& member) {
  return {member.key().data(), member.key().size()};
}

// Orders UTF-8 bytes as their UTF-16 code units: characters beyond the basic plane (lead bytes from
// 0xf0) are surrogates there, below U+E000 (lead bytes 0xee and 0xef).
unsigned utf16_rank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0xee || byte == 0xef ? byte + 0x10U : byte;
}

bool before_in_utf16(std::string_view left, std::string_view right) {
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                      [](char a, char b) { return utf16_rank(a) < utf16_rank(b); });
}

// A character that has no short escape.
void append_character(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20) {
    out.push_back(c);
    return;
  }
  out += "\\u00";
  out.push_back(kDigits[byte >> 4]);
  out.push_back(kDigits[byte & 15]);
}

void append_string(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        append_character(out, c);
    }
  }
  out.push_back('"');
}

// ECMA-262, Number::toString: the shortest digits, placed by their decimal exponent.
void append_double(std::string& out, double value) {
  if (value == 0.0) {
    out.push_back('0');
    return;
  }
  std::array<char, 40> buffer;
  char* const limit = buffer.data() + buffer.size();
  const auto written =
      std::to_chars(buffer.data(), limit, std::fabs(value), std::chars_format::scientific);
  const std::string_view scientific(buffer.data(),
                                    static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t mark = scientific.find('e');
  std::string digits(1, scientific.front());
  if (mark > 2) digits.append(scientific.substr(2, mark - 2));
  int exponent = 0;
  const std::size_t sign_size = scientific[mark + 1] == '+' ? 1 : 0;
  std::from_chars(scientific.data() + mark + 1 + sign_size, written.ptr, exponent);

  const int point = exponent + 1;  // how many digits stand before the decimal point
  const int count = static_cast<int>(digits.size());
  if (value < 0) out.push_back('-');
  if (point > 21 || point <= -6) {
    out.push_back(digits[0]);
    if (count > 1) out.append(".").append(digits, 1);
    append_text(out, exponent < 0 ? "e-" : "e+");
    append_text(out, std::abs(exponent));
  } else if (point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else if (point >= count) {
    out.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else {
    out.append(digits, 0, static_cast<std::size_t>(point)).append(".");
    out.append(digits, static_cast<std::size_t>(point));
  }
}

enum class Layout { kCanonical, kPretty, kLine };

// Writes values in one of the layouts.
class JsonWriter {
 public:
  JsonWriter(std::string& out, Layout layout) : out_(out), layout_(layout) {}

  void write(const json::value& value) {
    switch (value.kind()) {
      case json::kind::null:
        out_ += "null";
        break;
      case json::kind::bool_:
        append_text(out_, value.get_bool());
        break;
      case json::kind::int64:
        append_text(out_, value.get_int64());
        break;
      case json::kind::uint64:
        append_text(out_, value.get_uint64());
        break;
      case json::kind::double_:
        append_double(out_, value.get_double());
        break;
      case json::kind::string: {
        const json::string& text = value.get_string();
        append_string(out_, {text.data(), text.size()});
        break;
      }
      case json::kind::array:
        write_array(value.get_array());
        break;
      case json::kind::object:
        write_object(value.get_object());
        break;
    }
  }

 private:
  void write_array(const json::array& array) {
    open('[');
    bool first = true;
    for (const json::value& element : array) {
      separate(first);
      write(element);
    }
    close(']', first);
  }

  void write_object(const json::object& object) {
    std::vector<const json::key_value_pair*> members;
    members.reserve(object.size());
    for (const json::key_value_pair& member : object)
      members.push_back(&member);
    if (layout_ == Layout::kCanonical) {
      std::sort(members.begin(), members.end(), [](const auto* left, const auto* right) {
        return before_in_utf16(view_of(*left), view_of(*right));
      });
    }
    open('{');
    bool first = true;
    for (const json::key_value_pair* const member : members) {
      separate(first);
      append_string(out_, view_of(*member));
      out_ += layout_ == Layout::kCanonical ? ":" : ": ";
      write(member->value());
    }
    close('}', first);
  }

  void open(char bracket) {
    out_.push_back(bracket);
    ++depth_;
  }

  void separate(bool& first) {
    if (!first) out_ += layout_ == Layout::kLine ? ", " : ",";
    first = false;
    break_line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) break_line();
    out_.push_back(bracket);
  }

  void break_line() {
    if (layout_ == Layout::kPretty) out_.append("\n").append(2 * depth_, ' ');
  }

  std::string& out_;
  Layout layout_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string canonical_json(const json::value& value) {
  std::string out;
  JsonWriter(out, Layout::kCanonical).write(value);
  return out;
}

std::string pretty_json(const json::value& value) {
  std::string out;
  JsonWriter(out, Layout::kPretty).write(value);
  out.push_back('\n');
  return out;
}

std::string line_json(const json::value& value) {
  std::string out;
  JsonWriter(out, Layout::kLine).write(value);
  return out;
}

}  // namespace halyard::base
