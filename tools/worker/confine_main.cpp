// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/guard.h"

#include <cstdlib>
#include <cstring>

// halyard-confine FILE: confines a program as the policy in the descriptor FILE says. It is started
// by Halyard only.
int main(int count, char** arguments) {
  constexpr int kWrongUse = 2;
  if (count != 2) return kWrongUse;
  // What confinement is tried with.
  if (std::strcmp(arguments[1], "nothing") == 0) return 0;
  char* end = nullptr;
  const long file = std::strtol(arguments[1], &end, 10);
  if (*end != '\0' || file < 3 || file > 255) return kWrongUse;
  return halyard::worker::run_guard(static_cast<int>(file));
}
