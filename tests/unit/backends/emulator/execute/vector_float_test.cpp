// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace halyard::emulator::test {
namespace {

constexpr std::uint32_t kInfinity = 0x7f800000u;
constexpr std::uint32_t kDefaultNan = 0xffc00000u;

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

struct Row {
  std::string_view name;
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t expected;
  std::string_view basis;
};

TEST(VectorFloat, TakesTheFirstNanAndMakesItQuiet) {
  const Row rows[] = {
      {"V_ADD_F32", 0x7f800001u, bits(1.0f), 0x7fc00001u, "a signalling NaN gets its quiet bit"},
      {"V_ADD_F32", bits(1.0f), 0xff800002u, 0xffc00002u, "sign and payload stay"},
      {"V_ADD_F32", 0x7fc10000u, 0x7fc20000u, 0x7fc10000u, "the first of two"},
      {"V_MUL_F32", 0xffc0abcdu, 0x7f800001u, 0xffc0abcdu, "a quiet first one before a second"},
      {"V_SUB_F32", bits(1.0f), 0xffc0abcdu, 0x7fc0abcdu, "the second source is negated first"},
      {"V_ADD_F32", kInfinity, kInfinity | 0x80000000u, kDefaultNan, "invalid by itself"},
      {"V_MUL_F32", 0, kInfinity, kDefaultNan, "invalid by itself"},
      {"V_SUB_F32", kInfinity, kInfinity, kDefaultNan, "invalid by itself"},
  };
  for (const Row& row : rows) {
    WaveFixture fixture;
    EXPECT_EQ(run_32(fixture, row.name, {row.a, row.b}), row.expected)
        << row.name << ": " << row.basis;
  }
}

TEST(VectorFloat, PutsAnInvalidProductBeforeAnAddendThatIsNan) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_FMA_F32", {0, kInfinity, 0x7fc12345u}), kDefaultNan);
  EXPECT_EQ(run_32(fixture, "V_FMA_F32", {bits(1.0f), bits(2.0f), 0x7f812345u}), 0x7fc12345u);
  EXPECT_EQ(run_32(fixture, "V_FMA_F32", {0x7fc00001u, 0x7fc00002u, 0x7fc00003u}), 0x7fc00001u);
}

TEST(VectorFloat, FindsNansInAnyLaneAndKeepsTheOthersNumbers) {
  for (std::uint32_t nan_lane = 0; nan_lane < 64; ++nan_lane) {
    WaveFixture fixture(Generation::kGfx9, 64);
    fixture.fill_row(0, bits(1.0f));
    fixture.fill_row(1, bits(2.0f));
    fixture.fill_row(2, bits(3.0f));
    fixture.row(0)[nan_lane] = 0x7f812345u;
    Operation operation = vector_operation("V_FMAC_F32", vgpr(0), {vgpr(1), vgpr(2)});
    ASSERT_TRUE(fixture.run(operation));
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      ASSERT_EQ(fixture.row(0)[lane], lane == nan_lane ? 0x7fc12345u : bits(7.0f)) << lane;
    }
  }
}

TEST(VectorFloat, AddsWithinTheDestinationOfFmac) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_FMAC_F32", {bits(2.0f), bits(3.0f)}, bits(4.0f)), bits(10.0f));
  EXPECT_EQ(run_32(fixture, "V_FMAC_F32", {bits(1.0f), bits(1.0f)}, 0x7f800001u), 0x7fc00001u);
  EXPECT_EQ(run_32(fixture, "V_FMAC_F16", {0x4000, 0x4200}, 0xabcd3c00u), 0xabcd4700u);
}

