// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/operation_facts.h"

#include "backends/emulator/detect/memory_facts.h"

#include <algorithm>
#include <string_view>

namespace halyard::emulator {
namespace {

using isa::EncodingFamily;

template <std::size_t kCount>
bool starts_with_any(std::string_view name, const std::array<std::string_view, kCount>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

bool scalar_writes_scc(std::string_view name) {
  static constexpr std::array<std::string_view, 33> kPrefixes = {
      "S_CMP",     "S_BITCMP",   "S_ADD_U32", "S_ADD_I32",
      "S_ADD_CO",  "S_SUB_U32",  "S_SUB_I32", "S_SUB_CO",
      "S_ADDC",    "S_SUBB",     "S_ADDK",    "S_AND",
      "S_OR",      "S_XOR",      "S_NAND",    "S_NOR_",
      "S_NOT",     "S_XNOR",     "S_LSHL",    "S_LSHR",
      "S_ASHR",    "S_BFE",      "S_ABS",     "S_MIN_I32",
      "S_MIN_U32", "S_MAX_I32",  "S_MAX_U32", "S_BCNT",
      "S_WQM",     "S_QUADMASK", "S_NOR",     "S_BARRIER_SIGNAL_ISFIRST",
      "S_CMPK",
  };
  return starts_with_any(name, kPrefixes);
}

bool scalar_reads_scc(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kPrefixes = {
      "S_CSELECT", "S_CMOV", "S_ADDC", "S_SUBB", "S_ADD_CO_CI", "S_SUB_CO_CI", "S_CBRANCH_SCC",
  };
  return starts_with_any(name, kPrefixes);
}

bool is_vector_family(EncodingFamily family) {
  switch (family) {
    case EncodingFamily::kVop1:
    case EncodingFamily::kVop2:
    case EncodingFamily::kVopc:
    case EncodingFamily::kVop3:
    case EncodingFamily::kVop3p:
    case EncodingFamily::kMatrix:
    case EncodingFamily::kVopd:
      return true;
    default:
      return false;
  }
}

bool reads_old_destination(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kParts = {
      "FMAC", "V_MAC", "DOT2C", "DOT4C", "DOT8C", "DOT2ACC", "PKACCUM", "S_BITSET", "S_ADDK"};
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return contains(name, part); }) ||
         name.starts_with("S_MULK") || name.starts_with("S_CMOV");
}

bool has_lane_mask_source(std::string_view name) {
  return contains(name, "CNDMASK") || contains(name, "_CO_CI_") || contains(name, "ADDC_CO") ||
         contains(name, "SUBB_CO") || contains(name, "SUBBREV_CO") ||
         name.starts_with("V_DIV_FMAS");
}

// Collects what one operation reads and writes.
class FactsBuilder {
 public:
  FactsBuilder(const Operation& operation, Generation generation, std::uint32_t lanes)
      : operation_(operation),
        generation_(generation),
        mask_dwords_(lanes == 64 ? 2 : 1) {}

  OperationFacts build() {
    facts_.rule = definedness_rule(operation_.name);
    const bool is_vector = is_vector_family(operation_.family);
    if (operation_.family == EncodingFamily::kScalar) scalar();
    if (is_vector) vector();
    if (!is_vector && operation_.family != EncodingFamily::kScalar)
      add_memory_facts(operation_, generation_, facts_);
    add_control_facts(operation_, generation_, facts_);
    cells();
    return facts_;
  }

 private:
  void scalar() {
    facts_.is_scalar = true;
    facts_.reads_scc = scalar_reads_scc(operation_.name);
    facts_.writes_scc = scalar_writes_scc(operation_.name);
    facts_.is_saveexec = contains(operation_.name, "SAVEEXEC");
    facts_.writes_exec = facts_.is_saveexec || contains(operation_.name, "WREXEC");
    facts_.accumulates = reads_old_destination(operation_.name);
  }

