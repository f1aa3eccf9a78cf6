// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/definedness_rule.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace halyard::emulator {
namespace {

struct NamedRule {
  std::string_view name;
  DefinednessRule rule;
};

using enum DefinednessRule;

// Without "S_" or "V_" and the type behind the last '_'.
constexpr NamedRule kBitwise[] = {
    {"MOV", kMove},
    {"MOVK", kMove},
    {"NOT", kMove},
    {"AND", kAnd},
    {"NAND", kAnd},
    {"ANDN2", kAndNot},
    {"AND_NOT1", kAndNot},
    {"ANDN1", kNotAnd},
    {"AND_NOT0", kNotAnd},
    {"OR", kOr},
    {"NOR", kOr},
    {"ORN2", kOrNot},
    {"OR_NOT1", kOrNot},
    {"ORN1", kNotOr},
    {"OR_NOT0", kNotOr},
    {"XOR", kXor},
    {"XNOR", kXor},
    {"CNDMASK", kSelect},
    {"CSELECT", kSelect},
    {"LSHL", kShiftLeft},
    {"LSHR", kShiftRight},
    {"ASHR", kShiftArithmetic},
    {"LSHLREV", kShiftLeft},
    {"LSHRREV", kShiftRight},
    {"ASHRREV", kShiftArithmetic},
    {"BREV", kReverse},
    {"BFREV", kReverse},
    {"BFI", kInsert},
    {"AND_OR", kAndOr},
    {"OR3", kOr3},
    {"XOR3", kXor3},
    {"LSHL_OR", kShiftOr},
    {"PERM", kPermute},
    {"ALIGNBIT", kAlignBit},
    {"ALIGNBYTE", kAlignByte},
    {"READLANE", kReadLane},
    {"READFIRSTLANE", kReadFirstLane},
    {"WRITELANE", kWriteLane},
    {"PERMLANE16", kRowLanes},
    {"PERMLANEX16", kRowLanes},
    {"PERMLANE64", kOtherHalf},
    {"SWAP", kSwap},
    {"ACCVGPR_MOV", kMove},
};

constexpr NamedRule kWhole[] = {
    {"S_PACK_LL_B32_B16", kPackHalves},
    {"S_PACK_LH_B32_B16", kPackHalves},
    {"S_PACK_HL_B32_B16", kPackHalves},
    {"S_PACK_HH_B32_B16", kPackHalves},
    {"V_PACK_B32_F16", kPackHalves},
    {"V_ACCVGPR_READ", kMove},
    {"V_ACCVGPR_WRITE", kMove},
    {"V_ACCVGPR_READ_B32", kMove},
    {"V_ACCVGPR_WRITE_B32", kMove},
    {"V_BFE_U32", kExtractUnsigned},
    {"V_BFE_I32", kExtractSigned},
    {"S_BFE_U32", kExtractUnsigned},
    {"S_BFE_I32", kExtractSigned},
    {"V_CVT_PKRTZ_F16_F32", kConvertHalves},
    {"V_CVT_PK_RTZ_F16_F32", kConvertHalves},
    {"V_CVT_PK_F16_F32", kConvertHalves},
    {"V_CVT_PK_BF16_F32", kConvertHalves},
    {"V_CVT_PK_U16_U32", kConvertHalves},
    {"V_CVT_PK_I16_I32", kConvertHalves},
    {"DS_PERMUTE_B32", kLdsPermute},
    {"DS_BPERMUTE_B32", kLdsBpermute},
    {"DS_SWIZZLE_B32", kLdsSwizzle},
    {"V_PK_ADD_F32", kPackedDwords},
    {"V_PK_MUL_F32", kPackedDwords},
    {"V_PK_FMA_F32", kPackedDwords},
    {"V_PK_MOV_B32", kPackedDwords},
    {"V_FMA_MIX_F32", kMixed},
    {"V_FMA_MIXLO_F16", kMixed},
    {"V_FMA_MIXHI_F16", kMixed},
    {"V_MAD_MIX_F32", kMixed},
    {"V_MAD_MIXLO_F16", kMixed},
    {"V_MAD_MIXHI_F16", kMixed},
    {"S_ANDN1_WREXEC_B64", kNotAnd},
    {"S_ANDN2_WREXEC_B64", kAndNot},
};

// Of 32 or 64 bits, not of floats.
constexpr NamedRule kSums[] = {
    {"ADD", kCarry},         {"SUB", kCarry},        {"SUBREV", kCarry},
    {"ADD_NC", kCarry},      {"SUB_NC", kCarry},     {"SUBREV_NC", kCarry},
    {"ADD_CO", kCarry},      {"SUB_CO", kCarry},     {"SUBREV_CO", kCarry},
    {"ADD_CO_CI", kCarry},   {"SUB_CO_CI", kCarry},  {"SUBREV_CO_CI", kCarry},
    {"ADDC_CO", kCarry},     {"SUBB_CO", kCarry},    {"SUBBREV_CO", kCarry},
    {"ADDC", kCarry},        {"SUBB", kCarry},       {"ADD3", kCarry},
    {"MUL_LO", kCarry},      {"MUL", kCarry},        {"MAD_U64", kCarry},
    {"MAD_I64", kCarry},     {"MAD_CO_U64", kCarry}, {"MAD_CO_I64", kCarry},
    {"LSHL_ADD", kShiftAdd},
};

DefinednessRule find(std::span<const NamedRule> rules, std::string_view name) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const NamedRule& r) { return r.name == name; });
  return found == rules.end() ? kAny : found->rule;
}

bool is_packed_on_halves(std::string_view name) {
  if (!name.starts_with("V_PK_")) return false;
  return name.ends_with("16");
}

}  // namespace

DefinednessRule definedness_rule(std::string_view name) {
  if (const DefinednessRule rule = find(kWhole, name); rule != kAny) return rule;
  if (name.starts_with("V_MFMA") || name.starts_with("V_WMMA") || name.starts_with("V_SMFMAC") ||
      name.starts_with("V_SWMMAC"))
    return kMatrix;
  if (is_packed_on_halves(name)) return kPackedHalves;
  if (name.size() < 3 || (name[0] != 'S' && name[0] != 'V') || name[1] != '_') return kAny;
  std::string_view stem = name.substr(2);
  if (stem.starts_with("DUAL_")) stem.remove_prefix(5);
  const std::size_t type = stem.rfind('_');
  if (type == std::string_view::npos) return kAny;
  const std::string_view suffix = stem.substr(type + 1);
  stem = stem.substr(0, type);
  if (stem.ends_with("_SAVEEXEC")) stem.remove_suffix(9);
  const bool is_sum = suffix == "U32" || suffix == "I32" || suffix == "U64";
  if (is_sum)
    if (const DefinednessRule rule = find(kSums, stem); rule != kAny) return rule;
  const DefinednessRule rule = find(kBitwise, stem);
  // Of 16 bits the shift amounts and halves are another matter.
  const bool is_shift =
      rule == kShiftLeft || rule == kShiftRight || rule == kShiftArithmetic || rule == kReverse;
  if (is_shift && suffix.ends_with("16")) return kAny;
  return rule;
}

}  // namespace halyard::emulator
