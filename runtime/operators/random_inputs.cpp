// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/random_inputs.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace halyard::operators {
namespace {

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

// What the fillers of one launch share.
struct Launch {
  const Problem& problem;
  std::span<const std::int64_t> launch_axes;

  std::int64_t axis(std::string_view name) const {
    const std::uint32_t slot = problem.slots().slot_of(name).value_or(0);
    return slot < launch_axes.size() ? launch_axes[slot] : problem.prepare_axis(name);
  }
};

using Filler = void (*)(const Launch& launch, const CounterRandom& random,
                        const WritableTensor& tensor);

// Writes integers, exact for every type, to a one-dimensional tensor.
void write_integer(const WritableTensor& tensor, std::int64_t index, std::int64_t value) {
  write_element(tensor, index * tensor.strides[0], static_cast<double>(value));
}

void fill_below(const WritableTensor& tensor, const CounterRandom& random, std::int64_t bound) {
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) {
    const std::int64_t value = bound > 0 ? random.below(static_cast<std::uint64_t>(i), bound) : 0;
    write_integer(tensor, i, value);
  }
}

std::vector<std::int64_t> permutation(const CounterRandom& random, std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::int64_t i = count - 1; i > 0; --i) {
    const std::int64_t other = random.below(static_cast<std::uint64_t>(i), i + 1);
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
  }
  return order;
}

void fill_ids(const Launch& launch, const CounterRandom& random, const WritableTensor& tensor) {
  fill_below(tensor, random, launch.axis("vocab"));
}

void fill_positions(const Launch& launch, const CounterRandom& random,
                    const WritableTensor& tensor) {
  fill_below(tensor, random, launch.axis("max_positions"));
}

void fill_rotary_table(const Launch& launch, const CounterRandom& random,
                       const WritableTensor& tensor) {
  static_cast<void>(launch);
  static_cast<void>(random);
  constexpr double kTheta = 500000;
  const std::int64_t half = tensor.shape[1] / 2;
  for (std::int64_t i = 0; i < half; ++i) {
    const double frequency = std::pow(kTheta, -static_cast<double>(i) / static_cast<double>(half));
    for (std::int64_t position = 0; position < tensor.shape[0]; ++position) {
      const double angle = static_cast<double>(position) * frequency;
      const std::int64_t row = position * tensor.strides[0];
      write_element(tensor, row + i * tensor.strides[1], std::cos(angle));
      write_element(tensor, row + (i + half) * tensor.strides[1], std::sin(angle));
    }
  }
}

void fill_slots(const Launch& launch, const CounterRandom& random, const WritableTensor& tensor) {
  const std::int64_t count = launch.axis("num_pages") * launch.axis("page_size");
  const std::vector<std::int64_t> order = permutation(random, count);
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) {
    write_integer(tensor, i, i < count ? order[static_cast<std::size_t>(i)] : -1);
  }
}

// The first page of sequence `sequence` among the page indices.
std::int64_t first_page(const Launch& launch, std::int64_t sequence) {
  const std::int64_t batch = launch.axis("batch");
  return batch == 0 ? 0 : launch.axis("num_indices") * sequence / batch;
}

void fill_kv_indptr(const Launch& launch, const CounterRandom& random,
                    const WritableTensor& tensor) {
  static_cast<void>(random);
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) {
    write_integer(tensor, i, first_page(launch, i));
  }
}

void fill_kv_indices(const Launch& launch, const CounterRandom& random,
                     const WritableTensor& tensor) {
  const std::int64_t pages = launch.axis("num_pages");
  const std::vector<std::int64_t> order = permutation(random, pages);
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) {
    write_integer(tensor, i, pages == 0 ? 0 : order[static_cast<std::size_t>(i % pages)]);
  }
}

