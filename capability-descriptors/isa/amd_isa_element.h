// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace halyard::isa {

// Where an element stands, as it is needed for a sentence only: each level points to the one above,
// which outlives it.
struct ElementPath {
  const ElementPath* parent = nullptr;
  std::string_view name;
  std::size_t number = 0;  // among the siblings of this name, from 1; 0: not shown

  // "/Spec/ISA/Instructions/Instruction[12]"
  std::string text() const;
};

// What an import could not make sense of, up to a limit.
class ImportFindings {
 public:
  static constexpr std::size_t kMost = 20'000;

  void add(const ElementPath& path, std::string sentence);
  bool too_many() const { return too_many_; }
  std::vector<Unresolved> take() { return std::move(findings_); }

 private:
  std::vector<Unresolved> findings_;
  bool too_many_ = false;
};

// The index of each name of a table. Borrows the names.
class NameIndex {
 public:
  // False when the name is taken; the first one keeps it.
  bool add(std::string_view name, std::uint32_t index) {
    return names_.emplace(name, index).second;
  }
  std::uint32_t find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? kNoIndex : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> names_;
};

// The text of an element without the blanks around it; borrowed from the document.
std::string_view text_of(const pugi::xml_node& node);
std::string_view child_text(const pugi::xml_node& node, const char* name);

// The text of an element as a number in its Radix (2, 10 or 16; 10 where none is given).
std::optional<std::uint64_t> number_of(const pugi::xml_node& node);
std::optional<std::uint64_t> child_number(const pugi::xml_node& node, const char* name);

// "TRUE", "true", "FALSE", "false"; nothing for another text.
std::optional<bool> boolean_of(std::string_view text);

// A description without its markup.
std::string plain_text(std::string_view text);

}  // namespace halyard::isa
