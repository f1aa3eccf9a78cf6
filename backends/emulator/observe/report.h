// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::emulator {

enum class ReportKind : std::uint8_t {
  kOutOfBounds,  // access outside of the passed buffers, the LDS or the scratch
  kMisaligned,
  kUninitialized,     // an unwritten register or byte reaches memory or control
  kRace,              // in LDS or in memory, within a launch
  kMissingWait,       // a value is used before its wait allows
  kDivergentBarrier,  // a barrier with EXEC other than the wave's initial one, or waited in vain
  kBranchOutside,     // out of the kernel, or into an instruction
  kStoreToConstant,
  kBudgetExceeded,
  kUnknownInstruction,  // its semantics are not known here
  kTrap,                // the kernel asked for it
};

// "out_of_bounds", …; stable, in documents.
std::string_view report_kind_name(ReportKind kind);

// What a kernel did wrong, or what stops it. Plain data.
struct Report {
  ReportKind kind = ReportKind::kUnknownInstruction;
  std::string what;  // one sentence with the numbers
  std::string kernel;
  std::string instruction;    // as assemblers write it
  std::uint32_t address = 0;  // of the instruction, bytes from the start of the code section
  std::string source;         // "softmax.hip:41", "" where the object does not say
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t wave = 0;
  std::optional<std::uint32_t> lane;
  // Of an access to memory:
  std::optional<std::uint64_t> memory_address;
  std::string buffer;               // the nearest one, by the name of its argument
  std::int64_t distance_bytes = 0;  // before its start (negative) or behind its end (positive)
};

// Several lines for people.
std::string report_text(const Report& report);

}  // namespace halyard::emulator
