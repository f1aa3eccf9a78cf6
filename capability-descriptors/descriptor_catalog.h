// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/isa/correction.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::descriptors {

// What is known of a device before its descriptor is.
struct DeviceIdentity {
  std::vector<std::string> targets;
  std::string pci_id;  // "1002:744c"; "" where not known
  std::string name;    // as the driver gives it: "AMD Radeon RX 7900 XTX (RADV NAVI31)"
};

// The descriptors and instruction sets of some folders, later ones standing over earlier ones with
// the same id: first what is shipped, then what the user imported. Opening lists file names; a
// file is read when it is asked for.
//
//   <folder>/<vendor>/<name>.descriptor.json         a descriptor
//   <folder>/<vendor>/<name>.instruction_set.json    an instruction set
//   <folder>/<vendor>/corrections.json               what is wrong in instruction sets
//
// Where anything but an id is asked for, every descriptor is read once; one that cannot be read is
// passed over and told by problems().
//
// Threads: one at a time; DescriptorCatalog is a value that its owner guards.
class DescriptorCatalog {
 public:
  // A larger file is not read.
  static constexpr std::size_t kLargestFileBytes = std::size_t{16} << 20;

  // A folder that does not exist is an empty one.
  // Errors: kIoError, kPermissionDenied for a folder that cannot be listed.
  static base::Result<DescriptorCatalog> open(const std::vector<std::string>& folders);

  // Every descriptor id, ascending.
  std::vector<std::string> ids() const;

  // The descriptor with this id or alias; for the name or alias of a product, the architecture's
  // descriptor with the product's capabilities over it, of kind kProduct. Upper and lower case and
  // blanks against hyphens do not matter.
  // Errors: NOT_FOUND with the nearest names; CORRUPT_DATA.
  base::Result<Descriptor> find(std::string_view id_or_alias) const;

  // As find(), by target ("amdgcn-gfx1100") or by PCI id ("1002:744c"); nothing where none has it.
  // A target is found without its features too ("amdgcn-gfx942:xnack+"). Where several products
  // have a PCI id, the architecture's descriptor with these products. A report, which is about one
  // machine, has no target here, and a PCI id only where no other descriptor has it.
  base::Result<std::optional<Descriptor>> find_by_target(std::string_view target) const;
  base::Result<std::optional<Descriptor>> find_by_pci_id(std::string_view pci_id) const;

  // The descriptor of a device: that of an architecture with its target, else by PCI id, else by
  // the name of a product within the device's name. Of kind kProduct where the product is known;
  // never a report.
  base::Result<std::optional<Descriptor>> find_for_device(const DeviceIdentity& device) const;

  // With every correction of the folders applied.
  // Errors: NOT_FOUND with the nearest names; CORRUPT_DATA; those of corrections().
  base::Result<isa::InstructionSet> find_instruction_set(std::string_view id) const;
  std::vector<std::string> instruction_set_ids() const;

  // Those of every vendor; none where there is no file of them.
  // Errors: those of isa::parse_corrections.
  base::Result<std::vector<isa::Correction>> corrections() const;

  // Where a descriptor or an instruction set lies; "" for an id that does not exist.
  std::string path_of(std::string_view id) const;
  std::string path_of_instruction_set(std::string_view id) const;

  // The files that could not be read so far, one sentence each.
  const std::vector<base::Error>& problems() const { return problems_; }

 private:
  static constexpr std::size_t kNoProduct = static_cast<std::size_t>(-1);

  // A descriptor, or one of its products.
  struct Entry {
    std::string id;
    std::size_t product = kNoProduct;
  };

  // What every descriptor is called. Made at the first question that needs it.
  struct Index {
    std::map<std::string, Entry, std::less<>> names;  // normalised aliases and products
    std::map<std::string, std::string, std::less<>> targets;
    std::multimap<std::string, Entry, std::less<>> pci_ids;
    std::map<std::string, std::string, std::less<>> report_pci_ids;
  };

  DescriptorCatalog() = default;
  const Index& index() const;
  void add_report(const Descriptor& report) const;
  base::Result<Descriptor> read(std::string_view id) const;
  base::Result<Descriptor> read(const Entry& entry) const;
  base::Result<std::optional<Descriptor>> find_by_file_name(std::string_view target) const;
  std::optional<Entry> product_within(std::string_view device_name, std::string_view id) const;

  std::map<std::string, std::string, std::less<>> descriptor_files_;
  std::map<std::string, std::string, std::less<>> instruction_set_files_;
  std::vector<std::string> correction_files_;
  mutable std::optional<Index> index_;
  mutable std::vector<base::Error> problems_;
};

// `architecture` with what is known of one of its products over it, of kind kProduct.
Descriptor product_view(Descriptor architecture, std::size_t product);

}  // namespace halyard::descriptors
