// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/operation.h"
#include "runtime/operators/problem.h"
#include "runtime/selection/request.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace halyard::selection {

// All that an operation is made of but its constants, as a request gave it once.
struct KnownChoice final : public base::RefCounted {
  KnownChoice(operators::Problem given_problem, dispatch::AxisBounds given_bounds)
      : problem(std::move(given_problem)),
        bounds(std::move(given_bounds)) {}

  const operators::Problem problem;
  const dispatch::AxisBounds bounds;
  std::vector<std::uint32_t> constant_tensors;  // in the order of the request's constants
  base::Ref<const dispatch::KernelChoice> choice;
};

// Names everything of a request and a device that decides the choice: equal names, equal choices.
// Constants count by tensor, type and shape.
std::string choice_name(const core::Device& device, const PrepareRequest& request);

// The choices that an instance has made, as long as nothing has changed that may change them.
// Threads: any number at once.
class ChoiceCache {
 public:
  static constexpr std::size_t kMaxChoices = 256;

  // Null when the choice is not known since `generation`, which only grows; older ones are dropped.
  base::Ref<const KnownChoice> find(const std::string& name, std::uint64_t generation);
  // Keeps a choice that was made entirely since `generation`. Beyond kMaxChoices the one that was
  // used longest ago goes.
  void insert(std::string name, std::uint64_t generation, base::Ref<const KnownChoice> choice);

 private:
  struct Entry {
    base::Ref<const KnownChoice> choice;
    std::uint64_t last_use = 0;
  };
  using Entries = std::unordered_map<std::string, Entry>;

  Entries take_outdated(std::uint64_t generation);
  base::Ref<const KnownChoice> take_oldest();

  std::mutex mutex_;  // guards what follows
  std::uint64_t generation_ = 0;
  std::uint64_t uses_ = 0;
  Entries entries_;
};

}  // namespace halyard::selection
