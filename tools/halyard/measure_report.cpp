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

bool is_in_cache(const json::object& operation) {
  return text_of(operation, "cache") == "warm";
}

std::string rate_with_unit(const json::object& figures, const char* member, const char* fraction,
                           const std::string& unit) {
  const auto value = number_of(figures, member);
  const auto share = number_of(figures, fraction);
  if (!value) return "- " + unit;
  return significant(*value) + " " + unit + (share ? " (" + percent(share) + ")" : "");
}

void print_step(std::ostream& out, const json::object& step) {
  const auto time = number_of(step, "median_ns");
  if (!time) return;
  out << "Whole step: " << duration(time) << ", spread " << duration(number_of(step, "spread_ns"))
      << ", clock " << text_of(step, "clock") << "; " << significant(1e9 / *time)
      << " steps per second, " << rate_with_unit(step, "gbps", "bandwidth_fraction", "GB/s") << ", "
      << rate_with_unit(step, "gflops", "arithmetic_fraction", "GFLOP/s") << ".\n";
  for (const json::value& note : array_of(step, "notes")) {
    if (note.is_string()) out << "Note: " << std::string(note.as_string()) << '\n';
  }
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
  for (const json::value& note : array_of(ceilings, "notes")) {
    if (text.empty() && note.is_string()) out << "Note: " << std::string(note.as_string()) << '\n';
  }
}

}  // namespace

std::optional<double> step_ns(const json::object& results) {
  return number_of(object_of(results, "step"), "median_ns");
}

void print_measure_report(std::ostream& out, const json::object& results) {
  TablePrinter table(
      {"operation", "kernel", "target", ">error", ">time", ">spread", ">GB/s", ">GFLOP/s"});
  bool sampled = false;
  bool in_cache = false;
  for (const json::value& value : array_of(results, "operations")) {
    const json::object& operation = value.as_object();
    sampled = sampled || text_of(operation, "checked") == "sampled";
    in_cache = in_cache || is_in_cache(operation);
    table.add_row(
        {operation_name(operation) + (is_in_cache(operation) ? " +" : ""),
         text_of(operation, "kernel_name"), text_of(operation, "target"), error_text(operation),
         duration(number_of(operation, "median_ns")), duration(number_of(operation, "spread_ns")),
         rate(number_of(operation, "gbps"), number_of(operation, "bandwidth_fraction")),
         rate(number_of(operation, "gflops"), number_of(operation, "arithmetic_fraction"))});
  }
  table.print(out);
  out << "Error is a share of the tolerance" << (sampled ? " (* sampled rows)" : "")
      << "; percentages are of the measured ceilings"
      << (in_cache ? " (+ timed on data in the cache).\n" : ".\n");
  print_step(out, object_of(results, "step"));
  print_ceilings(out, results);
}

}  // namespace halyard::command_line
