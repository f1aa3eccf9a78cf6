// SPDX-License-Identifier: Apache-2.0
// Prints what halyard_operation_prepare costs on the CPU: prepare_bench [MOST_WARM_US]. The first
// call runs the self-test, the last ones find everything known. Exits with 1 above the bar.
#include "halyard/halyard.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

constexpr int kRounds = 2001;

double prepare_us(const halyard::Device& device, const halyard_operation_desc& desc) {
  const auto start = std::chrono::steady_clock::now();
  const auto operation = halyard::Operation::prepare(device, desc);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

// The warm median.
double print_times(const halyard::Device& device, const halyard_operation_desc& desc) {
  const double first = prepare_us(device, desc);
  const double second = prepare_us(device, desc);
  std::vector<double> warm;
  warm.reserve(kRounds);
  for (int i = 0; i < kRounds; ++i)
    warm.push_back(prepare_us(device, desc));
  std::nth_element(warm.begin(), warm.begin() + kRounds / 2, warm.end());
  const double median = warm[kRounds / 2];
  std::printf("%-10s first %.0f us, second %.1f us, warm median %.2f us of %d\n", desc.contract,
              first, second, median, kRounds);
  return median;
}

halyard_operation_desc describe(const char* contract, const halyard_type_binding& type,
                                const std::vector<halyard_axis>& axes) {
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.contract = contract;
  desc.type_count = 1;
  desc.types = &type;
  desc.axis_count = static_cast<std::uint32_t>(axes.size());
  desc.axes = axes.data();
  return desc;
}

double run() {
  halyard_instance_desc instance_desc = HALYARD_INSTANCE_DESC_INIT;
  instance_desc.store_url = "memory:";
  const auto instance = halyard::Instance::create(&instance_desc);
  const halyard::Device device = instance.device("cpu:0");
  const halyard_type_binding type = {"T", HALYARD_TYPE_F32};
  const std::vector<halyard_axis> norm_axes = {{"hidden", 4096}};
  const double norm = print_times(device, describe("rms_norm", type, norm_axes));

  const std::vector<float> weights(std::size_t{512} * 512);
  const auto constant =
      halyard::Constant::create(device, HALYARD_TYPE_F32, {512, 512}, weights.data());
  const halyard_constant_binding binding = {"B", constant.get()};
  const std::vector<halyard_axis> gemm_axes = {{"M", 16}, {"N", 512}, {"K", 512}};
  halyard_operation_desc gemm = describe("gemm", type, gemm_axes);
  gemm.constant_count = 1;
  gemm.constants = &binding;
  return std::max(norm, print_times(device, gemm));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const double warm = run();
    return argc == 2 && warm > std::atof(argv[1]) ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
