// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/initial_registers.h"

#include "backends/emulator/memory/address_space.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>

namespace halyard::emulator {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using object::KernelField;

constexpr std::uint32_t kWorkgroupIdXTrapRegister = 9;
constexpr std::uint32_t kWorkgroupIdYzTrapRegister = 7;
constexpr std::uint32_t kScalarRegisters = 102;
// Swizzled by lane.
constexpr std::uint32_t kPrivateBufferFlags = 0x00e00000;

// Gives registers out one after another.
class RegisterCounter {
 public:
  ScalarLayout::Register take(bool is_wanted, std::uint32_t count) {
    if (!is_wanted) return std::nullopt;
    const std::uint32_t first = next_;
    next_ += count;
    return first;
  }
  std::uint32_t next() const { return next_; }
  void skip_to(std::uint32_t first) { next_ = std::max(next_, first); }

 private:
  std::uint32_t next_ = 0;
};

}  // namespace

Result<ScalarLayout> scalar_layout(const object::KernelDescriptor& descriptor,
                                   const object::AmdgpuTarget& target) {
  const auto wants = [&](KernelField field) {
    return object::has_field(target, field) && descriptor.field(field) != 0;
  };
  ScalarLayout layout;
  RegisterCounter counter;
  layout.private_segment_buffer =
      counter.take(wants(KernelField::kUserSgprPrivateSegmentBuffer), 4);
  layout.dispatch_pointer = counter.take(wants(KernelField::kUserSgprDispatchPointer), 2);
  layout.queue_pointer = counter.take(wants(KernelField::kUserSgprQueuePointer), 2);
  layout.kernarg_pointer = counter.take(wants(KernelField::kUserSgprKernargPointer), 2);
  layout.dispatch_id = counter.take(wants(KernelField::kUserSgprDispatchId), 2);
  layout.flat_scratch = counter.take(wants(KernelField::kUserSgprFlatScratch), 2);
  layout.private_segment_size = counter.take(wants(KernelField::kUserSgprPrivateSegmentSize), 1);
  if (wants(KernelField::kKernargPreloadLength)) {
    layout.preloaded_count = descriptor.field(KernelField::kKernargPreloadLength);
    layout.preloaded_offset = descriptor.field(KernelField::kKernargPreloadOffset);
    layout.preloaded_arguments = counter.take(true, layout.preloaded_count);
  }
  const std::uint32_t user_registers = descriptor.field(KernelField::kUserSgprCount);
  if (counter.next() > user_registers) {
    return Error(
        ErrorCode::kCorruptData,
        concat("asks for ", counter.next(), " user registers and counts ", user_registers, "."));
  }
  counter.skip_to(user_registers);
  if (wants(KernelField::kWorkgroupInfo)) {
    return Error(ErrorCode::kCorruptData,
                 "asks for a register about its workgroup, which is not "
                 "given here.");
  }
  constexpr std::uint32_t kFirstWithTrapRegisters = 12;
  if (target.generation() < kFirstWithTrapRegisters) {
    layout.workgroup_id = {counter.take(wants(KernelField::kWorkgroupIdX), 1),
                           counter.take(wants(KernelField::kWorkgroupIdY), 1),
                           counter.take(wants(KernelField::kWorkgroupIdZ), 1)};
    constexpr std::uint32_t kFirstWithScratchAddress = 11;
    const bool has_scratch_address = !object::has_field(target, KernelField::kUserSgprFlatScratch);
    if (target.generation() < kFirstWithScratchAddress && !has_scratch_address) {
      layout.scratch_offset = counter.take(wants(KernelField::kPrivateSegment), 1);
    }
  }
  if (counter.next() > kScalarRegisters) {
    return Error(ErrorCode::kCorruptData,
                 concat("asks for ", counter.next(), " scalar registers; the most is ",
                        kScalarRegisters, "."));
  }
  return layout;
}

FloatMode float_mode_of(const object::KernelDescriptor& descriptor,
                        const object::AmdgpuTarget& target) {
  const auto bits = [&](KernelField field) {
    return static_cast<std::uint8_t>(descriptor.field(field));
  };
  FloatMode mode;
  mode.round_single = bits(KernelField::kFloatRoundMode32);
  mode.round_other = bits(KernelField::kFloatRoundMode16And64);
  mode.denormals_single = bits(KernelField::kFloatDenormMode32);
  mode.denormals_other = bits(KernelField::kFloatDenormMode16And64);
  // Where a target has no choice, a NaN clamps to 0 and a signalling one is made quiet.
  const auto is_on = [&](KernelField field) {
    return !object::has_field(target, field) || descriptor.field(field) != 0;
  };
  mode.dx10_clamp = is_on(KernelField::kDx10Clamp);
  mode.ieee = is_on(KernelField::kIeeeMode);
  mode.half_overflow = descriptor.field(KernelField::kFp16Overflow) != 0;
  return mode;
}

