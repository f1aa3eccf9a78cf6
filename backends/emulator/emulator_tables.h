// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/program/program.h"
#include "runtime/base/result.h"

#include <mutex>
#include <optional>
#include <string>

namespace halyard::emulator {

// The instruction tables of one target, read when they are first asked for. Only what is shipped
// in the data directory counts: evidence says which tables it rests on, and a confined process has
// no others.
// Threads: any number at once.
class EmulatorTables {
 public:
  EmulatorTables(EmulatedTarget target, std::string data_directory);

  const EmulatedTarget& target() const { return target_; }

  // Names the files that the tables are made of by their content: 16 hexadecimal digits.
  // Errors: NOT_FOUND, CORRUPT_DATA, IO_ERROR.
  base::Result<std::string> fingerprint() const;

  // The tables, which live as long as this. Errors: as above, and those of IsaTables::create.
  base::Result<const IsaTables*> get();

 private:
  EmulatedTarget target_;
  std::string data_directory_;
  std::mutex mutex_;  // guards what is below until it is there
  std::optional<const IsaTables> tables_;
};

}  // namespace halyard::emulator