  void vector() {
    const Operand& destination = operation_.destination[0];
    facts_.accumulates = reads_old_destination(operation_.name);
    if (operation_.name.starts_with("V_CMP")) facts_.writes_mask = true;
    if (operation_.name.starts_with("V_CMPX")) facts_.writes_exec = true;
    const bool gives_scalar = destination.is_scalar() && !facts_.writes_mask;
    facts_.is_scalar = gives_scalar && facts_.rule != DefinednessRule::kReadLane &&
                       facts_.rule != DefinednessRule::kReadFirstLane;
    if (has_lane_mask_source(operation_.name)) {
      const Operand& mask = operation_.source[2];
      facts_.mask_register = mask.is_scalar() ? mask.index : kVccIndex;
      // A constant mask is defined.
      if (mask.kind == OperandKind::kConstant) facts_.mask_register = OperationFacts::kNoMask;
    }
    if (operation_.family != EncodingFamily::kVop3p && operation_.family != EncodingFamily::kMatrix)
      halves();
    if (operation_.sub_dword) sub_dwords();
    if (operation_.clamp && facts_.rule == DefinednessRule::kCarry)
      facts_.rule = DefinednessRule::kAny;
    const bool is_narrow = operation_.sub_dword || facts_.result_bits != 0xffffffff;
    if (is_narrow && facts_.rule != DefinednessRule::kSelect &&
        facts_.rule != DefinednessRule::kMove)
      facts_.rule = DefinednessRule::kAny;
    if (operation_.sub_dword && facts_.rule == DefinednessRule::kMove)
      facts_.rule = DefinednessRule::kAny;
    narrow_by_name();
  }

  // 16-bit operands: the low half, or the high one by op_sel.
  void halves() {
    for (std::size_t i = 0; i < facts_.relevant.size(); ++i)
      if (operation_.source[i].bits == 16) facts_.relevant[i] = half_bits(operation_.op_sel >> i);
    if (operation_.destination[0].bits == 16 && operation_.destination[0].is_vector()) {
      facts_.result_bits = half_bits(operation_.op_sel >> 3);
      facts_.keeps_other_bits = generation_ != Generation::kGfx9;
    }
  }

  void sub_dwords() {
    const SubDwordSelection& selection = *operation_.sub_dword;
    for (std::size_t i = 0; i < selection.source.size(); ++i)
      facts_.relevant[i] = selected_bits(selection.source[i]);
    facts_.result_bits = selected_bits(selection.destination);
    facts_.keeps_other_bits = selection.unused == 2;
    // Sign bits follow the result; a whole register is a safe way to say so.
    if (selection.unused == 1) facts_.result_bits = 0xffffffff;
  }

  void narrow_by_name() {
    const std::string_view name = operation_.name;
    if (name.starts_with("V_CVT_F32_UBYTE"))
      facts_.relevant[0] &= std::uint64_t{0xff} << (8 * static_cast<unsigned>(name.back() - '0'));
    if (name.ends_with("U32_U24") || name.ends_with("I32_I24"))
      facts_.relevant[0] = facts_.relevant[1] = 0xffffff;
    if (contains(name, "MIXLO")) half_result(false);
    if (contains(name, "MIXHI")) half_result(true);
    if (name.starts_with("V_CVT_PK_FP8") || name.starts_with("V_CVT_PK_BF8"))
      half_result((operation_.op_sel & 8) != 0);
    if (name.starts_with("V_CVT_SR_FP8") || name.starts_with("V_CVT_SR_BF8")) {
      facts_.result_bits = 0xffU << 8 * (operation_.op_sel >> 2 & 3);
      facts_.keeps_other_bits = true;
    }
  }

  void half_result(bool is_high) {
    facts_.result_bits = is_high ? 0xffff0000U : 0xffffU;
    facts_.keeps_other_bits = true;
  }

  static std::uint32_t half_bits(unsigned selection) {
    return (selection & 1) != 0 ? 0xffff0000U : 0xffffU;
  }

  static std::uint32_t selected_bits(unsigned selection) {
    if (selection < 4) return 0xffU << 8 * selection;
    return selection < 6 ? 0xffffU << 16 * (selection - 4) : 0xffffffffU;
  }

