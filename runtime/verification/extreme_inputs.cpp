// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/extreme_inputs.h"

#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace halyard::verification {
namespace {

using operators::CounterRandom;
using operators::WritableTensor;

std::uint64_t element_count(const WritableTensor& tensor) {
  std::uint64_t count = 1;
  for (std::uint32_t i = 0; i < tensor.rank; ++i)
    count *= static_cast<std::uint64_t>(tensor.shape[i]);
  return count;
}

std::uint64_t row_length(const WritableTensor& tensor) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(tensor.shape[tensor.rank - 1], 1));
}

void write(const WritableTensor& tensor, std::uint64_t element, double value) {
  operators::write_element(tensor, operators::element_offset(tensor, element), value);
}

// Scores of tens, of hundreds and of thousands: exp() of them overflows unless the greatest is
// taken off first.
void fill_scores(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const WritableTensor& q = tensors[0];
  const CounterRandom random(launch.seed, "extreme");
  constexpr std::array<double, 3> kScales{3, 30, 300};
  for (std::uint64_t i = 0; i < element_count(q); ++i) {
    write(q, i, kScales[i / row_length(q) % kScales.size()] * random.normal(i));
  }
}

// Gates for which exp() of them or of their opposite overflows.
void fill_gates(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const WritableTensor& x = tensors[0];
  const CounterRandom random(launch.seed, "extreme");
  constexpr std::array<double, 12> kGates{0, -20, 20, -87, 88, -90, 104, 709, 1e3, -1e3, -1e4, 1e4};
  const std::uint64_t hidden = row_length(x) / 2;
  for (std::uint64_t i = 0; i < element_count(x); ++i) {
    if (i % row_length(x) < hidden) write(x, i, kGates[random.bits(i) % kGates.size()]);
  }
}

// Rows whose squares are close to the greatest and the least of the accumulation.
void fill_norm_rows(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  for (std::size_t t = 0; t < 2; ++t) {
    const operators::ContractTensor& named = launch.problem->contract().tensors()[t];
    if (named.shape.size() != 2) continue;
    const WritableTensor& x = tensors[t];
    const CounterRandom random(launch.seed, named.name);
    const bool is_half = x.type == base::DataType::kF16;
    const std::array<double, 3> scales{is_half ? 5e3 : 1e15, is_half ? 1e-6 : 1e-19, 1e-4};
    for (std::uint64_t i = 0; i < element_count(x); ++i) {
      write(x, i, scales[i / row_length(x) % scales.size()] * random.normal(i));
    }
  }
}

// The ends of the range among numbers and zeros, so that the winner is often tied.
void fill_range_ends(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const WritableTensor& x = tensors[0];
  const CounterRandom random(launch.seed, "extreme");
  const double greatest = x.type == base::DataType::kF16    ? 65504
                          : x.type == base::DataType::kBf16 ? 0x1.fep127
                                                            : 0x1.fffffep127;
  for (std::uint64_t i = 0; i < element_count(x); ++i) {
    const std::uint64_t row = i / row_length(x);
    const std::array<double, 5> values{-greatest, random.normal(i), -0.0, 0.0, greatest};
    // Each row knows only so many of them, so that each is the greatest of some row.
    write(x, i, values[random.bits(i) % (1 + row % values.size())]);
  }
}

// Numbers half way between two of the narrower type, just beside, and beyond its range.
void fill_halfway(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const WritableTensor& x = tensors[0];
  const CounterRandom random(launch.seed, "extreme");
  const bool to_half = launch.problem->tensor_type(1) == base::DataType::kF16;
  const int bits = to_half ? 10 : 7;
  for (std::uint64_t i = 0; i < element_count(x); ++i) {
    const auto odd = static_cast<double>(2 * random.below(4 * i, std::int64_t{1} << bits) + 1);
    const auto exponent = static_cast<int>(random.below(4 * i + 1, to_half ? 44 : 252));
    const double unit = std::ldexp(1.0, exponent - (to_half ? 26 : 126));
    const auto beside = static_cast<double>(random.below(4 * i + 2, 3) - 1);
    const double sign = random.bits(4 * i + 3) % 2 == 0 ? 1 : -1;
    write(x, i, sign * unit * (1 + std::ldexp(odd, -bits - 1) + std::ldexp(beside, -23)));
  }
}

// Numbers whose exponentials are far beyond the range of f32, or are lost beside the greatest one.
void fill_logits(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const WritableTensor& x = tensors[0];
  const CounterRandom random(launch.seed, "extreme");
  constexpr std::array<double, 10> kLogits{0, -20, 20, -87, 88, -104, 709, 1e4, -1e4, 1};
  for (std::uint64_t i = 0; i < element_count(x); ++i) {
    const std::uint64_t row = i / row_length(x);
    write(x, i, kLogits[random.bits(i) % (1 + row % kLogits.size())]);
  }
}

struct NamedFiller {
  std::string_view contract;
  void (*fill)(const InputLaunch& launch, std::span<const WritableTensor> tensors);
};

constexpr std::array<NamedFiller, 7> kFillers{{
    {"attention_decode_paged", fill_scores},
    {"silu_mul", fill_gates},
    {"rms_norm", fill_norm_rows},
    {"add_rms_norm", fill_norm_rows},
    {"argmax", fill_range_ends},
    {"cast", fill_halfway},
    {"softmax", fill_logits},
}};

const NamedFiller* filler_of(const operators::Contract& contract) {
  const auto found = std::find_if(
      kFillers.begin(), kFillers.end(),
      [&contract](const NamedFiller& each) { return each.contract == contract.name(); });
  return found == kFillers.end() ? nullptr : &*found;
}

}  // namespace

bool has_extremes(const operators::Contract& contract) {
  return filler_of(contract) != nullptr;
}

void fill_extremes(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const NamedFiller* filler = filler_of(launch.problem->contract());
  if (filler != nullptr) filler->fill(launch, tensors);
}

}  // namespace halyard::verification
