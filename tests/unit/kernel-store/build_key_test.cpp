// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/build_key.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace halyard::store {
namespace {

TEST(BuildKey, EachInputChangesIt) {
  const std::vector<std::function<void(BuildInputs&)>> changes = {
      [](BuildInputs&) {},
      [](BuildInputs& inputs) { inputs.kernel[5] = 1; },
      [](BuildInputs& inputs) { inputs.parameters["A"] = 1; },
      [](BuildInputs& inputs) { inputs.parameters["A"] = 2; },
      [](BuildInputs& inputs) { inputs.target = "x86_64-v4"; },
      [](BuildInputs& inputs) { inputs.types["T"] = base::DataType::kF32; },
      [](BuildInputs& inputs) { inputs.types["T"] = base::DataType::kF16; },
      [](BuildInputs& inputs) { inputs.toolchain = "clang 19.1.7"; },
      [](BuildInputs& inputs) { inputs.driver = "clang 19.1.7"; },
      [](BuildInputs& inputs) {
        inputs.flags = {"-O3", "-g"};
      },
      [](BuildInputs& inputs) { inputs.flags = {"-O3-g"}; },
      [](BuildInputs& inputs) {
        inputs.flags = {"-g", "-O3"};
      },
  };
  std::set<BuildKey> keys;
  for (const auto& change : changes) {
    BuildInputs inputs;
    change(inputs);
    keys.insert(compute_build_key(inputs));
  }
  EXPECT_EQ(keys.size(), changes.size());
}

}  // namespace
}  // namespace halyard::store
