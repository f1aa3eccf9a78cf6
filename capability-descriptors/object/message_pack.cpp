// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/message_pack.h"

#include "runtime/base/text.h"

#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <cstdint>
#include <utility>

namespace halyard::object {
namespace {

namespace json = boost::json;

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr unsigned kMaxDepth = 32;

class MessagePackReader {
 public:
  MessagePackReader(std::string_view bytes, std::string_view source_name)
      : bytes_(bytes),
        source_name_(source_name) {}

  Result<json::value> read_whole() {
    HALYARD_TRY_ASSIGN(json::value value, read_value(0));
    if (offset_ != bytes_.size()) {
      return corrupt(concat("ends at offset ", offset_, " of ", bytes_.size(), "."));
    }
    return value;
  }

 private:
  Result<json::value> read_value(unsigned depth);
  Result<json::value> read_array(std::uint64_t count, unsigned depth);
  Result<json::value> read_map(std::uint64_t count, unsigned depth);
  Result<json::value> read_text(std::uint64_t size_bytes);
  Result<json::value> read_sized(std::uint8_t kind, unsigned depth);

  Error corrupt(std::string_view what) const {
    return {ErrorCode::kCorruptData, concat(source_name_, ": The MessagePack data ", what)};
  }

  Result<std::string_view> take(std::uint64_t size_bytes) {
    if (size_bytes > bytes_.size() - offset_) {
      return corrupt(
          concat("needs ", size_bytes, " bytes at offset ", offset_, " of ", bytes_.size(), "."));
    }
    const std::string_view part = bytes_.substr(offset_, size_bytes);
    offset_ += size_bytes;
    return part;
  }

  // A big-endian number of 1, 2, 4 or 8 bytes.
  Result<std::uint64_t> take_number(unsigned size_bytes) {
    HALYARD_TRY_ASSIGN(const std::string_view part, take(size_bytes));
    std::uint64_t value = 0;
    for (const char byte : part)
      value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
  }

  std::string_view bytes_;
  std::string_view source_name_;
  std::size_t offset_ = 0;
};

Result<json::value> MessagePackReader::read_value(unsigned depth) {
  if (depth > kMaxDepth) {
    return corrupt(concat("nests deeper than ", kMaxDepth, " at offset ", offset_, "."));
  }
  HALYARD_TRY_ASSIGN(const std::uint64_t first, take_number(1));
  const auto kind = static_cast<std::uint8_t>(first);
  if (kind < 0x80) return json::value(std::uint64_t{kind});
  if (kind >= 0xe0) return json::value(std::int64_t{static_cast<std::int8_t>(kind)});
  if (kind < 0x90) return read_map(kind & 0xf, depth);
  if (kind < 0xa0) return read_array(kind & 0xf, depth);
  if (kind < 0xc0) return read_text(kind & 0x1f);
  return read_sized(kind, depth);
}

Result<json::value> MessagePackReader::read_sized(std::uint8_t kind, unsigned depth) {
  const auto size_from = [&](std::uint8_t smallest) { return 1U << (kind - smallest); };
  if (kind == 0xc0) return json::value(nullptr);
  if (kind == 0xc2 || kind == 0xc3) return json::value(kind == 0xc3);
  if (kind == 0xca) {
    HALYARD_TRY_ASSIGN(const std::uint64_t bits, take_number(4));
    return json::value(double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
  }
  if (kind == 0xcb) {
    HALYARD_TRY_ASSIGN(const std::uint64_t bits, take_number(8));
    return json::value(std::bit_cast<double>(bits));
  }
  if (kind >= 0xcc && kind <= 0xcf) {
    HALYARD_TRY_ASSIGN(const std::uint64_t value, take_number(size_from(0xcc)));
    return json::value(value);
  }
  if (kind >= 0xd0 && kind <= 0xd3) {
    const unsigned size_bytes = size_from(0xd0);
    HALYARD_TRY_ASSIGN(const std::uint64_t value, take_number(size_bytes));
    const unsigned unused_bits = 64 - 8 * size_bytes;
    return json::value(static_cast<std::int64_t>(value << unused_bits) >> unused_bits);
  }
  if (kind >= 0xd9 && kind <= 0xdb) {
    HALYARD_TRY_ASSIGN(const std::uint64_t size_bytes, take_number(size_from(0xd9)));
    return read_text(size_bytes);
  }
  if (kind == 0xdc || kind == 0xdd) {
    HALYARD_TRY_ASSIGN(const std::uint64_t count, take_number(2 * size_from(0xdc)));
    return read_array(count, depth);
  }
  if (kind == 0xde || kind == 0xdf) {
    HALYARD_TRY_ASSIGN(const std::uint64_t count, take_number(2 * size_from(0xde)));
    return read_map(count, depth);
  }
  return corrupt(concat("has a value of kind ", kind, " at offset ", offset_ - 1,
                        ", which is neither number, text, array nor map."));
}

Result<json::value> MessagePackReader::read_text(std::uint64_t size_bytes) {
  HALYARD_TRY_ASSIGN(const std::string_view text, take(size_bytes));
  return json::value(json::string(text));
}

// A count may be any number; each element takes a byte at least, so reading ends with the bytes.
Result<json::value> MessagePackReader::read_array(std::uint64_t count, unsigned depth) {
  json::array array;
  for (std::uint64_t i = 0; i < count; ++i) {
    HALYARD_TRY_ASSIGN(json::value value, read_value(depth + 1));
    array.push_back(std::move(value));
  }
  return json::value(std::move(array));
}

Result<json::value> MessagePackReader::read_map(std::uint64_t count, unsigned depth) {
  json::object map;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t key_offset = offset_;
    HALYARD_TRY_ASSIGN(const json::value key, read_value(depth + 1));
    if (!key.is_string()) {
      return corrupt(concat("has a key at offset ", key_offset, " that is no text."));
    }
    HALYARD_TRY_ASSIGN(json::value value, read_value(depth + 1));
    if (!map.emplace(key.get_string(), std::move(value)).second) {
      return corrupt(concat("repeats the key at offset ", key_offset, "."));
    }
  }
  return json::value(std::move(map));
}

}  // namespace

Result<json::value> parse_message_pack(std::string_view bytes, std::string_view source_name) {
  return MessagePackReader(bytes, source_name).read_whole();
}

}  // namespace halyard::object
