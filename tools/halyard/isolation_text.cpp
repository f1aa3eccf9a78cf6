// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/isolation_text.h"

#include "halyard/halyard.hpp"
#include "halyard/services/verification.h"

#include "tools/halyard/document.h"

#include <boost/json/array.hpp>

namespace halyard::command_line {

boost::json::object isolation_document() {
  halyard_document* report = nullptr;
  if (halyard_isolation_report(nullptr, &report) != HALYARD_STATUS_OK) {
    return {{"level", "unknown"}, {"shortfall", halyard_last_error_message()}};
  }
  const std::string text = halyard_document_text(report);
  halyard_document_release(report);
  return parse_document(text, "The report of isolation");
}

std::string isolation_text(const boost::json::object& document) {
  std::string text = text_of(document, "level");
  const std::string shortfall = text_of(document, "shortfall");
  if (!shortfall.empty()) return text + ": " + shortfall;
  std::string mechanisms;
  for (const boost::json::value& value : array_of(document, "mechanisms")) {
    const boost::json::object& mechanism = value.as_object();
    const std::string name = text_of(mechanism, "name");
    const std::string detail = text_of(mechanism, "detail");
    if (!mechanisms.empty()) mechanisms += ", ";
    if (detail.find(name) == std::string::npos) mechanisms += name + (detail.empty() ? "" : " ");
    mechanisms += detail;
  }
  return text + " (" + mechanisms + ")";
}

}  // namespace halyard::command_line
