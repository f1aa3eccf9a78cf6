// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/bound_workload.h"
#include "runtime/operators/contract_catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halyard::services::testing {

inline ContractSource contracts() {
  static const operators::ContractCatalog catalog(HALYARD_SOURCE_DIR "/kernel-store");
  return [](const std::string& name) { return catalog.find(name); };
}

inline base::Result<BoundWorkload> bind_text(const std::string& json,
                                             const std::vector<operators::AxisValue>& axes = {}) {
  HALYARD_TRY_ASSIGN(const Workload workload, Workload::parse(json, "workload"));
  return BoundWorkload::bind(workload, axes, contracts());
}

// A document around the text of its operations.
inline std::string workload_text(const std::string& operations, const std::string& inputs = "{}") {
  return R"({"format": "halyard.workload/1", "name": "test",
             "axes": [{"name": "batch", "default": 2, "min": 1, "max": 64},
                      {"name": "context", "default": 10, "min": 1, "max": 64}],
             "operations": [)" +
         operations + R"(], "inputs": )" + inputs + "}";
}

inline const char* const kNorm =
    R"({"name": "norm", "contract": "rms_norm", "types": {"T": "f32"},
        "axes": {"batch": "batch", "hidden": 8},
        "tensors": {"x": "hidden", "weight": "norm_weight", "y": "normed"}})";
inline const char* const kProduct =
    R"({"name": "product", "contract": "gemm", "types": {"T": "f32"},
        "axes": {"M": "batch", "N": 16, "K": 8},
        "tensors": {"A": "normed", "B": "weight", "C": "out"}})";

template <typename Value>
void expect_refused(const base::Result<Value>& result, const std::string& part) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(result.error().message(), ::testing::HasSubstr(part));
}

}  // namespace halyard::services::testing
