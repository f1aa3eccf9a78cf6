// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/descriptor_catalog.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace halyard::services {

// What an id names.
using Subject = std::variant<descriptors::Descriptor, isa::InstructionSet>;

enum class SubjectOrigin { kShipped, kImported };

// The descriptors of this machine: those shipped with the library, and over them those that the
// user imported. Each call looks at the folders as they are then, so that it sees what another
// process has imported.
//
// Threads: any number at once.
class Catalog {
 public:
  // Without a shipped folder it is "descriptors" in the data directory; without an imported one the
  // user's, which need not exist.
  // Errors: kNotFound where no data directory is; those of base::read_configuration.
  static base::Result<Catalog> open(std::optional<std::string> shipped_folder,
                                    std::optional<std::string> imported_folder);

  // Errors: kUnavailable where neither XDG_DATA_HOME nor HOME is an absolute path.
  base::Result<std::string> imported_folder() const;

  // Errors: those of DescriptorCatalog::open.
  base::Result<descriptors::DescriptorCatalog> read() const;

  // What has this id, alias, product name, target or PCI id. The name of an instruction set is
  // understood without its vendor.
  // Errors: kNotFound with the nearest name; kCorruptData.
  base::Result<Subject> find(std::string_view name) const;

  // As find(), where only one of the two will do.
  // Errors: kInvalidArgument, naming what it is and who uses it, for the other.
  base::Result<descriptors::Descriptor> find_descriptor(std::string_view name) const;

  // Where a file that read() found lies.
  SubjectOrigin origin_of(std::string_view path) const;

 private:
  Catalog() = default;

  std::string shipped_folder_;
  std::string imported_folder_;  // "" where the user has none
};

const char* subject_origin_name(SubjectOrigin origin);

// The id of the one instruction set that `name` means, with or without vendor; nothing where none
// or several are.
std::optional<std::string> instruction_set_id(const descriptors::DescriptorCatalog& catalog,
                                              std::string_view name);

}  // namespace halyard::services
