// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/index_inputs.h"

#include "runtime/operators/random_inputs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

namespace halyard::verification {
namespace {

using operators::WritableTensor;

std::int64_t axis_value(const InputLaunch& launch, std::string_view name) {
  const std::uint32_t slot = launch.problem->slots().slot_of(name).value_or(0);
  return slot < launch.launch_axes.size() ? launch.launch_axes[slot]
                                          : launch.problem->prepare_axis(name);
}

// An index tensor of a launch; indices are i32 or i64, in one packed dimension.
class Indices {
 public:
  Indices(const InputLaunch& launch, std::span<const WritableTensor> tensors,
          std::string_view name) {
    const auto index = launch.problem->contract().tensor_index(name);
    if (index && tensors[*index].data != nullptr) tensor_ = &tensors[*index];
  }

  std::int64_t size() const { return tensor_ == nullptr ? 0 : tensor_->shape[0]; }

  void set(std::int64_t place, std::int64_t value) const {
    auto* bytes = static_cast<unsigned char*>(tensor_->data);
    if (tensor_->type == base::DataType::kI64) {
      std::memcpy(bytes + place * 8, &value, sizeof(value));
      return;
    }
    const auto narrow = static_cast<std::int32_t>(std::clamp<std::int64_t>(
        value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    std::memcpy(bytes + place * 4, &narrow, sizeof(narrow));
  }

 private:
  const WritableTensor* tensor_ = nullptr;
};

struct IndexRange {
  std::string_view contract;
  std::string_view tensor;
  std::string_view axis;    // indices are below it, or
  std::string_view factor;  // below its product with this one
  bool unique = false;
};

constexpr std::array<IndexRange, 4> kRanges{{
    {"embedding", "ids", "vocab", "", false},
    {"rope", "positions", "max_positions", "", false},
    {"kv_append_paged", "slots", "num_pages", "page_size", true},
    {"attention_decode_paged", "kv_indices", "num_pages", "", false},
}};

const IndexRange* range_of(const operators::Contract& contract) {
  const auto found = std::find_if(
      kRanges.begin(), kRanges.end(),
      [&contract](const IndexRange& range) { return range.contract == contract.name(); });
  return found == kRanges.end() ? nullptr : &*found;
}

std::int64_t bound_of(const InputLaunch& launch, const IndexRange& range) {
  const std::int64_t bound = axis_value(launch, range.axis);
  return range.factor.empty() ? bound : bound * axis_value(launch, range.factor);
}

// The first sequence has all pages but one for each of the others, which read nothing or one
// position by turns.
void make_ragged(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const Indices starts(launch, tensors, "kv_indptr");
  const Indices lengths(launch, tensors, "kv_lengths");
  const std::int64_t sequences = lengths.size();
  if (sequences == 0) return;
  const std::int64_t pages = axis_value(launch, "num_indices");
  const std::int64_t most = std::max(pages - (sequences - 1), std::min<std::int64_t>(pages, 1));
  starts.set(0, 0);
  for (std::int64_t i = 0; i < sequences; ++i) {
    const std::int64_t end = std::min(pages, most + i);
    starts.set(i + 1, end);
    const std::int64_t begin = i == 0 ? 0 : std::min(pages, most + i - 1);
    const std::int64_t room =
        std::min(axis_value(launch, "kv_length"), (end - begin) * axis_value(launch, "page_size"));
    lengths.set(i, i == 0 ? room : std::min(room, i % 2));
  }
}

}  // namespace

bool has_indices(const operators::Contract& contract) {
  return range_of(contract) != nullptr;
}

void order_indices(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const IndexRange* range = range_of(launch.problem->contract());
  if (range == nullptr) return;
  const Indices indices(launch, tensors, range->tensor);
  const std::int64_t bound = bound_of(launch, *range);
  const std::int64_t step = range->unique ? 1 : 2;  // 2: each index twice
  for (std::int64_t i = 0; i < indices.size(); ++i) {
    const std::int64_t back = i / step;
    const bool is_past = back >= bound;
    if (range->unique) {
      indices.set(i, is_past ? -1 : bound - 1 - back);
    } else {
      indices.set(i, bound == 0 ? 0 : bound - 1 - back % bound);
    }
  }
  // The last index is the least one.
  if (!range->unique && indices.size() > 0) indices.set(indices.size() - 1, 0);
  if (launch.problem->contract().name() == "attention_decode_paged") make_ragged(launch, tensors);
}

void mask_indices(const InputLaunch& launch, std::span<const WritableTensor> tensors) {
  const IndexRange* range = range_of(launch.problem->contract());
  if (range == nullptr) return;
  const Indices indices(launch, tensors, range->tensor);
  const std::int64_t bound = bound_of(launch, *range);
  const std::array<std::int64_t, 4> outside{-1, bound, std::numeric_limits<std::int32_t>::min(),
                                            std::numeric_limits<std::int32_t>::max()};
  const operators::CounterRandom random(launch.seed, "masked");
  for (std::int64_t i = 0; i < indices.size(); ++i) {
    const auto place = static_cast<std::uint64_t>(i);
    if (i != 0 && random.below(2 * place, 3) != 0) continue;
    indices.set(i, outside[static_cast<std::size_t>(random.below(2 * place + 1, 4))]);
  }
}

}  // namespace halyard::verification