  void cells() {
    const bool is_vector = is_vector_family(operation_.family);
    for (std::size_t i = 0; i < operation_.source.size(); ++i) {
      CellRange range = cells_of(operation_.source[i]);
      if (is_vector && i == 2 && facts_.mask_register != OperationFacts::kNoMask &&
          operation_.source[i].is_scalar())
        range.count = mask_dwords_;
      add(range);
    }
    if (facts_.mask_register == kVccIndex && !operation_.source[2].is_scalar())
      add({kVccIndex, mask_dwords_});
    // A load of half a register may follow one of the other half.
    if (facts_.accumulates ||
        (operation_.destination[0].is_read && facts_.action == OperationAction::kCompute))
      add(cells_of(operation_.destination[0]));
    if (facts_.reads_scc) add({kSccCell, 1});
    add_branch_condition();
    if (operation_.moves_to_lds) add({kM0Index, 1});
    facts_.read_count = facts_.cell_count;
    written(is_vector);
  }

  void add_branch_condition() {
    if (operation_.name.starts_with("S_CBRANCH_VCC")) add({kVccIndex, mask_dwords_});
  }

  void written(bool is_vector) {
    for (std::size_t i = 0; i < operation_.destination.size(); ++i) {
      const Operand& destination = operation_.destination[i];
      CellRange range = cells_of(destination);
      const bool is_mask = is_vector && destination.is_scalar() && (i == 1 || facts_.writes_mask);
      if (is_mask) range.count = std::min(range.count, mask_dwords_);
      for (unsigned cell : {kExecIndex + 0U, kExecIndex + 1U})
        facts_.writes_exec = facts_.writes_exec || range.covers(cell);
      add(range);
    }
    if (facts_.rule == DefinednessRule::kSwap) add(cells_of(operation_.source[0]));
    if (facts_.writes_scc) add({kSccCell, 1});
  }

  void add(CellRange range) {
    if (range.count != 0 && facts_.cell_count < facts_.cells.size())
      facts_.cells[facts_.cell_count++] = range;
  }

  const Operation& operation_;
  Generation generation_;
  std::uint16_t mask_dwords_;
  OperationFacts facts_;
};

// Of the two halves together, for a quick look at all their registers.
OperationFacts joined(const std::array<OperationFacts, 2>& halves) {
  OperationFacts facts;
  for (const bool reads : {true, false}) {
    for (const OperationFacts& half : halves) {
      const unsigned from = reads ? 0U : half.read_count;
      const unsigned to = reads ? half.read_count : half.cell_count;
      for (unsigned i = from; i < to && facts.cell_count < facts.cells.size(); ++i)
        facts.cells[facts.cell_count++] = half.cells[i];
    }
    if (reads) facts.read_count = facts.cell_count;
  }
  return facts;
}

}  // namespace

ProgramFacts::ProgramFacts(const Program& program, std::uint32_t lanes)
    : program_(&program),
      lanes_(lanes) {
  const Generation generation = program.tables().target().generation;
  facts_.resize(program.operations().size());
  coherence_.resize(program.operations().size(), Coherence::kNotAsked);
  for (const Operation& operation : program.operations()) {
    if (operation.index >= facts_.size()) continue;
    OperationFacts& facts = facts_[operation.index];
    if (operation.first_half && operation.second_half) {
      halves_.push_back({FactsBuilder(*operation.first_half, generation, lanes).build(),
                         FactsBuilder(*operation.second_half, generation, lanes).build()});
      facts = joined(halves_.back());
      facts.halves = static_cast<std::uint32_t>(halves_.size());
    } else {
      facts = FactsBuilder(operation, generation, lanes).build();
    }
    for (unsigned i = 0; i < facts.cell_count; ++i) {
      const CellRange range = facts.cells[i];
      if (range.first < kVectorCell) continue;
      const unsigned end = range.first + range.count - kVectorCell;
      const bool accumulation = end > kAccumulationRow;
      used_rows_[accumulation ? 1 : 0] = std::max(used_rows_[accumulation ? 1 : 0], end);
    }
  }
}

bool ProgramFacts::is_coherent(const Operation& operation) const {
  Coherence& known = coherence_[operation.index];
  if (known == Coherence::kNotAsked)
    known = has_coherent_policy(*program_, operation) ? Coherence::kYes : Coherence::kNo;
  return known == Coherence::kYes;
}

}  // namespace halyard::emulator
