// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/lds_access.h"

#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/execute/memory/lds_tables.h"
#include "backends/emulator/execute/memory/semantic_table.h"
#include "backends/emulator/program/operand.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

template <Form form>
void load(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (locate_lds(wave, operation, load_of(MemorySegment::kLds, bytes_of(form)), at))
    load_lanes<form>(wave, operation.destination[0].index, at);
}

template <Form form>
void store(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (locate_lds(wave, operation, store_of(MemorySegment::kLds, bytes_of(form)), at))
    store_lanes<form>(wave, operation.source[1].index, at);
}

// Two stretches for each lane; neither is touched unless both may be.
template <Form form, std::uint32_t stride>
bool locate_pair(Wave& wave, const Operation& operation, const AccessKind& kind,
                 LaneAddresses& first, LaneAddresses& second) {
  const std::uint64_t unit = std::uint64_t{bytes_of(form)} * stride;
  return lds_addresses(wave, operation, operation.offset0 * unit, first) &&
         lds_addresses(wave, operation, operation.offset1 * unit, second) &&
         locate(wave, operation, kind, first) && locate(wave, operation, kind, second);
}

template <Form form, std::uint32_t stride>
void load_pair(Wave& wave, const Operation& operation) {
  LaneAddresses first;
  LaneAddresses second;
  const AccessKind kind = load_of(MemorySegment::kLds, bytes_of(form));
  if (!locate_pair<form, stride>(wave, operation, kind, first, second)) return;
  load_lanes<form>(wave, operation.destination[0].index, first);
  load_lanes<form>(wave, operation.destination[0].index + dwords_of(form), second);
}

template <Form form, std::uint32_t stride>
void store_pair(Wave& wave, const Operation& operation) {
  LaneAddresses first;
  LaneAddresses second;
  const AccessKind kind = store_of(MemorySegment::kLds, bytes_of(form));
  if (!locate_pair<form, stride>(wave, operation, kind, first, second)) return;
  store_lanes<form>(wave, operation.source[1].index, first);
  store_lanes<form>(wave, operation.source[2].index, second);
}

// Addressed by the number of the lane, from what M0 says on.
bool locate_by_lane(Wave& wave, const Operation& operation, const AccessKind& kind,
                    LaneAddresses& at) {
  at.lanes = wave.exec();
  if (at.lanes == 0) return false;
  const std::uint64_t start =
      (static_cast<std::uint64_t>(operation.immediate) & 0xffff) + (wave.scalar[kM0Index] & 0xffff);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane)
    at.address[lane] = start + std::uint64_t{4} * lane;
  return locate(wave, operation, kind, at);
}

void load_by_lane(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (locate_by_lane(wave, operation, load_of(MemorySegment::kLds, 4), at))
    load_lanes<Form::kB32>(wave, operation.destination[0].index, at);
}

// DATA0 is the only operand.
void store_by_lane(Wave& wave, const Operation& operation) {
  LaneAddresses at;
  if (locate_by_lane(wave, operation, store_of(MemorySegment::kLds, 4), at))
    store_lanes<Form::kB32>(wave, operation.source[1].index, at);
}

template <Handler handler>
Handler with_address_and_result(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.destination[0].is_vector() && operation.source[0].is_vector();
  return fits ? handler : nullptr;
}

template <Handler handler>
Handler with_address_and_data(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[0].is_vector() && operation.source[1].is_vector();
  return fits ? handler : nullptr;
}

template <Handler handler>
Handler with_address_and_pair(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.source[0].is_vector() && operation.source[1].is_vector() &&
                    operation.source[2].is_vector();
  return fits ? handler : nullptr;
}

template <Form form>
constexpr HandlerChoice kLoad = with_address_and_result<load<form>>;
template <Form form>
constexpr HandlerChoice kStore = with_address_and_data<store<form>>;
template <Form form, std::uint32_t stride>
constexpr HandlerChoice kLoadPair = with_address_and_result<load_pair<form, stride>>;
template <Form form, std::uint32_t stride>
constexpr HandlerChoice kStorePair = with_address_and_pair<store_pair<form, stride>>;

