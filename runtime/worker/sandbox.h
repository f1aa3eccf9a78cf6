// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/isolation.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace halyard::worker {

// What the confined process may ask of the system once it runs.
enum class SyscallProfile : std::uint8_t {
  kCompile,  // a compiler: files, memory, child processes; no network, no tracing, no mounts
  kWorker,   // the worker before it locks itself down: threads, memory; no exec, no network
  kDevice,   // as kWorker, and the device files of a driver
};

struct ResourceLimits {
  std::chrono::milliseconds wall{30'000};  // measured outside; then everything inside is killed
  std::chrono::seconds cpu{30};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // address space of each process
  std::uint64_t file_bytes = std::uint64_t{64} << 20;   // largest file written
  std::uint64_t output_bytes = std::uint64_t{1} << 20;  // of stdout and stderr together
  std::uint32_t processes = 64;                         // and threads, inside
};

// A file or folder of the host that the process sees, read-only, at `inside`.
struct VisiblePath {
  std::string host;
  std::string inside;
};

struct SandboxDesc {
  std::vector<std::string> arguments;  // argv; the program by a path as seen inside
  SyscallProfile profile = SyscallProfile::kCompile;
  ResourceLimits limits;
  std::vector<VisiblePath> visible;
  std::optional<std::string> output_folder;  // of the host; writable, and seen as /out
  std::string working_directory = "/";       // as seen inside
  std::vector<std::string> device_nodes;     // "/dev/dri/renderD128"; kDevice only
  std::vector<std::pair<int, int>> files;    // ours to its descriptor number, from 3 up
  std::vector<std::string> environment;      // "NAME=value"; nothing else is set
};

// How a confined process ended.
struct SandboxExit {
  enum class Kind : std::uint8_t {
    kExited,       // `code` is its exit status
    kSignalled,    // `code` is the signal
    kWallLimit,    // killed at its deadline
    kCpuLimit,     // SIGXCPU, or killed for it
    kOutputLimit,  // killed for writing more than output_bytes
    kViolation,    // killed by the filter of system calls
    kUnkillable,   // does not die; given up, its pid stays reserved
  };
  Kind kind = Kind::kExited;
  int code = 0;
  std::string output;  // stdout and stderr as they came, at most output_bytes
  std::chrono::nanoseconds wall{};
};

// A process that can reach only what its description names. It is killed, with all it started, when
// this object goes. One thread at a time.
class SandboxedProcess {
 public:
  // `isolation` is what the report offers or less. At kReduced paths cannot be moved: `inside` must
  // equal `host`, and the output folder is seen under its own name.
  // Errors: INVALID_ARGUMENT; UNAVAILABLE when the system refuses to start it; PERMISSION_DENIED
  // for a level above what the machine gives.
  static base::Result<SandboxedProcess> start(const std::string& worker_program,
                                              Isolation isolation, const SandboxDesc& desc);

  SandboxedProcess(SandboxedProcess&&) noexcept;
  SandboxedProcess& operator=(SandboxedProcess&&) noexcept;
  ~SandboxedProcess();

  // Waits for the end, reading output, until the wall limit counted from start().
  SandboxExit wait();
  // The end, when it came already or comes within `patience`; does not kill.
  std::optional<SandboxExit> poll(std::chrono::milliseconds patience);
  // Kills everything inside; waits at most two seconds, then gives up (kUnkillable).
  SandboxExit kill();

  pid_t pid() const;
  Isolation isolation() const;

 private:
  friend class IsolationProbe;

  struct State;
  // start() without asking what the machine gives.
  static base::Result<SandboxedProcess> start_unprobed(const std::string& worker_program,
                                                       Isolation isolation,
                                                       const SandboxDesc& desc);
  explicit SandboxedProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// start() and wait().
base::Result<SandboxExit> run_sandboxed(const std::string& worker_program, Isolation isolation,
                                        const SandboxDesc& desc);

}  // namespace halyard::worker
