// SPDX-License-Identifier: Apache-2.0
// import_program STORE EXPORT...: imports each, and prints what came of it. For the test that looks
// at its system calls.

#include "kernel-store/exchange/import.h"
#include "kernel-store/open_store.h"

#include <iostream>

namespace store = halyard::store;

int main(int argc, char** argv) {
  const auto opened = store::open_store(argv[1]);
  if (!opened) {
    std::cerr << opened.error().message() << '\n';
    return 1;
  }
  for (int i = 2; i < argc; ++i) {
    const auto report = store::import_store(**opened, argv[i], {}, 0);
    if (report) {
      std::cout << report->added.kernels << '\n';
    } else {
      std::cout << "refused: " << report.error().message() << '\n';
    }
  }
  return 0;
}
