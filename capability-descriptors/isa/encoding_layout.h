// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace halyard::isa {

// What a field of AMD's encodings means, however an architecture spells it.
enum class FieldId : std::uint8_t {
  kA16,
  kAbid,
  kAbs,
  kAcc,
  kAccCd,
  kAttribute,
  kAttributeChannel,
  kBankMask,
  kBlgp,
  kBoundCtrl,
  kCbsz,
  kClamp,
  kD16,
  kDataFormat,
  kDestinationSel,
  kDestinationUnused,
  kDim,
  kDlc,
  kDmask,
  kDone,
  kDppCtrl,
  kEnable,
  kFetchInactive,
  kFormat,
  kGds,
  kGlc,
  kIdxen,
  kImm,
  kLaneSel0,
  kLds,
  kLiteral,
  kLwe,
  kNeg,
  kNegHi,
  kNt,
  kNumberFormat,
  kNv,
  kOffen,
  kOffset,
  kOffset0,
  kOffset1,
  kOmod,
  kOpSel,
  kOpSelHi,
  kR128,
  kRowEnable,
  kRowMask,
  kSaddr,
  kSc0,
  kSc1,
  kScalarSdst,
  kScalarSource0,
  kScalarSource1,
  kScope,
  kSimm16,
  kSlc,
  kSoffset,
  kSoffsetEnable,
  kSource0Abs,
  kSource0Neg,
  kSource0Sel,
  kSource0Sext,
  kSource1Abs,
  kSource1Neg,
  kSource1Sel,
  kSource1Sext,
  kSve,
  kTemporalHint,
  kTfe,
  kUnorm,
  kWaitExp,
  kWaitVaVdst,
  kWaitVdst,
  kWaitVmVsrc,
  kCount,
};

// How the text of an encoding is built.
enum class EncodingFamily : std::uint8_t {
  kOther,
  kScalar,  // SOP1, SOP2, SOPC, SOPK, SOPP
  kScalarMemory,
  kVop1,
  kVop2,
  kVopc,
  kVop3,
  kVop3p,
  kMatrix,
  kVopd,
  kInterpolation,
  kLds,
  kLdsDirect,
  kBuffer,
  kTypedBuffer,
  kImage,
  kFlat,
  kGlobal,
  kScratch,
  kExport,
};

enum class EncodingVariant : std::uint8_t { kPlain, kLiteral, kDpp16, kDpp8, kSdwa };

// An encoding as its text needs it.
struct EncodingLayout {
  EncodingFamily family = EncodingFamily::kOther;
  EncodingVariant variant = EncodingVariant::kPlain;
  std::array<std::uint32_t, static_cast<std::size_t>(FieldId::kCount)> fields;  // or kNoIndex

  explicit EncodingLayout(const Encoding& encoding);

  std::uint32_t index_of(FieldId id) const { return fields[static_cast<std::size_t>(id)]; }
  bool has(FieldId id) const { return index_of(id) != kNoIndex; }
};

}  // namespace halyard::isa
