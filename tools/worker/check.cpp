// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/check.h"

#include "runtime/verification/conformance/conformance_message.h"
#include "runtime/worker/shared_memory.h"

#include <unistd.h>

#include <string_view>

namespace halyard::worker {
namespace {

bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

int check(int request_file, int code_file) {
  const auto request = SharedMemory::map(base::FileDescriptor(request_file));
  const auto code = SharedMemory::map(base::FileDescriptor(code_file));
  if (!request || !code) return 1;
  const std::span<const std::byte> text = request->bytes();
  const std::string answer = verification::answer_conformance(
      {reinterpret_cast<const char*>(text.data()), text.size()}, code->bytes());
  return write_all(answer) ? 0 : 1;
}

}  // namespace halyard::worker
