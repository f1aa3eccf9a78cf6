// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/observe/report.h"
#include "runtime/base/error.h"
#include "runtime/base/result.h"
#include "runtime/core/queue.h"

namespace halyard::emulator {

class EmulatorDevice;

// INVALID_ARGUMENT where its executable has no such stage or takes another number of arguments.
base::Status check_dispatch(const core::Dispatch& dispatch);

// Executes one dispatch on the calling thread and returns once its last workgroup has ended. The
// executable and the buffers are those of `device`.
// Errors: those of fault(); INVALID_ARGUMENT, OUT_OF_MEMORY, UNSUPPORTED as launch() gives them.
base::Status run_dispatch(EmulatorDevice& device, const core::Dispatch& dispatch);

// What a report is to an application: KERNEL_FAULT for what the kernel did, UNSUPPORTED for an
// instruction that is not executed here. The message is the report's text in one line, its kind
// first: "out_of_bounds: …".
base::Error fault(const Report& report);

}  // namespace halyard::emulator
