// SPDX-License-Identifier: Apache-2.0
// Runs kernels that were compiled for this machine: each work-item is a stack of its own, and all
// of them take turns on one thread.
#include "tests/unit/backends/emulator/kernels/sources/device.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace native {

const Item* item = nullptr;
Launch launch;

namespace {

constexpr std::size_t kStackBytes = 64 << 10;

enum class Status { kReady, kInMeeting, kAtBarrier, kEnded };

struct Fiber {
  Item item;
  Status status = Status::kReady;
  u64 value = 0;
  int line = 0;
  ucontext_t context;
  std::unique_ptr<char[]> stack;
};

std::vector<Fiber> fibers;  // of one workgroup
std::vector<Meeting> meetings;
std::size_t current = 0;
ucontext_t scheduler;
void (*kernel)(const void* const*) = nullptr;
const void* const* kernel_arguments = nullptr;

void wait(Status status) {
  fibers[current].status = status;
  swapcontext(&fibers[current].context, &scheduler);
}

void start() {
  kernel(kernel_arguments);
  fibers[current].status = Status::kEnded;
}

void start_workgroup() {
  const u32 count = launch.block[0] * launch.block[1] * launch.block[2];
  fibers.resize(count);
  meetings.assign((count + launch.lanes - 1) / launch.lanes, {});
  for (u32 i = 0; i < count; ++i) {
    Fiber& fiber = fibers[i];
    const u32 plane = launch.block[0] * launch.block[1];
    fiber.item = {{i % launch.block[0], i % plane / launch.block[0], i / plane}, i % launch.lanes};
    fiber.status = Status::kReady;
    if (fiber.stack == nullptr) fiber.stack = std::make_unique<char[]>(kStackBytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, start, 0);
  }
}

// Lets the lanes that are at the lowest line of their wave go on; false where none waits.
bool release_meeting(std::size_t wave) {
  const std::size_t first = wave * launch.lanes;
  const std::size_t end = std::min(first + launch.lanes, fibers.size());
  int line = 0;
  for (std::size_t i = first; i < end; ++i) {
    if (fibers[i].status != Status::kInMeeting) continue;
    if (line == 0 || fibers[i].line < line) line = fibers[i].line;
  }
  if (line == 0) return false;
  Meeting& meeting = meetings[wave];
  meeting = {};
  for (std::size_t i = first; i < end; ++i) {
    if (fibers[i].status != Status::kInMeeting || fibers[i].line != line) continue;
    meeting.lanes |= 1UL << (i - first);
    meeting.values[i - first] = fibers[i].value;
    fibers[i].status = Status::kReady;
  }
  return true;
}

void run_wave(std::size_t wave) {
  const std::size_t first = wave * launch.lanes;
  const std::size_t end = std::min(first + launch.lanes, fibers.size());
  do {
    for (current = first; current < end; ++current) {
      if (fibers[current].status != Status::kReady) continue;
      item = &fibers[current].item;
      swapcontext(&scheduler, &fibers[current].context);
    }
  } while (release_meeting(wave));
}

void run_workgroup() {
  start_workgroup();
  for (bool is_done = false; !is_done;) {
    for (std::size_t wave = 0; wave < meetings.size(); ++wave)
      run_wave(wave);
    is_done = true;
    for (Fiber& fiber : fibers) {
      if (fiber.status != Status::kAtBarrier) continue;
      fiber.status = Status::kReady;
      is_done = false;
    }
  }
}

}  // namespace

const Meeting& meet(u64 value, int line) {
  fibers[current].value = value;
  fibers[current].line = line;
  const std::size_t wave = current / launch.lanes;
  wait(Status::kInMeeting);
  return meetings[wave];
}

void wait_for_workgroup() {
  wait(Status::kAtBarrier);
}

// Sign, exponent, mantissa. OCP: the bias is 7 or 15, and with two bits of mantissa there are
// infinities. Without negative zero: the bias is one more, and 0x80 is the only NaN.
float of_fp8(u32 byte, u32 mantissa_bits) {
  const bool ocp = launch.has_negative_zero_fp8;
  const u32 magnitude = byte & 127;
  const int bias = (mantissa_bits == 3 ? 7 : 15) + (ocp ? 0 : 1);
  const float sign = (byte & 128) != 0 ? -1.0F : 1.0F;
  if (!ocp && byte == 128) return __builtin_nanf("");
  if (ocp && mantissa_bits == 3 && magnitude == 127) return __builtin_nanf("");
  if (ocp && mantissa_bits == 2 && magnitude >= 124) {
    return magnitude == 124 ? sign * __builtin_inff() : __builtin_nanf("");
  }
  const u32 exponent = magnitude >> mantissa_bits;
  const u32 mantissa = magnitude & ((1U << mantissa_bits) - 1);
  const float whole = static_cast<float>(mantissa + (exponent != 0 ? 1U << mantissa_bits : 0));
  const int power = (exponent != 0 ? static_cast<int>(exponent) : 1) - bias;
  return sign * __builtin_ldexpf(whole, power - static_cast<int>(mantissa_bits));
}

// The nearest number, ties to the even one, found by looking at all of them. What is nearer to the
// number that would follow the largest one overflows: to infinity where there is one, else to NaN.
u32 to_fp8(float value, u32 mantissa_bits) {
  const bool ocp = launch.has_negative_zero_fp8;
  const u32 most = !ocp ? 127 : mantissa_bits == 3 ? 126 : 123;
  const u32 sign = __builtin_signbit(value) ? 128 : 0;
  const u32 nan = ocp ? sign | 127 : 128;
  const u32 beyond = ocp && mantissa_bits == 2 ? sign | 124 : nan;
  if (value != value) return nan;
  if (__builtin_isinf(value)) return beyond;
  static double all_numbers[2][2][129];
  double* const numbers = all_numbers[ocp][mantissa_bits & 1];
  if (numbers[1] == 0) {
    for (u32 code = 0; code <= most; ++code) {
      numbers[code] = static_cast<double>(of_fp8(code, mantissa_bits));
    }
    numbers[most + 1] = 2 * numbers[most] - numbers[most - 1];
  }
  const double magnitude = __builtin_fabs(static_cast<double>(value));
  u32 best = 0;
  for (u32 code = 1; code <= most + 1; ++code) {
    const double distance = __builtin_fabs(numbers[code] - magnitude);
    const double least = __builtin_fabs(numbers[best] - magnitude);
    if (distance < least || (distance == least && (code & 1) == 0)) best = code;
  }
  if (best > most) return beyond;
  return best == 0 && !ocp ? 0 : sign | best;
}

}  // namespace native

extern "C" __attribute__((visibility("default"))) void native_launch(
    void (*kernel)(const void* const*), const native::Launch* launch,
    const void* const* arguments) {
  native::kernel = kernel;
  native::kernel_arguments = arguments;
  native::launch = *launch;
  for (u32 z = 0; z < launch->grid[2]; ++z) {
    for (u32 y = 0; y < launch->grid[1]; ++y) {
      for (u32 x = 0; x < launch->grid[0]; ++x) {
        native::launch.block_id[0] = x;
        native::launch.block_id[1] = y;
        native::launch.block_id[2] = z;
        native::run_workgroup();
      }
    }
  }
}