TEST(VectorFloat, AgreesWithTheProcessorOnAnyNumbers) {
  std::mt19937 random(1);
  WaveFixture fixture;
  for (int i = 0; i < 2000; ++i) {
    const std::uint32_t a = static_cast<std::uint32_t>(random());
    const std::uint32_t b = static_cast<std::uint32_t>(random());
    const std::uint32_t c = static_cast<std::uint32_t>(random());
    const auto x = std::bit_cast<float>(a);
    const auto y = std::bit_cast<float>(b);
    const auto z = std::bit_cast<float>(c);
    const float fused = std::fma(x, y, z);
    if (std::isnan(x) || std::isnan(y) || std::isnan(z) || std::isnan(fused)) continue;
    ASSERT_EQ(run_32(fixture, "V_FMA_F32", {a, b, c}), bits(fused)) << a << " " << b << " " << c;
    ASSERT_EQ(run_32(fixture, "V_ADD_F32", {a, b}), bits(x + y));
    ASSERT_EQ(run_32(fixture, "V_SUBREV_F32", {a, b}), bits(y - x));
    ASSERT_EQ(run_32(fixture, "V_MUL_F32", {a, b}), bits(x * y));
    ASSERT_EQ(run_32(fixture, "V_RNDNE_F32", {a}), bits(std::nearbyint(x)));
    ASSERT_EQ(run_32(fixture, "V_FLOOR_F32", {a}), bits(std::floor(x)));
  }
}

TEST(VectorFloat, RoundsAsModeSays) {
  const std::uint32_t one = bits(1.0f);
  const std::uint32_t tiny = bits(0x1p-30f);
  const std::uint32_t up = bits(std::nextafter(1.0f, 2.0f));
  const std::uint32_t down = bits(std::nextafter(1.0f, 0.0f));
  const std::uint32_t results[] = {one, up, one, one};
  const std::uint32_t negative[] = {one, one, down, down};
  for (std::uint8_t round = 0; round < 4; ++round) {
    WaveFixture fixture;
    fixture.wave().mode.round_single = round;
    EXPECT_EQ(run_32(fixture, "V_ADD_F32", {one, tiny}), results[round]) << int{round};
    EXPECT_EQ(run_32(fixture, "V_SUB_F32", {one, tiny}), negative[round]) << int{round};
    EXPECT_EQ(bits(1.0f + 0x1p-30f), one) << "the mode has leaked";
  }
}

TEST(VectorFloat, FlushesDenormalsAsModeSays) {
  const std::uint32_t denormal = 0x80000123u;
  const std::uint32_t least = 0x00800000u;
  for (std::uint8_t denormals = 0; denormals < 4; ++denormals) {
    WaveFixture fixture;
    fixture.wave().mode.denormals_single = denormals;
    const bool keeps_sources = (denormals & 1) != 0;
    const bool keeps_results = (denormals & 2) != 0;
    EXPECT_EQ(run_32(fixture, "V_MUL_F32", {denormal, bits(0x1p100f)}),
              keeps_sources ? bits(std::bit_cast<float>(denormal) * 0x1p100f) : 0x80000000u);
    EXPECT_EQ(run_32(fixture, "V_MUL_F32", {least, bits(0.5f)}), keeps_results ? 0x00400000u : 0u);
    EXPECT_EQ(run_32(fixture, "V_MAX_F32", {denormal, denormal}),
              keeps_sources && keeps_results ? denormal : 0x80000000u);
  }
}

TEST(VectorFloat, ChangesSignsThenScalesThenClamps) {
  WaveFixture fixture(Generation::kGfx12);
  fixture.fill_row(1, bits(2.0f));
  fixture.fill_row(2, bits(-3.0f));
  fixture.fill_row(3, bits(10.0f));
  Operation operation = vector_operation("V_FMA_F32", vgpr(0), {vgpr(1), vgpr(2), vgpr(3)});
  operation.negate = 1;
  operation.absolute = 2;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[31], bits(4.0f));
  operation.output_modifier = 3;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], bits(2.0f));
  operation.clamp = true;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], bits(1.0f));
}

TEST(VectorFloat, ScalesToZerosAndNotToDenormals) {
  WaveFixture fixture(Generation::kGfx12);
  Operation operation = vector_operation("V_ADD_F32", vgpr(0), {vgpr(1), vgpr(2)});
  operation.output_modifier = 3;
  fixture.fill_row(1, 0x80800000u);
  fixture.fill_row(2, 0x80000000u);
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0x80000000u) << "the half of the least normal number";
  fixture.fill_row(1, 0x80000000u);
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0u) << "a zero gets positive";
}

