// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/access_report.h"
#include "backends/emulator/execute/memory/buffer_descriptor.h"
#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/execute/memory/semantic_table.h"
#include "backends/emulator/program/semantics.h"
#include "runtime/base/text.h"

#include <cstdint>
#include <cstring>

namespace halyard::emulator {
namespace {

std::uint32_t value_of(const Wave& wave, const Operand& operand) {
  if (operand.is_scalar()) return wave.scalar[operand.index];
  return static_cast<std::uint32_t>(operand.constant);
}

std::uint64_t offset_of(const Wave& wave, const Operation& operation) {
  return static_cast<std::uint64_t>(operation.immediate) + value_of(wave, operation.source[4]);
}

// Narrow loads fill a whole register.
template <Form form>
void put(Wave& wave, std::uint32_t index, const std::byte* from) {
  if constexpr (bytes_of(form) < 4) {
    wave.scalar[index] = merged<form>(0, from);
  } else {
    std::memcpy(&wave.scalar[index], from, bytes_of(form));
  }
}

template <Form form, std::uint32_t count>
void put_all(Wave& wave, const Operation& operation, const std::byte* from) {
  const std::uint32_t index = operation.destination[0].index;
  for (std::uint32_t i = 0; i < count; ++i)
    put<form>(wave, index + i * dwords_of(form), from + std::size_t{i} * bytes_of(form));
}

template <Form form, std::uint32_t count>
void load(Wave& wave, const Operation& operation) {
  const AccessKind kind = load_of(MemorySegment::kConstant, bytes_of(form) * count);
  const std::uint64_t address =
      wave.scalar64(operation.source[0].index) + offset_of(wave, operation);
  const std::byte* from = locate_scalar(wave, operation, kind, address);
  if (from != nullptr) put_all<form, count>(wave, operation, from);
}

template <Form form, std::uint32_t count>
void load_of_buffer(Wave& wave, const Operation& operation) {
  const AccessKind kind = load_of(MemorySegment::kConstant, bytes_of(form) * count);
  const BufferDescriptor buffer = BufferDescriptor::of(wave, operation.source[0].index);
  const std::uint64_t offset = offset_of(wave, operation);
  const std::uint64_t address = buffer.base + offset;
  const std::uint64_t unit = buffer.stride == 0 ? 1 : buffer.stride;
  const std::uint64_t size = unit * buffer.records;
  if (kind.bytes > size || offset > size - kind.bytes) {
    return stop_outside_of_descriptor(
        wave, operation, std::nullopt, address,
        base::concat("A load of ", kind.bytes, " bytes at offset ",
                     static_cast<std::int64_t>(offset), " is not within the ", size,
                     " bytes that the buffer's descriptor holds."));
  }
  const std::byte* from = locate_scalar(wave, operation, kind, address);
  if (from != nullptr) put_all<form, count>(wave, operation, from);
}

void read_clock(Wave& wave, const Operation& operation) {
  wave.set_scalar64(operation.destination[0].index, wave.executed);
}

void do_nothing(Wave&, const Operation&) {}

bool is_offset(const Operand& operand) {
  return !operand.is_present() || operand.is_scalar() || operand.kind == OperandKind::kConstant;
}

template <Handler handler>
Handler with_base(const Operation& operation, const SemanticContext&) {
  const bool fits = operation.destination[0].is_scalar() && operation.source[0].is_scalar() &&
                    is_offset(operation.source[4]);
  return fits ? handler : nullptr;
}

template <Handler handler>
Handler with_scalar_result(const Operation& operation, const SemanticContext&) {
  return operation.destination[0].is_scalar() ? handler : nullptr;
}

constexpr Semantic kSemantics[] = {
    {"S_LOAD_DWORD", with_base<load<Form::kB32, 1>>},
    {"S_LOAD_DWORDX2", with_base<load<Form::kB32, 2>>},
    {"S_LOAD_DWORDX4", with_base<load<Form::kB32, 4>>},
    {"S_LOAD_DWORDX8", with_base<load<Form::kB32, 8>>},
    {"S_LOAD_DWORDX16", with_base<load<Form::kB32, 16>>},
    {"S_LOAD_B32", with_base<load<Form::kB32, 1>>},
    {"S_LOAD_B64", with_base<load<Form::kB32, 2>>},
    {"S_LOAD_B96", with_base<load<Form::kB32, 3>>},
    {"S_LOAD_B128", with_base<load<Form::kB32, 4>>},
    {"S_LOAD_B256", with_base<load<Form::kB32, 8>>},
    {"S_LOAD_B512", with_base<load<Form::kB32, 16>>},
    {"S_LOAD_U8", with_base<load<Form::kU8, 1>>},
    {"S_LOAD_I8", with_base<load<Form::kI8, 1>>},
    {"S_LOAD_U16", with_base<load<Form::kU16, 1>>},
    {"S_LOAD_I16", with_base<load<Form::kI16, 1>>},
    {"S_BUFFER_LOAD_DWORD", with_base<load_of_buffer<Form::kB32, 1>>},
    {"S_BUFFER_LOAD_DWORDX2", with_base<load_of_buffer<Form::kB32, 2>>},
    {"S_BUFFER_LOAD_DWORDX4", with_base<load_of_buffer<Form::kB32, 4>>},
    {"S_BUFFER_LOAD_DWORDX8", with_base<load_of_buffer<Form::kB32, 8>>},
    {"S_BUFFER_LOAD_DWORDX16", with_base<load_of_buffer<Form::kB32, 16>>},
    {"S_BUFFER_LOAD_B32", with_base<load_of_buffer<Form::kB32, 1>>},
    {"S_BUFFER_LOAD_B64", with_base<load_of_buffer<Form::kB32, 2>>},
    {"S_BUFFER_LOAD_B96", with_base<load_of_buffer<Form::kB32, 3>>},
    {"S_BUFFER_LOAD_B128", with_base<load_of_buffer<Form::kB32, 4>>},
    {"S_BUFFER_LOAD_B256", with_base<load_of_buffer<Form::kB32, 8>>},
    {"S_BUFFER_LOAD_B512", with_base<load_of_buffer<Form::kB32, 16>>},
    {"S_BUFFER_LOAD_U8", with_base<load_of_buffer<Form::kU8, 1>>},
    {"S_BUFFER_LOAD_I8", with_base<load_of_buffer<Form::kI8, 1>>},
    {"S_BUFFER_LOAD_U16", with_base<load_of_buffer<Form::kU16, 1>>},
    {"S_BUFFER_LOAD_I16", with_base<load_of_buffer<Form::kI16, 1>>},
    {"S_MEMTIME", with_scalar_result<read_clock>},
    {"S_MEMREALTIME", with_scalar_result<read_clock>},
    // Caches hold nothing here, and a prefetch reaches nothing.
    {"S_DCACHE_INV", always<do_nothing>},
    {"S_DCACHE_INV_VOL", always<do_nothing>},
    {"S_DCACHE_WB", always<do_nothing>},
    {"S_DCACHE_WB_VOL", always<do_nothing>},
    {"S_GL1_INV", always<do_nothing>},
    {"S_PREFETCH_INST", always<do_nothing>},
    {"S_PREFETCH_INST_PC_REL", always<do_nothing>},
    {"S_PREFETCH_DATA", always<do_nothing>},
    {"S_PREFETCH_DATA_PC_REL", always<do_nothing>},
    {"S_BUFFER_PREFETCH_DATA", always<do_nothing>},
};

}  // namespace

std::span<const Semantic> scalar_memory_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
