// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::descriptors {

// The descriptors and instruction sets of some folders, later ones standing over earlier ones with
// the same id: first what is shipped, then what the user imported. Opening lists file names; a
// file is read when it is asked for.
//
//   <folder>/<vendor>/<name>.descriptor.json         a descriptor
//   <folder>/<vendor>/<name>.instruction_set.json    an instruction set
//
// Threads: one at a time; DescriptorCatalog is a value that its owner guards.
class DescriptorCatalog {
 public:
  // A folder that does not exist is an empty one.
  static base::Result<DescriptorCatalog> open(std::vector<std::string> folders);

  // Every descriptor id, ascending.
  std::vector<std::string> ids() const;

  // The descriptor with this id or alias; for the name or alias of a product, the architecture's
  // descriptor with the product's capabilities over it, of kind kProduct. Upper and lower case and
  // blanks against hyphens do not matter.
  // Errors: NOT_FOUND with the nearest names; CORRUPT_DATA.
  base::Result<Descriptor> find(std::string_view id_or_alias) const;

  // As find(), by target ("amdgcn-gfx1100") or by PCI id ("1002:744c"); nothing where none has it.
  base::Result<std::optional<Descriptor>> find_by_target(std::string_view target) const;
  base::Result<std::optional<Descriptor>> find_by_pci_id(std::string_view pci_id) const;

  // Errors: NOT_FOUND with the nearest names; CORRUPT_DATA.
  base::Result<isa::InstructionSet> find_instruction_set(std::string_view id) const;
  std::vector<std::string> instruction_set_ids() const;

 private:
  DescriptorCatalog() = default;

  std::map<std::string, std::string, std::less<>> descriptor_files_;
  std::map<std::string, std::string, std::less<>> instruction_set_files_;
};

}  // namespace halyard::descriptors
