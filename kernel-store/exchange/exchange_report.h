// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::store {

// How many records of each kind.
struct ExchangeCounts {
  std::uint64_t kernels = 0;
  std::uint64_t builds = 0;
  std::uint64_t evidence = 0;
  std::uint64_t approvals = 0;
  std::uint64_t states = 0;
};

// What came of an import or a sync.
struct ExchangeReport {
  ExchangeCounts offered;  // Checked on arrival; `states` are claims of another history.
  ExchangeCounts added;    // New here; `states` are those that a trusted key backs.
  // Who signed the export: the label of a trusted key, else empty.
  std::string signer;
  // A sentence for each thing that was not taken over, the first kMaxNotes of them.
  std::vector<std::string> notes;
  std::uint64_t notes_left_out = 0;

  void note(std::string sentence);
};

inline constexpr std::size_t kMaxNotes = 256;

}  // namespace halyard::store
