// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/device_facts.h"
#include "runtime/evaluation/results.h"
#include "runtime/operators/contract_catalog.h"

#include <iostream>
#include <limits>

namespace {

namespace base = halyard::base;
namespace operators = halyard::operators;
using namespace halyard::services;  // NOLINT(google-build-using-namespace): a test of all of it.

constexpr const char* kWorkload =
    R"({"format": "halyard.workload/1", "name": "two",
        "axes": [{"name": "batch", "default": 2}],
        "operations": [
          {"name": "norm", "contract": "rms_norm", "types": {"T": "f32"},
           "axes": {"batch": "batch", "hidden": 8},
           "tensors": {"x": "hidden", "weight": "norm_weight", "y": "normed"}},
          {"name": "product", "contract": "gemm", "types": {"T": "f32"},
           "axes": {"M": "batch", "N": 16, "K": 8},
           "tensors": {"A": "normed", "B": "weight", "C": "out"}}]})";

OperationCheck failing_check() {
  OutputCheck output;
  output.tensor = "y";
  output.elements = 16;
  output.place = {1, 3};
  output.worst.compared = 4;
  output.worst.failures = 1;
  output.worst.ratio = std::numeric_limits<double>::infinity();
  output.worst.value = std::numeric_limits<double>::quiet_NaN();
  output.worst.reference = 1.5;
  OperationCheck check;
  check.outputs.push_back(output);
  return check;
}

EvaluationFindings findings(const BoundWorkload& workload) {
  EvaluationFindings found;
  found.workload = &workload;
  found.device["id"] = "cpu:0";
  found.device["name"] = "Example";
  found.device["backend"] = "cpu";
  found.device["driver"] = "cpu 1";
  found.environment = environment_members();
  found.date = "2026-11-30T00:00:00Z";
  found.ceilings.bandwidth = Ceiling{20, "best of 2 reads", "host", {19, 20}};
  found.ceilings.arithmetic[base::DataType::kF32] = Ceiling{100, "best of 1 runs", "host", {100}};
  found.ceilings.notes = {"Products of bf16 are not measured."};
  OperationResult norm;
  norm.kernel_id = std::string(64, 'a');
  norm.kernel_name = "rms_norm_cpu";
  norm.target = "x86_64-v3";
  norm.state = "self-tested";
  norm.reason = "The only one.";
  norm.work = {100, 100};
  norm.check = failing_check();
  norm.timing = Timing{"host", {2, 1, 3}, 100};
  norm.is_warm = true;
  OperationResult product;
  product.kernel_name = "reference";
  product.is_reference = true;
  product.work = {512, 704};
  found.operations = {norm, product};
  SequenceResult& sequence = found.sequence.emplace();
  sequence.timing = Timing{"host", {5, 6, 7}, 1};
  sequence.replay = ReplayCheck{2, 1, 0.001, "out", true};
  sequence.notes = {"A note."};
  return found;
}

}  // namespace

int main() {
  const operators::ContractCatalog catalog(HALYARD_SOURCE_DIR "/kernel-store");
  const auto workload = Workload::parse(kWorkload, "workload");
  if (!workload) return 1;
  const auto bound = BoundWorkload::bind(
      *workload, {}, [&](const std::string& name) { return catalog.find(name); });
  if (!bound) return 1;
  std::cout << results_json(findings(*bound)) << '\n';
  return 0;
}
