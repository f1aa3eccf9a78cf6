// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/roofline.h"

#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::services {
namespace {

void set_rates(const Work& work, double time_ns, Roofline& out) {
  if (work.bytes != 0) out.gbps = static_cast<double>(work.bytes) / time_ns;
  if (work.flops != 0) out.gflops = static_cast<double>(work.flops) / time_ns;
}

void note_above(std::optional<double> fraction, const char* what, const char* why, Roofline& out) {
  if (!fraction || *fraction <= kAboveCeiling) return;
  out.notes.push_back(base::concat("Above the measured ceiling of ", what, ": ", why, "."));
}

void set_fractions(double bandwidth_ns, double arithmetic_ns, double least_ns, double time_ns,
                   Roofline& out) {
  if (bandwidth_ns > 0) out.bandwidth_fraction = bandwidth_ns / time_ns;
  if (arithmetic_ns > 0) out.arithmetic_fraction = arithmetic_ns / time_ns;
  if (least_ns > 0) {
    out.bound = bandwidth_ns >= arithmetic_ns ? "bandwidth" : "arithmetic";
    out.bound_ns = least_ns;
    out.fraction = least_ns / time_ns;
  }
  note_above(out.bandwidth_fraction, "memory reads", "cached data", out);
  note_above(out.arithmetic_fraction, "multiply-adds",
             "the kernel uses faster instructions than the probe, or the probe was disturbed", out);
}

}  // namespace

Bound launch_bound(const Work& work, base::DataType type, const Ceilings& ceilings) {
  Bound bound;
  if (ceilings.bandwidth) {
    bound.bandwidth_ns = static_cast<double>(work.bytes) / ceilings.bandwidth->value;
  }
  if (const Ceiling* arithmetic = ceilings.arithmetic_of(type)) {
    bound.arithmetic_ns = static_cast<double>(work.flops) / arithmetic->value;
  }
  return bound;
}

Roofline launch_roofline(const Work& work, double time_ns, base::DataType type,
                         const Ceilings& ceilings) {
  return chain_roofline(work, time_ns, {launch_bound(work, type, ceilings)});
}

Roofline chain_roofline(const Work& total, double time_ns, const std::vector<Bound>& bounds) {
  Roofline result;
  if (!(time_ns > 0)) return result;
  set_rates(total, time_ns, result);
  double bandwidth_ns = 0;
  double arithmetic_ns = 0;
  double least_ns = 0;
  for (const Bound& bound : bounds) {
    bandwidth_ns += bound.bandwidth_ns;
    arithmetic_ns += bound.arithmetic_ns;
    least_ns += bound.least_ns();
  }
  set_fractions(bandwidth_ns, arithmetic_ns, least_ns, time_ns, result);
  return result;
}

}  // namespace halyard::services
