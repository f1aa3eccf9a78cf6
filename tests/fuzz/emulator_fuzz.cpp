// SPDX-License-Identifier: Apache-2.0
// Code objects, loaded and launched for a few instructions, without detectors and with all; what is
// no ELF file is code: its first byte chooses the target, the rest are instructions that one wave
// executes.

#include "backends/emulator/detect/detectors.h"
#include "backends/emulator/detect/observer_pair.h"
#include "backends/emulator/detect/statistics.h"
#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/memory/address_space.h"
#include "backends/emulator/program/program.h"
#include "backends/emulator/state/workgroup.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/shipped_sets.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace emulator = halyard::emulator;
namespace fuzz = halyard::fuzz;
namespace isa = halyard::isa;

constexpr std::uint64_t kMostInstructions = 2000;
constexpr std::size_t kBufferBytes = 4096;
constexpr std::size_t kMostKernels = 3;
constexpr std::size_t kMostArguments = 16;

struct Target {
  std::string_view processor;
  std::string_view instruction_set;
  emulator::Generation generation;
};

constexpr std::array kTargets = {
    Target{"gfx1100", "amd/rdna3", emulator::Generation::kGfx11},
    Target{"gfx1201", "amd/rdna4", emulator::Generation::kGfx12},
    Target{"gfx942", "amd/cdna3", emulator::Generation::kGfx9},
    Target{"gfx90a", "amd/cdna2", emulator::Generation::kGfx9},
};

emulator::IsaTables make_tables(const Target& from) {
  const auto& sets = fuzz::shipped_sets();
  const auto set = std::find_if(sets.begin(), sets.end(), [&](const isa::InstructionSet& s) {
    return s.id == from.instruction_set;
  });
  fuzz::require(set != sets.end(), "An instruction set is not shipped.");
  emulator::EmulatedTarget target;
  target.processor = from.processor;
  target.instruction_set = from.instruction_set;
  target.generation = from.generation;
  auto tables = emulator::IsaTables::create(std::move(target), *set);
  fuzz::require(tables.has_value(), "The tables of an instruction set cannot be made.");
  return std::move(*tables);
}

const std::vector<emulator::IsaTables>& all_tables() {
  static const std::vector<emulator::IsaTables> tables = [] {
    std::vector<emulator::IsaTables> made;
    for (const Target& target : kTargets)
      made.push_back(make_tables(target));
    return made;
  }();
  return tables;
}

void launch_kernel(const emulator::LoadedObject& object, const emulator::LoadedKernel& kernel) {
  std::vector<std::byte> buffer(kBufferBytes);
  emulator::LaunchDesc desc;
  desc.block = {40, 1, 1};
  desc.options.instruction_budget = kMostInstructions;
  for (const auto& wanted : kernel.metadata.arguments) {
    if (wanted.value_kind.starts_with("hidden_")) continue;
    emulator::LaunchArgument argument;
    argument.name = wanted.name;
    argument.is_value = wanted.value_kind != "global_buffer";
    argument.value = 3;
    argument.host = argument.is_value ? nullptr : buffer.data();
    argument.size_bytes = kBufferBytes;
    argument.is_writable = true;
    desc.arguments.push_back(std::move(argument));
    if (desc.arguments.size() > kMostArguments) return;
  }
  const auto run = [&] {
    const auto outcome = emulator::launch(object, kernel, desc);
    if (outcome && outcome->report) static_cast<void>(emulator::report_text(*outcome->report));
  };
  run();
  emulator::Detectors detectors;
  emulator::Statistics statistics(object, kernel);
  emulator::ObserverPair observers(detectors, statistics);
  desc.options.observer = &observers;
  run();
  static_cast<void>(emulator::statistics_line(statistics.summary()));
}

