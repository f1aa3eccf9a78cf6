// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/isa/operand_text.h"
#include "capability-descriptors/object/amdgpu_object.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace halyard::object {

// A symbol as an assembler reads it: in quotes where it is no plain name.
std::string assembler_name(std::string_view name);

// Writes the code of an object as lines that an assembler reads, with labels where branches go, and
// behind each instruction its address and dwords. Borrows everything.
class CodeListing {
 public:
  CodeListing(const AmdgpuObject& object, const isa::InstructionSet& set,
              const isa::InstructionDecoder& decoder);

  void append_section(std::string& out, std::uint32_t section);

 private:
  // Code from one function on, up to the next one.
  struct Stretch {
    std::size_t first_word = 0;
    std::size_t end_word = 0;
    std::uint32_t wavefront_size = 0;
  };

  void read_section(std::uint32_t section);
  void find_symbols(std::uint32_t section);
  void find_labels(const Stretch& stretch);
  void append_symbols(std::string& out, std::size_t word) const;
  void append_stretch(std::string& out, const Stretch& stretch) const;
  std::size_t run_length(std::size_t word, std::size_t end_word) const;
  void append_run(std::string& out, std::size_t word, std::size_t count,
                  std::string_view instruction) const;
  std::string label_of(std::size_t word, std::size_t size_words, std::int64_t distance) const;
  const isa::InstructionWriter& writer(const Stretch& stretch) const;
  std::string place(std::size_t word, std::size_t count) const;

  const AmdgpuObject& object_;
  const isa::InstructionDecoder& decoder_;
  isa::InstructionWriter narrow_;  // 32 lanes
  isa::InstructionWriter wide_;    // 64 lanes
  std::uint32_t usual_wavefront_size_;
  std::unordered_map<std::uint64_t, std::uint32_t> wavefront_sizes_;  // by the entry of a kernel
  // Of the section that is written:
  std::uint64_t address_ = 0;
  std::vector<std::uint32_t> words_;
  std::multimap<std::size_t, const ElfSymbol*> symbols_;  // by word
  std::map<std::size_t, std::string> labels_;             // by word
  std::vector<bool> starts_;                              // whether an instruction starts at a word
};

}  // namespace halyard::object
