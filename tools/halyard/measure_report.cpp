// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/measure_report.h"

#include "tools/halyard/document.h"
#include "tools/halyard/figure_text.h"
#include "tools/halyard/table_printer.h"

#include <boost/json/array.hpp>
#include <ostream>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

std::string operation_name(const json::object& operation) {
  for (const char* member : {"name", "workload"}) {
    std::string name = text_of(operation, member);
    if (!name.empty()) return name;
  }
  return text_of(operation, "contract");
}

std::string error_text(const json::object& operation) {
  const auto ratio = number_of(operation, "error_ratio");
  if (!ratio) return "-";
  return significant(*ratio) + (text_of(operation, "checked") == "sampled" ? " *" : "");
}

void print_ceilings(std::ostream& out, const json::object& results) {
  const json::object& ceilings = object_of(results, "ceilings");
  std::string text;
  const auto add = [&](const json::object& ceiling, const std::string& suffix) {
    if (ceiling.empty()) return;
    text += (text.empty() ? "" : ", ") + figure(number_of(ceiling, "value")) + " " +
            text_of(ceiling, "unit") + suffix;
  };
  add(object_of(ceilings, "bandwidth"), "");
  for (const auto& [type, ceiling] : object_of(ceilings, "arithmetic")) {
    if (ceiling.is_object()) add(ceiling.as_object(), " " + std::string(type));
  }
  if (!text.empty()) out << "Ceilings measured in the same run: " << text << ".\n";
}

}  // namespace

std::optional<double> step_ns(const json::object& results) {
  return number_of(object_of(results, "step"), "median_ns");
}

void print_measure_report(std::ostream& out, const json::object& results) {
  TablePrinter table(
      {"operation", "kernel", "target", ">error", ">time", ">spread", ">GB/s", ">GFLOP/s"});
  bool sampled = false;
  for (const json::value& value : array_of(results, "operations")) {
    const json::object& operation = value.as_object();
    sampled = sampled || text_of(operation, "checked") == "sampled";
    table.add_row(
        {operation_name(operation), text_of(operation, "kernel_name"), text_of(operation, "target"),
         error_text(operation), duration(number_of(operation, "median_ns")),
         duration(number_of(operation, "spread_ns")),
         rate(number_of(operation, "gbps"), number_of(operation, "bandwidth_fraction")),
         rate(number_of(operation, "gflops"), number_of(operation, "arithmetic_fraction"))});
  }
  table.print(out);
  out << "Error is a share of the tolerance" << (sampled ? " (* sampled rows)" : "")
      << "; percentages are of the measured ceilings.\n";
  const json::object& step = object_of(results, "step");
  if (const auto time = step_ns(results)) {
    out << "Whole step: " << duration(time) << ", spread " << duration(number_of(step, "spread_ns"))
        << " (" << text_of(step, "clock") << " clock), " << significant(1e9 / *time)
        << " steps per second, "
        << rate(number_of(step, "gbps"), number_of(step, "bandwidth_fraction")) << " GB/s, "
        << rate(number_of(step, "gflops"), number_of(step, "arithmetic_fraction")) << " GFLOP/s.\n";
  }
  print_ceilings(out, results);
}

}  // namespace halyard::command_line
