// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/observe/observer.h"

namespace halyard::emulator {

// Two observers of one launch; the first one stops a wave before the second sees it. Borrows both.
class ObserverPair final : public Observer {
 public:
  ObserverPair(Observer& first, Observer& second) : first_(first), second_(second) {}

  void begin(Workgroup& workgroup) override {
    first_.begin(workgroup);
    second_.begin(workgroup);
  }
  void before(Wave& wave, const Operation& operation) override {
    first_.before(wave, operation);
    if (wave.status != WaveStatus::kStopped) second_.before(wave, operation);
  }
  void after(Wave& wave, const Operation& operation) override {
    first_.after(wave, operation);
    second_.after(wave, operation);
  }
  void access(Wave& wave, const Operation& operation, const MemoryAccess& access) override {
    first_.access(wave, operation, access);
    second_.access(wave, operation, access);
  }
  void barrier(Workgroup& workgroup) override {
    first_.barrier(workgroup);
    second_.barrier(workgroup);
  }
  void end(Workgroup& workgroup) override {
    first_.end(workgroup);
    second_.end(workgroup);
  }

 private:
  Observer& first_;
  Observer& second_;
};

}  // namespace halyard::emulator
