// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operand.h"
#include "capability-descriptors/isa/encoding_layout.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace halyard::emulator {

struct Operation;
struct Wave;

// Executes one operation on a wave. When it is called wave.next already points behind `operation`;
// a branch sets it. Whatever stops the wave sets wave.status. Never throws and never allocates,
// except on the way to a report.
using Handler = void (*)(Wave& wave, const Operation& operation);

// How a DPP operand takes the values of other lanes.
struct LanePermutation {
  bool is_dpp8 = false;
  std::uint16_t control = 0;  // DPP_CTRL
  std::uint8_t row_mask = 15;
  std::uint8_t bank_mask = 15;
  bool bound_control = false;           // a lane without a source takes 0; else it is not written
  bool fetch_inactive = false;          // lanes that EXEC leaves out are sources too
  std::array<std::uint8_t, 8> lanes{};  // of dpp8
};

// Which part of a register an SDWA operand is: 0–3 a byte, 4–5 a word, 6 the dword.
struct SubDwordSelection {
  std::uint8_t destination = 6;
  std::uint8_t unused = 0;  // what becomes of the other bits: 0 zero, 1 sign, 2 kept
  std::array<std::uint8_t, 2> source = {6, 6};
  std::array<bool, 2> sign_extend{};
};

// One instruction, decoded once. The operands of each family:
//
//   scalar     destination[0] SDST; source[0..1] SSRC0, SSRC1; immediate SIMM16, sign-extended
//   vector     destination[0] VDST, for a comparison the mask (VCC, SDST or EXEC), for
//              v_readlane the SGPR; destination[1] the carry out (VCC or SDST);
//              source[0..2] SRC0 to SRC2 in the order of the text, an implicit VCC of VOP2 and the
//              constant K of v_fmaak and v_fmamk included. What v_fmac adds to is its destination
//              (Operand::is_read), not a source
//   matrix     destination[0] D; source[0..2] A, B, C
//   memory     destination[0] VDST or SDATA where data comes back; source[0] the address (ADDR,
//              VADDR, SBASE); source[1] DATA, DATA0 or VDATA of what is stored or combined;
//              source[2] DATA1; source[3] SADDR, SRSRC; source[4] SOFFSET
//
// A vector operand with permuted lanes keeps its register as source[0]; `permutation` says how.
struct Operation {
  Handler handler = nullptr;
  Handler wrapped = nullptr;  // what `handler` calls where it permutes lanes or selects parts
  std::array<Operand, 2> destination;
  std::array<Operand, 5> source;
  const Operation* target = nullptr;  // of a branch; null where it leaves the program
  std::int64_t immediate = 0;         // SIMM16 or the memory offset in bytes, sign-extended
  std::uint32_t address = 0;          // bytes from the start of the code section
  std::uint32_t index = 0;            // in the program
  std::uint16_t offset0 = 0;          // of LDS instructions with two addresses, as encoded
  std::uint16_t offset1 = 0;
  std::uint8_t size_bytes = 4;

  isa::EncodingFamily family = isa::EncodingFamily::kOther;
  isa::EncodingVariant variant = isa::EncodingVariant::kPlain;

  // Modifiers; bit i is of source[i].
  std::uint8_t negate = 0;
  std::uint8_t negate_high = 0;  // VOP3P: of the high half
  std::uint8_t absolute = 0;
  std::uint8_t op_sel = 0;     // bit 3: of the destination
  std::uint8_t op_sel_hi = 0;  // VOP3P
  std::uint8_t output_modifier = 0;
  bool clamp = false;
  bool returns_old_value = false;  // atomics
  std::uint8_t cbsz = 0;           // matrix instructions of gfx9
  std::uint8_t abid = 0;
  std::uint8_t blgp = 0;
  bool offset_enable = false;  // buffers: OFFEN, IDXEN; scratch: SVE
  bool index_enable = false;
  bool moves_to_lds = false;

  const LanePermutation* permutation = nullptr;  // owned by the program
  const SubDwordSelection* sub_dword = nullptr;
  // The halves of a VOPD instruction, owned by the program: both read before either writes.
  const Operation* first_half = nullptr;
  const Operation* second_half = nullptr;

  std::string_view name;  // AMD's, upper case: "V_ADD_F32"; borrowed from the instruction set
};

}  // namespace halyard::emulator
