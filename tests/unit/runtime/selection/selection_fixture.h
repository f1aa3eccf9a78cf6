// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_backend.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::selection {

inline constexpr core::NamedBackendFactory kCpuBackend[] = {{"cpu", &cpu::create_cpu_backend}};

// Instances over a data directory and a store of the test's own, which go with it. The data
// directory has all contracts, and the kernels of rms_norm.
class SelectionTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Adds the kernels of another contract.
  void copy_kernels(const std::string& contract) const;
  std::filesystem::path kernel_file(const std::string& name) const {
    return root_ / "data/kernels/rms_norm/rms_norm_cpu" / name;
  }
  // A file of the user's configuration, which is the test's own.
  std::string config_file(const std::string& name) const {
    return (root_ / "config/halyard" / name).string();
  }
  std::string store_url() const { return (root_ / "store/store.sqlite").string(); }

  // Keeps what the instance logs in logged_.
  base::Ref<Instance> make_instance(
      std::span<const core::NamedBackendFactory> backends = kCpuBackend);
  static base::Ref<core::Device> cpu(Instance& instance);
  static PrepareRequest norm_request();

  std::filesystem::path root_;
  std::optional<std::string> config_home_before_;
  std::vector<std::string> logged_;
};

}  // namespace halyard::selection
