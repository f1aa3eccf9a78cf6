// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace halyard::emulator::test {
namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// Runs a conversion over 32 numbers at a time.
class Converter {
 public:
  Converter(std::string_view name, Generation generation)
      : fixture_(generation),
        operation_(vector_operation(name, vgpr(0), {vgpr(1), vgpr(2)})) {
    operation_.handler = fixture_.choose(operation_);
    EXPECT_NE(operation_.handler, nullptr) << name;
  }
  std::uint32_t* input() { return fixture_.row(1); }
  const std::uint32_t* run() {
    operation_.handler(fixture_.wave(), operation_);
    return fixture_.row(0);
  }
  WaveFixture& fixture() { return fixture_; }

 private:
  WaveFixture fixture_;
  Operation operation_;
};

TEST(VectorConvert, WidensEveryHalfAsTheCompilerDoes) {
  Converter converter("V_CVT_F32_F16", Generation::kGfx11);
  for (std::uint32_t first = 0; first < 0x10000; first += 32) {
    for (std::uint32_t i = 0; i < 32; ++i)
      converter.input()[i] = first + i;
    const std::uint32_t* const result = converter.run();
    for (std::uint32_t i = 0; i < 32; ++i) {
      const auto half = static_cast<std::uint16_t>(first + i);
      const bool is_nan = (half & 0x7fff) > 0x7c00;
      const std::uint32_t nan =
          (half & 0x8000u) << 16 | 0x7fc00000u | static_cast<std::uint32_t>(half & 0x3ff) << 13;
      const std::uint32_t number = bits(static_cast<float>(std::bit_cast<_Float16>(half)));
      ASSERT_EQ(result[i], is_nan ? nan : number) << half;
    }
  }
}

TEST(VectorConvert, NarrowsAroundEveryHalfAsTheCompilerDoes) {
  Converter converter("V_CVT_F16_F32", Generation::kGfx9);
  // Each half, the middle between it and the next one, and what lies beside that.
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const auto value =
        static_cast<float>(std::bit_cast<_Float16>(static_cast<std::uint16_t>(half)));
    if (std::isnan(value)) continue;
    const auto next = static_cast<float>(
        std::bit_cast<_Float16>(static_cast<std::uint16_t>(std::min(half + 1, 0xffffu))));
    const float middle = std::isfinite(next) ? value + (next - value) / 2 : value * 1.0001f;
    const float inputs[] = {value, middle, std::nextafter(middle, -1e9f),
                            std::nextafter(middle, 1e9f)};
    for (int i = 0; i < 4; ++i)
      converter.input()[i] = bits(inputs[i]);
    const std::uint32_t* const result = converter.run();
    for (int i = 0; i < 4; ++i) {
      const auto expected = std::bit_cast<std::uint16_t>(static_cast<_Float16>(inputs[i]));
      ASSERT_EQ(result[i], expected) << half << " " << i;
    }
  }
}

TEST(VectorConvert, NarrowsInTheModesDirection) {
  Converter converter("V_CVT_F16_F32", Generation::kGfx9);
  const float value = 1.0f + 0x1p-12f;
  const std::uint32_t expected[4][2] = {
      {0x3c00, 0xbc00}, {0x3c01, 0xbc00}, {0x3c00, 0xbc01}, {0x3c00, 0xbc00}};
  for (std::uint8_t round = 0; round < 4; ++round) {
    converter.fixture().wave().mode.round_other = round;
    converter.input()[0] = bits(value);
    converter.input()[1] = bits(-value);
    converter.input()[2] = bits(1e6f);
    const std::uint32_t* const result = converter.run();
    EXPECT_EQ(result[0], expected[round][0]);
    EXPECT_EQ(result[1], expected[round][1]);
    EXPECT_EQ(result[2], round >= 2 ? 0x7bffu : 0x7c00u);
  }
}

