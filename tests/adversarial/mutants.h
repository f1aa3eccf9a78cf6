// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/adversarial/mutator.h"
#include "tests/adversarial/package.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::adversarial {

// An honest kernel with one edit.
struct Mutant {
  std::string id;  // "rms_norm_cpu:21:operator: + ->  - "
  Package original;
  Package package;
};

// Mutants of the plain kernels in an order that the seed decides; some do not compile.
std::vector<Mutant> all_mutants(std::uint64_t seed);

// Why a mutant whose code differs does the same as its original, by id; nothing where it does not.
std::optional<std::string_view> equivalence_of(std::string_view id);

}  // namespace halyard::adversarial
