// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/bound_workload.h"
#include "runtime/evaluation/library_call.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace halyard::services {

// The best that a probe kernel reached: what a kernel for the device can be compared with.
struct Ceiling {
  double value = 0;  // GB/s or GFLOP/s.
  std::string method;
  std::string clock;
  std::vector<double> samples;
};

struct Ceilings {
  std::optional<Ceiling> bandwidth;
  std::map<base::DataType, Ceiling> arithmetic;
  std::vector<std::string> notes;  // What could not be measured, and why.

  // The ceiling of products of `type`: its own, else that of f32. NULL when there is none.
  const Ceiling* arithmetic_of(base::DataType type) const;
};

// Measures memory reads and multiply-adds with the contracts probe_read and probe_fma, for f32 and
// for those of `types` that the device has products of. A device without a probe kernel has no
// ceiling, and a note says so.
// Errors: OUT_OF_MEMORY; DEVICE_LOST.
base::Result<Ceilings> measure_ceilings(halyard_device* device, const ContractSource& contracts,
                                        const std::set<base::DataType>& types,
                                        std::chrono::nanoseconds budget);

}  // namespace halyard::services
