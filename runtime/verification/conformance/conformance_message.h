// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"
#include "runtime/verification/verdict.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

// A binary whose readers may themselves be attacked by it, for check_code() in another process.
struct ConformanceRequest {
  std::string kernel;  // kernel.json
  std::string target;
  store::ParameterValues parameters;
  bool is_foreign = true;
  descriptors::CapabilitySet capabilities;  // of the device
  std::string instruction_set;  // of the target, "halyard.instruction_set/1"; empty: none
};

std::string conformance_request_json(const ConformanceRequest& request);

// The other side: the findings about `code`, as text. A request that is none is a finding.
std::string answer_conformance(std::string_view request_json, std::span<const std::byte> code);

// What that text says; whoever wrote it may be hostile. Errors: CORRUPT_DATA for what is no answer.
base::Result<std::vector<Finding>> parse_conformance_answer(std::string_view text);

}  // namespace halyard::verification
