// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/package_check.h"

#include "runtime/base/expression.h"
#include "runtime/operators/axis_values.h"
#include "runtime/operators/problem.h"
#include "runtime/verification/conformance/finding_list.h"
#include "runtime/verification/conformance/package_files_check.h"
#include "runtime/verification/conformance/stage_values_check.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace halyard::verification {
namespace {

using operators::AxisValue;
using operators::Contract;
using store::ArgumentKind;
using store::KernelArgument;
using store::KernelStage;

constexpr std::size_t kMostProblems = 1024;

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

class PackageCheck {
 public:
  PackageCheck(const PackageUnderTest& package, FindingList& findings)
      : package_(package),
        record_(*package.record),
        contract_(*package.contract),
        findings_(findings) {}

  void run() {
    check_contract();
    check_targets(record_, findings_);
    check_package_files(record_, *package_.files, findings_);
    for (const store::KernelParameter& parameter : record_.parameters) {
      const auto& domain = parameter.domain;
      if (std::find(domain.begin(), domain.end(), parameter.default_value) != domain.end())
        continue;
      findings_.refuse("has parameter \"", parameter.name, "\" at ", parameter.default_value,
                       " by default, which is not in its domain");
    }
    for (const KernelStage& stage : record_.stages)
      check_stage(stage);
    check_layouts();
    // Problems say more only where names and types are right.
    if (findings_.empty()) check_problems();
  }

 private:
  void check_contract();
  void check_stage(const KernelStage& stage);
  void check_argument(const KernelStage& stage, const KernelArgument& argument);
  void check_layouts();
  void check_problems();
  void check_problem(const store::TypeBinding& types, const operators::Attributes& attributes,
                     const std::vector<AxisValue>& axes);
  bool serves(const operators::Problem& problem) const;
  void check_outputs(const operators::Problem& problem,
                     const std::vector<std::int64_t>& launch_axes);

