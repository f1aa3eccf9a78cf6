// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/selection/selection_fixture.h"

#include <stdlib.h>

#include <utility>

namespace halyard::selection {

namespace fs = std::filesystem;

void SelectionTest::SetUp() {
  std::string pattern = (fs::temp_directory_path() / "halyard-selection-XXXXXX").string();
  ASSERT_NE(nullptr, ::mkdtemp(pattern.data()));
  root_ = pattern;
  if (const char* const before = ::getenv("XDG_CONFIG_HOME")) config_home_before_ = before;
  ASSERT_EQ(0, ::setenv("XDG_CONFIG_HOME", (root_ / "config").c_str(), 1));
  const fs::path built(HALYARD_BUILT_DATA_DIRECTORY);
  fs::create_directories(root_ / "data/kernels");
  fs::copy(built / "contracts", root_ / "data/contracts", fs::copy_options::recursive);
  fs::copy(built / "prelude", root_ / "data/prelude", fs::copy_options::recursive);
  copy_kernels("rms_norm");
}

void SelectionTest::TearDown() {
  if (config_home_before_) {
    ::setenv("XDG_CONFIG_HOME", config_home_before_->c_str(), 1);
  } else {
    ::unsetenv("XDG_CONFIG_HOME");
  }
  fs::remove_all(root_);
}

void SelectionTest::copy_kernels(const std::string& contract) const {
  fs::copy(fs::path(HALYARD_BUILT_DATA_DIRECTORY) / "kernels" / contract,
           root_ / "data/kernels" / contract, fs::copy_options::recursive);
}

base::Ref<Instance> SelectionTest::make_instance(
    std::span<const core::NamedBackendFactory> backends) {
  InstanceOptions options;
  options.data_directory = (root_ / "data").string();
  options.store_url = store_url();
  options.log_callback = [this](base::LogLevel, std::string_view sentence) {
    logged_.emplace_back(sentence);
  };
  auto instance = Instance::create(std::move(options), backends);
  EXPECT_TRUE(instance) << instance.error().message();
  return *instance;
}

base::Ref<core::Device> SelectionTest::cpu(Instance& instance) {
  auto device = instance.backends().device("cpu:0");
  EXPECT_TRUE(device) << device.error().message();
  return *device;
}

PrepareRequest SelectionTest::norm_request() {
  PrepareRequest request;
  request.contract = "rms_norm";
  request.types = {{"T", base::DataType::kF32}};
  request.axes = {{"hidden", 64}};
  return request;
}

}  // namespace halyard::selection
