// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/observe/observer.h"

#include <memory>

namespace halyard::emulator {

// What makes the interpreter stricter than hardware in full mode: values that nothing has written
// and that reach memory or control, races, values that are used before their wait, and barriers
// with lanes missing. Observes one launch. Races are looked for in the memory that is accessed
// first, as much as 128 MiB of records describe.
class Detectors final : public Observer {
 public:
  Detectors();
  ~Detectors() override;

  void begin(Workgroup& workgroup) override;
  void before(Wave& wave, const Operation& operation) override;
  void after(Wave& wave, const Operation& operation) override;
  void access(Wave& wave, const Operation& operation, const MemoryAccess& access) override;
  void barrier(Workgroup& workgroup) override;
  void end(Workgroup& workgroup) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace halyard::emulator
