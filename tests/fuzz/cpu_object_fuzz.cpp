// SPDX-License-Identifier: Apache-2.0
// Shared objects of CPU kernels, and what is none; nothing is loaded.

#include "runtime/verification/conformance/cpu_object.h"
#include "runtime/verification/conformance/x86_code.h"
#include "tests/fuzz/fuzz_target.h"

namespace fuzz = halyard::fuzz;
namespace verification = halyard::verification;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const auto findings = verification::check_cpu_object(bytes, {"fuzz", {"kernel_entry", "cast"}});
  fuzz::require(!bytes.empty() || !findings.empty(), "No bytes at all are accepted.");
  for (std::string_view code = bytes; !code.empty();) {
    const auto instruction = verification::decode_x86(code);
    if (!instruction) break;
    fuzz::require(instruction->size_bytes > 0 && instruction->size_bytes <= code.size(),
                  "An instruction is longer than the bytes that it was read from.");
    code.remove_prefix(instruction->size_bytes);
  }
  return 0;
}
