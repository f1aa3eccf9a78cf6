// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/check.h"
#include "tools/worker/serve.h"

#include <malloc.h>
#include <unistd.h>

#include <string_view>

namespace {

constexpr int kChannelFile = 3;
constexpr int kRequestFile = 3;
constexpr int kCodeFile = 4;

}  // namespace

// The worker is started by a verifier: without arguments to run a kernel, with "check" to read one.
int main(int argc, char** argv) {
  // Further arenas grow by mprotect(), which threads that run kernels may not call.
  ::mallopt(M_ARENA_MAX, 1);
  const bool checks = argc == 2 && std::string_view(argv[1]) == "check";
  const int status = checks ? halyard::worker::check(kRequestFile, kCodeFile)
                            : halyard::worker::serve(kChannelFile);
  // No destructor runs: threads of the device may be inside a kernel.
  ::_exit(status);
}
