// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/serve.h"

#include <unistd.h>

namespace {

constexpr int kChannelFile = 3;

}  // namespace

// The worker is started by a verifier, which holds the other end of the channel.
int main() {
  // No destructor runs: threads of the device may be inside a kernel.
  ::_exit(halyard::worker::serve(kChannelFile));
}
