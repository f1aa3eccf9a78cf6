// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::emulator::test {

WaveFixture::WaveFixture(Generation generation, std::uint32_t lanes)
    : registers_(std::size_t{kRowCount} * lanes / 16) {
  workgroup_.generation = generation;
  workgroup_.waves.resize(1);
  wave_ = &workgroup_.waves.front();
  wave_->lanes = lanes;
  wave_->vector = registers_.front().dwords.data();
  wave_->workgroup = &workgroup_;
  const std::uint64_t all = lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu;
  wave_->set_mask(kExecIndex, all);
  wave_->initial_exec = all;
}

void WaveFixture::fill_row(std::uint32_t index, std::uint32_t value) {
  std::fill_n(row(index), wave_->lanes, value);
}

void WaveFixture::fill_pair(std::uint32_t index, std::uint64_t value) {
  fill_row(index, static_cast<std::uint32_t>(value));
  fill_row(index + 1, static_cast<std::uint32_t>(value >> 32));
}

std::uint64_t WaveFixture::pair(std::uint32_t index, std::uint32_t lane) const {
  return wave_->row(index)[lane] | std::uint64_t{wave_->row(index + 1)[lane]} << 32;
}

Handler WaveFixture::choose(Operation& operation) const {
  return choose_handler(operation, {workgroup_.generation, wave_->lanes});
}

bool WaveFixture::run(Operation& operation) {
  operation.handler = choose(operation);
  if (operation.handler == nullptr) return false;
  operation.handler(*wave_, operation);
  return true;
}

Operand vgpr(std::uint32_t index, std::uint32_t dwords) {
  Operand operand;
  operand.kind = OperandKind::kVector;
  operand.index = static_cast<std::uint16_t>(index);
  operand.dwords = static_cast<std::uint8_t>(dwords);
  return operand;
}

Operand sgpr(std::uint32_t index, std::uint32_t dwords) {
  Operand operand = vgpr(index, dwords);
  operand.kind = OperandKind::kScalar;
  return operand;
}

Operand constant(std::uint64_t value) {
  Operand operand;
  operand.kind = OperandKind::kConstant;
  operand.dwords = 1;
  operand.constant = value;
  return operand;
}

Operation vector_operation(std::string_view name, Operand destination,
                           std::initializer_list<Operand> sources) {
  Operation operation;
  operation.name = name;
  operation.family = isa::EncodingFamily::kVop3;
  operation.destination[0] = destination;
  std::copy(sources.begin(), sources.end(), operation.source.begin());
  return operation;
}

Operation scalar_operation(std::string_view name, Operand destination,
                           std::initializer_list<Operand> sources, std::int64_t immediate) {
  Operation operation = vector_operation(name, destination, sources);
  operation.family = isa::EncodingFamily::kScalar;
  operation.immediate = immediate;
  return operation;
}

std::uint32_t run_32(WaveFixture& fixture, std::string_view name,
                     std::initializer_list<std::uint32_t> sources, std::uint32_t old) {
  Operation operation = vector_operation(name, vgpr(0), {});
  std::uint32_t index = 0;
  for (const std::uint32_t value : sources) {
    fixture.fill_row(index + 1, value);
    operation.source[index] = vgpr(index + 1);
    ++index;
  }
  fixture.fill_row(0, old);
  EXPECT_TRUE(fixture.run(operation)) << name;
  return fixture.row(0)[0];
}

std::uint64_t run_64(WaveFixture& fixture, std::string_view name,
                     std::initializer_list<std::uint64_t> sources) {
  Operation operation = vector_operation(name, vgpr(0, 2), {});
  std::uint32_t index = 0;
  for (const std::uint64_t value : sources) {
    fixture.fill_pair(2 * index + 2, value);
    operation.source[index] = vgpr(2 * index + 2, 2);
    ++index;
  }
  EXPECT_TRUE(fixture.run(operation)) << name;
  return fixture.pair(0);
}

}  // namespace halyard::emulator::test
