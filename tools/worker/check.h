// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halyard::worker {

// Reads a request of conformance from one sealed file and the code from another, both by their
// descriptor numbers, and writes the findings to stdout. Gives the exit status.
int check(int request_file, int code_file);

}  // namespace halyard::worker
