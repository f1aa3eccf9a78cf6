// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/semantic_parts.h"
#include "backends/emulator/execute/stop_reports.h"
#include "backends/emulator/execute/vector_rows.h"
#include "backends/emulator/program/program.h"

#include <algorithm>

namespace halyard::emulator {
namespace {

using lanes::scalar_value;
using lanes::wide_scalar_value;

void go_to(Wave& wave, const Operation& operation) {
  if (operation.target == nullptr) {
    stop_branch(wave, operation);
    return;
  }
  wave.next = operation.target;
}

enum class Condition : std::uint8_t {
  kAlways,
  kScc0,
  kScc1,
  kVccZero,
  kVccNonZero,
  kExecZero,
  kExecNonZero,
  kNever,
};

template <Condition kCondition>
void run_branch(Wave& wave, const Operation& operation) {
  bool taken = false;
  switch (kCondition) {
    case Condition::kAlways:
      taken = true;
      break;
    case Condition::kScc0:
      taken = !wave.scc;
      break;
    case Condition::kScc1:
      taken = wave.scc;
      break;
    case Condition::kVccZero:
      taken = wave.mask(kVccIndex) == 0;
      break;
    case Condition::kVccNonZero:
      taken = wave.mask(kVccIndex) != 0;
      break;
    case Condition::kExecZero:
      taken = wave.exec() == 0;
      break;
    case Condition::kExecNonZero:
      taken = wave.exec() != 0;
      break;
    case Condition::kNever:
      break;
  }
  if (taken) go_to(wave, operation);
}
template <Condition kCondition>
Handler branch(const Operation&, const SemanticContext&) {
  return &run_branch<kCondition>;
}

std::uint64_t address_of_next(const Wave& wave) {
  return wave.code_base + wave.next->address;
}
void go_to_address(Wave& wave, const Operation& operation, std::uint64_t address) {
  const Operation* const target =
      wave.program == nullptr ? nullptr : wave.program->at(address - wave.code_base);
  if (target == nullptr) {
    stop_branch_to(wave, operation, address);
    return;
  }
  wave.next = target;
}

void run_getpc(Wave& wave, const Operation& operation) {
  wave.set_scalar64(operation.destination[0].index, address_of_next(wave));
}
void run_setpc(Wave& wave, const Operation& operation) {
  go_to_address(wave, operation, wide_scalar_value(wave, operation.source[0]));
}
void run_swappc(Wave& wave, const Operation& operation) {
  const std::uint64_t to = wide_scalar_value(wave, operation.source[0]);
  wave.set_scalar64(operation.destination[0].index, address_of_next(wave));
  go_to_address(wave, operation, to);
}
void run_call(Wave& wave, const Operation& operation) {
  wave.set_scalar64(operation.destination[0].index, address_of_next(wave));
  go_to(wave, operation);
}
template <Handler kHandler, bool kWrites, bool kReads>
Handler address_form(const Operation& operation, const SemanticContext&) {
  const bool complete =
      (!kWrites || operation.destination[0].is_scalar()) &&
      (!kReads || (operation.source[0].is_present() && !operation.source[0].is_vector()));
  return complete ? kHandler : nullptr;
}

// Waits, hints and what steers caches: no effect on what is computed here.
void run_nothing(Wave&, const Operation&) {}
Handler nothing(const Operation&, const SemanticContext&) {
  return &run_nothing;
}

void run_end(Wave& wave, const Operation&) {
  wave.status = WaveStatus::kEnded;
}
Handler end(const Operation&, const SemanticContext&) {
  return &run_end;
}

void run_barrier(Wave& wave, const Operation&) {
  wave.signal_barrier();
  wave.wait_at_barrier();
}
Handler barrier(const Operation&, const SemanticContext&) {
  return &run_barrier;
}

// The barrier of the workgroup is -1; named ones are not executed.
bool is_workgroup_barrier(const Operand& operand) {
  return operand.kind == OperandKind::kConstant &&
         static_cast<std::int32_t>(operand.constant) == -1;
}
void run_signal(Wave& wave, const Operation&) {
  wave.signal_barrier();
}
void run_signal_is_first(Wave& wave, const Operation&) {
  const Workgroup& workgroup = *wave.workgroup;
  wave.scc = std::none_of(workgroup.waves.begin(), workgroup.waves.end(), [&](const Wave& other) {
    return &other != &wave && other.barriers_signalled > workgroup.barriers;
  });
  wave.signal_barrier();
}
template <Handler kHandler>
Handler signal(const Operation& operation, const SemanticContext&) {
  return is_workgroup_barrier(operation.source[0]) ? kHandler : nullptr;
}
void run_wait(Wave& wave, const Operation&) {
  wave.wait_at_barrier();
}
Handler wait(const Operation& operation, const SemanticContext&) {
  return static_cast<std::int16_t>(operation.immediate) == -1 ? &run_wait : nullptr;
}

void run_trap(Wave& wave, const Operation& operation) {
  stop_trap(wave, operation);
}
Handler trap(const Operation&, const SemanticContext&) {
  return &run_trap;
}

// The padding behind a kernel.
void run_code_end(Wave& wave, const Operation& operation) {
  stop_behind_code(wave, operation);
}
Handler code_end(const Operation&, const SemanticContext&) {
  return &run_code_end;
}

// Registers are given back, or a wave that gives back its memory; other messages are not executed.
Handler send_message(const Operation& operation, const SemanticContext& context) {
  constexpr std::int64_t kDeallocateRegisters = 3;
  const bool harmless = context.generation != Generation::kGfx9 &&
                        (operation.immediate & 0xff) == kDeallocateRegisters;
  return harmless ? &run_nothing : nullptr;
}

// The message that asks for the time; others are not executed.
void run_read_time(Wave& wave, const Operation& operation) {
  wave.set_scalar64(operation.destination[0].index, wave.executed);
}
Handler message_with_result(const Operation& operation, const SemanticContext&) {
  constexpr std::int64_t kGetRealtime = 0x83;
  const bool known = (operation.immediate & 0xff) == kGetRealtime;
  return known && operation.destination[0].is_scalar() ? &run_read_time : nullptr;
}

// A hardware register: its number, and the bits of it.
struct HardwareField {
  std::uint32_t id = 0;
  std::uint32_t offset = 0;
  std::uint32_t mask = 0;
};
constexpr std::uint32_t kMode = 1;
constexpr std::uint32_t kShaderCycles = 29;      // of gfx11 and gfx12
constexpr std::uint32_t kShaderCyclesHigh = 30;  // of gfx12

HardwareField field_of(const Operation& operation) {
  const auto code = static_cast<std::uint32_t>(operation.immediate) & 0xffff;
  const std::uint32_t size = (code >> 11) + 1;
  return {code & 0x3f, code >> 6 & 0x1f, size == 32 ? ~0u : (std::uint32_t{1} << size) - 1};
}
std::uint32_t hardware_register(const Wave& wave, std::uint32_t id) {
  switch (id) {
    case kMode:
      return wave.mode.bits();
    case kShaderCycles:  // gfx11 has the low 20 bits alone
      return static_cast<std::uint32_t>(wave.executed) & (lanes::is_gfx12(wave) ? ~0u : 0xfffffu);
    case kShaderCyclesHigh:
      return static_cast<std::uint32_t>(wave.executed >> 32);
    default:
      return 0;
  }
}
void run_getreg(Wave& wave, const Operation& operation) {
  const HardwareField field = field_of(operation);
  wave.scalar[operation.destination[0].index] =
      hardware_register(wave, field.id) >> field.offset & field.mask;
}
Handler getreg(const Operation& operation, const SemanticContext& context) {
  const std::uint32_t id = field_of(operation).id;
  const bool known = id == kMode ||
                     (id == kShaderCycles && context.generation != Generation::kGfx9) ||
                     (id == kShaderCyclesHigh && context.generation == Generation::kGfx12);
  return known && operation.destination[0].is_scalar() ? &run_getreg : nullptr;
}
void run_setreg(Wave& wave, const Operation& operation) {
  const HardwareField field = field_of(operation);
  const std::uint32_t mask = field.mask << field.offset;
  const std::uint32_t value = scalar_value(wave, operation.source[0]) << field.offset & mask;
  wave.mode = FloatMode::of_bits((wave.mode.bits() & ~mask) | value);
}
Handler setreg(const Operation& operation, const SemanticContext&) {
  const bool complete = field_of(operation).id == kMode && operation.source[0].is_present() &&
                        !operation.source[0].is_vector();
  return complete ? &run_setreg : nullptr;
}

void run_round_mode(Wave& wave, const Operation& operation) {
  wave.mode.round_single = static_cast<std::uint8_t>(operation.immediate & 3);
  wave.mode.round_other = static_cast<std::uint8_t>(operation.immediate >> 2 & 3);
}
Handler round_mode(const Operation&, const SemanticContext&) {
  return &run_round_mode;
}
void run_denorm_mode(Wave& wave, const Operation& operation) {
  wave.mode.denormals_single = static_cast<std::uint8_t>(operation.immediate & 3);
  wave.mode.denormals_other = static_cast<std::uint8_t>(operation.immediate >> 2 & 3);
}
Handler denorm_mode(const Operation&, const SemanticContext&) {
  return &run_denorm_mode;
}

constexpr Semantic kFlow[] = {
    {"S_BRANCH", branch<Condition::kAlways>},
    {"S_CBRANCH_SCC0", branch<Condition::kScc0>},
    {"S_CBRANCH_SCC1", branch<Condition::kScc1>},
    {"S_CBRANCH_VCCZ", branch<Condition::kVccZero>},
    {"S_CBRANCH_VCCNZ", branch<Condition::kVccNonZero>},
    {"S_CBRANCH_EXECZ", branch<Condition::kExecZero>},
    {"S_CBRANCH_EXECNZ", branch<Condition::kExecNonZero>},
    // No debugger is attached.
    {"S_CBRANCH_CDBGSYS", branch<Condition::kNever>},
    {"S_CBRANCH_CDBGUSER", branch<Condition::kNever>},
    {"S_CBRANCH_CDBGSYS_OR_USER", branch<Condition::kNever>},
    {"S_CBRANCH_CDBGSYS_AND_USER", branch<Condition::kNever>},
    {"S_GETPC_B64", address_form<&run_getpc, true, false>},
    {"S_SETPC_B64", address_form<&run_setpc, false, true>},
    {"S_SWAPPC_B64", address_form<&run_swappc, true, true>},
    {"S_CALL_B64", address_form<&run_call, true, false>},
    {"S_ENDPGM", end},
    {"S_ENDPGM_SAVED", end},
    {"S_BARRIER", barrier},
    {"S_BARRIER_SIGNAL", signal<&run_signal>},
    {"S_BARRIER_SIGNAL_ISFIRST", signal<&run_signal_is_first>},
    {"S_BARRIER_WAIT", wait},
    {"S_TRAP", trap},
    {"S_CODE_END", code_end},
    {"S_SENDMSG", send_message},
    {"S_SENDMSG_RTN_B64", message_with_result},
    {"S_GETREG_B32", getreg},
    {"S_SETREG_B32", setreg},
    {"S_SETREG_IMM32_B32", setreg},
    {"S_ROUND_MODE", round_mode},
    {"S_DENORM_MODE", denorm_mode},
};

constexpr Semantic kHints[] = {
    {"S_NOP", nothing},
    {"S_CLAUSE", nothing},
    {"S_DELAY_ALU", nothing},
    {"S_SLEEP", nothing},
    {"S_SLEEP_VAR", nothing},
    {"S_SETPRIO", nothing},
    {"S_WAKEUP", nothing},
    {"S_ICACHE_INV", nothing},
    {"S_INCPERFLEVEL", nothing},
    {"S_DECPERFLEVEL", nothing},
    {"S_TTRACEDATA", nothing},
    {"S_TTRACEDATA_IMM", nothing},
    {"S_VERSION", nothing},
    {"S_SET_INST_PREFETCH_DISTANCE", nothing},
    {"S_WAITCNT", nothing},
    {"S_WAITCNT_DEPCTR", nothing},
    {"S_WAITCNT_EXPCNT", nothing},
    {"S_WAITCNT_LGKMCNT", nothing},
    {"S_WAITCNT_VMCNT", nothing},
    {"S_WAITCNT_VSCNT", nothing},
    {"S_WAIT_ALU", nothing},
    {"S_WAIT_BVHCNT", nothing},
    {"S_WAIT_DSCNT", nothing},
    {"S_WAIT_EVENT", nothing},
    {"S_WAIT_EXPCNT", nothing},
    {"S_WAIT_IDLE", nothing},
    {"S_WAIT_KMCNT", nothing},
    {"S_WAIT_LOADCNT", nothing},
    {"S_WAIT_LOADCNT_DSCNT", nothing},
    {"S_WAIT_SAMPLECNT", nothing},
    {"S_WAIT_STORECNT", nothing},
    {"S_WAIT_STORECNT_DSCNT", nothing},
    {"V_NOP", nothing},
    {"V_PIPEFLUSH", nothing},
    {"V_CLREXCP", nothing},
};

}  // namespace

std::span<const Semantic> control_semantics() {
  static constexpr auto kAll = join(kFlow, kHints);
  return kAll;
}

}  // namespace halyard::emulator
