// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/wave_record.h"
#include "backends/emulator/observe/observer.h"

namespace halyard::emulator {

// Follows bits that nothing has written through the registers, the LDS and the scratch of a wave,
// and stops it where one reaches memory or control.

// Before an instruction that reads or writes a register that may be undefined.
void follow_undefined(Wave& wave, WaveRecord& record, const Operation& operation,
                      const OperationFacts& facts);
// With each access to memory.
void follow_undefined(Wave& wave, WaveRecord& record, const Operation& operation,
                      const OperationFacts& facts, const MemoryAccess& access);

}  // namespace halyard::emulator
