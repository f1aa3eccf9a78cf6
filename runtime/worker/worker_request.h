// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"
#include "runtime/operators/contract.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

// How a worker's emulated device executes launches; it looks for everything that it can find.
struct Emulation {
  std::uint64_t instruction_budget = 0;        // of a launch; 0: none
  std::optional<std::uint64_t> schedule_seed;  // of the first launch's order of waves
  bool has_statistics = false;                 // each launch tells them
};

// Whether kernels of the device work on the arena in place, on the CPU.
bool is_in_place(std::string_view device);
// Whether a program of ours executes the device's kernels, with tables of the data directory.
bool is_emulated(std::string_view device);

// The kernel that a worker loads once, before it confines itself. Code and memory come as files.
struct LoadRequest {
  std::string device;    // "cpu:0"
  std::string contract;  // the JSON of the contract
  std::string kernel;    // kernel.json
  std::string target;
  std::string build;  // names the binary: equal text, equal bytes
  store::ParameterValues parameters;
  std::vector<std::uint64_t> capacities;  // of the arena's slots
  std::string data_directory;             // of an emulated device's tables
  Emulation emulation;
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
