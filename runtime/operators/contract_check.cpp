// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/canonical_json.h"
#include "runtime/base/expression.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"
#include "runtime/operators/axis_values.h"
#include "runtime/operators/contract_reader.h"
#include "runtime/operators/problem.h"

#include <algorithm>
#include <set>
#include <utility>

namespace halyard::operators {
namespace {

// Checks one contract; each function is one part of it.
class ContractCheck {
 public:
  ContractCheck(const ContractFields& fields, std::string_view source)
      : fields_(fields),
        source_(source) {}

  base::Status run() {
    HALYARD_TRY(check_names());
    HALYARD_TRY(check_types());
    HALYARD_TRY(check_tensors());
    HALYARD_TRY(check_expressions());
    return check_limits();
  }

 private:
  template <typename... Pieces>
  base::Error error(const Pieces&... pieces) const {
    return base::Error(base::ErrorCode::kCorruptData, base::concat(source_, ": ", pieces...));
  }

  base::Status take_name(const std::string& name) {
    if (name.empty()) return error("A name is empty.");
    if (!names_.insert(name).second) return error("Name \"", name, "\" is given twice.");
    return base::ok();
  }

  base::Status check_names() {
    if (!is_contract_name(fields_.name)) {
      return error("Contract name \"", fields_.name, "\" is not of the form [a-z0-9_]+.");
    }
    for (const ContractAxis& axis : fields_.axes) {
      HALYARD_TRY(take_name(axis.name));
      for (const std::string& alias : axis.aliases)
        HALYARD_TRY(take_name(alias));
      constant_.insert(axis.kind == AxisKind::kPrepare ? axis.name : std::string());
      all_.insert(axis.name);
    }
    for (const ContractAttribute& attribute : fields_.attributes) {
      HALYARD_TRY(take_name(attribute.name));
      if (attribute.type != AttributeType::kInteger) continue;
      constant_.insert(attribute.name);
      all_.insert(attribute.name);
    }
    names_.clear();
    for (const ContractTensor& tensor : fields_.tensors)
      HALYARD_TRY(take_name(tensor.name));
    for (const ContractScalar& scalar : fields_.scalars)
      HALYARD_TRY(take_name(scalar.name));
    return base::ok();
  }

  base::Status check_types() {
    if (fields_.types.empty()) return error("No type binding is allowed.");
    for (const auto& [variable, type] : fields_.types.front())
      all_.insert("sizeof." + variable);
    for (const TypeBindings& types : fields_.types) {
      const bool same = std::equal(types.begin(), types.end(), fields_.types.front().begin(),
                                   fields_.types.front().end(),
                                   [](const auto& a, const auto& b) { return a.first == b.first; });
      if (!same) return error("Type bindings do not bind the same variables.");
    }
    return base::ok();
  }

  bool has_tensor(const std::string& name) const {
    return std::any_of(fields_.tensors.begin(), fields_.tensors.end(),
                       [&name](const ContractTensor& tensor) { return tensor.name == name; });
  }

  base::Status check_tensors() const {
    for (const ContractTensor& tensor : fields_.tensors) {
      if (!fields_.types.front().contains(tensor.type) && !base::data_type_from_name(tensor.type)) {
        return error("Tensor \"", tensor.name, "\" has type \"", tensor.type,
                     "\", which is neither a type variable nor a data type.");
      }
      for (const std::string& other : tensor.may_alias) {
        if (has_tensor(other) && other != tensor.name) continue;
        return error("Tensor \"", tensor.name, "\" may alias \"", other,
                     "\", which is no other tensor.");
      }
    }
    for (const ContractAxis& axis : fields_.axes) {
      if (axis.kind != AxisKind::kDevice || has_tensor(axis.tensor)) continue;
      return error("Axis \"", axis.name, "\" lies in tensor \"", axis.tensor,
                   "\", which does not exist.");
    }
    return base::ok();
  }

  base::Status check_expression(const std::string& text, const std::set<std::string>& known) const {
    const auto resolve = [&known](std::string_view name) -> std::optional<std::uint32_t> {
      if (!known.contains(std::string(name))) return std::nullopt;
      return 0U;
    };
    base::Result<base::Expression> compiled = base::Expression::compile(text, resolve);
    if (!compiled) return error(compiled.error().message());
    return base::ok();
  }

