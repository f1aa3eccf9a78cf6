// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"
#include "runtime/operators/contract.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

// The kernel that a worker loads once, before it confines itself. Code and memory come as files.
struct LoadRequest {
  std::string device;    // "cpu:0"
  std::string contract;  // the JSON of the contract
  std::string kernel;    // kernel.json
  std::string target;
  std::string build;  // names the binary: equal text, equal bytes
  store::ParameterValues parameters;
  std::vector<std::uint64_t> capacities;  // of the arena's slots
};

// The problem that the next launches are of.
struct PrepareRequest {
  operators::TypeBindings types;
  operators::Attributes attributes;
  std::vector<operators::AxisValue> prepare_axes;
};

std::string load_request_json(const LoadRequest& request);
// Errors: CORRUPT_DATA.
base::Result<LoadRequest> parse_load_request(std::string_view json);

std::string prepare_request_json(const PrepareRequest& request);
base::Result<PrepareRequest> parse_prepare_request(std::string_view json);

}  // namespace halyard::worker
