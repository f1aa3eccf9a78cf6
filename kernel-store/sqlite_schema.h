// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace halyard::store {

// The files of schema/sqlite in order; applying the first n gives schema version n.
std::span<const char* const> sqlite_migrations();

}  // namespace halyard::store