TEST(VectorFloat, ApproximatesToTheNearestWhateverTheMode) {
  WaveFixture fixture;
  fixture.wave().mode.round_single = 1;
  EXPECT_EQ(run_32(fixture, "V_RCP_F32", {bits(3.0f)}), bits(1.0f / 3.0f));
  fixture.wave().mode.round_other = 1;
  EXPECT_EQ(run_32(fixture, "V_RCP_F16", {0x4200}), 0x3555u);
}

TEST(VectorFloat, DoesNotScaleWhereDenormalResultsAreKept) {
  WaveFixture fixture(Generation::kGfx11);
  fixture.fill_row(1, bits(3.0f));
  Operation operation = vector_operation("V_MUL_F32", vgpr(0), {vgpr(1), vgpr(1)});
  operation.output_modifier = 1;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], bits(9.0f));
  fixture.wave().mode.denormals_single = 0;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], bits(18.0f));
}

TEST(VectorFloat, ClampsNanToZeroAndNegativeZeroToZero) {
  WaveFixture fixture;
  Operation operation = vector_operation("V_ADD_F32", vgpr(0), {vgpr(1), vgpr(2)});
  operation.clamp = true;
  fixture.fill_row(1, 0x7fc00000u);
  fixture.fill_row(2, 0x80000000u);
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0u);
  fixture.fill_row(1, 0x80000000u);
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0u);
  fixture.fill_row(1, 0x7fc00000u);
  fixture.wave().mode.dx10_clamp = false;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0x7fc00000u);
}

TEST(VectorFloat, KeepsWhatExecLeavesOut) {
  for (const std::uint32_t lanes : {32u, 64u}) {
    WaveFixture fixture(lanes == 64 ? Generation::kGfx9 : Generation::kGfx11, lanes);
    const std::uint64_t exec = 0x8000000180010005u;
    fixture.set_exec(exec);
    fixture.fill_row(0, 7);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      fixture.row(1)[lane] = bits(static_cast<float>(lane));
    }
    Operation operation = vector_operation("V_ADD_F32", vgpr(0), {vgpr(1), constant(bits(1.0f))});
    ASSERT_TRUE(fixture.run(operation));
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const bool active = (exec >> lane & 1) != 0;
      EXPECT_EQ(fixture.row(0)[lane], active ? bits(static_cast<float>(lane + 1)) : 7u) << lane;
    }
  }
}

TEST(VectorFloat, OrdersZerosAndLetsNumbersWin) {
  const Row rows[] = {
      {"V_MAX_F32", 0x80000000u, 0, 0, "+0 is more"},
      {"V_MAX_F32", 0, 0x80000000u, 0, "+0 is more"},
      {"V_MIN_F32", 0, 0x80000000u, 0x80000000u, "-0 is less"},
      {"V_MAX_F32", 0x7fc00000u, bits(1.0f), bits(1.0f), "a quiet NaN loses"},
      {"V_MAX_F32", 0x7f800001u, bits(1.0f), 0x7fc00001u, "a signalling one wins, quiet"},
      {"V_MIN_F32", bits(2.0f), 0x7f800001u, 0x7fc00001u, "a signalling one wins, quiet"},
      {"V_MAX_F32", 0x7fc12345u, 0xffc0abcdu, 0x7fc12345u, "the first of two"},
      {"V_MAX_NUM_F32", 0x7f800001u, bits(1.0f), bits(1.0f), "any NaN loses"},
      {"V_MAX_NUM_F32", 0x7f800001u, 0x7fc00002u, 0x7fc00001u, "the first of two, quiet"},
      {"V_MAXIMUM_F32", bits(1.0f), 0x7fc00002u, 0x7fc00002u, "any NaN wins"},
      {"V_MINIMUM_F32", 0x80000000u, 0, 0x80000000u, "-0 is less"},
      {"V_MAX_F16", 0x7c01, 0x3c00, 0x7e01, "a signalling one wins, quiet"},
      {"V_MIN_F16", 0x8000, 0x0000, 0x8000, "-0 is less"},
  };
  for (const Row& row : rows) {
    WaveFixture fixture(row.name.find("NUM") != row.name.npos ? Generation::kGfx12
                                                              : Generation::kGfx11);
    EXPECT_EQ(run_32(fixture, row.name, {row.a, row.b}), row.expected)
        << row.name << ": " << row.basis;
  }
  WaveFixture fixture;
  fixture.wave().mode.ieee = false;
  EXPECT_EQ(run_32(fixture, "V_MAX_F32", {0x7f800001u, bits(1.0f)}), bits(1.0f));
}

