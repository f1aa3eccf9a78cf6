// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/object/code_listing.h"

#include "runtime/base/text.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace halyard::object {
namespace {

using base::concat;

// Equal dwords from this many on are written as one line: the space between functions is filled.
constexpr std::size_t kShortestRun = 8;
// Where the comment with address and dwords starts.
constexpr std::size_t kCommentColumn = 60;

std::string hex_digits(std::uint64_t value, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out(digits, '0');
  for (std::size_t i = digits; i-- > 0; value >>= 4)
    out[i] = kDigits[value & 15];
  return out;
}

void append_line(std::string& out, std::string_view text, std::string_view comment) {
  const std::size_t start = out.size();
  out += concat("  ", text, ' ');
  if (out.size() - start < kCommentColumn) out.append(start + kCommentColumn - out.size(), ' ');
  out += concat("// ", comment, '\n');
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
  });
}

}  // namespace

std::string assembler_name(std::string_view name) {
  if (is_plain_name(name)) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += '?';
    } else {
      out += c;
    }
  }
  return out + '"';
}

CodeListing::CodeListing(const AmdgpuObject& object, const isa::InstructionSet& set,
                         const isa::InstructionDecoder& decoder)
    : object_(object),
      decoder_(decoder),
      narrow_(set, 32),
      wide_(set, 64),
      usual_wavefront_size_(object.target.generation() >= 10 ? 32 : 64) {
  for (const ObjectKernel& kernel : object.kernels) {
    wavefront_sizes_.emplace(kernel.entry_address, kernel.descriptor.wavefront_size(object.target));
  }
  // A function that is no kernel does not say who calls it; it is taken to be as the first kernel.
  if (!object.kernels.empty()) {
    usual_wavefront_size_ = object.kernels.front().descriptor.wavefront_size(object.target);
  }
}

void CodeListing::append_section(std::string& out, std::uint32_t section) {
  read_section(section);
  find_symbols(section);
  std::vector<Stretch> stretches;
  for (std::size_t word = 0; word < words_.size();) {
    const auto next = symbols_.upper_bound(word);
    const std::size_t end = next == symbols_.end() ? words_.size() : next->first;
    const auto kernel = wavefront_sizes_.find(address_ + word * 4);
    stretches.push_back(
        {word, end, kernel == wavefront_sizes_.end() ? usual_wavefront_size_ : kernel->second});
    find_labels(stretches.back());
    word = end;
  }
  // A branch into the middle of an instruction keeps its distance.
  std::erase_if(labels_, [&](const auto& label) { return !starts_[label.first]; });
  out += concat("\n  .section ", assembler_name(object_.elf.sections[section].name),
                ",\"ax\"\n  .p2align 8\n");
  for (const Stretch& stretch : stretches)
    append_stretch(out, stretch);
  const std::string_view bytes = object_.elf.sections[section].bytes;
  for (std::size_t i = words_.size() * 4; i < bytes.size(); ++i)
    out += concat("  .byte 0x", hex_digits(static_cast<unsigned char>(bytes[i]), 2), '\n');
}

void CodeListing::read_section(std::uint32_t section) {
  const ElfSection& from = object_.elf.sections[section];
  address_ = from.address;
  words_.resize(from.bytes.size() / 4);
  if (!words_.empty()) std::memcpy(words_.data(), from.bytes.data(), words_.size() * 4);
  labels_.clear();
  symbols_.clear();
  starts_.assign(words_.size(), false);
}

void CodeListing::find_symbols(std::uint32_t section) {
  for (const ElfSymbol& symbol : object_.elf.symbols) {
    if (symbol.section != section || symbol.type == STT_SECTION || symbol.name.empty() ||
        symbol.address < address_) {
      continue;
    }
    const std::uint64_t offset = symbol.address - address_;
    if (offset % 4 == 0 && offset / 4 < words_.size()) symbols_.emplace(offset / 4, &symbol);
  }
}