void fill_kv_lengths(const Launch& launch, const CounterRandom& random,
                     const WritableTensor& tensor) {
  const std::int64_t page_size = launch.axis("page_size");
  for (std::int64_t i = 0; i < tensor.shape[0]; ++i) {
    const std::int64_t pages = first_page(launch, i + 1) - first_page(launch, i);
    const std::int64_t room = std::min(launch.axis("kv_length"), pages * page_size);
    const std::int64_t unused =
        room == 0 ? 0 : random.below(static_cast<std::uint64_t>(i), std::min(page_size, room));
    write_integer(tensor, i, room - unused);
  }
}

struct NamedFiller {
  std::string_view contract;
  std::string_view tensor;
  Filler fill;
};

constexpr std::array<NamedFiller, 7> kFillers{{
    {"embedding", "ids", fill_ids},
    {"rope", "positions", fill_positions},
    {"rope", "cos_sin_cache", fill_rotary_table},
    {"kv_append_paged", "slots", fill_slots},
    {"attention_decode_paged", "kv_indptr", fill_kv_indptr},
    {"attention_decode_paged", "kv_indices", fill_kv_indices},
    {"attention_decode_paged", "kv_lengths", fill_kv_lengths},
}};

void store_fast(base::DataType type, float value, unsigned char* target) {
  if (type == base::DataType::kF32) {
    std::memcpy(target, &value, sizeof(value));
    return;
  }
  const std::uint16_t bits =
      type == base::DataType::kBf16 ? base::bf16_from_float(value) : base::f16_from_float(value);
  std::memcpy(target, &bits, sizeof(bits));
}

// Fills one row of the innermost dimension.
void fill_row(const CounterRandom& random, const WritableTensor& tensor, std::uint64_t first,
              std::int64_t offset) {
  const std::int64_t count = tensor.rank == 0 ? 1 : tensor.shape[tensor.rank - 1];
  const std::int64_t stride = tensor.rank == 0 ? 1 : tensor.strides[tensor.rank - 1];
  const bool is_fast = tensor.type == base::DataType::kF32 || tensor.type == base::DataType::kF16 ||
                       tensor.type == base::DataType::kBf16;
  const std::int64_t size_bytes = base::data_type_size_bytes(tensor.type);
  unsigned char* target = static_cast<unsigned char*>(tensor.data) + offset * size_bytes;
  for (std::int64_t i = 0; i < count; ++i, target += stride * size_bytes) {
    const std::uint64_t index = first + static_cast<std::uint64_t>(i);
    if (is_fast) {
      store_fast(tensor.type, static_cast<float>(random.normal(index)), target);
    } else if (base::data_type_is_float(tensor.type)) {
      base::store_from_double(tensor.type, random.normal(index), target);
    } else {
      const std::uint64_t bits = random.bits(index);
      std::memcpy(target, &bits, static_cast<std::size_t>(size_bytes));
    }
  }
}

void fill_values(const CounterRandom& random, const WritableTensor& tensor, std::int64_t count) {
  const std::int64_t row = tensor.rank == 0 ? 1 : tensor.shape[tensor.rank - 1];
  for (std::int64_t first = 0; first < count; first += row) {
    const auto index = static_cast<std::uint64_t>(first);
    fill_row(random, tensor, index, element_offset(tensor, index));
  }
}

Filler special_filler(std::string_view contract, std::string_view tensor) {
  for (const NamedFiller& filler : kFillers) {
    if (filler.contract == contract && filler.tensor == tensor) return filler.fill;
  }
  return nullptr;
}

base::Error unfit(const std::string& tensor) {
  return base::Error(base::ErrorCode::kInvalidArgument,
                     base::concat("Tensor \"", tensor,
                                  "\" does not have the type and shape of the "
                                  "problem, or has no data."));
}

bool fits(const TensorShape& shape, const WritableTensor& tensor) {
  return tensor.type == shape.type && tensor.rank == shape.rank &&
         std::equal(shape.sizes.begin(), shape.sizes.begin() + shape.rank, tensor.shape.begin()) &&
         (tensor.data != nullptr || shape.element_count == 0);
}

