// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/data_type.h"
#include "runtime/operators/random_inputs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace halyard::verification {

// The pattern that outputs and guards hold before a launch: another for each launch and name, and
// NaNs with unusual payloads in half of the elements of floating type, so that what was not written
// is told from what was.
class Poison {
 public:
  Poison(std::uint64_t seed, std::string_view name) : random_(seed, name) {}

  void fill(base::DataType type, std::span<std::byte> bytes) const;
  // Whether the element still is what fill() made it.
  bool holds(base::DataType type, std::uint64_t element, const std::byte* bytes) const;

  // Guards are filled with plain random bytes.
  void fill_guard(std::span<std::byte> guard) const;
  // The first byte that has changed.
  std::optional<std::size_t> first_change(std::span<const std::byte> guard) const;
  // The last one.
  std::optional<std::size_t> last_change(std::span<const std::byte> guard) const;

 private:
  std::uint64_t element_bits(base::DataType type, std::uint64_t element) const;
  std::byte guard_byte(std::size_t index) const;

  operators::CounterRandom random_;
};

}  // namespace halyard::verification
