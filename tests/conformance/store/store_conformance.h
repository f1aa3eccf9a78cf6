// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "runtime/base/result.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

// What every engine of the kernel store does alike. An engine takes part by a file of its own with
// INSTANTIATE_TEST_SUITE_P(Engines, StoreConformance, ...), in an executable that has the suite's
// sources too.
namespace halyard::store {

struct Engine {
  std::string name;
  // A store that is empty at the first call in a test, and the same one at later calls when
  // `is_lasting`.
  std::function<base::Result<std::unique_ptr<KernelStore>>(const testing::TemporaryDirectory&)>
      open;
  bool is_lasting = true;
};

inline void PrintTo(const Engine& engine, std::ostream* out) {
  *out << engine.name;
}

class StoreConformance : public ::testing::TestWithParam<Engine> {
 protected:
  void SetUp() override { store_ = open(); }

  // The store of this test, opened once more.
  std::unique_ptr<KernelStore> open() {
    auto opened = GetParam().open(directory_);
    EXPECT_TRUE(opened) << opened.error().message();
    return opened ? std::move(*opened) : nullptr;
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<KernelStore> store_;
};

}  // namespace halyard::store