base::Status fill_tensor(const Launch& launch, std::uint64_t seed, const std::string& name,
                         const TensorShape& shape, const WritableTensor& tensor) {
  if (!shape.present) return base::ok();
  if (!fits(shape, tensor)) return unfit(name);
  if (shape.element_count == 0) return base::ok();
  const CounterRandom random(seed, name);
  const Filler special = special_filler(launch.problem.contract().name(), name);
  if (special != nullptr) {
    special(launch, random, tensor);
  } else {
    fill_values(random, tensor, shape.element_count);
  }
  return base::ok();
}

}  // namespace

CounterRandom::CounterRandom(std::uint64_t seed, std::string_view name) {
  std::string text(name);
  for (unsigned shift = 0; shift < 64; shift += 8)
    text.push_back(static_cast<char>(seed >> shift & 0xff));
  const auto digest = base::Sha256::of(text);
  for (std::size_t i = 0; i < sizeof key_; ++i)
    key_ = key_ << 8 | static_cast<std::uint64_t>(digest[i]);
}

std::uint64_t CounterRandom::bits(std::uint64_t index) const {
  return mix(key_ + (index + 1) * 0x9e3779b97f4a7c15U);
}

std::int64_t CounterRandom::below(std::uint64_t index, std::int64_t bound) const {
  return static_cast<std::int64_t>(bits(index) % static_cast<std::uint64_t>(bound));
}

double CounterRandom::normal(std::uint64_t index) const {
  // The sum of four uniform numbers, scaled to variance 1.
  const std::uint64_t value = bits(index);
  const std::uint64_t sum =
      (value & 0xffffU) + ((value >> 16) & 0xffffU) + ((value >> 32) & 0xffffU) + (value >> 48);
  constexpr double kScale = 1.7320508075688772 / 65536;
  return (static_cast<double>(sum) - 131070) * kScale;
}

base::Status fill_random_inputs(const Problem& problem, std::span<const std::int64_t> launch_axes,
                                std::uint64_t seed, std::span<const WritableTensor> tensors) {
  HALYARD_TRY_ASSIGN(const ShapeTable shapes, problem.shapes(launch_axes));
  const std::vector<ContractTensor>& named = problem.contract().tensors();
  if (tensors.size() != named.size()) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Contract \"", problem.contract().name(), "\" has ",
                                    named.size(), " tensors, and ", tensors.size(), " are given."));
  }
  const Launch launch{problem, launch_axes};
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (named[i].role == TensorRole::kOutput) continue;
    HALYARD_TRY(fill_tensor(launch, seed, named[i].name, shapes.tensors[i], tensors[i]));
  }
  return base::ok();
}

base::Status fill_random_input(const Problem& problem, std::span<const std::int64_t> launch_axes,
                               std::uint64_t seed, std::size_t tensor,
                               const WritableTensor& target) {
  HALYARD_TRY_ASSIGN(const ShapeTable shapes, problem.shapes(launch_axes));
  return fill_tensor({problem, launch_axes}, seed, problem.contract().tensors()[tensor].name,
                     shapes.tensors[tensor], target);
}

bool is_plain_tensor(const Contract& contract, std::size_t tensor) {
  return special_filler(contract.name(), contract.tensors()[tensor].name) == nullptr;
}

std::vector<double> typical_scalars(const Problem& problem) {
  std::vector<double> scalars;
  for (const ContractScalar& scalar : problem.contract().scalars()) {
    const auto head_dim = static_cast<double>(problem.prepare_axis("head_dim"));
    const bool is_scale = scalar.name == "sm_scale" && head_dim > 0;
    const double value = is_scale ? 1 / std::sqrt(head_dim) : 1;
    scalars.push_back(static_cast<double>(static_cast<float>(value)));
  }
  return scalars;
}

}  // namespace halyard::operators
