// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace halyard::command_line {

int import_file(const std::string& path, bool as_json);
int check_file(const std::string& path, bool as_json);

}  // namespace halyard::command_line
