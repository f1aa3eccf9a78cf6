// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/operation_decoder.h"

#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace halyard::emulator {
namespace {

using isa::EncodingFamily;

// The kernel of operands_<generation>.s, whose instructions are told by their place.
class OperandsTest : public ::testing::Test {
 protected:
  OperandsTest(std::string_view processor, std::string_view generation)
      : object_(testing::load_object(processor, std::string(HALYARD_TEST_OBJECTS) + "/operands_" +
                                                    std::string(generation) + "." +
                                                    std::string(processor) + ".hsaco")) {}

  const Operation& at(std::size_t place) const {
    return object_->kernels().front().program->operations()[place];
  }
  // The only one with a name and, of several, the one of that rank.
  const Operation& named(std::string_view name, std::size_t rank = 0) const {
    for (const Operation& operation : object_->kernels().front().program->operations()) {
      if (operation.name == name && rank-- == 0) return operation;
    }
    ADD_FAILURE() << "There is no " << name;
    return at(0);
  }

  std::unique_ptr<const LoadedObject> object_;
};

class Gfx11Operands : public OperandsTest {
 protected:
  Gfx11Operands() : OperandsTest("gfx1100", "gfx11") {}
};

class Gfx9Operands : public OperandsTest {
 protected:
  Gfx9Operands() : OperandsTest("gfx942", "gfx9") {}
};

class Gfx12Operands : public OperandsTest {
 protected:
  Gfx12Operands() : OperandsTest("gfx1201", "gfx12") {}
};

void expect_vector(const Operand& operand, std::uint32_t index, std::uint32_t dwords) {
  EXPECT_EQ(operand.kind, OperandKind::kVector);
  EXPECT_EQ(operand.index, index);
  EXPECT_EQ(operand.dwords, dwords);
}

void expect_scalar(const Operand& operand, std::uint32_t index, std::uint32_t dwords) {
  EXPECT_EQ(operand.kind, OperandKind::kScalar);
  EXPECT_EQ(operand.index, index);
  EXPECT_EQ(operand.dwords, dwords);
}

void expect_constant(const Operand& operand, std::uint64_t value) {
  EXPECT_EQ(operand.kind, OperandKind::kConstant);
  EXPECT_EQ(operand.constant, value);
}

TEST_F(Gfx11Operands, InlineFloatsHaveTheFormatOfTheOperand) {
  expect_constant(at(0).source[0], 0x3f800000);
  expect_constant(at(1).source[0], 0x3800);
  expect_constant(at(3).source[1], 0xc010000000000000);
}

TEST_F(Gfx11Operands, InlineFloatOfAPackedOperandIsInItsLowHalf) {
  expect_constant(at(2).source[1], 0x4000);
  EXPECT_EQ(at(2).op_sel_hi, 0b101);
}

TEST_F(Gfx11Operands, InlineIntegerOfAPackedOperandFillsTheRegister) {
  expect_constant(named("V_PK_ADD_U16").source[1], ~std::uint64_t{0});
}

TEST_F(Gfx11Operands, LiteralIsTheDwordBehindTheInstruction) {
  expect_constant(at(4).source[0], 0x40490fdb);
  EXPECT_EQ(at(4).size_bytes, 8);
}

TEST_F(Gfx11Operands, LiteralOfADoubleIsItsHighDword) {
  expect_constant(named("V_FMA_F64", 1).source[0], 0x4008000000000000);
}

TEST_F(Gfx11Operands, ConstantOfFmaakIsItsThirdSource) {
  const Operation& operation = named("V_FMAAK_F32");
  expect_vector(operation.source[0], 2, 1);
  expect_vector(operation.source[1], 3, 1);
  expect_constant(operation.source[2], 0x40490fdb);
}

TEST_F(Gfx11Operands, DestinationOfFmacIsRead) {
  EXPECT_TRUE(named("V_FMAC_F32").destination[0].is_read);
  EXPECT_FALSE(named("V_FMAAK_F32").destination[0].is_read);
}

TEST_F(Gfx11Operands, M0AndNullAreWhereTheGenerationEncodesThem) {
  expect_scalar(named("S_MOV_B32").destination[0], kM0Index, 1);
  const Operation& operation = named("S_AND_B32");
  expect_scalar(operation.destination[0], kSinkIndex, 1);
  expect_constant(operation.source[1], 0);
}

TEST_F(Gfx11Operands, ComparisonsWriteVccOrExec) {
  expect_scalar(named("V_CMP_LT_F32").destination[0], kVccIndex, 1);
  const Operation& operation = named("V_CMPX_LT_F32");
  expect_scalar(operation.destination[0], kExecIndex, 1);
  EXPECT_FALSE(operation.destination[1].is_present());
}

TEST_F(Gfx11Operands, CarryIsTheSecondDestinationAndTheThirdSource) {
  const Operation& operation = named("V_ADD_CO_CI_U32");
  expect_vector(operation.destination[0], 1, 1);
  expect_scalar(operation.destination[1], kVccIndex, 1);
  expect_scalar(operation.source[2], kVccIndex, 1);
}

TEST_F(Gfx11Operands, PermutationsOfLanesAreReadBesideTheRegister) {
  const Operation& dpp16 = named("V_MOV_B32", 0);
  ASSERT_NE(dpp16.permutation, nullptr);
  EXPECT_EQ(dpp16.permutation->control, 0b10110001);
  EXPECT_EQ(dpp16.permutation->bank_mask, 5);
  EXPECT_TRUE(dpp16.permutation->bound_control);
  expect_vector(dpp16.source[0], 2, 1);
  const Operation& dpp8 = named("V_MOV_B32", 1);
  ASSERT_NE(dpp8.permutation, nullptr);
  EXPECT_TRUE(dpp8.permutation->is_dpp8);
  EXPECT_TRUE(dpp8.permutation->fetch_inactive);
  EXPECT_EQ(dpp8.permutation->lanes, (std::array<std::uint8_t, 8>{7, 6, 5, 4, 3, 2, 1, 0}));
}

TEST_F(Gfx11Operands, PairHasTwoHalves) {
  const Operation& pair = named("V_DUAL_MUL_F32");
  ASSERT_NE(pair.first_half, nullptr);
  ASSERT_NE(pair.second_half, nullptr);
  expect_vector(pair.first_half->destination[0], 0, 1);
  expect_vector(pair.second_half->destination[0], 3, 1);
  expect_constant(pair.second_half->source[0], 0x3f800000);
}

TEST_F(Gfx11Operands, GlobalAddressIsAVectorOffsetOrAPair) {
  const Operation& with_scalar = named("GLOBAL_LOAD_B32", 0);
  expect_vector(with_scalar.source[0], 2, 1);
  expect_scalar(with_scalar.source[3], 0, 2);
  EXPECT_EQ(with_scalar.immediate, -16);
  const Operation& without = named("GLOBAL_LOAD_B32", 1);
  expect_vector(without.source[0], 2, 2);
  EXPECT_FALSE(without.source[3].is_present());
}

TEST_F(Gfx11Operands, ScratchAddressMayLackItsVectorPart) {
  const Operation& operation = named("SCRATCH_STORE_B32");
  EXPECT_FALSE(operation.source[0].is_present());
  expect_vector(operation.source[1], 1, 1);
  expect_scalar(operation.source[3], 3, 1);
  EXPECT_FALSE(operation.destination[0].is_present());
}

TEST_F(Gfx11Operands, LdsInstructionHasBothOffsets) {
  const Operation& operation = named("DS_LOAD_2ADDR_B32");
  expect_vector(operation.destination[0], 1, 2);
  EXPECT_EQ(operation.offset0, 1);
  EXPECT_EQ(operation.offset1, 2);
  EXPECT_EQ(operation.immediate, 0x201);
}

TEST_F(Gfx11Operands, ScalarLoadHasASignedOffset) {
  const Operation& operation = named("S_LOAD_B128");
  expect_scalar(operation.destination[0], 4, 4);
  expect_scalar(operation.source[0], 0, 2);
  EXPECT_FALSE(operation.source[4].is_present());
  EXPECT_EQ(operation.immediate, 16);
}

TEST_F(Gfx11Operands, SignsAndClampAreBitsOfTheSources) {
  const Operation& operation = named("V_FMA_F32");
  EXPECT_EQ(operation.negate, 1);
  EXPECT_EQ(operation.absolute, 2);
  EXPECT_TRUE(operation.clamp);
}

TEST_F(Gfx11Operands, MixedInstructionHasAbsoluteValues) {
  const Operation& operation = named("V_FMA_MIX_F32");
  EXPECT_EQ(operation.negate, 4);
  EXPECT_EQ(operation.absolute, 2);
  EXPECT_EQ(operation.negate_high, 0);
  EXPECT_EQ(operation.op_sel, 1);
  EXPECT_EQ(operation.op_sel_hi, 1);
}

TEST_F(Gfx11Operands, AtomicsReturnWhereTheyAreAskedTo) {
  const Operation& returning = named("GLOBAL_ATOMIC_ADD_U32");
  EXPECT_TRUE(returning.returns_old_value);
  expect_vector(returning.destination[0], 1, 1);
  const Operation& silent = named("GLOBAL_ATOMIC_CMPSWAP_B32");
  EXPECT_FALSE(silent.returns_old_value);
  EXPECT_FALSE(silent.destination[0].is_present());
  expect_vector(silent.source[1], 4, 2);
  EXPECT_TRUE(object_->kernels().front().program->has_memory_atomics());
}

TEST_F(Gfx11Operands, RegisterThatIsOnlyReadIsASource) {
  const Operation& operation = named("S_CMPK_EQ_I32");
  expect_scalar(operation.source[0], 3, 1);
  EXPECT_FALSE(operation.destination[0].is_present());
  EXPECT_EQ(operation.immediate, 7);
  EXPECT_EQ(named("S_MOVK_I32").immediate, -5);
}

TEST_F(Gfx11Operands, BufferHasResourceAndOffset) {
  const Operation& operation = named("BUFFER_LOAD_B64");
  expect_vector(operation.destination[0], 2, 2);
  expect_vector(operation.source[0], 4, 1);
  expect_scalar(operation.source[3], 4, 4);
  expect_scalar(operation.source[4], 3, 1);
  EXPECT_TRUE(operation.offset_enable);
  EXPECT_EQ(operation.immediate, 16);
}

TEST_F(Gfx11Operands, ConstantMatrixIsOneElement) {
  const Operation& operation = named("V_WMMA_F32_16X16X16_F16");
  expect_vector(operation.destination[0], 8, 8);
  expect_vector(operation.source[1], 24, 8);
  expect_constant(operation.source[2], 0x3f800000);
}

TEST_F(Gfx9Operands, CarryIsAMaskOf64Lanes) {
  expect_scalar(named("V_ADD_CO_U32").destination[1], kVccIndex, 2);
}

TEST_F(Gfx9Operands, ComparisonWritesExecToo) {
  const Operation& operation = named("V_CMPX_LT_F32");
  expect_scalar(operation.destination[0], kVccIndex, 2);
  expect_scalar(operation.destination[1], kExecIndex, 2);
}

TEST_F(Gfx9Operands, PartsOfRegistersAreBesideTheRegisters) {
  const Operation& operation = named("V_ADD_F32");
  ASSERT_NE(operation.sub_dword, nullptr);
  EXPECT_EQ(operation.sub_dword->destination, 5);
  EXPECT_EQ(operation.sub_dword->unused, 2);
  EXPECT_EQ(operation.sub_dword->source[0], 2);
  EXPECT_EQ(operation.sub_dword->source[1], 6);
  EXPECT_EQ(operation.negate, 2);
}

TEST_F(Gfx9Operands, AccumulationRegistersHaveRowsOfTheirOwn) {
  expect_vector(named("V_ACCVGPR_WRITE").destination[0], kAccumulationRow + 1, 1);
  expect_vector(named("V_ACCVGPR_READ").source[0], kAccumulationRow + 1, 1);
  expect_vector(named("GLOBAL_LOAD_DWORD").destination[0], kAccumulationRow + 1, 1);
}

TEST_F(Gfx9Operands, MatrixInstructionSaysWhichOperandsAccumulate) {
  const Operation& first = named("V_MFMA_F32_16X16X16_F16", 0);
  expect_vector(first.destination[0], kAccumulationRow, 4);
  expect_vector(first.source[0], 2, 2);
  expect_vector(first.source[2], kAccumulationRow, 4);
  const Operation& second = named("V_MFMA_F32_16X16X16_F16", 1);
  expect_vector(second.destination[0], 0, 4);
  expect_vector(second.source[1], kAccumulationRow + 4, 2);
  expect_constant(second.source[2], 0);
}

TEST_F(Gfx9Operands, M0IsWhereTheGenerationEncodesIt) {
  expect_scalar(named("S_MOV_B32").destination[0], kM0Index, 1);
}

TEST_F(Gfx9Operands, ConstantOfPackedSinglesIsInTheLowDword) {
  expect_constant(named("V_PK_FMA_F32").source[1], 0x40000000);
}

TEST_F(Gfx9Operands, ScalarLoadTakesARegisterOrANumber) {
  const Operation& with_register = named("S_LOAD_DWORDX2", 0);
  expect_scalar(with_register.source[4], 3, 1);
  EXPECT_EQ(with_register.immediate, 0);
  const Operation& with_number = named("S_LOAD_DWORDX2", 1);
  EXPECT_FALSE(with_number.source[4].is_present());
  EXPECT_EQ(with_number.immediate, 8);
}

TEST_F(Gfx9Operands, MatrixOfXf32HasItsOperands) {
  expect_vector(named("V_MFMA_F32_16X16X8_XF32").source[1], 4, 2);
}

TEST_F(Gfx12Operands, BarrierIsASource) {
  expect_constant(named("S_BARRIER_SIGNAL").source[0], ~std::uint64_t{0});
  EXPECT_EQ(named("S_BARRIER_WAIT").immediate, -1);
}

TEST_F(Gfx12Operands, OffsetsAreSignedByTheirWidth) {
  EXPECT_EQ(named("GLOBAL_LOAD_B32").immediate, -8);
  EXPECT_EQ(named("BUFFER_LOAD_B32").immediate, 8388604);
  EXPECT_FALSE(named("BUFFER_LOAD_B32").source[0].is_present());
}

TEST_F(Gfx12Operands, ScalarLoadOfThreeDwords) {
  expect_scalar(named("S_LOAD_B96").destination[0], 4, 3);
}

TEST_F(Gfx12Operands, AtomicReturnsByItsTemporalHint) {
  EXPECT_TRUE(named("GLOBAL_ATOMIC_ADD_F32").returns_old_value);
}

TEST_F(Gfx12Operands, SparseMatrixReadsItsDestination) {
  const Operation& operation = named("V_SWMMAC_F32_16X16X32_F16");
  EXPECT_TRUE(operation.destination[0].is_read);
  expect_vector(operation.source[2], 1, 1);
}

TEST_F(Gfx12Operands, ScalarFmaakHasThreeSources) {
  const Operation& operation = named("S_FMAAK_F32");
  expect_scalar(operation.source[1], 2, 1);
  expect_constant(operation.source[2], 0x3f800000);
}

}  // namespace
}  // namespace halyard::emulator
