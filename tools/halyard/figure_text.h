// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace halyard::command_line {

// Figures for people, three significant digits. "-" where the figure is unknown.
std::string significant(double value);
std::string figure(std::optional<double> value);
std::string duration(std::optional<double> nanoseconds);
std::string percent(std::optional<double> fraction);

// "41.2 (63 %)": a rate and its share of the ceiling, where that is known.
std::string rate(std::optional<double> value, std::optional<double> fraction);

}  // namespace halyard::command_line
