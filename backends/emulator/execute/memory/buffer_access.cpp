// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/buffer_addresses.h"
#include "backends/emulator/execute/memory/flat_tables.h"
#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/execute/memory/lds_direct.h"
#include "backends/emulator/execute/memory/semantic_table.h"
#include "backends/emulator/program/operand.h"

namespace halyard::emulator {
namespace {

template <Form form>
void load(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (locate_buffer(wave, operation, load_of(MemorySegment::kGlobal, bytes_of(form)), at))
    load_lanes<form>(wave, operation.destination[0].index, at);
}

template <Form form>
void store(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (locate_buffer(wave, operation, store_of(MemorySegment::kGlobal, bytes_of(form)), at))
    store_lanes<form>(wave, operation.source[1].index, at);
}

void load_to_lds(Wave& wave, const Operation& operation) {
  LaneAddresses from;
  if (locate_buffer(wave, operation, load_of(MemorySegment::kGlobal, 4), from))
    move_to_lds(wave, operation, from);
}

// Caches hold nothing here.
void do_nothing(Wave&, const Operation&) {}

template <Form form>
Handler choose_load(const Operation& operation, const SemanticContext& context) {
  if (!has_buffer_address(operation)) return nullptr;
  if (operation.moves_to_lds) {
    const bool is_executed = form == Form::kB32 && context.generation == Generation::kGfx9;
    return is_executed ? load_to_lds : nullptr;
  }
  return operation.destination[0].is_vector() ? load<form> : nullptr;
}

template <Form form>
Handler choose_store(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[1].is_vector() && has_buffer_address(operation);
  return fits && !operation.moves_to_lds ? store<form> : nullptr;
}

#define LOAD(name, form) {"BUFFER_" name, choose_load<Form::form>},
#define STORE(name, form) {"BUFFER_" name, choose_store<Form::form>},

constexpr Semantic kSemantics[] = {
#include "backends/emulator/execute/memory/access_names.inc"
    {"BUFFER_GL0_INV", always<do_nothing>}, {"BUFFER_GL1_INV", always<do_nothing>},
    {"BUFFER_INV", always<do_nothing>},     {"BUFFER_INVL2", always<do_nothing>},
    {"BUFFER_WBINVL1", always<do_nothing>}, {"BUFFER_WBINVL1_VOL", always<do_nothing>},
    {"BUFFER_WBL2", always<do_nothing>},
};

#undef LOAD
#undef STORE

}  // namespace

std::span<const Semantic> buffer_access_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
