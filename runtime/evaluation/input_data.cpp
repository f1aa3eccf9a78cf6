// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/input_data.h"

#include "runtime/base/float_formats.h"
#include "runtime/base/text.h"
#include "runtime/operators/element_reader.h"
#include "runtime/operators/random_inputs.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace halyard::services {
namespace {

using operators::CounterRandom;
using operators::WritableTensor;

constexpr std::int64_t kElementsPerThread = 1 << 20;

WritableTensor flat_tensor(const SharedTensor& shared, HostBytes& bytes) {
  WritableTensor tensor{shared.type, bytes.data(), 1, {}, {}};
  tensor.shape[0] = shared.element_count;
  tensor.strides[0] = 1;
  return tensor;
}

template <typename Store>
void fill_range(const CounterRandom& random, double scale, std::int64_t begin, std::int64_t end,
                Store store) {
  for (std::int64_t i = begin; i < end; ++i) {
    store(i, scale * random.normal(static_cast<std::uint64_t>(i)));
  }
}

void fill_part(const WritableTensor& tensor, const CounterRandom& random, double scale,
               std::int64_t begin, std::int64_t end) {
  auto* halves = static_cast<std::uint16_t*>(tensor.data);
  auto* floats = static_cast<float*>(tensor.data);
  switch (tensor.type) {
    case base::DataType::kBf16:
      return fill_range(random, scale, begin, end, [&](std::int64_t i, double value) {
        halves[i] = base::bf16_from_float(static_cast<float>(value));
      });
    case base::DataType::kF16:
      return fill_range(random, scale, begin, end, [&](std::int64_t i, double value) {
        halves[i] = base::f16_from_float(static_cast<float>(value));
      });
    case base::DataType::kF32:
      return fill_range(random, scale, begin, end, [&](std::int64_t i, double value) {
        floats[i] = static_cast<float>(value);
      });
    default:
      return fill_range(random, scale, begin, end, [&](std::int64_t i, double value) {
        operators::write_element(tensor, i, value);
      });
  }
}

void fill_normal(const WritableTensor& tensor, const CounterRandom& random, double scale) {
  const std::int64_t count = tensor.shape[0];
  const auto processors = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  const std::int64_t parts = std::clamp<std::int64_t>(count / kElementsPerThread, 1,
                                                      std::max<std::int64_t>(processors, 1));
  std::vector<std::jthread> threads;
  for (std::int64_t part = 1; part < parts; ++part) {
    threads.emplace_back([&, part] {
      fill_part(tensor, random, scale, count * part / parts, count * (part + 1) / parts);
    });
  }
  fill_part(tensor, random, scale, 0, count / parts);
}

base::Result<HostBytes> make_bytes(const SharedTensor& shared) {
  auto bytes = base::make_host_bytes(static_cast<std::uint64_t>(shared.size_bytes()));
  if (bytes) return bytes;
  return std::move(bytes.error()).with_context(base::concat("making tensor \"", shared.name, "\""));
}

const BoundRule* rule_of(const BoundWorkload& workload, std::size_t shared) {
  for (const BoundRule& rule : workload.rules) {
    if (rule.shared == shared) return &rule;
  }
  return nullptr;
}

// As the first operation that reads it would have it.
base::Status fill_as_read(const BoundWorkload& workload, const SharedTensor& shared,
                          std::uint64_t seed, HostBytes& bytes) {
  const std::uint64_t own_seed = CounterRandom(seed, shared.name).bits(0);
  if (!shared.first_read->is_plain) {
    if (!base::data_type_is_float(shared.type)) {
      return base::Error(base::ErrorCode::kInvalidArgument,
                         base::concat("Tensor \"", shared.name,
                                      "\" of the workload is an input of integers that is first "
                                      "read through a view; give it a generator."));
    }
    fill_normal(flat_tensor(shared, bytes), CounterRandom(seed, shared.name), 1);
    return base::ok();
  }
  const BoundOperation& reader = workload.operations[shared.first_read->operation];
  const std::size_t tensor = shared.first_read->tensor;
  return operators::fill_random_input(
      reader.problem, reader.launch_axes, own_seed, tensor,
      operators::dense_tensor(reader.shapes.tensors[tensor], bytes.data()));
}

// The page tables of a decode step, in host memory.
class DecodeTables {
 public:
  DecodeTables(const BoundWorkload& workload, const BoundRule& rule, std::vector<HostBytes>& data)
      : workload_(workload),
        rule_(rule),
        data_(data) {}

