// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace halyard::command_line {

int compare_descriptors(const std::string& left, const std::string& right, bool as_json);

}  // namespace halyard::command_line
