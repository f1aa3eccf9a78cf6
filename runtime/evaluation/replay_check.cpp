// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/replay_check.h"

#include "runtime/base/float_formats.h"

#include <cmath>
#include <limits>

namespace halyard::services {
namespace {

constexpr double kMaxDifference = 0.01;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double difference(const SharedTensor& shared, const HostBytes& expected, const HostBytes& found) {
  if (!base::data_type_is_float(shared.type)) return kInfinity;
  const std::size_t size_bytes = base::data_type_size_bytes(shared.type);
  double squares = 0;
  double total = 0;
  for (std::size_t i = 0; i < expected.size(); i += size_bytes) {
    const double r = base::load_as_double(shared.type, expected.data() + i);
    const double y = base::load_as_double(shared.type, found.data() + i);
    if (r == y || (std::isnan(r) && std::isnan(y))) {
      if (std::isfinite(r)) total += r * r;
      continue;
    }
    if (!std::isfinite(r) || !std::isfinite(y)) return kInfinity;
    squares += (y - r) * (y - r);
    total += r * r;
  }
  return total > 0 ? std::sqrt(squares / total) : kInfinity;
}

}  // namespace

ReplayCheck compare_runs(const BoundWorkload& workload, std::span<const HostBytes> expected,
                         std::span<const HostBytes> found) {
  ReplayCheck result;
  for (std::size_t i = 0; i < workload.tensors.size(); ++i) {
    if (expected[i].empty()) continue;
    ++result.tensors;
    if (expected[i] == found[i]) {
      ++result.identical;
      continue;
    }
    const double apart = difference(workload.tensors[i], expected[i], found[i]);
    if (apart <= result.worst_difference) continue;
    result.worst_difference = apart;
    result.worst_tensor = workload.tensors[i].name;
  }
  result.passed = result.worst_difference <= kMaxDifference;
  return result;
}

base::Result<std::vector<HostBytes>> read_written(const BoundWorkload& workload,
                                                  const TensorSet& tensors) {
  std::vector<HostBytes> bytes(workload.tensors.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!workload.tensors[i].is_written) continue;
    HALYARD_TRY_ASSIGN(bytes[i], tensors.read(i));
  }
  return bytes;
}

}  // namespace halyard::services
