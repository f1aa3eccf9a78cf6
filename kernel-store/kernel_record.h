// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_stage.h"
#include "runtime/base/result.h"

#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace halyard::store {

// Type variables of a contract and what they stand for.
using TypeBinding = std::map<std::string, base::DataType>;

// Tunables of a kernel by name.
using ParameterValues = std::map<std::string, std::int64_t>;

// What a device must offer; unknown does not satisfy it.
struct Requirement {
  enum class Relation : std::uint8_t { kAtLeast, kAtMost, kEquals };
  using Value = std::variant<std::int64_t, double, std::string>;

  std::string capability;
  Relation relation = Relation::kAtLeast;
  Value value;  // Text only with kEquals.
};

struct KernelParameter {
  std::string name;
  ParameterKind kind = ParameterKind::kDefine;
  std::uint32_t constant_id = 0;  // kConstant.
  std::vector<std::int64_t> domain;
  std::int64_t default_value = 0;
};

struct KernelWorkspace {
  std::string name;
  ExpressionText bytes;
  std::uint32_t alignment_bytes = 1;  // A power of two.
  WorkspaceInitial initial = WorkspaceInitial::kUndefined;
};

// A layout that a constant is repacked to once, by the per-constant stage `stage`.
struct PackedLayout {
  std::string name;
  std::string tensor;
  ExpressionText bytes;
  std::uint32_t alignment_bytes = 1;  // A power of two.
  std::string stage;
};

struct ProjectProvenance {
  std::string project;
};

struct ModelProvenance {
  std::string model;
  std::string provider;
  std::string request;
  std::string prompt_hash;
  std::string time;
};

// A kernel.json in memory. Treated as immutable once parsed.
struct KernelRecord {
  std::string name;
  std::string version;
  std::string contract;  // Without the major version.
  std::uint32_t contract_major = 1;
  KernelLanguage language = KernelLanguage::kCpp;
  std::string source;
  std::optional<std::vector<std::string>> files;
  std::optional<std::string> prelude;  // "c++/1".
  std::vector<std::string> targets;
  std::vector<TypeBinding> types;
  std::optional<std::map<std::string, std::vector<std::string>>> attributes;
  std::vector<Requirement> requirements;
  std::vector<std::string> where;
  std::vector<KernelParameter> parameters;
  std::vector<KernelWorkspace> workspace;
  std::vector<PackedLayout> packed_layouts;
  std::vector<KernelStage> stages;
  std::variant<ProjectProvenance, ModelProvenance> provenance;
  std::string license;

  // RFC 8785 text of the kernel.json this came from; part of the kernel's identity.
  std::string canonical_json;

  // `source` and `files`, sorted.
  std::vector<std::string> file_names() const;
  // Each parameter at its default.
  ParameterValues default_parameters() const;
  const KernelStage* find_stage(std::string_view stage) const;
  // The language's arguments are placed by binding and push offset instead of by order.
  bool is_vulkan() const;
};

// Parses and checks a kernel.json; `source_name` (a path) begins each message about the text.
// Errors: kCorruptData, one sentence with the JSON pointer of what is wrong.
base::Result<KernelRecord> parse_kernel_record(std::string_view json_text,
                                               std::string_view source_name);

// The record as the JSON it is parsed from.
boost::json::value kernel_record_to_json(const KernelRecord& record);

// {"T":"bf16"} and {"TILE_N":64} in canonical form.
std::string type_binding_json(const TypeBinding& types);
std::string parameters_json(const ParameterValues& parameters);

// A plain file name of [A-Za-z0-9_.+-], at most 128 bytes, not beginning with '.', '+' or '-'.
bool is_package_file_name(std::string_view name);

}  // namespace halyard::store
