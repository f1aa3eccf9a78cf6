// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/backends/emulator/kernels/kernel_case.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

// What arguments hold: numbers that a seed tells, the same in each run and on each machine.
namespace halyard::emulator::testing {

// splitmix64
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

template <typename T>
CaseArgument input(const std::vector<T>& items) {
  CaseArgument argument;
  argument.bytes.resize(items.size() * sizeof(T));
  std::memcpy(argument.bytes.data(), items.data(), argument.bytes.size());
  return argument;
}

// Any bits.
CaseArgument random_bytes(std::uint64_t seed, std::size_t count);
// Even ones.
CaseArgument floats(std::uint64_t seed, std::size_t count, double low, double high);
CaseArgument doubles(std::uint64_t seed, std::size_t count, double low, double high);
CaseArgument halves(std::uint64_t seed, std::size_t count, double low, double high);
CaseArgument bfloats(std::uint64_t seed, std::size_t count, double low, double high);
// Whole numbers from `low` to `high`.
CaseArgument whole_bytes(std::uint64_t seed, std::size_t count, int low, int high);
CaseArgument whole_shorts(std::uint64_t seed, std::size_t count, int low, int high);
CaseArgument whole_words(std::uint64_t seed, std::size_t count, int low, int high);
// Every number from 0 to `count` - 1 once, in some order.
CaseArgument shuffled_words(std::uint64_t seed, std::uint32_t count);
CaseArgument shuffled_shorts(std::uint64_t seed, std::uint32_t count);
// With the numbers that make trouble: infinities, NaNs, zeros, the smallest and the largest.
CaseArgument any_floats(std::uint64_t seed, std::size_t count);
CaseArgument any_doubles(std::uint64_t seed, std::size_t count);
CaseArgument any_halves(std::uint64_t seed, std::size_t count);

CaseArgument value(std::uint32_t number);
// Memory that the kernel writes; holds zeros before.
CaseArgument output(std::size_t bytes, Comparison comparison = Comparison::kBits,
                    double tolerance = 0);
// Memory that the kernel reads and writes.
CaseArgument in_out(CaseArgument argument, Comparison comparison = Comparison::kBits,
                    double tolerance = 0);

// To the nearest number of 16 bits, ties to even; and back.
std::uint16_t half_bits(double value);
double half_value(std::uint16_t bits);

}  // namespace halyard::emulator::testing
