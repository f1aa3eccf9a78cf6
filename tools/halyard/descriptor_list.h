// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halyard::command_line {

int list_descriptors(bool as_json);

}  // namespace halyard::command_line
