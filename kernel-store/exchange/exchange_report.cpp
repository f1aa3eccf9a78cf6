// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/exchange_report.h"

#include <utility>

namespace halyard::store {

void ExchangeReport::note(std::string sentence) {
  if (notes.size() < kMaxNotes) {
    notes.push_back(std::move(sentence));
  } else {
    ++notes_left_out;
  }
}

}  // namespace halyard::store
