// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/figure_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace halyard::command_line {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 64> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  if (length < 0 || static_cast<std::size_t>(length) >= text.size()) return "-";
  return std::string(text.data());
}

}  // namespace

std::string significant(double value) {
  const double size = std::fabs(value);
  if (size != 0 && (size < 0.001 || size >= 1e9)) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2e", value);
    return std::string(text.data());
  }
  if (size >= 99.95) return fixed(value, 0);
  if (size >= 9.995) return fixed(value, 1);
  return fixed(value, size >= 0.9995 ? 2 : 3);
}

std::string figure(std::optional<double> value) {
  return value ? significant(*value) : "-";
}

std::string duration(std::optional<double> nanoseconds) {
  if (!nanoseconds) return "-";
  if (*nanoseconds < 1e3) return significant(*nanoseconds) + " ns";
  if (*nanoseconds < 1e6) return significant(*nanoseconds / 1e3) + " us";
  if (*nanoseconds < 1e9) return significant(*nanoseconds / 1e6) + " ms";
  return significant(*nanoseconds / 1e9) + " s";
}

std::string percent(std::optional<double> fraction) {
  if (!fraction) return "-";
  return fixed(*fraction * 100, *fraction < 0.0995 ? 1 : 0) + " %";
}

std::string rate(std::optional<double> value, std::optional<double> fraction) {
  if (!value) return "-";
  return fraction ? significant(*value) + " (" + percent(fraction) + ")" : significant(*value);
}

}  // namespace halyard::command_line
