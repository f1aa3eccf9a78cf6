// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/confined_conformance.h"

#include "runtime/base/text.h"
#include "runtime/worker/program_files.h"
#include "runtime/worker/sandbox.h"
#include "runtime/worker/shared_memory.h"

#include <chrono>

namespace halyard::verification {
namespace {

constexpr std::chrono::seconds kWall{20};

}  // namespace

base::Result<std::vector<Finding>> check_code_confined(const ConformanceSetting& setting,
                                                       const ConformanceRequest& request,
                                                       std::span<const std::byte> code) {
  const std::string document = conformance_request_json(request);
  HALYARD_TRY_ASSIGN(const auto document_memory,
                     worker::SharedMemory::create_sealed(std::as_bytes(std::span(document))));
  HALYARD_TRY_ASSIGN(const auto code_memory, worker::SharedMemory::create_sealed(code));
  worker::SandboxDesc sandbox;
  sandbox.arguments = {setting.worker_program, "check"};
  sandbox.profile = worker::SyscallProfile::kWorker;
  sandbox.limits.wall = kWall;
  sandbox.limits.cpu = kWall;
  HALYARD_TRY_ASSIGN(sandbox.visible, worker::program_files(setting.worker_program));
  sandbox.files = {{document_memory.file(), 3}, {code_memory.file(), 4}};
  HALYARD_TRY_ASSIGN(const worker::SandboxExit exit,
                     worker::run_sandboxed(setting.worker_program, setting.isolation, sandbox));
  if (exit.kind == worker::SandboxExit::Kind::kExited && exit.code == 0) {
    auto findings = parse_conformance_answer(exit.output);
    if (findings) return findings;
  }
  std::vector<Finding> refused;
  refused.push_back({Stage::kConformance, VerdictClass::kStatic,
                     base::concat("Whoever reads the code as bytes does not end well (kind ",
                                  static_cast<int>(exit.kind), ", code ", exit.code, ")."),
                     std::nullopt});
  return refused;
}

}  // namespace halyard::verification
