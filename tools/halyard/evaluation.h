// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"
#include "halyard/services/evaluation.h"

#include <string>

namespace halyard::command_line {

class Results : public Handle<halyard_results, halyard_results_retain, halyard_results_release> {
 public:
  using Handle::Handle;

  std::string json() const { return halyard_results_json(get()); }
  bool passed() const { return halyard_results_passed(get()) != 0; }
};

// Runs a workload with a progress line.
Results evaluate(const Device& device, const std::string& workload, halyard_evaluation_desc desc);

}  // namespace halyard::command_line
