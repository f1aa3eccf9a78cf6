// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/line_table.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>

namespace halyard::emulator {
namespace {

enum Form : std::uint64_t {
  kData2 = 0x05,
  kData4 = 0x06,
  kData8 = 0x07,
  kString = 0x08,
  kBlock = 0x09,
  kData1 = 0x0b,
  kStringOffset = 0x0e,
  kUnsigned = 0x0f,
  kData16 = 0x1e,
  kLineStringOffset = 0x1f,
};

enum StandardOpcode : std::uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvanceAddress = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kAddConstantAddress = 8,
  kFixedAdvanceAddress = 9,
};

enum ExtendedOpcode : std::uint8_t { kEndSequence = 1, kSetAddress = 2 };

constexpr std::uint64_t kPathContent = 1;

// Bytes from the start on; reading beyond the end gives zeros and is kept in mind.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  bool is_at_end() const { return bytes_.empty() || failed_; }
  bool failed() const { return failed_; }
  std::size_t size() const { return bytes_.size(); }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  template <typename T>
  T number() {
    T value = 0;
    const std::string_view bytes = take(sizeof(T));
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  std::uint64_t variable() {
    std::uint64_t value = 0;
    for (std::uint32_t shift = 0;; shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0 || failed_) return value;
    }
  }

  std::int64_t signed_variable() {
    std::uint64_t value = 0;
    std::uint32_t shift = 0;
    std::uint8_t byte = 0;
    do {
      byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fU} << shift;
      shift += 7;
    } while ((byte & 0x80) != 0 && !failed_);
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }

  std::string_view text() {
    const std::size_t end = bytes_.find('\0');
    if (end == std::string_view::npos) return take(bytes_.size() + 1);
    const std::string_view taken = take(end);
    take(1);
    return taken;
  }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

std::string_view text_at(std::string_view strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  return Bytes(strings.substr(offset)).text();
}

}  // namespace

class LineTableReader {
 public:
  LineTableReader(std::string_view line_strings, std::string_view strings)
      : line_strings_(line_strings),
        strings_(strings) {}

  // One unit after another.
  LineTable read(std::string_view lines) {
    Bytes bytes(lines);
    while (!bytes.is_at_end()) {
      const auto length = bytes.number<std::uint32_t>();
      // Larger ones are of the 64-bit format.
      constexpr std::uint32_t kLargest = 0xffffffef;
      if (length > kLargest) break;
      read_unit(Bytes(bytes.take(length)));
    }
    std::stable_sort(table_.rows_.begin(), table_.rows_.end(),
                     [](const LineTable::Row& left, const LineTable::Row& right) {
                       return left.address < right.address;
                     });
    return std::move(table_);
  }

 private:
  struct EntryFormat {
    std::uint64_t content = 0;
    std::uint64_t form = 0;
  };

  struct Program {
    std::uint8_t instruction_bytes = 1;
    std::int8_t line_base = 0;
    std::uint8_t line_range = 1;
    std::uint8_t opcode_base = 1;
    std::string_view operand_counts;  // of standard opcodes, from 1 on
    std::size_t first_file = 0;       // into files_
  };

  struct State {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::uint64_t line = 1;
  };

  void read_unit(Bytes unit);
  // False where an entry cannot be read.
  bool read_entries(Bytes& header, std::vector<std::string>* paths);
  bool read_value(Bytes& header, std::uint64_t form, std::string_view* text);
  void run(Bytes& code, const Program& program);
  void run_extended(Bytes& code, const Program& program, State& state);
  void run_standard(std::uint8_t opcode, Bytes& code, const Program& program, State& state);
  void add_row(const Program& program, const State& state, bool is_end);

  std::string_view line_strings_;
  std::string_view strings_;
  LineTable table_;
};

bool LineTableReader::read_value(Bytes& header, std::uint64_t form, std::string_view* text) {
  switch (form) {
    case kString:
      *text = header.text();
      return true;
    case kLineStringOffset:
      *text = text_at(line_strings_, header.number<std::uint32_t>());
      return true;
    case kStringOffset:
      *text = text_at(strings_, header.number<std::uint32_t>());
      return true;
    case kUnsigned:
      header.variable();
      return true;
    case kBlock:
      header.take(header.variable());
      return true;
    case kData1:
    case kData2:
    case kData4:
    case kData8:
    case kData16:
      header.take(form == kData1   ? 1
                  : form == kData2 ? 2
                  : form == kData4 ? 4
                  : form == kData8 ? 8
                                   : 16);
      return true;
    default:
      return false;
  }
}

