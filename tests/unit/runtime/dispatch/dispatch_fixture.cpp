// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/dispatch/dispatch_fixture.h"

#include <bit>
#include <utility>

namespace halyard::dispatch {
namespace {

constexpr std::string_view kContract = R"({
  "format": "halyard.contract/1", "name": "scale_rows", "version": "1.0.0",
  "summary": "y = weight * x.",
  "axes": [{"name": "rows", "kind": "launch", "min": 0, "max": 100000},
           {"name": "columns", "kind": "prepare", "min": 1, "max": 100000}],
  "attributes": [{"name": "epsilon", "type": "number", "default": 0.5}],
  "types": [{"T": "f32"}],
  "tensors": [
    {"name": "x", "role": "input", "type": "T", "shape": ["rows", "columns"],
     "strides": "rows", "alignment_bytes": 16},
    {"name": "weight", "role": "input", "type": "T", "shape": ["columns"], "strides": "dense",
     "alignment_bytes": 16, "constant": true},
    {"name": "y", "role": "output", "type": "T", "shape": ["rows", "columns"],
     "strides": "rows", "alignment_bytes": 16}],
  "scalars": [{"name": "factor", "type": "f32"}],
  "accumulation": "f32", "determinism": "bitwise",
  "flops": "rows * columns", "bytes": "sizeof.T * rows * columns",
  "tolerance": {"c": 1, "reduction": "1", "kind": "relative"},
  "rules": {"nan": "n", "infinity": "i", "empty": "e", "masked": "m"},
  "golden": {"seeds": [1], "axes": [{"rows": 1, "columns": 4}]},
  "workloads": []
})";

}  // namespace

std::string kernel_text(const std::string& members, const std::string& arguments,
                        const std::string& stage_members) {
  return R"json({"format": "halyard.kernel/1", "name": "k", "version": "1.0.0",
    "contract": "scale_rows@1", "language": "glsl", "source": "k.comp", "prelude": "glsl/1",
    "targets": ["spirv-1.5"], "types": [{"T": "f32"}],)json" +
         members +
         R"json("stages": [{"name": "main", "cadence": "per-launch", "entry": "main",
    "grid": ["ceil_div(rows, 4)", 1, 1], "block": [1, 1, 1],)json" +
         stage_members + R"json("arguments": [)json" + arguments +
         R"json(]}], "provenance": {"project": "halyard"}, "license": "Apache-2.0"})json";
}

operators::Problem DispatchTest::make_problem() {
  auto contract = operators::Contract::parse(kContract, "contract");
  EXPECT_TRUE(contract) << contract.error().message();
  const std::vector<operators::AxisValue> columns = {{"columns", 64}};
  auto problem = operators::Problem::create(*contract, {{"T", base::DataType::kF32}}, {}, columns);
  EXPECT_TRUE(problem) << problem.error().message();
  return *problem;
}

void DispatchTest::make(const std::string& text, core::CapabilitySet capabilities) {
  device_ = base::make_ref<RecordingDevice>(std::move(capabilities));
  const operators::Problem problem = make_problem();
  const auto record = store::parse_kernel_record(text, "kernel.json");
  ASSERT_TRUE(record) << record.error().message();
  created_ = std::make_unique<base::Result<base::Ref<LaunchPlan>>>(LaunchPlan::create(
      {*device_, problem, *record, "spirv-1.5", "build", record->default_parameters(), {}}));
  if (!*created_) return;
  const auto choice = base::make_ref<KernelChoice>();
  choice->plan = **created_;
  make_operation(problem, choice);
}

void DispatchTest::make_reference() {
  device_ = base::make_ref<RecordingDevice>();
  make_operation(make_problem(), base::make_ref<KernelChoice>());
}

void DispatchTest::make_operation(operators::Problem problem,
                                  base::Ref<const KernelChoice> choice) {
  auto operation = Operation::create(*device_, std::move(problem), {}, {100000}, std::move(choice));
  ASSERT_TRUE(operation) << operation.error().message();
  operation_ = *operation;
  x_ = *device_->create_buffer({1 << 20, 0});
  weight_ = *device_->create_buffer({1 << 20, 0});
  y_ = *device_->create_buffer({1 << 20, 0});
}

Launch DispatchTest::launch(std::int64_t rows, TensorView workspace) {
  views_ = {
      {x_.get(), 256, 0, nullptr}, {weight_.get(), 512, 0, nullptr}, {y_.get(), 0, 0, nullptr}};
  axes_ = {rows};
  scalars_ = {std::bit_cast<std::uint32_t>(1.5F)};
  return {views_, axes_, scalars_, workspace};
}

}  // namespace halyard::dispatch
