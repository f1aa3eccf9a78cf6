// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"
#include "runtime/verification/verdict.h"
#include "runtime/worker/isolation.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

// A binary whose readers may themselves be attacked by it.
struct ConformanceRequest {
  std::string kernel;  // kernel.json
  std::string target;
  store::ParameterValues parameters;
  bool is_foreign = true;
  descriptors::CapabilitySet capabilities;  // of the device
};

struct ConformanceSetting {
  std::string worker_program;
  worker::Isolation isolation = worker::Isolation::kFull;
};

// check_code() in a confined process: readers that crash refuse the code.
// Errors: UNAVAILABLE when no process can be had.
base::Result<std::vector<Finding>> check_code_confined(const ConformanceSetting& setting,
                                                       const ConformanceRequest& request,
                                                       std::span<const std::byte> code);

// The other side: reads a request and gives the findings, as the verifier reads them.
std::string conformance_request_json(const ConformanceRequest& request);
std::string answer_conformance(std::string_view request_json, std::span<const std::byte> code);
// Errors: CORRUPT_DATA for what is no answer.
base::Result<std::vector<Finding>> parse_conformance_answer(std::string_view text);

}  // namespace halyard::verification
