// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/xml_text.h"

#include "capability-descriptors/isa/utf8.h"
#include "runtime/base/control_character.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <vector>

namespace halyard::isa {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Status;

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

enum class PieceKind : std::uint8_t {
  kStart,
  kEmpty,  // start and end in one
  kEnd,
  kData,  // a CDATA section
  kInstruction,
  kComment,
  kDeclaration,  // "<!DOCTYPE" and everything else that starts like it
  kBroken,
  kNone,  // no more of them
};

// One "<…>" of a document.
struct Piece {
  PieceKind kind = PieceKind::kNone;
  std::string_view name;  // of an element
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t attributes = 0;
};

Piece piece_until(PieceKind kind, std::string_view text, std::size_t begin,
                  std::string_view terminator, std::size_t opening) {
  const std::size_t found = text.find(terminator, begin + opening);
  if (found == std::string_view::npos) return {PieceKind::kBroken, {}, begin, text.size(), 0};
  return {kind, {}, begin, found + terminator.size(), 0};
}

// A start tag: the first ">" that is in no quotes ends it.
Piece start_tag(std::string_view text, std::size_t begin) {
  Piece piece = {PieceKind::kStart, {}, begin, text.size(), 0};
  const std::size_t name_end = std::min(text.find_first_of(" \t\r\n/>", begin + 1), text.size());
  piece.name = text.substr(begin + 1, name_end - begin - 1);
  if (piece.name.empty() || piece.name.find('<') != std::string_view::npos) {
    piece.kind = PieceKind::kBroken;
    return piece;
  }
  for (std::size_t at = name_end; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = text.find(c, at + 1);
      if (at == std::string_view::npos) break;
      ++piece.attributes;
    } else if (c == '>') {
      if (text[at - 1] == '/') piece.kind = PieceKind::kEmpty;
      piece.end = at + 1;
      return piece;
    } else if (c == '<') {
      break;
    }
  }
  piece.kind = PieceKind::kBroken;
  return piece;
}

Piece end_tag(std::string_view text, std::size_t begin) {
  Piece piece = piece_until(PieceKind::kEnd, text, begin, ">", 2);
  if (piece.kind == PieceKind::kBroken) return piece;
  piece.name = text.substr(begin + 2, piece.end - begin - 3);
  const std::size_t last = piece.name.find_last_not_of(kSpaces);
  piece.name = piece.name.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return piece;
}

Piece next_piece(std::string_view text, std::size_t from) {
  const std::size_t begin = text.find('<', from);
  if (begin == std::string_view::npos) return {PieceKind::kNone, {}, text.size(), text.size(), 0};
  const std::string_view rest = text.substr(begin);
  if (rest.starts_with("</")) return end_tag(text, begin);
  if (rest.starts_with("<!--")) return piece_until(PieceKind::kComment, text, begin, "-->", 4);
  if (rest.starts_with("<![CDATA[")) return piece_until(PieceKind::kData, text, begin, "]]>", 9);
  if (rest.starts_with("<!")) return {PieceKind::kDeclaration, {}, begin, text.size(), 0};
  if (rest.starts_with("<?")) return piece_until(PieceKind::kInstruction, text, begin, "?>", 2);
  return start_tag(text, begin);
}

// "<?xml version="1.0" encoding="UTF-8"?>" may name another encoding than the text has.
bool names_other_encoding(std::string_view declaration) {
  if (!declaration.starts_with("<?xml")) return false;
  const std::size_t name = declaration.find("encoding");
  const std::size_t open = declaration.find_first_of("\"'", name);
  if (name == std::string_view::npos || open == std::string_view::npos) return false;
  const std::size_t close = declaration.find(declaration[open], open + 1);
  if (close == std::string_view::npos) return true;
  std::string encoding(declaration.substr(open + 1, close - open - 1));
  for (char& c : encoding)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return encoding != "utf-8" && encoding != "us-ascii";
}

// Whether "&#27;" or "&#x1b;" at the start of `text` stands for a character that XML 1.0 does not
// allow, or for one of C1.
bool is_control_reference(std::string_view text) {
  if (!text.starts_with("&#")) return false;
  text.remove_prefix(2);
  const bool is_hexadecimal = text.starts_with('x');
  if (is_hexadecimal) text.remove_prefix(1);
  std::uint32_t code = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), code, is_hexadecimal ? 16 : 10);
  if (read.ec != std::errc()) return false;
  return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') ||
         (code >= 0x7f && code < 0xa0);
}

// Tab and the ends of lines are none here.
std::optional<std::size_t> first_control_character(std::string_view text) {
  std::size_t at = base::find_control_character(text);
  while (at < text.size() && kSpaces.find(text[at]) != std::string_view::npos)
    at = base::find_control_character(text, at + 1);
  if (at < text.size()) return at;
  for (at = text.find("&#"); at != std::string_view::npos; at = text.find("&#", at + 2)) {
    if (is_control_reference(text.substr(at))) return at;
  }
  return std::nullopt;
}

class XmlCheck {
 public:
  XmlCheck(std::string_view text, std::string_view source_name, const XmlLimits& limits)
      : text_(text),
        source_name_(source_name),
        limits_(limits) {}

  Status run() {
    if (const auto at = first_control_character(text_))
      return error(*at, concat("holds a control character at byte ", *at));
    std::size_t from = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (true) {
      const Piece piece = next_piece(text_, from);
      HALYARD_TRY(check_between(from, piece.begin));
      if (piece.kind == PieceKind::kNone) break;
      HALYARD_TRY(take(piece));
      from = piece.end;
    }
    if (!open_.empty()) {
      return error(text_.size(),
                   concat("is not closed where the text ends, at byte ", text_.size()));
    }
    if (!has_root_) return error(0, "has no element");
    return base::ok();
  }