TEST(VectorFloat, FindsTheMedian) {
  WaveFixture fixture;
  const std::uint32_t one = bits(1.0f);
  const std::uint32_t two = bits(2.0f);
  const std::uint32_t three = bits(3.0f);
  EXPECT_EQ(run_32(fixture, "V_MED3_F32", {one, two, three}), two);
  EXPECT_EQ(run_32(fixture, "V_MED3_F32", {three, one, two}), two);
  EXPECT_EQ(run_32(fixture, "V_MED3_F32", {two, three, one}), two);
  EXPECT_EQ(run_32(fixture, "V_MED3_F32", {two, 0x7fc00000u, three}), two) << "the least";
}

TEST(VectorFloat, RoundsHalvesOnce) {
  // The exact sum is above the middle of 1 and its successor by less than a float can tell.
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_FMA_F16", {0x1001, 0x1400, 0x3c00}) & 0xffffu, 0x3c01u - 1u)
      << "0.000489 * 0.000977 + 1";
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t a = random() & 0xffff;
    const std::uint32_t b = random() & 0xffff;
    const std::uint32_t c = random() & 0xffff;
    const auto value = [](std::uint32_t half) {
      return static_cast<long double>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(half)));
    };
    // 64 bits hold a product of halves and any half that matters to its rounding.
    const long double exact = value(a) * value(b) + value(c);
    if (std::isnan(exact) || std::isnan(value(a)) || std::isnan(value(b)) || std::isnan(value(c))) {
      continue;
    }
    const auto expected = std::bit_cast<std::uint16_t>(static_cast<_Float16>(exact));
    ASSERT_EQ(run_32(fixture, "V_FMA_F16", {a, b, c}) & 0xffff, expected)
        << a << " " << b << " " << c;
  }
}

TEST(VectorFloat, SelectsHalvesAndKeepsTheOtherOne) {
  WaveFixture fixture;
  fixture.fill_row(0, 0xaaaabbbbu);
  fixture.fill_row(1, 0x40003c00u);
  Operation operation = vector_operation("V_ADD_F16", vgpr(0), {vgpr(1), vgpr(1)});
  operation.op_sel = 1;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[3], 0xaaaa4200u);
  operation.op_sel = 2 | 8;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[3], 0x42004200u);
}

TEST(VectorFloat, ClearsTheHighHalfOnGfx9ButForLaterInstructions) {
  WaveFixture fixture(Generation::kGfx9, 64);
  EXPECT_EQ(run_32(fixture, "V_ADD_F16", {0x3c00, 0x3c00}, 0xffffffffu), 0x4000u);
  EXPECT_EQ(run_32(fixture, "V_FMA_F16", {0x3c00, 0x3c00, 0x3c00}, 0xffffffffu), 0xffff4000u);
}

TEST(VectorFloat, LimitsHalvesThatOverflowAsModeSays) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_ADD_F16", {0x7bff, 0x7bff}), 0x7c00u);
  fixture.wave().mode.half_overflow = true;
  EXPECT_EQ(run_32(fixture, "V_ADD_F16", {0x7bff, 0x7bff}), 0x7bffu);
  EXPECT_EQ(run_32(fixture, "V_ADD_F16", {0x7c00, 0x7bff}), 0x7c00u) << "an infinity stays";
}

