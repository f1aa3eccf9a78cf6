// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::descriptors {

enum class DescriptorKind : std::uint32_t {
  kArchitecture = 1,  // "amd/gfx1100": what every product of it shares, and the products
  kProduct = 2,       // one card or chip
  kReport = 3,        // what a driver reported about a device on someone's machine
  kLive = 4,          // what the drivers of this machine say
};

// "architecture", "product", "report" or "live", and back.
std::string_view descriptor_kind_name(DescriptorKind kind);
std::optional<DescriptorKind> descriptor_kind_from_name(std::string_view name);

struct DescriptorSource {
  std::string title;
  std::string url;      // "" where there is none
  std::string sha256;   // of the file, where one was read
  std::string date;     // ISO 8601: "2026-08", "2026-08-06"
  std::string licence;  // "" where not said
};

// Where in a matrix an element lies that a lane holds. Each text is an expression in the language
// of base::Expression over `lane` and `item` (the index of the element among those of the lane), or
// empty where not known.
struct LaneLayout {
  std::uint32_t items = 0;  // elements for each lane; 0: not known
  std::string row;
  std::string column;
  std::string block;  // where an instruction works on several blocks; else empty
};

// A matrix multiply-accumulate D = A B + C of one instruction.
struct MatrixOperation {
  std::string instruction;  // as its assembler writes it; upper case where that takes both
  std::uint32_t m = 0;
  std::uint32_t n = 0;
  std::uint32_t k = 0;
  std::uint32_t blocks = 1;
  std::string a_type;  // "f16", "bf16", "i8", "iu8" (either sign), "fp8_e4m3fnuz", …
  std::string b_type;
  std::string c_type;                               // of C and D
  bool sparse = false;                              // A is 2:4 structured sparse
  std::uint32_t lanes = 0;                          // of the subgroup
  std::optional<double> cycles;                     // of issue, on one SIMD; unknown where absent
  std::optional<double> operations_per_unit_clock;  // multiplies and adds, one compute unit
  LaneLayout a;
  LaneLayout b;
  LaneLayout d;
  CapabilityOrigin origin = CapabilityOrigin::kDocumented;
  std::string source;  // the title of one of the sources
};

// What tells an operation from the others of its descriptor:
// "V_WMMA_F32_16X16X16_F16 f16 f16 f32 of 32 lanes".
std::string matrix_operation_name(const MatrixOperation& operation);

// A card or chip of an architecture. Its capabilities stand over those of the architecture.
struct Product {
  std::string name;
  std::vector<std::string> aliases;
  std::vector<std::string> pci_ids;  // "1002:744c", lower case
  CapabilitySet capabilities;
};

// What a kernel of an architecture finds when it starts and must know: short texts for people and
// models, by topic ("launch", "waits", "hazards", "registers").
struct Note {
  std::string topic;
  std::string text;
  std::string source;
};

// A versioned document of facts about an architecture or product: "halyard.descriptor/1".
struct Descriptor {
  std::string id;  // "<vendor>/<name>"
  DescriptorKind kind = DescriptorKind::kArchitecture;
  std::string version;  // of the facts, "2026-11-30"; "" for a report that says none
  std::string name;     // "AMD RDNA 3 (gfx1100)"
  std::string vendor;   // "AMD"
  std::vector<std::string> aliases;
  std::vector<std::string> targets;  // machine code: "amdgcn-gfx1100", "nvsass-sm_90", …
  std::string instruction_set;       // id of an isa::InstructionSet, or ""
  std::vector<DescriptorSource> sources;
  CapabilitySet capabilities;
  std::vector<MatrixOperation> matrix_operations;
  std::vector<Product> products;
  std::vector<Note> notes;
  // Known keys that a reader would look for here and that no source gives.
  std::vector<std::string> missing;
};

}  // namespace halyard::descriptors