 private:
  Error error(std::size_t offset, std::string_view what) const {
    return Error(ErrorCode::kCorruptData,
                 concat(source_name_, ": ", xml_path_at(text_, offset), ' ', what, '.'));
  }

  Status check_between(std::size_t from, std::size_t end) const {
    if (end - from > limits_.text_bytes) {
      return error(
          from, concat("has a text of ", end - from, " bytes; the most is ", limits_.text_bytes));
    }
    if (open_.empty() &&
        text_.substr(from, end - from).find_first_not_of(kSpaces) != std::string_view::npos)
      return error(from, concat("has text outside the root element, at byte ", from));
    return base::ok();
  }

  Status take(const Piece& piece) {
    switch (piece.kind) {
      case PieceKind::kStart:
      case PieceKind::kEmpty:
        return enter(piece);
      case PieceKind::kEnd:
        return leave(piece);
      case PieceKind::kData:
        return check_between(piece.begin, piece.end);
      case PieceKind::kInstruction:
        if (names_other_encoding(text_.substr(piece.begin, piece.end - piece.begin)))
          return error(piece.begin, "declares an encoding other than UTF-8");
        return base::ok();
      case PieceKind::kDeclaration:
        return error(piece.begin, concat("has a document type or another declaration at byte ",
                                         piece.begin, ", which is refused"));
      case PieceKind::kBroken:
        return error(piece.begin,
                     concat("has a tag at byte ", piece.begin, " that does not end properly"));
      default:
        return base::ok();
    }
  }

  Status enter(const Piece& piece) {
    if (open_.empty() && has_root_)
      return error(piece.begin, concat("has a second root element, ", piece.name));
    has_root_ = true;
    attributes_ += piece.attributes;
    if (++elements_ > limits_.elements)
      return error(piece.begin, concat("holds more than ", limits_.elements, " elements"));
    if (attributes_ > limits_.attributes)
      return error(piece.begin, concat("holds more than ", limits_.attributes, " attributes"));
    if (open_.size() == limits_.depth)
      return error(piece.begin, concat("nests elements more than ", limits_.depth, " deep"));
    if (piece.kind == PieceKind::kStart) open_.push_back(piece.name);
    return base::ok();
  }

  Status leave(const Piece& piece) {
    if (open_.empty() || open_.back() != piece.name) {
      return error(piece.begin, concat("is open where </", piece.name.substr(0, 64),
                                       "> stands, at byte ", piece.begin));
    }
    open_.pop_back();
    return base::ok();
  }

  std::string_view text_;
  std::string_view source_name_;
  XmlLimits limits_;
  std::vector<std::string_view> open_;
  std::size_t elements_ = 0;
  std::size_t attributes_ = 0;
  bool has_root_ = false;
};

// An element that is open, and how often each name has stood below it.
struct OpenElement {
  std::string_view name;
  std::size_t number = 1;
  std::map<std::string_view, std::size_t> children;
};

constexpr std::size_t kShownLevels = 6;  // of each end of a long path
constexpr std::size_t kShownName = 64;

std::string path_text(const std::vector<OpenElement>& open) {
  std::string path;
  for (std::size_t level = 1; level < open.size(); ++level) {
    if (level == kShownLevels + 1 && open.size() > 2 * kShownLevels + 1) {
      path += "/…";
      level = open.size() - kShownLevels;
    }
    path += concat('/', open[level].name.substr(0, kShownName));
    if (open[level].number > 1) path += concat('[', open[level].number, ']');
  }
  return path.empty() ? "/" : path;
}

}  // namespace

std::string xml_path_at(std::string_view text, std::size_t offset) {
  std::vector<OpenElement> open(1);  // the first one stands for the document
  std::size_t from = 0;
  while (true) {
    const Piece piece = next_piece(text, from);
    if (piece.kind == PieceKind::kNone || piece.kind == PieceKind::kBroken) break;
    if (piece.begin >= offset || piece.kind == PieceKind::kDeclaration) break;
    if (piece.kind == PieceKind::kStart || piece.kind == PieceKind::kEmpty) {
      const std::size_t number = ++open.back().children[piece.name];
      if (piece.kind == PieceKind::kStart) open.push_back({piece.name, number, {}});
    } else if (piece.kind == PieceKind::kEnd && open.size() > 1) {
      open.pop_back();
    }
    from = piece.end;
  }
  return path_text(open);
}

Status check_xml_text(std::string_view text, std::string_view source_name,
                      const XmlLimits& limits) {
  const auto refuse = [&](std::string_view what) {
    return Error(ErrorCode::kCorruptData, concat(source_name, ": ", what, '.'));
  };
  if (text.size() > limits.size_bytes) {
    return refuse(
        concat("The document has ", text.size(), " bytes; the most is ", limits.size_bytes));
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
      text.substr(0, 4).find('\0') != std::string_view::npos)
    return refuse("The document is UTF-16 or UTF-32, not UTF-8");
  if (const auto offset = first_invalid_utf8(text)) {
    return refuse(
        concat("The document is not UTF-8 at byte ", *offset, ", in ", xml_path_at(text, *offset)));
  }
  return XmlCheck(text, source_name, limits).run();
}

}  // namespace halyard::isa