bool LineTableReader::read_entries(Bytes& header, std::vector<std::string>* paths) {
  std::vector<EntryFormat> formats(header.number<std::uint8_t>());
  for (EntryFormat& format : formats) {
    format.content = header.variable();
    format.form = header.variable();
  }
  const std::uint64_t count = header.variable();
  // Every value has a byte at least.
  if (count > 0 && (formats.empty() || count > header.size())) return false;
  for (std::uint64_t i = 0; i < count && !header.failed(); ++i) {
    std::string_view path;
    for (const EntryFormat& format : formats) {
      std::string_view text;
      if (!read_value(header, format.form, &text)) return false;
      if (format.content == kPathContent) path = text;
    }
    constexpr std::size_t kLongestName = 255;
    if (paths != nullptr) {
      paths->emplace_back(path.substr(path.rfind('/') + 1).substr(0, kLongestName));
    }
  }
  return !header.failed();
}

void LineTableReader::read_unit(Bytes unit) {
  constexpr std::uint16_t kVersion = 5;
  if (unit.number<std::uint16_t>() != kVersion) return;
  constexpr std::uint8_t kAddressBytes = 8;
  if (unit.number<std::uint8_t>() != kAddressBytes) return;
  unit.number<std::uint8_t>();
  Bytes header(unit.take(unit.number<std::uint32_t>()));
  Program program;
  program.instruction_bytes = header.number<std::uint8_t>();
  header.take(2);
  program.line_base = header.number<std::int8_t>();
  program.line_range = header.number<std::uint8_t>();
  program.opcode_base = header.number<std::uint8_t>();
  if (program.line_range == 0 || program.opcode_base == 0) return;
  program.operand_counts = header.take(program.opcode_base - 1U);
  program.first_file = table_.files_.size();
  if (!read_entries(header, nullptr)) return;
  if (!read_entries(header, &table_.files_)) return;
  run(unit, program);
}

void LineTableReader::add_row(const Program& program, const State& state, bool is_end) {
  const std::uint64_t file = program.first_file + state.file;
  // An instruction without a line belongs to that before it.
  if (!is_end && (state.line == 0 || file >= table_.files_.size())) return;
  const std::uint64_t line = is_end ? 0 : state.line;
  table_.rows_.push_back({state.address, static_cast<std::uint32_t>(is_end ? 0 : file),
                          static_cast<std::uint32_t>(std::min<std::uint64_t>(line, UINT32_MAX))});
}

void LineTableReader::run_extended(Bytes& code, const Program& program, State& state) {
  Bytes operands(code.take(code.variable()));
  switch (operands.number<std::uint8_t>()) {
    case kEndSequence:
      add_row(program, state, true);
      state = State();
      break;
    case kSetAddress:
      state.address = operands.number<std::uint64_t>();
      break;
    default:
      break;
  }
}

void LineTableReader::run_standard(std::uint8_t opcode, Bytes& code, const Program& program,
                                   State& state) {
  constexpr std::uint32_t kLargestOpcode = 255;
  switch (opcode) {
    case kCopy:
      add_row(program, state, false);
      break;
    case kAdvanceAddress:
      state.address += code.variable() * program.instruction_bytes;
      break;
    case kAdvanceLine:
      state.line += static_cast<std::uint64_t>(code.signed_variable());
      break;
    case kSetFile:
      state.file = code.variable();
      break;
    case kAddConstantAddress:
      state.address += std::uint64_t{(kLargestOpcode - program.opcode_base) / program.line_range} *
                       program.instruction_bytes;
      break;
    case kFixedAdvanceAddress:
      state.address += code.number<std::uint16_t>();
      break;
    default:
      if (opcode > program.operand_counts.size()) break;
      for (char i = 0; i < program.operand_counts[opcode - 1U]; ++i)
        code.variable();
  }
}

void LineTableReader::run(Bytes& code, const Program& program) {
  State state;
  while (!code.is_at_end()) {
    const auto opcode = code.number<std::uint8_t>();
    if (opcode == kExtended) {
      run_extended(code, program, state);
    } else if (opcode < program.opcode_base) {
      run_standard(opcode, code, program, state);
    } else {
      const std::uint32_t step = opcode - std::uint32_t{program.opcode_base};
      state.address += std::uint64_t{step / program.line_range} * program.instruction_bytes;
      state.line += static_cast<std::uint64_t>(std::int64_t{program.line_base} +
                                               std::int64_t{step % program.line_range});
      add_row(program, state, false);
    }
  }
}

LineTable LineTable::read(std::string_view lines, std::string_view line_strings,
                          std::string_view strings) {
  return LineTableReader(line_strings, strings).read(lines);
}

std::string LineTable::find(std::uint64_t address) const {
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), address,
                       [](std::uint64_t wanted, const Row& row) { return wanted < row.address; });
  if (after == rows_.begin()) return {};
  const Row& row = *std::prev(after);
  if (row.line == 0) return {};
  return base::concat(files_[row.file], ':', row.line);
}

}  // namespace halyard::emulator
