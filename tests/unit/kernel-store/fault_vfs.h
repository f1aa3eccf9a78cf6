// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/kernel-store/fault_disk.h"

namespace halyard::store::testing {

// SQLite's default file system while it lives: files open on the disk that is mounted then. One
// connection to a disk at a time.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  // Borrows the disk.
  void mount(FaultDisk* disk);
};

}  // namespace halyard::store::testing
