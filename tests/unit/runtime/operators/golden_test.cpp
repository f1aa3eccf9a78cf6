// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/tolerance.h"
#include "tests/unit/runtime/operators/host_launch.h"

#include <gtest/gtest.h>

#include <cmath>

namespace halyard::operators {
namespace {

using testing::HostLaunch;

// The reference rounded to the output's type passes the tolerance, and every fifth element asked
// for alone, backwards, equals that of the full evaluation.
void check_output(HostLaunch& launch, std::size_t tensor) {
  const Problem& problem = launch.problem();
  const ContractTensor& named = problem.contract().tensors()[tensor];
  std::vector<double> magnitudes;
  const std::vector<double> full = launch.evaluate(named.name, &magnitudes);
  const ContractTolerance& tolerance = problem.contract().fields().tolerance;
  ErrorTally tally({tolerance.kind, tolerance.c,
                    static_cast<double>(*problem.reduction_length(launch.launch_axes())),
                    problem.tensor_type(tensor), problem.contract().fields().accumulation});
  for (std::size_t i = 0; i < full.size(); ++i) {
    EXPECT_TRUE(std::isfinite(magnitudes[i]) && magnitudes[i] >= 0);
    EXPECT_FALSE(std::isnan(full[i]));
  }
  const auto reference = launch.reference();
  for (std::uint64_t i = full.size(); i-- > 0;) {
    if (i % 5 != 0) continue;
    const std::vector<std::uint64_t> one{i};
    std::vector<double> value(1);
    std::vector<double> magnitude(1);
    ASSERT_TRUE(reference->evaluate(tensor, one, value, magnitude));
    EXPECT_EQ(full[i], value[0]) << named.name << " element " << i;
    EXPECT_EQ(magnitudes[i], magnitude[0]);
  }
  ASSERT_TRUE(run_reference(problem, launch.launch_axes(), launch.tensors, launch.scalars));
  const std::vector<double> written = launch.get(named.name);
  for (std::size_t i = 0; i < full.size(); ++i)
    tally.add(i, written[i], full[i], magnitudes[i]);
  EXPECT_TRUE(tally.passed()) << named.name << ": ratio " << tally.worst().ratio << " at "
                              << tally.worst().element;
}

void run_golden(const Contract& contract, const TypeBindings& types) {
  const GoldenVectors& golden = contract.fields().golden;
  for (const std::vector<AxisValue>& axes : golden.axes) {
    for (const Attributes& attributes : golden.attributes) {
      for (std::size_t tensor = 0; tensor < contract.tensors().size(); ++tensor) {
        if (contract.tensors()[tensor].role == TensorRole::kInput) continue;
        HostLaunch launch(contract.name(), types, axes, attributes);
        launch.fill(golden.seeds.front());
        check_output(launch, tensor);
      }
    }
  }
}

class Golden : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden, EveryShapeAndTypeRunsThroughTheReference) {
  const base::Ref<const Contract> contract = testing::contract(GetParam());
  ASSERT_TRUE(contract);
  for (const TypeBindings& types : contract->fields().types) {
    SCOPED_TRACE(type_bindings_text(types));
    run_golden(*contract, types);
  }
}

INSTANTIATE_TEST_SUITE_P(Contracts, Golden,
                         ::testing::Values("add_rms_norm", "argmax", "attention_decode_paged",
                                           "cast", "copy_strided", "embedding", "gemm",
                                           "kv_append_paged", "rms_norm", "rope", "silu_mul",
                                           "softmax"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace halyard::operators
