// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"
#include "runtime/operators/random_inputs.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace halyard::verification {

using AxisMap = std::map<std::string, std::int64_t>;

// What a contract tells about sensible axes and attributes. Borrows the contract.
class ShapeSource {
 public:
  // Errors: INVALID_ARGUMENT for a workload that cannot be evaluated.
  static base::Result<ShapeSource> create(const operators::Contract& contract);

  // Axes of the golden vectors.
  const std::vector<AxisMap>& golden() const { return golden_; }
  // What one axis may be changed in: golden vectors without an empty axis, and the workloads with
  // launch axes cut short.
  const std::vector<AxisMap>& bases() const { return bases_; }
  const std::vector<AxisMap>& visible() const { return visible_; }
  // One for each of visible().
  const std::vector<operators::Attributes>& visible_attributes() const {
    return visible_attributes_;
  }
  // Every set of attributes that the contract names; at least one.
  const std::vector<operators::Attributes>& attributes() const { return attributes_; }

  // The values of an axis that golden vectors and workloads have.
  const std::vector<std::int64_t>& known_values(const std::string& axis) const;

  // Gives the axes that workloads compute from others their value; false when it cannot be.
  bool derive(AxisMap& axes) const;
  bool is_derived(const std::string& axis) const { return expressions_.contains(axis); }

 private:
  explicit ShapeSource(const operators::Contract& contract) : contract_(&contract) {}
  base::Status read_workloads();
  void read_golden();
  void read_known_values();

  const operators::Contract* contract_;
  std::vector<AxisMap> golden_;
  std::vector<AxisMap> bases_;
  std::vector<AxisMap> visible_;
  std::vector<operators::Attributes> visible_attributes_;
  std::vector<operators::Attributes> attributes_;
  std::map<std::string, std::vector<std::int64_t>> known_values_;
  std::map<std::string, std::string> expressions_;
};

}  // namespace halyard::verification
