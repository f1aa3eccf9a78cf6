// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/execute/memory/semantic_table.h"

namespace halyard::emulator {

std::span<const Semantic> matrix_semantics() {
  static const std::vector<Semantic> all =
      joined({wmma_semantics(), swmmac_semantics(), mfma_semantics(), mfma_double_semantics(),
              smfmac_semantics()});
  return all;
}

}  // namespace halyard::emulator