  const PackageUnderTest& package_;
  const store::KernelRecord& record_;
  const Contract& contract_;
  FindingList& findings_;
  std::size_t problems_ = 0;
};

void PackageCheck::check_contract() {
  std::uint32_t major = 0;
  const std::string& version = contract_.version();
  std::from_chars(version.data(), version.data() + version.size(), major);
  if (record_.contract != contract_.name() || record_.contract_major != major) {
    findings_.refuse("implements ", printable(record_.contract), '@', record_.contract_major,
                     ", not ", contract_.name(), '@', major);
  }
  for (const store::TypeBinding& types : record_.types) {
    const operators::TypeBindings wanted(types.begin(), types.end());
    const auto& allowed = contract_.fields().types;
    if (std::find(allowed.begin(), allowed.end(), wanted) != allowed.end()) continue;
    findings_.refuse("has the types ", operators::type_bindings_text(wanted), ", which ",
                     contract_.name(), " does not allow");
  }
  if (!record_.attributes) return;
  for (const auto& [name, values] : *record_.attributes) {
    const auto index = contract_.attribute_index(name);
    if (!index) {
      findings_.refuse("serves the attribute \"", printable(name), "\", which ", contract_.name(),
                       " does not have");
      continue;
    }
    const auto& attribute = contract_.attributes()[*index];
    for (const std::string& value : values) {
      const auto is_it = [&](const operators::AttributeValue& known) {
        const auto* text = std::get_if<std::string>(&known);
        return text != nullptr && *text == value;
      };
      if (attribute.values.empty() ||
          std::any_of(attribute.values.begin(), attribute.values.end(), is_it)) {
        continue;
      }
      findings_.refuse("serves the attribute \"", name, "\" at \"", printable(value), "\", which ",
                       contract_.name(), " does not know");
    }
  }
}

void PackageCheck::check_stage(const KernelStage& stage) {
  if (!is_identifier(stage.entry)) {
    findings_.refuse("has the entry \"", printable(stage.entry), "\", which is no name in C");
  }
  if (stage.split && !contract_.axis_index(stage.split->axis)) {
    findings_.refuse("splits stage \"", stage.name, "\" along \"", printable(stage.split->axis),
                     "\", which is no axis of ", contract_.name());
  }
  for (const KernelArgument& argument : stage.arguments)
    check_argument(stage, argument);
}

void PackageCheck::check_argument(const KernelStage& stage, const KernelArgument& argument) {
  const auto refuse_unknown = [&](std::string_view what) {
    findings_.refuse("passes the ", what, " \"", printable(argument.name), "\" to stage \"",
                     stage.name, "\", which ", contract_.name(), " does not have");
  };
  switch (argument.kind) {
    case ArgumentKind::kTensor:
    case ArgumentKind::kTensorMap:
      if (!contract_.tensor_index(argument.name)) refuse_unknown("tensor");
      return;
    case ArgumentKind::kStride: {
      const auto index = contract_.tensor_index(argument.name);
      if (!index) return refuse_unknown("tensor");
      const std::size_t rank = contract_.tensors()[*index].shape.size();
      if (argument.dimension < rank) return;
      return findings_.refuse("passes the stride of dimension ", argument.dimension,
                              " of tensor \"", argument.name, "\" to stage \"", stage.name,
                              "\", which has ", rank, " dimensions");
    }
    case ArgumentKind::kScalar: {
      const auto index = contract_.scalar_index(argument.name);
      if (!index) return refuse_unknown("scalar");
      const auto type = contract_.scalars()[*index].type;
      if (type == argument.type) return;
      return findings_.refuse("passes the scalar \"", argument.name, "\" as ",
                              base::data_type_name(argument.type), ", and ", contract_.name(),
                              " has it as ", base::data_type_name(type));
    }
    case ArgumentKind::kAttribute: {
      const auto index = contract_.attribute_index(argument.name);
      if (!index) return refuse_unknown("attribute");
      if (contract_.attributes()[*index].type != operators::AttributeType::kText) return;
      return findings_.refuse("passes the attribute \"", argument.name, "\" to stage \"",
                              stage.name, "\", which is a text");
    }
    case ArgumentKind::kAxis:
      if (!contract_.axis_index(argument.name)) refuse_unknown("axis");
      return;
    case ArgumentKind::kAxisPointer: {
      const auto index = contract_.axis_index(argument.name);
      if (!index) return refuse_unknown("axis");
      if (contract_.axes()[*index].kind == operators::AxisKind::kDevice) return;
      return findings_.refuse("passes the axis \"", argument.name, "\" to stage \"", stage.name,
                              "\" by address, which is held in no buffer");
    }
    default:
      return;  // names that kernel.json itself gives, which its reader has checked
  }
}

void PackageCheck::check_layouts() {
  for (const store::PackedLayout& layout : record_.packed_layouts) {
    const auto index = contract_.tensor_index(layout.tensor);
    if (!index) {
      findings_.refuse("packs the tensor \"", printable(layout.tensor), "\", which ",
                       contract_.name(), " does not have");
    } else if (!contract_.tensors()[*index].constant) {
      findings_.refuse("packs the tensor \"", layout.tensor,
                       "\" once, which changes from launch to launch");
    }
  }
}

// The visible workloads, and the golden problems for types that no workload has.
void PackageCheck::check_problems() {
  for (const store::TypeBinding& types : record_.types) {
    for (const operators::Workload& workload : contract_.fields().workloads) {
      if (!std::equal(types.begin(), types.end(), workload.types.begin(), workload.types.end(),
                      [](const auto& a, const auto& b) { return a == b; })) {
        continue;
      }
      const auto expanded = operators::expand_workload(contract_, workload);
      if (!expanded) continue;
      for (const std::vector<AxisValue>& axes : *expanded)
        check_problem(types, workload.attributes, axes);
    }
    for (const std::vector<AxisValue>& axes : contract_.fields().golden.axes) {
      for (const operators::Attributes& attributes : contract_.fields().golden.attributes)
        check_problem(types, attributes, axes);
    }
  }
}

bool PackageCheck::serves(const operators::Problem& problem) const {
  if (!record_.attributes) return true;
  return std::all_of(record_.attributes->begin(), record_.attributes->end(), [&](const auto& each) {
    const auto* value = std::get_if<std::string>(&problem.attribute(each.first));
    return value != nullptr &&
           std::find(each.second.begin(), each.second.end(), *value) != each.second.end();
  });
}

void PackageCheck::check_problem(const store::TypeBinding& types,
                                 const operators::Attributes& attributes,
                                 const std::vector<AxisValue>& axes) {
  if (++problems_ > kMostProblems || findings_.is_full()) return;
  const auto split = operators::split_axes(contract_, axes);
  if (!split) return;
  const auto problem = operators::Problem::create(
      package_.contract, operators::TypeBindings(types.begin(), types.end()), attributes,
      split->prepare);
  if (!problem || !serves(*problem)) return;
  const auto launch_axes = problem->launch_values(split->launch);
  if (!launch_axes) return;
  const auto served =
      check_stage_values({record_, *problem, *launch_axes, package_.capabilities}, findings_);
  if (served) check_outputs(*problem, *launch_axes);
}

void PackageCheck::check_outputs(const operators::Problem& problem,
                                 const std::vector<std::int64_t>& launch_axes) {
  const auto shapes = problem.shapes(launch_axes);
  if (!shapes) return;
  for (std::size_t i = 0; i < contract_.tensors().size(); ++i) {
    const operators::ContractTensor& tensor = contract_.tensors()[i];
    if (tensor.role == operators::TensorRole::kInput || !shapes->tensors[i].present) continue;
    const bool is_passed =
        std::any_of(record_.stages.begin(), record_.stages.end(), [&](const KernelStage& stage) {
          return stage.cadence == store::StageCadence::kPerLaunch &&
                 std::any_of(stage.arguments.begin(), stage.arguments.end(),
                             [&](const KernelArgument& argument) {
                               return argument.kind == ArgumentKind::kTensor &&
                                      argument.packed.empty() && argument.name == tensor.name;
                             });
        });
    if (is_passed) continue;
    return findings_.refuse("passes the output \"", tensor.name, "\" to no stage of a launch");
  }
}

}  // namespace

std::vector<Finding> check_package(const PackageUnderTest& package) {
  FindingList findings(base::concat("Kernel \"", printable(package.record->name), "\""),
                       Stage::kManifest);
  PackageCheck(package, findings).run();
  return std::move(findings).take();
}

}  // namespace halyard::verification