  base::Status check_expressions() const {
    for (const std::string& text : fields_.where)
      HALYARD_TRY(check_expression(text, constant_));
    for (const ContractTensor& tensor : fields_.tensors) {
      for (const std::string& size : tensor.shape)
        HALYARD_TRY(check_expression(size, all_));
      if (!tensor.present.empty()) HALYARD_TRY(check_expression(tensor.present, constant_));
    }
    for (const std::string* text : {&fields_.flops, &fields_.bytes, &fields_.tolerance.reduction}) {
      HALYARD_TRY(check_expression(*text, all_));
    }
    return base::ok();
  }

  base::Status check_limits() const {
    if (fields_.tensors.empty() || fields_.tensors.size() > kMaxTensors) {
      return error("There are ", fields_.tensors.size(), " tensors, not 1 to ", kMaxTensors, ".");
    }
    if (fields_.scalars.size() > kMaxScalars) {
      return error("There are ", fields_.scalars.size(), " scalars, more than ", kMaxScalars, ".");
    }
    const std::size_t slots =
        fields_.axes.size() + fields_.attributes.size() + fields_.types.front().size();
    if (slots <= kMaxProblemSlots) return base::ok();
    return error("There are ", slots, " axes, attributes and type variables, more than ",
                 kMaxProblemSlots, ".");
  }

  const ContractFields& fields_;
  std::string_view source_;
  std::set<std::string> names_;
  std::set<std::string> constant_;  // What is known when an operation is prepared.
  std::set<std::string> all_;
};

// Binds `types`, `attributes` and `axes` as an application would.
base::Status check_problem(const base::Ref<const Contract>& contract, const TypeBindings& types,
                           const Attributes& attributes, const std::vector<AxisValue>& axes) {
  HALYARD_TRY_ASSIGN(const AxisSplit split, split_axes(*contract, axes));
  HALYARD_TRY_ASSIGN(const Problem problem,
                     Problem::create(contract, types, attributes, split.prepare));
  HALYARD_TRY_ASSIGN(const std::vector<std::int64_t> launch, problem.launch_values(split.launch));
  HALYARD_TRY(problem.shapes(launch));
  HALYARD_TRY(problem.flops(launch));
  HALYARD_TRY(problem.bytes(launch));
  HALYARD_TRY(problem.reduction_length(launch));
  return base::ok();
}

base::Status check_examples(const base::Ref<const Contract>& contract) {
  const GoldenVectors& golden = contract->fields().golden;
  for (const std::vector<AxisValue>& axes : golden.axes) {
    for (const Attributes& attributes : golden.attributes) {
      HALYARD_TRY(check_problem(contract, contract->fields().types.front(), attributes, axes));
    }
  }
  for (const Workload& workload : contract->fields().workloads) {
    HALYARD_TRY_ASSIGN(const std::vector<std::vector<AxisValue>> cases,
                       expand_workload(*contract, workload));
    if (cases.empty()) continue;
    for (const std::vector<AxisValue>* axes : {&cases.front(), &cases.back()}) {
      HALYARD_TRY(check_problem(contract, workload.types, workload.attributes, *axes));
    }
  }
  return base::ok();
}

}  // namespace

base::Status check_contract(const ContractFields& fields, std::string_view source) {
  return ContractCheck(fields, source).run();
}

base::Result<base::Ref<const Contract>> Contract::parse(std::string_view json,
                                                        std::string_view source) {
  HALYARD_TRY_ASSIGN(const boost::json::value document, base::parse_json(json, source));
  HALYARD_TRY_ASSIGN(ContractFields fields, read_contract(document, source));
  HALYARD_TRY(check_contract(fields, source));
  base::Ref<const Contract> contract = base::Ref<const Contract>::adopt(
      new Contract(std::move(fields), base::canonical_json(document)));
  base::Status examples = check_examples(contract);
  if (!examples) {
    return base::Error(base::ErrorCode::kCorruptData,
                       base::concat(source, ": ", examples.error().message()));
  }
  return contract;
}

}  // namespace halyard::operators
