// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_id.h"
#include "kernel-store/kernel_record.h"

#include <string>
#include <vector>

namespace halyard::store {

// Everything that a binary depends on.
struct BuildInputs {
  KernelId kernel;
  ParameterValues parameters;  // Those that are compiled in.
  std::string target;
  TypeBinding types;
  std::string toolchain;  // "clang 19.1.7".
  std::string driver;     // Of binaries that a driver made; else empty.
  std::vector<std::string> flags;
};

using BuildKey = Digest;

BuildKey compute_build_key(const BuildInputs& inputs);

}  // namespace halyard::store
