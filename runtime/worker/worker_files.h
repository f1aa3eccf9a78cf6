// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/sandbox.h"

#include <string>

namespace halyard::worker {

// Fills `desc` with the arguments, files, devices and environment that the worker needs to serve
// `device` ("cpu:0", "vulkan:0000:03:00.0"); `data_directory` has the tables of an emulated one.
// Errors: NOT_FOUND when the worker's program is not there.
base::Status describe_worker(const std::string& program, const std::string& device,
                             const std::string& data_directory, SandboxDesc& desc);

}  // namespace halyard::worker
