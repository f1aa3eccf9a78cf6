// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/conformance.h"

#include "runtime/verification/conformance/amdgpu_code.h"
#include "runtime/verification/conformance/cpu_object.h"
#include "runtime/verification/conformance/finding_list.h"
#include "runtime/verification/conformance/ptx_text.h"
#include "runtime/verification/conformance/spirv_code.h"

#include <utility>

namespace halyard::verification {
namespace {

std::vector<Finding> check_cpu(const CodeUnderTest& code) {
  CpuObjectExpectation expected;
  expected.kernel = code.record->name;
  for (const store::KernelStage& stage : code.record->stages)
    expected.entries.push_back(stage.entry);
  return check_cpu_object(code.bytes, expected);
}

std::vector<Finding> check_amdgpu(const CodeUnderTest& code) {
  AmdgpuExpectation expected;
  expected.kernel = code.record->name;
  expected.target = code.target;
  expected.stages = code_stages(*code.record, code.parameters, code.capabilities);
  expected.capabilities = code.capabilities;
  expected.instruction_set = code.instruction_set;
  expected.other_instruction_sets = code.other_instruction_sets;
  return check_amdgpu_code(code.bytes, expected);
}

std::vector<Finding> check_spirv(const CodeUnderTest& code) {
  SpirvExpectation expected;
  expected.kernel = code.record->name;
  expected.target = code.target;
  expected.stages = code_stages(*code.record, code.parameters, code.capabilities);
  for (const store::KernelParameter& parameter : code.record->parameters) {
    if (parameter.kind != store::ParameterKind::kConstant) continue;
    const auto given = code.parameters.find(parameter.name);
    expected.constants[parameter.constant_id] =
        given == code.parameters.end() ? parameter.default_value : given->second;
  }
  expected.capabilities = code.capabilities;
  expected.is_foreign = code.is_foreign;
  return check_spirv_code(code.bytes, expected);
}

std::vector<Finding> check_ptx(const CodeUnderTest& code) {
  PtxExpectation expected;
  expected.kernel = code.record->name;
  expected.target = code.target;
  expected.stages = code_stages(*code.record, code.parameters, code.capabilities);
  expected.newest_version = code.newest_ptx;
  expected.capabilities = code.capabilities;
  return check_ptx_text(code.bytes, expected);
}

}  // namespace

std::vector<Finding> check_code(const CodeUnderTest& code) {
  if (code.target.starts_with("x86_64-")) return check_cpu(code);
  if (code.target.starts_with("amdgcn-")) return check_amdgpu(code);
  if (code.target.starts_with("spirv-")) return check_spirv(code);
  if (code.target.starts_with("ptx-")) return check_ptx(code);
  FindingList findings(base::concat("The code of kernel \"", code.record->name, "\""));
  findings.refuse("is for target \"", printable(code.target),
                  "\", whose code cannot be checked before it is loaded");
  return std::move(findings).take();
}

}  // namespace halyard::verification