TEST(VectorConvert, SaturatesIntegers) {
  struct Row {
    std::string_view name;
    float value;
    std::uint32_t expected;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Row rows[] = {
      {"V_CVT_I32_F32", nan, 0},
      {"V_CVT_I32_F32", infinity, 0x7fffffffu},
      {"V_CVT_I32_F32", -infinity, 0x80000000u},
      {"V_CVT_I32_F32", -1.9f, 0xffffffffu},
      {"V_CVT_I32_F32", 0x1p31f, 0x7fffffffu},
      {"V_CVT_U32_F32", nan, 0},
      {"V_CVT_U32_F32", -5.0f, 0},
      {"V_CVT_U32_F32", 3e9f, 3000000000u},
      {"V_CVT_U32_F32", 2.9f, 2},
      {"V_CVT_U32_F32", infinity, 0xffffffffu},
      {"V_CVT_U32_F32", 0x1p32f, 0xffffffffu},
      {"V_CVT_FLOOR_I32_F32", -1.5f, 0xfffffffeu},
      {"V_CVT_NEAREST_I32_F32", 2.5f, 3},
  };
  for (const Row& row : rows) {
    WaveFixture fixture;
    EXPECT_EQ(run_32(fixture, row.name, {bits(row.value)}), row.expected)
        << row.name << " " << row.value;
  }
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_CVT_I16_F16", {0x7bff}), 0x7fffu);
  EXPECT_EQ(run_32(fixture, "V_CVT_U16_F16", {0xc000}), 0u);
  EXPECT_EQ(run_32(fixture, "V_CVT_U16_F16", {0x7c00}), 0xffffu);
}

TEST(VectorConvert, RoundsIntegersOnce) {
  for (const std::uint32_t value :
       {0u, 1u, 0x1000001u, 0x1000003u, 0x7fffffffu, 0x80000000u, 0xffffffffu, 0x80000081u}) {
    WaveFixture fixture;
    EXPECT_EQ(run_32(fixture, "V_CVT_F32_U32", {value}), bits(static_cast<float>(value))) << value;
    EXPECT_EQ(run_32(fixture, "V_CVT_F32_I32", {value}),
              bits(static_cast<float>(static_cast<std::int32_t>(value))))
        << value;
  }
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_CVT_F32_UBYTE2", {0x00ab0000u}), bits(171.0f));
  EXPECT_EQ(run_32(fixture, "V_CVT_OFF_F32_I4", {0x8}), bits(-0.5f));
}

TEST(VectorConvert, ConvertsDoubles) {
  WaveFixture fixture;
  const auto narrowed = [&](double value) {
    fixture.fill_pair(2, std::bit_cast<std::uint64_t>(value));
    Operation operation = vector_operation("V_CVT_F32_F64", vgpr(0), {vgpr(2, 2)});
    EXPECT_TRUE(fixture.run(operation));
    return fixture.row(0)[6];
  };
  EXPECT_EQ(narrowed(0.1), bits(0.1f));
  EXPECT_EQ(narrowed(1e-40), bits(1e-40f));
  fixture.wave().mode.denormals_single = 0;
  EXPECT_EQ(narrowed(1e-40), 0u);
  fixture.fill_row(1, bits(1.5f));
  Operation widen = vector_operation("V_CVT_F64_F32", vgpr(4, 2), {vgpr(1)});
  widen.negate = 1;
  ASSERT_TRUE(fixture.run(widen));
  EXPECT_EQ(fixture.pair(4, 31), std::bit_cast<std::uint64_t>(-1.5));
  fixture.fill_pair(2, std::bit_cast<std::uint64_t>(-3e9));
  Operation whole = vector_operation("V_CVT_I32_F64", vgpr(0), {vgpr(2, 2)});
  ASSERT_TRUE(fixture.run(whole));
  EXPECT_EQ(fixture.row(0)[0], 0x80000000u);
  fixture.fill_row(1, 0xffffffffu);
  Operation real = vector_operation("V_CVT_F64_U32", vgpr(4, 2), {vgpr(1)});
  ASSERT_TRUE(fixture.run(real));
  EXPECT_EQ(fixture.pair(4), std::bit_cast<std::uint64_t>(4294967295.0));
}

TEST(VectorConvert, PacksTowardsZero) {
  WaveFixture fixture;
  EXPECT_EQ(run_32(fixture, "V_CVT_PK_RTZ_F16_F32", {bits(1.0f + 0x1.8p-11f), bits(-1e6f)}),
            0xfbff3c00u);
  EXPECT_EQ(run_32(fixture, "V_CVT_PK_I16_I32", {0x12345678u, 0xfffffff0u}), 0xfff07fffu);
  EXPECT_EQ(run_32(fixture, "V_CVT_PK_U16_U32", {0x12345678u, 5}), 0x0005ffffu);
  EXPECT_EQ(run_32(fixture, "V_PACK_B32_F16", {0x11113c00u, 0x22224000u}), 0x40003c00u);
}

// The value of a byte by the definition of its format; infinities and NaNs are told apart by code.
struct ByteFormat {
  std::string_view to_float;
  std::string_view from_floats;
  Generation generation;
  int fraction_bits;
  int bias;
  std::uint32_t last_finite;
};
constexpr ByteFormat kByteFormats[] = {
    {"V_CVT_F32_FP8", "V_CVT_PK_FP8_F32", Generation::kGfx12, 3, 7, 0x7e},
    {"V_CVT_F32_BF8", "V_CVT_PK_BF8_F32", Generation::kGfx12, 2, 15, 0x7b},
    {"V_CVT_F32_FP8", "V_CVT_PK_FP8_F32", Generation::kGfx9, 3, 8, 0x7f},
    {"V_CVT_F32_BF8", "V_CVT_PK_BF8_F32", Generation::kGfx9, 2, 16, 0x7f},
};
double value_of(std::uint32_t code, const ByteFormat& format) {
  const int exponent = static_cast<int>(code >> format.fraction_bits);
  const double fraction =
      (code & ((1u << format.fraction_bits) - 1)) / static_cast<double>(1 << format.fraction_bits);
  return exponent == 0 ? std::ldexp(fraction, 1 - format.bias)
                       : std::ldexp(1 + fraction, exponent - format.bias);
}

TEST(VectorConvert, WidensEveryByteOfFp8AndBf8) {
  for (const ByteFormat& format : kByteFormats) {
    Converter converter(format.to_float, format.generation);
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      converter.input()[0] = byte;
      const std::uint32_t result = converter.run()[0];
      const std::uint32_t code = byte & 0x7f;
      const bool is_fnuz = format.generation == Generation::kGfx9;
      if (code <= format.last_finite && !(is_fnuz && byte == 0x80)) {
        const double value = value_of(code, format) * (byte & 0x80 ? -1 : 1);
        ASSERT_EQ(result, bits(static_cast<float>(value))) << format.to_float << " " << byte;
      } else if (!is_fnuz && format.fraction_bits == 2 && code == 0x7c) {
        ASSERT_EQ(result, byte & 0x80 ? 0xff800000u : 0x7f800000u);
      } else {
        ASSERT_EQ(result, 0xffc00000u) << "a NaN";
      }
    }
  }
}

