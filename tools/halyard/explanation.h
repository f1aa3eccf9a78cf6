// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include <string>

namespace halyard::command_line {

// The halyard.explanation/1 document of what `desc` would get on `device`.
inline std::string explain(const Device& device, const halyard_operation_desc& desc) {
  return read_text([&](std::size_t capacity, char* text, std::size_t* size) {
    return halyard_operation_explain(device.get(), &desc, capacity, text, size);
  });
}

}  // namespace halyard::command_line
