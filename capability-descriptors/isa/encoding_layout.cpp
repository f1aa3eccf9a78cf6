// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/encoding_layout.h"

#include <algorithm>

namespace halyard::isa {
namespace {

struct FieldName {
  std::string_view name;
  FieldId id;
};

// Several names of one id are the spellings of different architectures and versions.
constexpr std::array kFieldNames = {
    FieldName{"A16", FieldId::kA16},
    FieldName{"ABID", FieldId::kAbid},
    FieldName{"ABS", FieldId::kAbs},
    FieldName{"ACC", FieldId::kAcc},
    FieldName{"ACC_CD", FieldId::kAccCd},
    FieldName{"ATTR", FieldId::kAttribute},
    FieldName{"ATTR_CHAN", FieldId::kAttributeChannel},
    FieldName{"BANK_MASK", FieldId::kBankMask},
    FieldName{"BLGP", FieldId::kBlgp},
    FieldName{"BOUND_CTRL", FieldId::kBoundCtrl},
    FieldName{"BC", FieldId::kBoundCtrl},
    FieldName{"CBSZ", FieldId::kCbsz},
    FieldName{"CLAMP", FieldId::kClamp},
    FieldName{"CM", FieldId::kClamp},
    FieldName{"CLMP", FieldId::kClamp},
    FieldName{"D16", FieldId::kD16},
    FieldName{"DFMT", FieldId::kDataFormat},
    FieldName{"DST_SEL", FieldId::kDestinationSel},
    FieldName{"DST_UNUSED", FieldId::kDestinationUnused},
    FieldName{"DST_U", FieldId::kDestinationUnused},
    FieldName{"DIM", FieldId::kDim},
    FieldName{"DLC", FieldId::kDlc},
    FieldName{"DMASK", FieldId::kDmask},
    FieldName{"DONE", FieldId::kDone},
    FieldName{"DPP_CTRL", FieldId::kDppCtrl},
    FieldName{"EN", FieldId::kEnable},
    FieldName{"FI", FieldId::kFetchInactive},
    FieldName{"FORMAT", FieldId::kFormat},
    FieldName{"GDS", FieldId::kGds},
    FieldName{"GLC", FieldId::kGlc},
    FieldName{"IDXEN", FieldId::kIdxen},
    FieldName{"IMM", FieldId::kImm},
    FieldName{"LANE_SEL_0", FieldId::kLaneSel0},
    FieldName{"LDS", FieldId::kLds},
    FieldName{"LITERAL", FieldId::kLiteral},
    FieldName{"SIMM16", FieldId::kSimm16},
    FieldName{"SIMM32", FieldId::kLiteral},
    FieldName{"LWE", FieldId::kLwe},
    FieldName{"NEG", FieldId::kNeg},
    FieldName{"NEG_HI", FieldId::kNegHi},
    FieldName{"NT", FieldId::kNt},
    FieldName{"NFMT", FieldId::kNumberFormat},
    FieldName{"NV", FieldId::kNv},
    FieldName{"OFFEN", FieldId::kOffen},
    FieldName{"OFFSET", FieldId::kOffset},
    FieldName{"IOFFSET", FieldId::kOffset},
    FieldName{"OFFSET0", FieldId::kOffset0},
    FieldName{"OFFSET1", FieldId::kOffset1},
    FieldName{"OMOD", FieldId::kOmod},
    FieldName{"OP_SEL", FieldId::kOpSel},
    FieldName{"OPSEL", FieldId::kOpSel},
    FieldName{"OP_SEL_HI", FieldId::kOpSelHi},
    FieldName{"OPSEL_HI", FieldId::kOpSelHi},
    FieldName{"R128", FieldId::kR128},
    FieldName{"ROW_EN", FieldId::kRowEnable},
    FieldName{"ROW", FieldId::kRowEnable},
    FieldName{"ROW_MASK", FieldId::kRowMask},
    FieldName{"SADDR", FieldId::kSaddr},
    FieldName{"SC0", FieldId::kSc0},
    FieldName{"SC1", FieldId::kSc1},
    FieldName{"SD", FieldId::kScalarSdst},
    FieldName{"S0", FieldId::kScalarSource0},
    FieldName{"S1", FieldId::kScalarSource1},
    FieldName{"SCOPE", FieldId::kScope},
    FieldName{"SLC", FieldId::kSlc},
    FieldName{"SOFFSET", FieldId::kSoffset},
    FieldName{"SOFFSET_EN", FieldId::kSoffsetEnable},
    FieldName{"SRC0_ABS", FieldId::kSource0Abs},
    FieldName{"SRC0_NEG", FieldId::kSource0Neg},
    FieldName{"SRC0_SEL", FieldId::kSource0Sel},
    FieldName{"SRC0_SEXT", FieldId::kSource0Sext},
    FieldName{"SRC1_ABS", FieldId::kSource1Abs},
    FieldName{"SRC1_NEG", FieldId::kSource1Neg},
    FieldName{"SRC1_SEL", FieldId::kSource1Sel},
    FieldName{"SRC1_SEXT", FieldId::kSource1Sext},
    FieldName{"SVE", FieldId::kSve},
    FieldName{"TH", FieldId::kTemporalHint},
    FieldName{"TFE", FieldId::kTfe},
    FieldName{"UNORM", FieldId::kUnorm},
    FieldName{"UNRM", FieldId::kUnorm},
    FieldName{"WAIT_EXP", FieldId::kWaitExp},
    FieldName{"WAITEXP", FieldId::kWaitExp},
    FieldName{"WAIT_VA", FieldId::kWaitVaVdst},
    FieldName{"WAIT_VA_VDST", FieldId::kWaitVaVdst},
    FieldName{"WAIT_VDST", FieldId::kWaitVdst},
    FieldName{"WAIT_VM_VSRC", FieldId::kWaitVmVsrc},
};

struct FamilyName {
  std::string_view start;
  EncodingFamily family;
};

// The first that a name starts with, after any "ENC_".
constexpr std::array kFamilyNames = {
    FamilyName{"SOP", EncodingFamily::kScalar},
    FamilyName{"SMEM", EncodingFamily::kScalarMemory},
    FamilyName{"VOP1", EncodingFamily::kVop1},
    FamilyName{"VOP2", EncodingFamily::kVop2},
    FamilyName{"VOPC", EncodingFamily::kVopc},
    FamilyName{"VOP3P_MFMA", EncodingFamily::kMatrix},
    FamilyName{"VOP3PX2", EncodingFamily::kMatrix},
    FamilyName{"VOP3P", EncodingFamily::kVop3p},
    FamilyName{"VOP3", EncodingFamily::kVop3},
    FamilyName{"VOPD", EncodingFamily::kVopd},
    FamilyName{"VINTERP", EncodingFamily::kInterpolation},
    FamilyName{"LDSDIR", EncodingFamily::kLdsDirect},
    FamilyName{"VDSDIR", EncodingFamily::kLdsDirect},
    FamilyName{"DS", EncodingFamily::kLds},
    FamilyName{"VDS", EncodingFamily::kLds},
    FamilyName{"MUBUF", EncodingFamily::kBuffer},
    FamilyName{"VBUFFER", EncodingFamily::kBuffer},
    FamilyName{"MTBUF", EncodingFamily::kTypedBuffer},
    FamilyName{"MIMG", EncodingFamily::kImage},
    FamilyName{"VIMAGE", EncodingFamily::kImage},
    FamilyName{"VSAMPLE", EncodingFamily::kImage},
    FamilyName{"FLAT_SCRATCH", EncodingFamily::kScratch},
    FamilyName{"FLAT_GL", EncodingFamily::kGlobal},
    FamilyName{"FLAT", EncodingFamily::kFlat},
    FamilyName{"VFLAT", EncodingFamily::kFlat},
    FamilyName{"VGLOBAL", EncodingFamily::kGlobal},
    FamilyName{"VSCRATCH", EncodingFamily::kScratch},
    FamilyName{"EXP", EncodingFamily::kExport},
    FamilyName{"VEXPORT", EncodingFamily::kExport},
};

EncodingFamily family_of(std::string_view name) {
  if (name.starts_with("ENC_")) name.remove_prefix(4);
  const auto found = std::find_if(kFamilyNames.begin(), kFamilyNames.end(),
                                  [&](const FamilyName& f) { return name.starts_with(f.start); });
  return found == kFamilyNames.end() ? EncodingFamily::kOther : found->family;
}

EncodingVariant variant_of(std::string_view name) {
  const auto names = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (names("_INST_LITERAL")) return EncodingVariant::kLiteral;
  if (names("_DPP8")) return EncodingVariant::kDpp8;
  if (names("_DPP")) return EncodingVariant::kDpp16;
  if (names("_SDWA")) return EncodingVariant::kSdwa;
  return EncodingVariant::kPlain;
}

}  // namespace

EncodingLayout::EncodingLayout(const Encoding& encoding)
    : family(family_of(encoding.name)),
      variant(variant_of(encoding.name)) {
  fields.fill(kNoIndex);
  for (std::uint32_t i = 0; i < encoding.fields.size(); ++i) {
    const auto known =
        std::find_if(kFieldNames.begin(), kFieldNames.end(),
                     [&](const FieldName& f) { return f.name == encoding.fields[i].name; });
    if (known != kFieldNames.end()) fields[static_cast<std::size_t>(known->id)] = i;
  }
}

}  // namespace halyard::isa
