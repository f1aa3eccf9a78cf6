// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/flat_tables.h"
#include "backends/emulator/execute/memory/lds_tables.h"
#include "backends/emulator/execute/memory/semantic_table.h"

namespace halyard::emulator {

std::span<const Semantic> lds_semantics() {
  static const std::vector<Semantic> all =
      joined({lds_access_semantics(), lds_atomic_semantics(), lds_permute_semantics()});
  return all;
}

std::span<const Semantic> global_memory_semantics() {
  static const std::vector<Semantic> all =
      joined({flat_access_semantics(), flat_atomic_semantics()});
  return all;
}

std::span<const Semantic> buffer_memory_semantics() {
  static const std::vector<Semantic> all =
      joined({buffer_access_semantics(), buffer_atomic_semantics()});
  return all;
}

}  // namespace halyard::emulator