constexpr Semantic kSemantics[] = {
    {"DS_READ_U8", kLoad<Form::kU8>},
    {"DS_READ_I8", kLoad<Form::kI8>},
    {"DS_READ_U16", kLoad<Form::kU16>},
    {"DS_READ_I16", kLoad<Form::kI16>},
    {"DS_READ_U8_D16", kLoad<Form::kU8Low>},
    {"DS_READ_U8_D16_HI", kLoad<Form::kU8High>},
    {"DS_READ_I8_D16", kLoad<Form::kI8Low>},
    {"DS_READ_I8_D16_HI", kLoad<Form::kI8High>},
    {"DS_READ_U16_D16", kLoad<Form::kB16Low>},
    {"DS_READ_U16_D16_HI", kLoad<Form::kB16High>},
    {"DS_READ_B32", kLoad<Form::kB32>},
    {"DS_READ_B64", kLoad<Form::kB64>},
    {"DS_READ_B96", kLoad<Form::kB96>},
    {"DS_READ_B128", kLoad<Form::kB128>},
    {"DS_READ2_B32", kLoadPair<Form::kB32, 1>},
    {"DS_READ2_B64", kLoadPair<Form::kB64, 1>},
    {"DS_READ2ST64_B32", kLoadPair<Form::kB32, 64>},
    {"DS_READ2ST64_B64", kLoadPair<Form::kB64, 64>},
    {"DS_WRITE_B8", kStore<Form::kU8>},
    {"DS_WRITE_B8_D16_HI", kStore<Form::kU8High>},
    {"DS_WRITE_B16", kStore<Form::kU16>},
    {"DS_WRITE_B16_D16_HI", kStore<Form::kB16High>},
    {"DS_WRITE_B32", kStore<Form::kB32>},
    {"DS_WRITE_B64", kStore<Form::kB64>},
    {"DS_WRITE_B96", kStore<Form::kB96>},
    {"DS_WRITE_B128", kStore<Form::kB128>},
    {"DS_WRITE2_B32", kStorePair<Form::kB32, 1>},
    {"DS_WRITE2_B64", kStorePair<Form::kB64, 1>},
    {"DS_WRITE2ST64_B32", kStorePair<Form::kB32, 64>},
    {"DS_WRITE2ST64_B64", kStorePair<Form::kB64, 64>},
    {"DS_LOAD_U8", kLoad<Form::kU8>},
    {"DS_LOAD_I8", kLoad<Form::kI8>},
    {"DS_LOAD_U16", kLoad<Form::kU16>},
    {"DS_LOAD_I16", kLoad<Form::kI16>},
    {"DS_LOAD_U8_D16", kLoad<Form::kU8Low>},
    {"DS_LOAD_U8_D16_HI", kLoad<Form::kU8High>},
    {"DS_LOAD_I8_D16", kLoad<Form::kI8Low>},
    {"DS_LOAD_I8_D16_HI", kLoad<Form::kI8High>},
    {"DS_LOAD_U16_D16", kLoad<Form::kB16Low>},
    {"DS_LOAD_U16_D16_HI", kLoad<Form::kB16High>},
    {"DS_LOAD_B32", kLoad<Form::kB32>},
    {"DS_LOAD_B64", kLoad<Form::kB64>},
    {"DS_LOAD_B96", kLoad<Form::kB96>},
    {"DS_LOAD_B128", kLoad<Form::kB128>},
    {"DS_LOAD_2ADDR_B32", kLoadPair<Form::kB32, 1>},
    {"DS_LOAD_2ADDR_B64", kLoadPair<Form::kB64, 1>},
    {"DS_LOAD_2ADDR_STRIDE64_B32", kLoadPair<Form::kB32, 64>},
    {"DS_LOAD_2ADDR_STRIDE64_B64", kLoadPair<Form::kB64, 64>},
    {"DS_STORE_B8", kStore<Form::kU8>},
    {"DS_STORE_B8_D16_HI", kStore<Form::kU8High>},
    {"DS_STORE_B16", kStore<Form::kU16>},
    {"DS_STORE_B16_D16_HI", kStore<Form::kB16High>},
    {"DS_STORE_B32", kStore<Form::kB32>},
    {"DS_STORE_B64", kStore<Form::kB64>},
    {"DS_STORE_B96", kStore<Form::kB96>},
    {"DS_STORE_B128", kStore<Form::kB128>},
    {"DS_STORE_2ADDR_B32", kStorePair<Form::kB32, 1>},
    {"DS_STORE_2ADDR_B64", kStorePair<Form::kB64, 1>},
    {"DS_STORE_2ADDR_STRIDE64_B32", kStorePair<Form::kB32, 64>},
    {"DS_STORE_2ADDR_STRIDE64_B64", kStorePair<Form::kB64, 64>},
    {"DS_READ_ADDTID_B32", with_result<load_by_lane>},
    {"DS_WRITE_ADDTID_B32", with_data<store_by_lane>},
    {"DS_LOAD_ADDTID_B32", with_result<load_by_lane>},
    {"DS_STORE_ADDTID_B32", with_data<store_by_lane>},
};

}  // namespace

std::span<const Semantic> lds_access_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