void load_object(std::string_view bytes) {
  for (const emulator::IsaTables& tables : all_tables()) {
    const auto object = emulator::LoadedObject::load(
        tables, std::as_bytes(std::span(bytes.data(), bytes.size())), "fuzz");
    if (!object) continue;
    std::size_t launched = 0;
    for (const emulator::LoadedKernel& kernel : (*object)->kernels()) {
      if (launched++ < kMostKernels) launch_kernel(**object, kernel);
    }
    static_cast<void>((*object)->source_of(4));
  }
}

// One wave with registers that point to memory here and there.
struct Machine {
  explicit Machine(const emulator::IsaTables& tables, std::uint32_t lanes)
      : registers(std::size_t{emulator::kRowCount} * lanes / 16 + 4),
        buffer(kBufferBytes),
        lds(kBufferBytes),
        scratch(std::size_t{64} * lanes) {
    emulator::MemoryRegion region;
    region.name = "buffer";
    region.host = buffer.data();
    region.size_bytes = buffer.size();
    region.is_writable = true;
    const std::uint64_t address = space.add(std::move(region));
    workgroup.generation = tables.target().generation;
    workgroup.memory = &space;
    workgroup.lds = lds;
    workgroup.waves.resize(1);
    emulator::Wave& wave = workgroup.waves.front();
    wave.workgroup = &workgroup;
    wave.lanes = lanes;
    wave.vector = registers.front().dwords.data();
    wave.scratch = scratch.data();
    wave.scratch_bytes = 64;
    for (std::uint32_t i = 0; i < emulator::kTtmpIndex; i += 2)
      wave.set_scalar64(i, i % 8 == 0 ? address : i);
    wave.initial_exec = ~std::uint64_t{0} >> (64 - lanes);
    wave.set_scalar64(emulator::kExecIndex, wave.initial_exec);
    for (std::uint32_t row = 0; row < emulator::kRowCount; ++row)
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        wave.row(row)[lane] = row % 3 == 0 ? lane * 4 : row * 0x01010101U;
  }

  struct alignas(64) Line {
    std::array<std::uint32_t, 16> dwords;
  };

  emulator::AddressSpace space;
  std::vector<Line> registers;
  std::vector<std::byte> buffer;
  std::vector<std::byte> lds;
  std::vector<std::byte> scratch;
  emulator::Workgroup workgroup;
};

void run_code(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes.front());
  const emulator::IsaTables& tables = all_tables()[choice % kTargets.size()];
  const bool is_wide =
      tables.target().generation == emulator::Generation::kGfx9 || (choice & 0x80) != 0;
  bytes.remove_prefix(1);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (words.empty()) return;
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  emulator::ProgramLimits limits;
  limits.lanes = is_wide ? 64 : 32;
  limits.vector_registers = 64;
  limits.accumulation_registers =
      tables.target().generation == emulator::Generation::kGfx9 ? 64 : 0;
  const std::array<std::uint32_t, 1> starts = {0};
  const auto program = emulator::Program::create(tables, std::move(words), starts, limits);
  fuzz::require(program.has_value(), "Code has no program.");
  Machine machine(tables, limits.lanes);
  emulator::Wave& wave = machine.workgroup.waves.front();
  wave.program = &*program;
  wave.code_base = std::uint64_t{1} << 40;
  wave.next = program->operations().data();
  for (std::uint64_t i = 0; i < kMostInstructions; ++i) {
    const emulator::Operation& operation = *wave.next;
    wave.next = &operation + 1;
    operation.handler(wave, operation);
    if (wave.status == emulator::WaveStatus::kAtBarrier) {
      wave.status = emulator::WaveStatus::kRunning;
    }
    // What stops a wave is often an address; the instructions behind it are to be executed too.
    const bool goes_on = wave.status == emulator::WaveStatus::kStopped &&
                         operation.size_bytes != 0 && wave.next == &operation + 1;
    if (goes_on) {
      machine.workgroup.report.reset();
      wave.status = emulator::WaveStatus::kRunning;
    }
    if (wave.status != emulator::WaveStatus::kRunning) return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  if (bytes.starts_with("\177ELF")) {
    load_object(bytes);
  } else {
    run_code(bytes);
  }
  return 0;
}