TEST(VectorConvert, NarrowsToTheNearestByteTheEvenOneOfTwo) {
  for (const ByteFormat& format : kByteFormats) {
    Converter converter(format.from_floats, format.generation);
    for (std::uint32_t code = 0; code < format.last_finite; ++code) {
      const double low = value_of(code, format);
      const double high = value_of(code + 1, format);
      const auto middle = static_cast<float>((low + high) / 2);
      const float inputs[] = {static_cast<float>(low), std::nextafter(middle, 0.0f), middle,
                              std::nextafter(middle, 1e9f)};
      const std::uint32_t expected[] = {code, code, code + (code & 1), code + 1};
      for (int i = 0; i < 4; ++i) {
        converter.input()[2 * i] = bits(inputs[i]);
        converter.input()[2 * i + 1] = bits(-inputs[i]);
      }
      const std::uint32_t* const result = converter.run();
      const bool is_fnuz = format.generation == Generation::kGfx9;
      for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(result[2 * i] & 0xff, expected[i]) << format.from_floats << " " << inputs[i];
        const std::uint32_t negative = is_fnuz && expected[i] == 0 ? 0 : 0x80 | expected[i];
        ASSERT_EQ(result[2 * i + 1] & 0xff, negative) << format.from_floats << " " << -inputs[i];
      }
    }
  }
}

TEST(VectorConvert, GivesWhatIsBeyondAnInfinityOrNanOrTheLargest) {
  const auto beyond = [](const ByteFormat& format, bool limits) {
    Converter converter(format.from_floats, format.generation);
    converter.fixture().wave().mode.half_overflow = limits;
    converter.input()[0] = bits(-1e30f);
    return converter.run()[0] & 0xff;
  };
  EXPECT_EQ(beyond(kByteFormats[0], false), 0xffu);
  EXPECT_EQ(beyond(kByteFormats[1], false), 0xfcu);
  EXPECT_EQ(beyond(kByteFormats[2], false), 0x80u);
  EXPECT_EQ(beyond(kByteFormats[3], false), 0x80u);
  for (const ByteFormat& format : kByteFormats) {
    EXPECT_EQ(beyond(format, true), 0x80u | format.last_finite);
  }
}

TEST(VectorConvert, SelectsBytesAndHalvesByOpSel) {
  WaveFixture fixture(Generation::kGfx12);
  fixture.fill_row(1, 0x40384830u);
  Operation one = vector_operation("V_CVT_F32_FP8", vgpr(0), {vgpr(1)});
  const std::uint32_t expected[] = {bits(0.5f), bits(4.0f), bits(1.0f), bits(2.0f)};
  for (std::uint32_t byte = 0; byte < 4; ++byte) {
    one.op_sel = static_cast<std::uint8_t>((byte & 1) << 1 | byte >> 1);
    ASSERT_TRUE(fixture.run(one));
    EXPECT_EQ(fixture.row(0)[0], expected[byte]) << byte;
  }
  Operation pair = vector_operation("V_CVT_PK_F32_FP8", vgpr(4, 2), {vgpr(1)});
  pair.op_sel = 1;
  ASSERT_TRUE(fixture.run(pair));
  EXPECT_EQ(fixture.row(4)[0], bits(1.0f));
  EXPECT_EQ(fixture.row(5)[0], bits(2.0f));
  fixture.fill_row(0, 0x11112222u);
  Operation narrow = vector_operation("V_CVT_PK_FP8_F32", vgpr(0), {vgpr(4), vgpr(5)});
  narrow.op_sel = 8;
  ASSERT_TRUE(fixture.run(narrow));
  EXPECT_EQ(fixture.row(0)[0], 0x40382222u);
}

}  // namespace
}  // namespace halyard::emulator::test
