// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/data_type.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace halyard::operators {

inline constexpr std::size_t kMaxRank = 8;
inline constexpr std::size_t kMaxTensors = 16;
inline constexpr std::size_t kMaxScalars = 16;

enum class AxisKind : std::uint32_t { kPrepare = 1, kLaunch = 2, kDevice = 3 };
enum class AttributeType : std::uint32_t { kInteger = 1, kNumber = 2, kText = 3 };
enum class TensorRole : std::uint32_t { kInput = 1, kOutput = 2, kInOut = 3 };
enum class StrideRule : std::uint32_t { kDense = 1, kRows = 2, kAny = 3 };
enum class ToleranceKind : std::uint32_t { kRelative = 1, kExact = 2 };

using AttributeValue = std::variant<std::int64_t, double, std::string>;
using Attributes = std::map<std::string, AttributeValue, std::less<>>;
using TypeBindings = std::map<std::string, base::DataType, std::less<>>;

struct AxisValue {
  std::string name;
  std::int64_t value = 0;
};

struct OnnxMapping {
  std::string domain;
  std::string operator_name;
  std::int64_t since = 0;
};

struct ContractAxis {
  std::string name;
  AxisKind kind = AxisKind::kPrepare;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::vector<std::string> aliases;
  std::string tensor;  // Of a device axis: where its values live.
};

struct ContractAttribute {
  std::string name;
  AttributeType type = AttributeType::kInteger;
  std::optional<AttributeValue> default_value;
  std::vector<AttributeValue> values;  // Empty: any.
};

struct BlockEncoding {
  std::int64_t bits = 0;
  std::vector<std::int64_t> block;
  base::DataType scale_type = base::DataType::kF32;
  bool zero_point = false;
  std::string packing;
};

struct ContractTensor {
  std::string name;
  TensorRole role = TensorRole::kInput;
  std::string type;                // A type variable or the name of a data type.
  std::vector<std::string> shape;  // One expression per dimension.
  StrideRule strides = StrideRule::kDense;
  std::int64_t alignment_bytes = 1;
  bool constant = false;
  std::vector<std::string> may_alias;
  std::string present;  // Empty: always.
  std::optional<BlockEncoding> encoding;
};

struct ContractScalar {
  std::string name;
  base::DataType type = base::DataType::kF32;
};

struct ContractTolerance {
  double c = 0;
  std::string reduction;  // The expression of K.
  ToleranceKind kind = ToleranceKind::kRelative;
};

struct GoldenVectors {
  std::vector<std::uint64_t> seeds;
  std::vector<std::vector<AxisValue>> axes;
  std::vector<Attributes> attributes;  // At least one entry.
};

// A visible problem; an axis has values, which multiply out, or an expression over other axes.
struct Workload {
  struct Axis {
    std::string name;
    std::vector<std::int64_t> values;
    std::string expression;
  };
  std::string name;
  TypeBindings types;
  std::vector<Axis> axes;  // In contract order.
  Attributes attributes;
};

struct ContractFields {
  std::string name;
  std::string version;
  std::string summary;
  std::optional<OnnxMapping> onnx;
  std::vector<ContractAxis> axes;
  std::vector<ContractAttribute> attributes;
  std::vector<std::string> where;
  std::vector<TypeBindings> types;
  std::vector<ContractTensor> tensors;
  std::vector<ContractScalar> scalars;
  base::DataType accumulation = base::DataType::kF32;
  bool bitwise = false;  // Determinism.
  std::string flops;
  std::string bytes;
  ContractTolerance tolerance;
  std::vector<std::pair<std::string, std::string>> rules;  // Name and sentence.
  GoldenVectors golden;
  std::vector<Workload> workloads;
};

// What an operator computes, as read from a contract file; immutable and safe from any thread.
class Contract final : public base::RefCounted {
 public:
  // Reads and checks a contract: names, expressions, golden axes and workloads fit together.
  // `source` names the text in messages. Errors: CORRUPT_DATA.
  static base::Result<base::Ref<const Contract>> parse(std::string_view json,
                                                       std::string_view source);

  const ContractFields& fields() const { return fields_; }
  const std::string& name() const { return fields_.name; }
  const std::string& version() const { return fields_.version; }
  const std::vector<ContractAxis>& axes() const { return fields_.axes; }
  const std::vector<ContractAttribute>& attributes() const { return fields_.attributes; }
  const std::vector<ContractTensor>& tensors() const { return fields_.tensors; }
  const std::vector<ContractScalar>& scalars() const { return fields_.scalars; }

  // RFC 8785 text of the file, and its SHA-256 in lower-case hexadecimal.
  const std::string& canonical_json() const { return canonical_json_; }
  const std::string& sha256() const { return sha256_; }

  // Indices into axes(): launch and device axes in contract order, and prepare axes likewise.
  const std::vector<std::uint32_t>& launch_axes() const { return launch_axes_; }
  const std::vector<std::uint32_t>& prepare_axes() const { return prepare_axes_; }

  // Index by name, for axes by alias too. Errors: INVALID_ARGUMENT with the nearest name.
  base::Result<std::uint32_t> axis_index(std::string_view name) const;
  base::Result<std::uint32_t> tensor_index(std::string_view name) const;
  base::Result<std::uint32_t> scalar_index(std::string_view name) const;
  base::Result<std::uint32_t> attribute_index(std::string_view name) const;

 private:
  Contract(ContractFields fields, std::string canonical_json);

  ContractFields fields_;
  std::string canonical_json_;
  std::string sha256_;
  std::vector<std::uint32_t> launch_axes_;
  std::vector<std::uint32_t> prepare_axes_;
};

// Whether `name` is of the form [a-z0-9_]+ with at most 64 bytes.
bool is_contract_name(std::string_view name);

const char* axis_kind_name(AxisKind kind);

// "T = f32, S = bf16".
std::string type_bindings_text(const TypeBindings& types);

}  // namespace halyard::operators
