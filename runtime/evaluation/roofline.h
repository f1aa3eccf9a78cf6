// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/evaluation/ceilings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::services {

// A fraction beyond this is above the ceiling for a reason: memory reads are of cached data.
inline constexpr double kAboveCeiling = 1.05;

// The work of a launch, by the contract.
struct Work {
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;
};

// A time beside what the ceilings allow. What no ceiling was measured for stays empty.
struct Roofline {
  std::optional<double> gbps;
  std::optional<double> gflops;
  std::optional<double> bandwidth_fraction;
  std::optional<double> arithmetic_fraction;
  std::optional<double> bound_ns;  // The least time that the ceilings allow.
  std::optional<double> fraction;  // bound_ns over the time.
  std::string bound;               // "bandwidth" or "arithmetic"; empty without a bound.
  std::vector<std::string> notes;
};

// The least times that the ceilings allow for one launch; 0 where there is no ceiling or no work.
struct Bound {
  double bandwidth_ns = 0;
  double arithmetic_ns = 0;

  double least_ns() const { return bandwidth_ns > arithmetic_ns ? bandwidth_ns : arithmetic_ns; }
};

// Of a launch with products of `type`.
Bound launch_bound(const Work& work, base::DataType type, const Ceilings& ceilings);

// Of one launch.
Roofline launch_roofline(const Work& work, double time_ns, base::DataType type,
                         const Ceilings& ceilings);
// Of launches one after the other, from their works and bounds.
Roofline chain_roofline(const Work& total, double time_ns, const std::vector<Bound>& bounds);

}  // namespace halyard::services
