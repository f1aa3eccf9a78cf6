// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/price_list.h"

#include "tools/halyard/document.h"
#include "tools/halyard/figure_text.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace halyard::command_line {
namespace {

namespace json = boost::json;

// The source of an entry that only shows the form.
constexpr const char* kExample = "edit me";

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return text;
}

// `wanted` is a backend, an id, or a part of a name in any case.
bool matches(const std::string& wanted, const halyard_device_info& device) {
  if (wanted == device.backend || wanted == device.id) return true;
  return lower(device.name).find(lower(wanted)) != std::string::npos;
}

// Money is decimal text; its ratio to a measured figure is not money any more.
double amount_of(const json::object& entry) {
  const json::value* value = entry.if_contains("amount");
  if (value == nullptr || !value->is_string()) return 0;
  const auto& text = value->as_string();
  double amount = 0;
  const char* const end = text.data() + text.size();
  const auto [at, code] = std::from_chars(text.data(), end, amount, std::chars_format::fixed);
  return code == std::errc() && at == end && std::isfinite(amount) ? amount : 0;
}

}  // namespace

PriceList::PriceList(std::string path, json::object document)
    : path_(std::move(path)),
      document_(std::move(document)) {}

PriceList PriceList::read(const std::string& path) {
  json::object document = parse_document(read_file(path), "Price list \"" + path + "\"");
  if (text_of(document, "format") != "halyard.prices/1") {
    throw std::runtime_error("Price list \"" + path + "\" is not of the format halyard.prices/1.");
  }
  std::size_t index = 0;
  for (const json::value& value : array_of(document, "prices")) {
    const std::string entry = "Price list \"" + path + "\", prices[" + std::to_string(index) + "]";
    ++index;
    if (!value.is_object()) throw std::runtime_error(entry + " is not an object.");
    for (const char* name : {"device", "amount", "currency", "date", "source"}) {
      if (text_of(value.as_object(), name).empty()) {
        throw std::runtime_error(entry + " has no \"" + name + "\".");
      }
    }
    if (!(amount_of(value.as_object()) > 0)) {
      throw std::runtime_error(entry + ": \"amount\" is not decimal text above zero.");
    }
  }
  return PriceList(path, std::move(document));
}

std::string PriceList::value_line(const halyard_device_info& device, double step_ns) const {
  const std::string none = "No figure of performance per currency, because ";
  if (!(step_ns > 0)) return none + "the whole step was not timed.";
  for (const json::value& value : array_of(document_, "prices")) {
    const json::object& entry = value.as_object();
    if (!matches(text_of(entry, "device"), device)) continue;
    const std::string currency = text_of(entry, "currency");
    const std::string price = text_of(entry, "amount") + " " + currency;
    const double steps = 1e9 / step_ns;
    std::string line = significant(steps / amount_of(entry));
    line.append(" steps per second per ").append(currency);
    if (text_of(entry, "source") == kExample) {
      line.append(" if the device cost ").append(price);
      return line.append(", which is an example and no price: edit ").append(path_).append(".");
    }
    line.append(" at ").append(price).append(" (").append(text_of(entry, "source"));
    line.append(", ").append(text_of(entry, "date")).append("; ").append(path_);
    return line.append(").");
  }
  return none + path_ + " has no price for " + device.name + ".";
}

}  // namespace halyard::command_line
