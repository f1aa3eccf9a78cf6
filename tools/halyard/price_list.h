// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/device.h"

#include <boost/json/object.hpp>
#include <string>

namespace halyard::command_line {

// The user's prices of devices (halyard.prices/1).
class PriceList {
 public:
  // Throws std::runtime_error, naming the file and the entry.
  static PriceList read(const std::string& path);

  // One line: steps per second for each unit of currency that the device costs, or "No figure of
  // performance per currency, because …".
  std::string value_line(const halyard_device_info& device, double step_ns) const;

 private:
  PriceList(std::string path, boost::json::object document);

  std::string path_;
  boost::json::object document_;
};

}  // namespace halyard::command_line
