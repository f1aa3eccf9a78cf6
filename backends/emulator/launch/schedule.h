// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace halyard::emulator {

// Random numbers that a seed tells, the same on every machine.
class ScheduleRandom {
 public:
  explicit ScheduleRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
    state_ += kStep;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }
  // Below `limit`, which is not 0.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

// The workgroups of a grid, each once, in an order that a seed tells.
class WorkgroupOrder {
 public:
  WorkgroupOrder(std::uint64_t count, std::uint64_t seed);

  // Of the workgroup that is `position`-th, below the count.
  std::uint64_t operator()(std::uint64_t position) const;

 private:
  std::uint64_t count_;
  std::uint32_t half_bits_;
  std::uint64_t seed_;
};

}  // namespace halyard::emulator
