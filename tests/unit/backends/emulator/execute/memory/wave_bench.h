// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/memory/address_space.h"
#include "backends/emulator/observe/observer.h"
#include "backends/emulator/program/semantics.h"
#include "backends/emulator/state/workgroup.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {

inline Operand vector_operand(std::uint32_t index, std::uint32_t dwords = 1) {
  Operand operand;
  operand.kind = OperandKind::kVector;
  operand.index = static_cast<std::uint16_t>(index);
  operand.dwords = static_cast<std::uint8_t>(dwords);
  return operand;
}

inline Operand scalar_operand(std::uint32_t index, std::uint32_t dwords = 1) {
  Operand operand = vector_operand(index, dwords);
  operand.kind = OperandKind::kScalar;
  return operand;
}

inline Operand constant_operand(std::uint64_t value) {
  Operand operand;
  operand.kind = OperandKind::kConstant;
  operand.constant = value;
  return operand;
}

// One wave of a workgroup by itself, on which single operations are executed.
class WaveBench {
 public:
  explicit WaveBench(std::uint32_t lanes = 32, Generation generation = Generation::kGfx11)
      : context_{generation, lanes} {
    constexpr std::size_t kAlignment = 64;
    registers_.resize(std::size_t{kRowCount} * lanes + kAlignment / 4);
    void* start = registers_.data();
    std::size_t room = registers_.size() * 4;
    std::align(kAlignment, std::size_t{kRowCount} * lanes * 4, start, room);
    wave_.vector = static_cast<std::uint32_t*>(start);
    wave_.lanes = lanes;
    wave_.workgroup = &workgroup_;
    wave_.set_mask(kExecIndex, ~std::uint64_t{0});
    workgroup_.generation = generation;
    workgroup_.memory = &space_;
  }
  WaveBench(const WaveBench&) = delete;
  WaveBench& operator=(const WaveBench&) = delete;

  Wave& wave() { return wave_; }
  Workgroup& workgroup() { return workgroup_; }
  AddressSpace& space() { return space_; }
  std::uint32_t lanes() const { return wave_.lanes; }
  std::uint32_t* row(std::uint32_t index) { return wave_.row(index); }
  const std::optional<Report>& report() const { return workgroup_.report; }

  void set_exec(std::uint64_t mask) { wave_.set_mask(kExecIndex, mask); }
  void use_lds(std::size_t bytes) {
    lds_.assign(bytes, std::byte{0});
    workgroup_.lds = lds_;
  }
  std::vector<std::byte>& lds() { return lds_; }
  void use_scratch(std::uint32_t bytes_of_a_lane) {
    scratch_.assign(std::size_t{bytes_of_a_lane} * wave_.lanes, std::byte{0});
    wave_.scratch = scratch_.data();
    wave_.scratch_bytes = bytes_of_a_lane;
  }
  std::vector<std::byte>& scratch() { return scratch_; }

  // A buffer of the launch; its address.
  std::uint64_t add_buffer(std::string name, std::span<std::byte> bytes, bool is_writable = true) {
    MemoryRegion region;
    region.name = std::move(name);
    region.host = bytes.data();
    region.size_bytes = bytes.size();
    region.is_writable = is_writable;
    return space_.add(std::move(region));
  }

  // A 64-bit value of a lane in two rows.
  void set_pair(std::uint32_t row_index, std::uint32_t lane, std::uint64_t value) {
    row(row_index)[lane] = static_cast<std::uint32_t>(value);
    row(row_index + 1)[lane] = static_cast<std::uint32_t>(value >> 32);
  }
  std::uint64_t pair(std::uint32_t row_index, std::uint32_t lane) {
    return row(row_index)[lane] | std::uint64_t{row(row_index + 1)[lane]} << 32;
  }

  // The handler of an operation among `semantics`; null where there is none for it.
  Handler handler(std::span<const Semantic> semantics, const Operation& operation) const {
    for (const Semantic& semantic : semantics) {
      if (semantic.name == operation.name) return semantic.choose(operation, context_);
    }
    return nullptr;
  }
  // False where the operation has no handler.
  bool execute(std::span<const Semantic> semantics, const Operation& operation) {
    const Handler found = handler(semantics, operation);
    if (found == nullptr) return false;
    found(wave_, operation);
    return true;
  }

 private:
  SemanticContext context_;
  std::vector<std::uint32_t> registers_;
  std::vector<std::byte> lds_;
  std::vector<std::byte> scratch_;
  AddressSpace space_;
  Workgroup workgroup_;
  Wave wave_;
};

// Keeps the accesses that it is told of.
class AccessLog final : public Observer {
 public:
  struct Entry {
    MemorySegment segment;
    std::uint32_t bytes;
    std::uint64_t lanes;
    bool is_load;
    bool is_store;
    bool is_atomic;
    std::vector<std::uint64_t> addresses;
    std::vector<std::byte*> host;
  };

  void begin(Workgroup&) override {}
  void before(Wave&, const Operation&) override {}
  void after(Wave&, const Operation&) override {}
  void access(Wave&, const Operation&, const MemoryAccess& access) override {
    entries.push_back({access.segment,
                       access.bytes,
                       access.lanes,
                       access.is_load,
                       access.is_store,
                       access.is_atomic,
                       {access.addresses.begin(), access.addresses.end()},
                       {access.host.begin(), access.host.end()}});
  }
  void barrier(Workgroup&) override {}
  void end(Workgroup&) override {}

  std::vector<Entry> entries;
};

inline std::uint32_t read_dword(const std::byte* from) {
  std::uint32_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void write_dword(std::byte* to, std::uint32_t value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace halyard::emulator