void InitialRegisters::set_user_scalars(Wave& wave) const {
  const auto set64 = [&](const ScalarLayout::Register& first, std::uint64_t value) {
    if (first) wave.set_scalar64(*first, value);
  };
  set64(layout.dispatch_pointer, dispatch_address);
  set64(layout.queue_pointer, queue_address);
  set64(layout.kernarg_pointer, kernarg_address);
  set64(layout.dispatch_id, 0);
  set64(layout.flat_scratch, 0);
  if (layout.private_segment_buffer) {
    const std::uint32_t first = *layout.private_segment_buffer;
    wave.set_scalar64(first, kPrivateBufferBase);
    wave.scalar[first + 2] = UINT32_MAX;
    wave.scalar[first + 3] = kPrivateBufferFlags;
  }
  if (layout.private_segment_size) wave.scalar[*layout.private_segment_size] = private_bytes;
  for (std::uint32_t i = 0; i < layout.preloaded_count; ++i) {
    const std::size_t offset = (std::size_t{layout.preloaded_offset} + i) * 4;
    std::uint32_t value = 0;
    if (offset + sizeof(value) <= kernarg.size()) {
      std::memcpy(&value, kernarg.data() + offset, sizeof(value));
    }
    wave.scalar[*layout.preloaded_arguments + i] = value;
  }
}

// The ids of the work-items are packed into v0, ten bits each; a lane without a work-item keeps it.
void InitialRegisters::set_work_items(Wave& wave) const {
  const std::uint32_t items = block[0] * block[1] * block[2];
  const std::uint32_t first = wave.number * lanes;
  std::uint32_t* const ids = wave.row(0);
  for (std::uint32_t lane = 0; lane < lanes && first + lane < items; ++lane) {
    const std::uint32_t item = first + lane;
    const std::array<std::uint32_t, 3> id = {item % block[0], item / block[0] % block[1],
                                             item / block[0] / block[1]};
    std::uint32_t packed = 0;
    constexpr std::uint32_t kBits = 10;
    for (std::uint32_t i = 0; i < work_item_dimensions; ++i)
      packed |= id[i] << (kBits * i);
    ids[lane] = packed;
  }
}

void InitialRegisters::set(Wave& wave, const std::array<std::uint32_t, 3>& workgroup) const {
  set_user_scalars(wave);
  for (std::size_t i = 0; i < workgroup.size(); ++i) {
    if (layout.workgroup_id[i]) wave.scalar[*layout.workgroup_id[i]] = workgroup[i];
  }
  if (layout.scratch_offset) wave.scalar[*layout.scratch_offset] = 0;
  if (generation == Generation::kGfx12) {
    wave.scalar[kTtmpIndex + kWorkgroupIdXTrapRegister] = workgroup[0];
    wave.scalar[kTtmpIndex + kWorkgroupIdYzTrapRegister] = (workgroup[1] & 0xffff) | workgroup[2]
                                                                                         << 16;
  }
  const std::uint32_t items = block[0] * block[1] * block[2];
  const std::uint32_t active = std::min(lanes, items - wave.number * lanes);
  wave.initial_exec = ~std::uint64_t{0} >> (64 - active);
  wave.set_scalar64(kExecIndex, wave.initial_exec);
  wave.mode = mode;
  set_work_items(wave);
}

std::bitset<kScalarCount> InitialRegisters::scalars() const {
  std::bitset<kScalarCount> set;
  const auto add = [&](const ScalarLayout::Register& first, std::uint32_t count) {
    for (std::uint32_t i = 0; first && i < count; ++i)
      set.set(*first + i);
  };
  add(layout.private_segment_buffer, 4);
  add(layout.dispatch_pointer, 2);
  add(layout.queue_pointer, 2);
  add(layout.kernarg_pointer, 2);
  add(layout.dispatch_id, 2);
  add(layout.flat_scratch, 2);
  add(layout.private_segment_size, 1);
  add(layout.preloaded_arguments, layout.preloaded_count);
  for (const ScalarLayout::Register& id : layout.workgroup_id)
    add(id, 1);
  add(layout.scratch_offset, 1);
  if (generation == Generation::kGfx12) {
    set.set(kTtmpIndex + kWorkgroupIdXTrapRegister);
    set.set(kTtmpIndex + kWorkgroupIdYzTrapRegister);
  }
  set.set(kExecIndex);
  set.set(kExecIndex + 1);
  for (std::size_t i = kSinkIndex; i < kScalarCount; ++i)
    set.set(i);
  return set;
}

}  // namespace halyard::emulator
