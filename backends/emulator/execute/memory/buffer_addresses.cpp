// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/buffer_addresses.h"

#include "backends/emulator/execute/memory/access_report.h"
#include "backends/emulator/execute/memory/buffer_descriptor.h"
#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/memory/address_space.h"
#include "runtime/base/text.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

using base::concat;

std::uint32_t value_of(const Wave& wave, const Operand& operand) {
  if (operand.is_scalar()) return wave.scalar[operand.index];
  return static_cast<std::uint32_t>(operand.constant);
}

// Where a lane's access starts: a record, and a byte in it or, without an index, in the buffer.
struct Position {
  std::uint64_t index = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
};

bool is_within(const BufferDescriptor& buffer, const AccessKind& kind, bool has_index,
               const Position& position) {
  if (has_index && buffer.stride != 0) {
    return position.index < buffer.records && kind.bytes <= buffer.stride &&
           position.offset <= buffer.stride - kind.bytes;
  }
  const std::uint64_t size = buffer.records;
  return kind.bytes <= size && position.offset <= size - kind.bytes;
}

void stop_outside(Wave& wave, const Operation& operation, const BufferDescriptor& buffer,
                  const AccessKind& kind, std::uint32_t lane, const Position& position) {
  stop_outside_of_descriptor(
      wave, operation, lane, position.address,
      concat(kind.is_store ? "A store" : "A load", " of ", kind.bytes, " bytes at record ",
             position.index, ", offset ", static_cast<std::int64_t>(position.offset),
             " is not within what the buffer's descriptor holds (", buffer.records,
             buffer.stride == 0 ? " bytes" : " records of ",
             buffer.stride == 0 ? "" : concat(buffer.stride, " bytes"), ")."));
}

// Each lane's scratch. What the scalar adds counts the bytes of all lanes.
bool locate_private(Wave& wave, const Operation& operation, const AccessKind& kind,
                    LaneAddresses& at) {
  const std::uint64_t offset = static_cast<std::uint64_t>(operation.immediate) +
                               value_of(wave, operation.source[4]) / wave.lanes;
  const std::uint32_t* offsets = wave.row(operation.source[0].index);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane)
    at.address[lane] = offset + (operation.offset_enable ? offsets[lane] : 0);
  AccessKind in_scratch = kind;
  in_scratch.segment = MemorySegment::kScratch;
  return locate(wave, operation, in_scratch, at);
}

}  // namespace

bool has_buffer_address(const Operation& operation) {
  const Operand& soffset = operation.source[4];
  const bool has_lane_part = operation.offset_enable || operation.index_enable;
  return operation.source[3].is_scalar() &&
         (!soffset.is_present() || soffset.is_scalar() || soffset.kind == OperandKind::kConstant) &&
         (!has_lane_part || operation.source[0].is_vector());
}

bool locate_buffer(Wave& wave, const Operation& operation, const AccessKind& kind,
                   LaneAddresses& at) {
  at.lanes = wave.exec();
  if (at.lanes == 0) return false;
  const BufferDescriptor buffer = BufferDescriptor::of(wave, operation.source[3].index);
  if (buffer.base == kPrivateBufferBase && !operation.index_enable)
    return locate_private(wave, operation, kind, at);
  if (!buffer.is_plain) {
    stop_not_executed(wave, operation,
                      "The buffer's descriptor asks for swizzled addresses, which are not "
                      "executed here.");
    return false;
  }
  const std::uint64_t scalar_offset = value_of(wave, operation.source[4]);
  const bool has_index = operation.index_enable;
  const std::uint32_t* first = wave.row(operation.source[0].index);
  const std::uint32_t* offsets = has_index ? first + wave.lanes : first;
  const auto immediate = static_cast<std::uint64_t>(operation.immediate);
  std::uint64_t rest = at.lanes;
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane) {
    Position position;
    if (has_index) position.index = first[lane];
    position.offset = immediate + (operation.offset_enable ? offsets[lane] : 0);
    // Raw buffers count what the scalar adds; records do not.
    Position checked = position;
    if (!has_index || buffer.stride == 0) checked.offset += scalar_offset;
    at.address[lane] =
        buffer.base + scalar_offset + position.offset + position.index * buffer.stride;
    const bool is_active = (rest >> lane & 1) != 0;
    if (is_active && !is_within(buffer, kind, has_index, checked)) {
      position.address = at.address[lane];
      stop_outside(wave, operation, buffer, kind, lane, position);
      return false;
    }
  }
  return locate(wave, operation, kind, at);
}

}  // namespace halyard::emulator