  std::int64_t count(std::size_t shared) const { return workload_.tensors[shared].element_count; }
  std::int64_t read(std::size_t shared, std::int64_t index) const {
    return operators::read_integer(flat_tensor(workload_.tensors[shared], data_[shared]), index);
  }
  std::int64_t last_position(std::int64_t sequence) const {
    return read(rule_.kv_lengths, sequence) - 1;
  }

  // -1 for a sequence without room.
  std::int64_t last_slot(std::int64_t sequence) const {
    const std::int64_t position = last_position(sequence);
    const std::int64_t page_size = rule_.value;
    const std::int64_t page =
        read(rule_.kv_indptr, sequence) + std::max<std::int64_t>(position, 0) / page_size;
    if (position < 0 || page < 0 || page >= read(rule_.kv_indptr, sequence + 1) ||
        page >= count(rule_.kv_indices)) {
      return -1;
    }
    return read(rule_.kv_indices, page) * page_size + position % page_size;
  }

 private:
  const BoundWorkload& workload_;
  const BoundRule& rule_;
  std::vector<HostBytes>& data_;
};

base::Status fill_by_rule(const BoundWorkload& workload, const BoundRule& rule, std::uint64_t seed,
                          std::vector<HostBytes>& data) {
  const SharedTensor& shared = workload.tensors[rule.shared];
  const WritableTensor tensor = flat_tensor(shared, data[rule.shared]);
  if (rule.generator == InputGenerator::kNormal) {
    fill_normal(tensor, CounterRandom(seed, shared.name), rule.scale);
    return base::ok();
  }
  if (rule.generator == InputGenerator::kConstant) {
    for (std::int64_t i = 0; i < shared.element_count; ++i)
      operators::write_element(tensor, i, static_cast<double>(rule.value));
    return base::ok();
  }
  const DecodeTables tables(workload, rule, data);
  const bool wants_slots = rule.generator == InputGenerator::kDecodeSlots;
  if (tables.count(rule.kv_lengths) != shared.element_count ||
      (wants_slots && tables.count(rule.kv_indptr) != shared.element_count + 1)) {
    return base::Error(
        base::ErrorCode::kInvalidArgument,
        base::concat("Input \"", shared.name, "\" of the workload has ", shared.element_count,
                     " elements, which does not fit the sequences of \"",
                     workload.tensors[rule.kv_lengths].name, "\"."));
  }
  for (std::int64_t i = 0; i < shared.element_count; ++i) {
    const std::int64_t value =
        wants_slots ? tables.last_slot(i) : std::max<std::int64_t>(tables.last_position(i), 0);
    operators::write_element(tensor, i, static_cast<double>(value));
  }
  return base::ok();
}

}  // namespace

base::Result<HostBytes> constant_data(const BoundWorkload& workload, std::size_t shared,
                                      std::uint64_t seed) {
  const SharedTensor& tensor = workload.tensors[shared];
  HALYARD_TRY_ASSIGN(HostBytes bytes, make_bytes(tensor));
  const BoundRule* rule = rule_of(workload, shared);
  fill_normal(flat_tensor(tensor, bytes), CounterRandom(seed, tensor.name),
              rule == nullptr ? 1 : rule->scale);
  return bytes;
}

base::Result<std::vector<HostBytes>> input_data(const BoundWorkload& workload, std::uint64_t seed) {
  std::vector<HostBytes> data(workload.tensors.size());
  for (std::size_t i = 0; i < workload.tensors.size(); ++i) {
    const SharedTensor& shared = workload.tensors[i];
    if (!shared.first_read || shared.is_constant) continue;
    HALYARD_TRY_ASSIGN(data[i], make_bytes(shared));
    if (rule_of(workload, i) != nullptr) continue;
    HALYARD_TRY(fill_as_read(workload, shared, seed, data[i]));
  }
  for (const BoundRule& rule : workload.rules) {
    if (workload.tensors[rule.shared].is_constant) continue;
    HALYARD_TRY(fill_by_rule(workload, rule, seed, data));
  }
  return data;
}

}  // namespace halyard::services