TEST(VectorFloat, GivesZeroForZeroTimesAnything) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_MUL_DX9_ZERO_F32", {0x80000000u, kInfinity}), 0u);
  EXPECT_EQ(run_32(fixture, "V_MUL_DX9_ZERO_F32", {0x7fc00000u, 0}), 0u);
  EXPECT_EQ(run_32(fixture, "V_FMA_DX9_ZERO_F32", {0, kInfinity, 0x80000000u}), 0x80000000u);
  EXPECT_EQ(run_32(fixture, "V_FMA_DX9_ZERO_F32", {bits(2.0f), bits(3.0f), bits(1.0f)}),
            bits(7.0f));
}

TEST(VectorFloat, MultipliesAndAddsInTwoRoundingsOnGfx9) {
  WaveFixture fixture(Generation::kGfx9, 64);
  const float a = 1.0f + 0x1p-23f;
  EXPECT_EQ(run_32(fixture, "V_MAD_F32", {bits(a), bits(a), bits(-1.0f)}), bits(a * a - 1.0f));
  EXPECT_EQ(run_32(fixture, "V_FMA_F32", {bits(a), bits(a), bits(-1.0f)}),
            bits(std::fma(a, a, -1.0f)));
  EXPECT_EQ(run_32(fixture, "V_MAD_F32", {0x00400000u, bits(1.0f), 0}), 0u) << "no denormals";
}

TEST(VectorFloat, ComputesDoubles) {
  WaveFixture fixture(Generation::kGfx9, 64);
  EXPECT_EQ(run_64(fixture, "V_FMA_F64", {bits(1.5), bits(3.0), bits(-0.25)}), bits(4.25));
  EXPECT_EQ(run_64(fixture, "V_ADD_F64", {bits(0.1), bits(0.2)}), bits(0.1 + 0.2));
  EXPECT_EQ(run_64(fixture, "V_MAX_F64", {bits(-0.0), bits(0.0)}), bits(0.0));
  EXPECT_EQ(run_64(fixture, "V_RCP_F64", {bits(4.0)}), bits(0.25));
  EXPECT_EQ(run_64(fixture, "V_FRACT_F64", {bits(-0.25)}), bits(0.75));
  EXPECT_EQ(run_64(fixture, "V_ADD_F64",
                   {bits(std::numeric_limits<double>::infinity()),
                    bits(-std::numeric_limits<double>::infinity())}),
            0xfff8000000000000u);
  fixture.wave().mode.round_other = 1;
  EXPECT_EQ(run_64(fixture, "V_ADD_F64", {bits(1.0), bits(0x1p-80)}),
            bits(std::nextafter(1.0, 2.0)));
}

TEST(VectorFloat, ApproximatesWithinARounding) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_RCP_F32", {bits(3.0f)}), bits(1.0f / 3.0f));
  EXPECT_EQ(run_32(fixture, "V_RCP_F32", {0x80000000u}), 0xff800000u);
  EXPECT_EQ(run_32(fixture, "V_RCP_F32", {0x00000001u}), kInfinity) << "a denormal is a zero";
  EXPECT_EQ(run_32(fixture, "V_SQRT_F32", {bits(-1.0f)}), kDefaultNan);
  EXPECT_EQ(run_32(fixture, "V_SQRT_F32", {bits(2.0f)}), bits(std::sqrt(2.0f)));
  EXPECT_EQ(run_32(fixture, "V_RSQ_F32", {bits(4.0f)}), bits(0.5f));
  EXPECT_EQ(run_32(fixture, "V_EXP_F32", {bits(3.0f)}), bits(8.0f));
  EXPECT_EQ(run_32(fixture, "V_EXP_F32", {bits(-130.0f)}), 0u) << "a denormal is a zero";
  EXPECT_EQ(run_32(fixture, "V_LOG_F32", {bits(8.0f)}), bits(3.0f));
  EXPECT_EQ(run_32(fixture, "V_LOG_F32", {0}), 0xff800000u);
  EXPECT_EQ(run_32(fixture, "V_SIN_F32", {bits(0.25f)}), bits(1.0f)) << "an angle in turns";
  EXPECT_EQ(run_32(fixture, "V_COS_F32", {bits(0.5f)}), bits(-1.0f));
  EXPECT_EQ(run_32(fixture, "V_EXP_F16", {0x4200}), 0x4800u);
}

