// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/program/operand.h"
#include "backends/emulator/program/operation.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

class Program;
struct Workgroup;
struct Report;

enum class WaveStatus : std::uint8_t {
  kRunning,
  kAtBarrier,
  kEnded,
  kStopped,  // a report says why; the launch ends
};

// The bits of the MODE register, decoded.
struct FloatMode {
  std::uint8_t round_single = 0;      // 0 nearest even, 1 up, 2 down, 3 towards zero
  std::uint8_t round_other = 0;       // f16 and f64
  std::uint8_t denormals_single = 3;  // bit 0: sources kept, bit 1: results kept
  std::uint8_t denormals_other = 3;
  bool dx10_clamp = true;      // a NaN clamps to 0
  bool ieee = true;            // a signalling NaN is made quiet by minimum and maximum
  bool half_overflow = false;  // f16 overflows to the largest finite number

  // The register as s_getreg_b32 reads its low 24 bits.
  std::uint32_t bits() const;
  static FloatMode of_bits(std::uint32_t bits);
};

// The state of one wave. Handlers change it; one thread at a time.
struct Wave {
  alignas(64) std::array<std::uint32_t, kScalarCount> scalar{};
  // kRowCount rows of `lanes` dwords, aligned to 64 bytes.
  std::uint32_t* vector = nullptr;
  const Operation* next = nullptr;
  WaveStatus status = WaveStatus::kRunning;
  bool scc = false;
  FloatMode mode;
  std::uint32_t lanes = 32;
  std::uint64_t initial_exec = 0;
  std::uint64_t executed = 0;  // instructions so far; also the clock that s_memtime reads
  std::uint32_t number = 0;    // in its workgroup
  // How often the wave has signalled to the barrier of its workgroup, and waited for it.
  std::uint32_t barriers_signalled = 0;
  std::uint32_t barriers_waited = 0;

  Workgroup* workgroup = nullptr;
  const Program* program = nullptr;
  void* observed = nullptr;     // what the observer keeps of the wave; its own
  std::uint64_t code_base = 0;  // address of the first byte of the code section
  // Private memory of the wave's lanes: `scratch_bytes` for each lane, lane after lane.
  std::byte* scratch = nullptr;
  std::uint32_t scratch_bytes = 0;

  std::uint32_t* row(std::uint32_t index) { return vector + std::size_t{index} * lanes; }
  const std::uint32_t* row(std::uint32_t index) const {
    return vector + std::size_t{index} * lanes;
  }

  std::uint64_t scalar64(std::uint32_t index) const {
    return scalar[index] | std::uint64_t{scalar[index + 1]} << 32;
  }
  void set_scalar64(std::uint32_t index, std::uint64_t value) {
    scalar[index] = static_cast<std::uint32_t>(value);
    scalar[index + 1] = static_cast<std::uint32_t>(value >> 32);
  }
  // A mask of lanes in one or two dwords; bits beyond `lanes` are 0.
  std::uint64_t mask(std::uint32_t index) const {
    return lanes == 64 ? scalar64(index) : scalar[index];
  }
  void set_mask(std::uint32_t index, std::uint64_t value) {
    scalar[index] = static_cast<std::uint32_t>(value);
    if (lanes == 64) scalar[index + 1] = static_cast<std::uint32_t>(value >> 32);
  }
  std::uint64_t exec() const { return mask(kExecIndex); }

  void signal_barrier() { ++barriers_signalled; }
  // Until the workgroup has completed as many barriers as the wave has waited for.
  void wait_at_barrier() {
    ++barriers_waited;
    status = WaveStatus::kAtBarrier;
  }

  // Stops the wave and the launch. The first report of a workgroup is kept, with the wave and the
  // workgroup in it; the launch adds kernel, source, and where they are missing the address and the
  // text of the instruction.
  void stop(Report report);
};

}  // namespace halyard::emulator
