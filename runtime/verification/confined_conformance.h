// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/verification/conformance/conformance_message.h"
#include "runtime/verification/verdict.h"
#include "runtime/worker/isolation.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

struct ConformanceSetting {
  std::string worker_program;
  worker::Isolation isolation = worker::Isolation::kFull;
};

// check_code() in a confined process: readers that crash refuse the code.
// Errors: UNAVAILABLE when no process can be had.
base::Result<std::vector<Finding>> check_code_confined(const ConformanceSetting& setting,
                                                       const ConformanceRequest& request,
                                                       std::span<const std::byte> code);

}  // namespace halyard::verification