TEST(VectorFloat, TakesNumbersApart) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_FREXP_MANT_F32", {bits(-12.0f)}), bits(-0.75f));
  EXPECT_EQ(run_32(fixture, "V_FREXP_EXP_I32_F32", {bits(-12.0f)}), 4u);
  EXPECT_EQ(run_32(fixture, "V_FREXP_EXP_I32_F32", {kInfinity}), 0u);
  EXPECT_EQ(run_32(fixture, "V_LDEXP_F32", {bits(1.5f), 0xffffff78u}), bits(0x1.8p-136f));
  EXPECT_EQ(run_32(fixture, "V_LDEXP_F32", {bits(1.5f), 1000}), kInfinity);
  EXPECT_EQ(run_32(fixture, "V_LDEXP_F32", {0x7f800001u, 1}), 0x7fc00001u);
  EXPECT_EQ(run_32(fixture, "V_FRACT_F32", {bits(-0x1p-40f)}), bits(0x1.fffffep-1f));
  EXPECT_EQ(run_32(fixture, "V_RNDNE_F32", {bits(-0.5f)}), 0x80000000u);
  EXPECT_EQ(run_32(fixture, "V_RNDNE_F32", {bits(2.5f)}), bits(2.0f));
}

// What a compiler emits for a precise division.
float divide(WaveFixture& fixture, float numerator, float denominator) {
  const auto step = [&](std::string_view name, std::uint32_t to,
                        std::initializer_list<Operand> sources, std::uint8_t negate = 0) {
    Operation operation = vector_operation(name, vgpr(to), sources);
    operation.negate = negate;
    if (name == "V_DIV_SCALE_F32") operation.destination[1] = sgpr(kVccIndex, 1);
    ASSERT_TRUE(fixture.run(operation)) << name;
  };
  constexpr std::uint32_t kN = 10;
  constexpr std::uint32_t kD = 11;
  const Operand one = constant(bits(1.0f));
  fixture.fill_row(kN, bits(numerator));
  fixture.fill_row(kD, bits(denominator));
  step("V_DIV_SCALE_F32", 1, {vgpr(kD), vgpr(kD), vgpr(kN)});
  step("V_RCP_F32", 2, {vgpr(1)});
  step("V_DIV_SCALE_F32", 3, {vgpr(kN), vgpr(kD), vgpr(kN)});
  step("V_FMA_F32", 4, {vgpr(1), vgpr(2), one}, 1);
  step("V_FMA_F32", 2, {vgpr(4), vgpr(2), vgpr(2)});
  step("V_MUL_F32", 4, {vgpr(3), vgpr(2)});
  step("V_FMA_F32", 5, {vgpr(1), vgpr(4), vgpr(3)}, 1);
  step("V_FMA_F32", 4, {vgpr(5), vgpr(2), vgpr(4)});
  step("V_FMA_F32", 1, {vgpr(1), vgpr(4), vgpr(3)}, 1);
  step("V_DIV_FMAS_F32", 1, {vgpr(1), vgpr(2), vgpr(4)});
  step("V_DIV_FIXUP_F32", 0, {vgpr(1), vgpr(kD), vgpr(kN)});
  return std::bit_cast<float>(fixture.row(0)[0]);
}

TEST(VectorFloat, DividesPreciselyInTheStepsOfACompiler) {
  WaveFixture fixture;
  std::mt19937 random(3);
  int tried = 0;
  while (tried < 2000) {
    const auto n = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const auto d = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const float exact = n / d;
    // Denormal quotients are rounded twice on the way.
    if (!std::isnormal(n) || !std::isnormal(d) || !std::isnormal(exact)) continue;
    ++tried;
    ASSERT_EQ(bits(divide(fixture, n, d)), bits(exact)) << n << " / " << d;
  }
  EXPECT_EQ(bits(divide(fixture, 1.0f, 0.0f)), kInfinity);
  EXPECT_EQ(bits(divide(fixture, 0.0f, 0.0f)), kDefaultNan);
  EXPECT_EQ(bits(divide(fixture, -1.0f, std::numeric_limits<float>::infinity())), 0x80000000u);
}

}  // namespace
}  // namespace halyard::emulator::test
