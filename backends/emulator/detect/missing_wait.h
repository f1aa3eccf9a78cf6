// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/wave_record.h"
#include "backends/emulator/observe/observer.h"

namespace halyard::emulator {

// Stops a wave that uses a register, or bytes of the LDS, that an instruction may still write.

// Before an instruction whose registers may have a pending result.
void check_waits(Wave& wave, const WaveRecord& record, const Operation& operation,
                 const OperationFacts& facts);
// With each access to the LDS.
void check_waits(Wave& wave, const WaveRecord& record, const Operation& operation,
                 const MemoryAccess& access);
// Counts what an instruction starts. After the checks.
void start_counting(WaveRecord& record, const Operation& operation, const OperationFacts& facts);

}  // namespace halyard::emulator
