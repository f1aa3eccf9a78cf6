// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/evaluation.h"

#include "tests/conformance/device_test.h"
#include "tests/conformance/visible_shape.h"

#include <chrono>
#include <iostream>
#include <sstream>

namespace halyard::conformance {
namespace {

// For each device; what is left out is printed. Elements cost more than operations do: the inputs
// are random, and the host has the outputs twice.
constexpr ShapeBudget kBudget = {HALYARD_WORKLOAD_FLOPS, HALYARD_WORKLOAD_ELEMENTS,
                                 HALYARD_WORKLOAD_TENSOR};

class WorkloadConformance : public DeviceTest {
 protected:
  // An interpreter gets a share that takes it about as long.
  ShapeBudget budget() const {
    constexpr double kShare = 1.0 / 16;
    if (device_.info().kind != HALYARD_DEVICE_KIND_EMULATOR) return kBudget;
    return {kBudget.flops * kShare, kBudget.elements * kShare, kBudget.largest_tensor_elements};
  }

  std::vector<ContractShapes> share_shapes() {
    std::vector<ContractShapes> contracts;
    std::istringstream names(instance_.contracts());
    for (std::string name; std::getline(names, name);) {
      const auto contract = boost::json::parse(instance_.contract(name.c_str()).json());
      contracts.push_back({name, visible_shapes(contract.as_object()), {}, {}});
    }
    share_budget(budget(), contracts);
    return contracts;
  }

  void check_contract(const ContractShapes& contract) {
    const auto start = std::chrono::steady_clock::now();
    double flops = 0;
    std::size_t checked = 0;
    for (const VisibleShape& shape : contract.taken) {
      if (!check_shape(contract.contract, shape)) continue;
      flops += shape.flops;
      ++checked;
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    for (const VisibleShape& shape : contract.left_out) {
      std::cout << "  left out by the budget: " << shape.text() << " (" << shape.flops / 1e9
                << " GFLOP, " << shape.elements / 1e6 << " million elements)\n";
    }
    EXPECT_FALSE(contract.taken.empty() && contract.left_out.empty()) << contract.contract;
    const std::size_t all = contract.taken.size() + contract.left_out.size();
    std::cout << contract.contract << ": " << checked << " of " << all
              << " visible shapes checked, " << flops / 1e9 << " GFLOP, " << elapsed.count()
              << " s\n";
    total_flops_ += flops;
  }

  // A tensor larger than the device's binding or memory; a probe of a type it has no product for.
  static bool is_beyond_device(const std::string& contract, halyard_status status,
                               const std::string& message) {
    if (status == HALYARD_STATUS_OUT_OF_MEMORY) return true;
    if (status != HALYARD_STATUS_NO_KERNEL) return false;
    return message.find("larger than one binding") != std::string::npos ||
           contract.rfind("probe_", 0) == 0;
  }

  // False for a shape that is beyond the device.
  bool check_shape(const std::string& contract, const VisibleShape& shape) {
    halyard_evaluation_desc desc = HALYARD_EVALUATION_DESC_INIT;
    desc.check = 1;
    halyard_results* results = nullptr;
    const std::string document = workload_document(contract, shape);
    const halyard_status status =
        halyard_evaluation_run(device_.get(), document.c_str(), &desc, &results);
    const std::string message = status == HALYARD_STATUS_OK ? "" : halyard_last_error_message();
    if (is_beyond_device(contract, status, message)) {
      std::cout << "  left out by the device: " << shape.text() << ": " << message << '\n';
      return false;
    }
    EXPECT_EQ(HALYARD_STATUS_OK, status) << shape.text() << ": " << message;
    EXPECT_EQ(1U, halyard_results_passed(results)) << shape.text() << "\n"
                                                   << halyard_results_json(results);
    halyard_results_release(results);
    return true;
  }

  double total_flops_ = 0;
};
HALYARD_ON_EACH_DEVICE(WorkloadConformance);

TEST_P(WorkloadConformance, VisibleShapesAreRight) {
  for (const ContractShapes& contract : share_shapes())
    check_contract(contract);
  std::cout << total_flops_ / 1e9 << " of " << kBudget.flops / 1e9 << " GFLOP are used.\n";
}

}  // namespace
}  // namespace halyard::conformance
