// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"
#include "backends/emulator/state/wave.h"
#include "backends/emulator/state/workgroup.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace halyard::emulator::test {

// One wave whose registers a test sets, and operations as a program would hold them.
class WaveFixture {
 public:
  explicit WaveFixture(Generation generation = Generation::kGfx11, std::uint32_t lanes = 32);

  Wave& wave() { return *wave_; }
  Workgroup& workgroup() { return workgroup_; }
  std::uint32_t* row(std::uint32_t index) { return wave_->row(index); }
  void fill_row(std::uint32_t index, std::uint32_t value);
  void fill_pair(std::uint32_t index, std::uint64_t value);
  void set_exec(std::uint64_t mask) { wave_->set_mask(kExecIndex, mask); }
  std::uint64_t pair(std::uint32_t index, std::uint32_t lane = 0) const;

  // Chooses the handler and runs it; false where the operation is not executed.
  bool run(Operation& operation);
  Handler choose(Operation& operation) const;

 private:
  struct alignas(64) Line {
    std::array<std::uint32_t, 16> dwords;
  };
  std::vector<Line> registers_;
  Workgroup workgroup_;
  Wave* wave_ = nullptr;
};

Operand vgpr(std::uint32_t index, std::uint32_t dwords = 1);
Operand sgpr(std::uint32_t index, std::uint32_t dwords = 1);
Operand constant(std::uint64_t value);

// A vector operation with VDST first.
Operation vector_operation(std::string_view name, Operand destination,
                           std::initializer_list<Operand> sources);
// SDST may be kNone.
Operation scalar_operation(std::string_view name, Operand destination,
                           std::initializer_list<Operand> sources, std::int64_t immediate = 0);

// The first lane of `name` with sources of 32 bits that are the same in all lanes: v1 to v3. What
// was in v0, the destination, is `old`.
std::uint32_t run_32(WaveFixture& fixture, std::string_view name,
                     std::initializer_list<std::uint32_t> sources, std::uint32_t old = 0);
// With pairs of registers: v[2:3], v[4:5], v[6:7] to v[0:1].
std::uint64_t run_64(WaveFixture& fixture, std::string_view name,
                     std::initializer_list<std::uint64_t> sources);

}  // namespace halyard::emulator::test