void CodeListing::find_labels(const Stretch& stretch) {
  for (std::size_t word = stretch.first_word; word < stretch.end_word;) {
    const auto rest = std::span(words_).subspan(word, stretch.end_word - word);
    isa::DecodedInstruction decoded;
    if (!decoder_.decode(rest, &decoded)) {
      ++word;
      continue;
    }
    starts_[word] = true;
    const std::size_t next = word + decoded.size_bytes / 4;
    if (const auto distance = writer(stretch).branch_distance(decoded, rest)) {
      const auto to = static_cast<std::int64_t>(next) + *distance;
      if (to >= 0 && to < static_cast<std::int64_t>(words_.size())) {
        const auto target = static_cast<std::size_t>(to);
        labels_[target] = concat("L", hex_digits(address_ + target * 4, 6));
      }
    }
    word = next;
  }
}

const isa::InstructionWriter& CodeListing::writer(const Stretch& stretch) const {
  return stretch.wavefront_size == 32 ? narrow_ : wide_;
}

std::string CodeListing::place(std::size_t word, std::size_t count) const {
  std::string out = concat(hex_digits(address_ + word * 4, 12), ':');
  for (std::size_t i = 0; i < count; ++i)
    out += concat(' ', hex_digits(words_[word + i], 8));
  return out;
}

void CodeListing::append_symbols(std::string& out, std::size_t word) const {
  const auto [first, last] = symbols_.equal_range(word);
  for (auto symbol = first; symbol != last; ++symbol) {
    const std::string name = assembler_name(symbol->second->name);
    out += '\n';
    if (symbol->second->binding == STB_GLOBAL) out += concat("  .globl ", name, '\n');
    if (symbol->second->visibility == STV_PROTECTED) out += concat("  .protected ", name, '\n');
    if (symbol->second->type == STT_FUNC) out += concat("  .type ", name, ",@function\n");
    out += concat(name, ":\n");
  }
}

// How many dwords from a word on are equal, up to the next label.
std::size_t CodeListing::run_length(std::size_t word, std::size_t end_word) const {
  const auto label = labels_.upper_bound(word);
  if (label != labels_.end()) end_word = std::min(end_word, label->first);
  const auto first = words_.begin() + static_cast<std::ptrdiff_t>(word);
  const auto last = std::find_if(first, words_.begin() + static_cast<std::ptrdiff_t>(end_word),
                                 [&](std::uint32_t other) { return other != *first; });
  return static_cast<std::size_t>(last - first);
}

void CodeListing::append_run(std::string& out, std::size_t word, std::size_t count,
                             std::string_view instruction) const {
  const std::string value = concat("0x", hex_digits(words_[word], 8));
  const std::string text =
      count == 1 ? concat(".long ", value) : concat(".fill ", count, ", 4, ", value);
  append_line(out, text, concat(place(word, 1), instruction.empty() ? "" : " ", instruction));
}

std::string CodeListing::label_of(std::size_t word, std::size_t size_words,
                                  std::int64_t distance) const {
  const auto to = static_cast<std::int64_t>(word + size_words) + distance;
  if (to < 0) return {};
  const auto label = labels_.find(static_cast<std::size_t>(to));
  return label == labels_.end() ? std::string() : label->second;
}

void CodeListing::append_stretch(std::string& out, const Stretch& stretch) const {
  append_symbols(out, stretch.first_word);
  const isa::InstructionWriter& write = writer(stretch);
  for (std::size_t word = stretch.first_word; word < stretch.end_word;) {
    const auto label = labels_.find(word);
    if (label != labels_.end()) out += concat(label->second, ":\n");
    const auto rest = std::span(words_).subspan(word, stretch.end_word - word);
    const std::size_t run = run_length(word, stretch.end_word);
    isa::DecodedInstruction decoded;
    const bool is_code = decoder_.decode(rest, &decoded);
    if (!is_code || (run >= kShortestRun && decoded.size_bytes == 4)) {
      const std::size_t count = run >= kShortestRun ? run : 1;
      append_run(out, word, count, is_code ? write.text(decoded, rest) : std::string());
      word += count;
      continue;
    }
    const std::size_t size_words = decoded.size_bytes / 4;
    const auto distance = write.branch_distance(decoded, rest);
    const std::string target = distance ? label_of(word, size_words, *distance) : std::string();
    append_line(out, write.text(decoded, rest, target), place(word, size_words));
    word += size_words;
  }
}

}  // namespace halyard::object
