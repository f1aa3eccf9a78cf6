// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/memory_facts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace halyard::emulator {
namespace {

using isa::EncodingFamily;

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

std::uint8_t bits(std::uint32_t value, unsigned from, unsigned count) {
  return static_cast<std::uint8_t>(value >> from & ((1U << count) - 1));
}

// S_WAITCNT has all counters in one immediate, each generation in its own places.
WaitLimits combined_wait(std::uint32_t value, Generation generation) {
  WaitLimits limits;
  if (generation == Generation::kGfx9) {
    limits.load = static_cast<std::uint8_t>(bits(value, 0, 4) | bits(value, 14, 2) << 4);
    limits.lds = limits.scalar = bits(value, 8, 4);
    if (limits.load == 63) limits.load = WaitLimits::kUnlimited;
    if (limits.lds == 15) limits.lds = limits.scalar = WaitLimits::kUnlimited;
  } else {
    limits.load = bits(value, 10, 6);
    limits.lds = limits.scalar = bits(value, 4, 6);
  }
  return limits;
}

bool wait_limits(std::string_view name, std::uint32_t value, Generation generation,
                 WaitLimits& limits) {
  const std::uint8_t count = bits(value, 0, 6);
  if (name == "S_WAITCNT") {
    limits = combined_wait(value, generation);
  } else if (name == "S_WAITCNT_VMCNT" || name == "S_WAIT_LOADCNT") {
    limits.load = count;
  } else if (name == "S_WAITCNT_VSCNT" || name == "S_WAIT_STORECNT") {
    limits.store = count;
  } else if (name == "S_WAITCNT_LGKMCNT") {
    limits.lds = limits.scalar = count;
  } else if (name == "S_WAIT_DSCNT") {
    limits.lds = count;
  } else if (name == "S_WAIT_KMCNT") {
    limits.scalar = bits(value, 0, 5);
  } else if (name == "S_WAIT_LOADCNT_DSCNT") {
    limits.load = bits(value, 8, 6);
    limits.lds = count;
  } else if (name == "S_WAIT_STORECNT_DSCNT") {
    limits.store = bits(value, 8, 6);
    limits.lds = count;
  } else if (name == "S_WAIT_IDLE") {
    limits.load = limits.store = limits.lds = limits.scalar = 0;
  } else {
    return false;
  }
  return true;
}

void add_store_width(std::string_view name, OperationFacts& facts) {
  if (contains(name, "D16_HI")) facts.data_shift = 16;
  if (contains(name, "_B8") || contains(name, "BYTE")) facts.data_bytes = 1;
  if (contains(name, "_B16") || contains(name, "SHORT")) facts.data_bytes = 2;
}

void add_load_width(std::string_view name, OperationFacts& facts) {
  if (!contains(name, "D16") || contains(name, "FORMAT")) return;
  facts.result_bits = contains(name, "D16_HI") ? 0xffff0000U : 0xffffU;
  facts.keeps_other_bits = true;
}

void add_lds_facts(std::string_view name, OperationFacts& facts) {
  facts.counter = WaitCounter::kLds;
  const bool is_lane_data = name.starts_with("DS_SWIZZLE") || contains(name, "PERMUTE");
  facts.action = is_lane_data ? OperationAction::kLaneData : OperationAction::kMemory;
  if (name.starts_with("DS_NOP") || name.starts_with("DS_GWS"))
    facts.action = OperationAction::kCompute;
  const bool is_load = name.starts_with("DS_LOAD") || name.starts_with("DS_READ");
  const bool is_store =
      (name.starts_with("DS_STORE") || name.starts_with("DS_WRITE")) && !contains(name, "XCHG");
  facts.is_store = is_store;
  facts.is_atomic = !is_load && !is_store && !is_lane_data;
  for (std::string_view part : {"2ADDR", "READ2", "WRITE2", "XCHG2"})
    facts.has_two_addresses = facts.has_two_addresses || contains(name, part);
}

void add_vector_memory_facts(const Operation& operation, Generation generation,
                             OperationFacts& facts) {
  const std::string_view name = operation.name;
  facts.is_atomic = contains(name, "_ATOMIC");
  const bool returns = facts.is_atomic ? operation.returns_old_value : !contains(name, "_STORE");
  facts.is_store = !returns && !facts.is_atomic;
  const bool is_counted_as_store = !returns && generation != Generation::kGfx9;
  facts.counter = is_counted_as_store ? WaitCounter::kStore : WaitCounter::kLoad;
  facts.action = OperationAction::kMemory;
  for (std::string_view part : {"_INV", "_WB", "GL0", "GL1", "WBL2"}) {
    if (!contains(name, part)) continue;
    facts.action = OperationAction::kCache;
    facts.is_store = false;
    const bool writes_back = contains(name, "_WB") && generation == Generation::kGfx12;
    facts.counter = writes_back ? WaitCounter::kStore : WaitCounter::kLoad;
  }
  if (operation.family != EncodingFamily::kFlat || facts.action != OperationAction::kMemory) return;
  if (generation == Generation::kGfx9)
    facts.counter = WaitCounter::kFlat;
  else
    facts.second_counter = WaitCounter::kLds;
}

}  // namespace

void add_memory_facts(const Operation& operation, Generation generation, OperationFacts& facts) {
  const std::string_view name = operation.name;
  switch (operation.family) {
    case EncodingFamily::kScalarMemory:
      facts.action = contains(name, "_LOAD") ? OperationAction::kMemory : OperationAction::kMessage;
      facts.counter = WaitCounter::kScalar;
      return;
    case EncodingFamily::kLds:
      add_lds_facts(name, facts);
      break;
    case EncodingFamily::kFlat:
    case EncodingFamily::kGlobal:
    case EncodingFamily::kScratch:
    case EncodingFamily::kBuffer:
    case EncodingFamily::kTypedBuffer:
      add_vector_memory_facts(operation, generation, facts);
      break;
    default:
      return;
  }
  if (facts.is_store) add_store_width(name, facts);
  if (!facts.is_store && !facts.is_atomic) add_load_width(name, facts);
}

void add_control_facts(const Operation& operation, Generation generation, OperationFacts& facts) {
  const std::string_view name = operation.name;
  if (operation.family != EncodingFamily::kScalar) return;
  const auto immediate = static_cast<std::uint32_t>(operation.immediate & 0xffff);
  if (wait_limits(name, immediate, generation, facts.wait)) {
    facts.action = OperationAction::kWait;
  } else if (name == "S_BARRIER" || name.starts_with("S_BARRIER_SIGNAL")) {
    facts.action = OperationAction::kBarrier;
  } else if (name.starts_with("S_CBRANCH") || name.starts_with("S_SETPC") ||
             name.starts_with("S_SWAPPC")) {
    facts.action = OperationAction::kBranch;
  } else if (name.starts_with("S_SENDMSG_RTN")) {
    facts.action = OperationAction::kMessage;
    facts.counter = WaitCounter::kScalar;
  }
}

bool has_coherent_policy(const Program& program, const Operation& operation) {
  if (operation.family == EncodingFamily::kLds || operation.family == EncodingFamily::kScalarMemory)
    return false;
  const std::string text = program.text(operation);
  // A streamed access of gfx11 has both bits.
  if (contains(text, " slc")) return false;
  static constexpr std::array<std::string_view, 4> kPolicies = {" glc", " sc1", "SCOPE_DEV",
                                                                "SCOPE_SYS"};
  return std::any_of(kPolicies.begin(), kPolicies.end(),
                     [&](std::string_view policy) { return contains(text, policy); });
}

}  // namespace halyard::emulator
