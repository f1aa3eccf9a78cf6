// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::isa {

// The id of the architecture that a file is about, "amd/rdna3_5", from its ArchitectureName
// ("AMD RDNA 3.5"), its ArchitectureId or the name of the file ("amdgpu_isa_mi300.xml"), in this
// order. Old names of products become those of the architecture. Nothing where none of them says.
std::optional<std::string> amd_architecture_id(std::string_view name,
                                               std::optional<std::int64_t> number,
                                               std::string_view file_name);

}  // namespace halyard::isa
