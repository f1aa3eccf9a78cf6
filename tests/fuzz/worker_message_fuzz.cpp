// SPDX-License-Identifier: Apache-2.0
// What crosses between a verifier and its worker; either side may be hostile once a kernel has run.

#include "runtime/verification/conformance/conformance_message.h"
#include "runtime/worker/message_channel.h"
#include "runtime/worker/worker_request.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>

namespace fuzz = halyard::fuzz;
namespace verification = halyard::verification;
namespace worker = halyard::worker;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto reply = worker::parse_reply(text);
  if (reply) {
    fuzz::require(std::all_of(reply->sentence.begin(), reply->sentence.end(),
                              [](char c) { return c >= 0x20 && c < 0x7f; }),
                  "A reply holds what a terminal acts on.");
  }
  if (const auto load = worker::parse_load_request(text)) {
    fuzz::require(worker::parse_load_request(worker::load_request_json(*load)).has_value(),
                  "A request of loading does not read back.");
  }
  if (const auto prepare = worker::parse_prepare_request(text)) {
    fuzz::require(worker::parse_prepare_request(worker::prepare_request_json(*prepare)).has_value(),
                  "A request of preparing does not read back.");
  }
  static_cast<void>(verification::parse_conformance_answer(text));
  static_cast<void>(verification::answer_conformance(text, {}));
  return 0;
}
