// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace halyard::emulator {

// The registers of a wave by the codes that operands use for them. A code of 0 to 127 is the index
// of a dword in Wave::scalar; what a generation encodes otherwise is translated when the program is
// made (m0, null).
inline constexpr std::uint16_t kVccIndex = 106;  // and 107
inline constexpr std::uint16_t kTtmpIndex = 108;
inline constexpr std::uint16_t kM0Index = 124;
inline constexpr std::uint16_t kExecIndex = 126;  // and 127
// What is written to "null" goes here, up to 16 dwords, and is never read.
inline constexpr std::uint16_t kSinkIndex = 128;
inline constexpr std::uint16_t kScalarCount = 144;

// The rows of a wave's vector registers: those of the architecture, those of accumulation, and rows
// that handlers use for themselves.
inline constexpr std::uint16_t kAccumulationRow = 256;
inline constexpr std::uint16_t kTemporaryRow = 512;
inline constexpr std::uint16_t kTemporaryRowCount = 32;
inline constexpr std::uint16_t kRowCount = kTemporaryRow + kTemporaryRowCount;

enum class OperandKind : std::uint8_t {
  kNone,
  kVector,    // rows from `index` on
  kScalar,    // dwords of Wave::scalar from `index` on
  kConstant,  // `constant`
  kScc,       // 0 or 1; also vccz and execz below
  kVccz,
  kExecz,
  kSharedBase,  // the high dword of the LDS aperture, as a 64-bit value: aperture << 32
  kSharedLimit,
  kPrivateBase,
  kPrivateLimit,
  kLdsDirect,  // not executed
};

// One operand, resolved when the program is made: register numbers lie within what the kernel was
// given, so that handlers index without a check.
struct Operand {
  OperandKind kind = OperandKind::kNone;
  std::uint8_t dwords = 0;  // registers that are read or written, by the instruction set's tables
  std::uint8_t bits = 0;    // of one number, where the tables say: 8 (and less), 16, 32, 64; else 0
  bool is_read = false;     // of a destination: its old value takes part
  std::uint16_t index = 0;
  // Of kConstant: as the instruction takes it. An inline float is in the format of the operand
  // (16, 32 or 64 bits; of a packed one in the low half, or in both, as the hardware does it); a
  // literal is widened as the operand's type asks: to 64 bits of a float it is the high dword.
  std::uint64_t constant = 0;

  bool is_present() const { return kind != OperandKind::kNone; }
  bool is_vector() const { return kind == OperandKind::kVector; }
  bool is_scalar() const { return kind == OperandKind::kScalar; }
};

}  // namespace halyard::emulator
