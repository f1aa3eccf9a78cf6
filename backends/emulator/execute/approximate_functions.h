// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

// Functions that instructions approximate, in double precision.
namespace halyard::emulator::lanes {

inline double reciprocal(double x) {
  return 1.0 / x;
}
inline double square_root(double x) {
  return std::sqrt(x);
}
inline double reciprocal_root(double x) {
  return 1.0 / std::sqrt(x);
}
inline double power_of_two(double x) {
  return std::exp2(x);
}
inline double logarithm_of_two(double x) {
  return std::log2(x);
}
// Of an angle in turns. The part of a turn is exact, and so are the quarters.
inline double part_of_turn(double turns) {
  return turns - std::rint(turns);
}
inline double sine_of_turns(double turns) {
  const double part = part_of_turn(turns);
  if (part == 0 || part == 0.5 || part == -0.5) return std::copysign(0.0, turns);
  return std::sin(2 * std::numbers::pi * part);
}
inline double cosine_of_turns(double turns) {
  const double part = std::fabs(part_of_turn(turns));
  if (part == 0.25) return 0;
  return std::cos(2 * std::numbers::pi * part);
}

}  // namespace halyard::emulator::lanes
