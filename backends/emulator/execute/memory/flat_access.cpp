// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/flat_addresses.h"
#include "backends/emulator/execute/memory/flat_tables.h"
#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/execute/memory/lds_direct.h"
#include "backends/emulator/execute/memory/semantic_table.h"
#include "backends/emulator/program/operand.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

template <FlatFamily family, Form form>
void load(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  const AccessKind kind = load_of(segment_of(family), bytes_of(form));
  if (locate_lanes(family, wave, operation, kind, at))
    load_lanes<form>(wave, operation.destination[0].index, at);
}

template <FlatFamily family, Form form>
void store(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  const AccessKind kind = store_of(segment_of(family), bytes_of(form));
  if (locate_lanes(family, wave, operation, kind, at))
    store_lanes<form>(wave, operation.source[1].index, at);
}

template <FlatFamily family>
void load_to_lds(Wave& wave, const Operation& operation) {
  LaneAddresses from;
  const AccessKind kind = load_of(segment_of(family), 4);
  if (locate_lanes(family, wave, operation, kind, from)) move_to_lds(wave, operation, from);
}

// Caches hold nothing here.
void do_nothing(Wave&, const Operation&) {}

template <FlatFamily family, Form form>
Handler choose_load(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.destination[0].is_vector() && has_flat_address(family, operation);
  return fits && !operation.moves_to_lds ? load<family, form> : nullptr;
}

template <FlatFamily family, Form form>
Handler choose_store(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[1].is_vector() && has_flat_address(family, operation);
  return fits && !operation.moves_to_lds ? store<family, form> : nullptr;
}

template <FlatFamily family>
Handler choose_load_to_lds(const Operation& operation, const SemanticContext&) {
  return has_flat_address(family, operation) ? load_to_lds<family> : nullptr;
}

#define LOAD(name, form) {FAMILY_NAME name, choose_load<FlatFamily::FAMILY, Form::form>},
#define STORE(name, form) {FAMILY_NAME name, choose_store<FlatFamily::FAMILY, Form::form>},

constexpr Semantic kSemantics[] = {
#define FAMILY kFlat
#define FAMILY_NAME "FLAT_"
#include "backends/emulator/execute/memory/access_names.inc"
#undef FAMILY
#undef FAMILY_NAME
#define FAMILY kGlobal
#define FAMILY_NAME "GLOBAL_"
#include "backends/emulator/execute/memory/access_names.inc"
#undef FAMILY
#undef FAMILY_NAME
#define FAMILY kScratch
#define FAMILY_NAME "SCRATCH_"
#include "backends/emulator/execute/memory/access_names.inc"
#undef FAMILY
#undef FAMILY_NAME
    {"GLOBAL_LOAD_LDS_DWORD", choose_load_to_lds<FlatFamily::kGlobal>},
    {"SCRATCH_LOAD_LDS_DWORD", choose_load_to_lds<FlatFamily::kScratch>},
    {"GLOBAL_INV", always<do_nothing>},
    {"GLOBAL_WB", always<do_nothing>},
    {"GLOBAL_WBINV", always<do_nothing>},
};

#undef LOAD
#undef STORE

}  // namespace

std::span<const Semantic> flat_access_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
