// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/base_record.h"

namespace halyard::adversarial {
namespace {

constexpr std::string_view kStatic = R"(, "cpu": {"partition": "static"})";

constexpr BaseKernel kRope{"rope", R"(["q_heads + kv_heads", "tokens", 1])",
                           R"(
{"tensor": "q"}, {"tensor": "k"}, {"tensor": "cos_sin_cache"}, {"tensor": "positions"},
{"tensor": "q_out"}, {"tensor": "k_out"}, {"axis": "max_positions", "type": "i64"},
{"axis": "q_heads", "type": "i64"}, {"axis": "kv_heads", "type": "i64"},
{"axis": "head_dim", "type": "i64"}, {"axis": "rotary_dim", "type": "i64"},
{"stride": "q", "dimension": 0, "type": "i64"}, {"stride": "q", "dimension": 1, "type": "i64"},
{"stride": "k", "dimension": 0, "type": "i64"}, {"stride": "k", "dimension": 1, "type": "i64"},
{"stride": "q_out", "dimension": 0, "type": "i64"},
{"stride": "q_out", "dimension": 1, "type": "i64"},
{"stride": "k_out", "dimension": 0, "type": "i64"},
{"stride": "k_out", "dimension": 1, "type": "i64"})",
                           R"(#include "halyard_types.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* q = next.pointer<const T>();
  const auto* k = next.pointer<const T>();
  const auto* table = next.pointer<const float>();
  const auto* positions = next.pointer<const int64_t>();
  auto* q_out = next.pointer<T>();
  auto* k_out = next.pointer<T>();
  const int64_t max_positions = next.integer();
  const int64_t q_heads = next.integer();
  const int64_t kv_heads = next.integer();
  const int64_t head_dim = next.integer();
  const int64_t rotary_dim = next.integer();
  int64_t strides[8];
  for (int64_t& stride : strides)
    stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t heads = q_heads + kv_heads;
    const int64_t token = static_cast<int64_t>(group) / heads;
    const int64_t both = static_cast<int64_t>(group) % heads;
    const bool is_q = both < q_heads;
    const int64_t head = is_q ? both : both - q_heads;
    const int64_t* stride = is_q ? strides : strides + 2;
    const T* from = (is_q ? q : k) + token * stride[0] + head * stride[1];
    T* to = (is_q ? q_out : k_out) + token * stride[4] + head * stride[5];
    const int64_t position = positions[token];
    const bool known = position >= 0 && position < max_positions;
    const int64_t half = known ? rotary_dim / 2 : 0;
    for (int64_t i = 0; i < half; ++i) {
      const float cosine = table[position * rotary_dim + i];
      const float sine = table[position * rotary_dim + half + i];
      const float first = to_f32(from[i]);
      const float second = to_f32(from[i + half]);
      to[i] = from_f32<T>(first * cosine - second * sine);
      to[i + half] = from_f32<T>(second * cosine + first * sine);
    }
    for (int64_t i = 2 * half; i < head_dim; ++i)
      to[i] = from[i];
  }
}
)",
                           kStatic};

constexpr BaseKernel kCopyStrided{"copy_strided", R"(["d0 * d1 * d2", 1, 1])",
                                  R"(
{"tensor": "x"}, {"tensor": "y"}, {"axis": "d1", "type": "i64"}, {"axis": "d2", "type": "i64"},
{"axis": "d3", "type": "i64"},
{"stride": "x", "dimension": 0, "type": "i64"}, {"stride": "x", "dimension": 1, "type": "i64"},
{"stride": "x", "dimension": 2, "type": "i64"}, {"stride": "x", "dimension": 3, "type": "i64"},
{"stride": "y", "dimension": 0, "type": "i64"}, {"stride": "y", "dimension": 1, "type": "i64"},
{"stride": "y", "dimension": 2, "type": "i64"}, {"stride": "y", "dimension": 3, "type": "i64"})",
                                  R"(#include "halyard_types.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t d1 = next.integer();
  const int64_t d2 = next.integer();
  const int64_t d3 = next.integer();
  int64_t strides[8];
  for (int64_t& stride : strides)
    stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    const int64_t place[3] = {row / d2 / d1, row / d2 % d1, row % d2};
    int64_t x_offset = 0;
    int64_t y_offset = 0;
    for (int d = 0; d < 3; ++d) {
      x_offset += place[d] * strides[d];
      y_offset += place[d] * strides[4 + d];
    }
    for (int64_t i = 0; i < d3; ++i)
      y[y_offset + i * strides[7]] = x[x_offset + i * strides[3]];
  }
}
)",
                                  kStatic};

constexpr BaseKernel kKvAppend{"kv_append_paged", R"(["tokens", 1, 1])",
                               R"(
{"tensor": "k"}, {"tensor": "v"}, {"tensor": "slots"}, {"tensor": "k_cache"},
{"tensor": "v_cache"}, {"expression": "num_pages * page_size", "type": "i64"},
{"axis": "kv_heads", "type": "i64"}, {"axis": "head_dim", "type": "i64"},
{"stride": "k", "dimension": 0, "type": "i64"}, {"stride": "k", "dimension": 1, "type": "i64"},
{"stride": "v", "dimension": 0, "type": "i64"}, {"stride": "v", "dimension": 1, "type": "i64"})",
                               R"(#include "halyard_types.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* k = next.pointer<const T>();
  const auto* v = next.pointer<const T>();
  const auto* slots = next.pointer<const int64_t>();
  auto* k_cache = next.pointer<T>();
  auto* v_cache = next.pointer<T>();
  const int64_t slot_count = next.integer();
  const int64_t kv_heads = next.integer();
  const int64_t head_dim = next.integer();
  const int64_t k_stride = next.integer();
  const int64_t k_head_stride = next.integer();
  const int64_t v_stride = next.integer();
  const int64_t v_head_stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t token = static_cast<int64_t>(group);
    const int64_t slot = slots[token];
    if (slot < 0 || slot >= slot_count) continue;
    for (int64_t head = 0; head < kv_heads; ++head) {
      for (int64_t i = 0; i < head_dim; ++i) {
        const int64_t to = (slot * kv_heads + head) * head_dim + i;
        k_cache[to] = k[token * k_stride + head * k_head_stride + i];
        v_cache[to] = v[token * v_stride + head * v_head_stride + i];
      }
    }
  }
}
)",
                               kStatic};

constexpr BaseKernel kAttention{
    "attention_decode_paged", R"(["q_heads", "batch", 1])",
    R"(
{"tensor": "q"}, {"tensor": "k_cache"}, {"tensor": "v_cache"}, {"tensor": "kv_indptr"},
{"tensor": "kv_indices"}, {"axis_pointer": "kv_length"}, {"tensor": "output"}, {"tensor": "lse"},
{"axis": "num_pages", "type": "i64"}, {"axis": "q_heads", "type": "i64"},
{"axis": "kv_heads", "type": "i64"}, {"axis": "head_dim", "type": "i64"},
{"axis": "page_size", "type": "i64"},
{"stride": "q", "dimension": 0, "type": "i64"}, {"stride": "q", "dimension": 1, "type": "i64"},
{"stride": "output", "dimension": 0, "type": "i64"},
{"stride": "output", "dimension": 1, "type": "i64"}, {"scalar": "sm_scale", "type": "f32"})",
    R"(#include "halyard_math.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* q = next.pointer<const T>();
  const auto* k_cache = next.pointer<const T>();
  const auto* v_cache = next.pointer<const T>();
  const auto* kv_indptr = next.pointer<const int32_t>();
  const auto* kv_indices = next.pointer<const int32_t>();
  const auto* kv_lengths = next.pointer<const int32_t>();
  auto* output = next.pointer<T>();
  auto* lse = next.pointer<float>();
  const int64_t num_pages = next.integer();
  const int64_t q_heads = next.integer();
  const int64_t kv_heads = next.integer();
  const int64_t head_dim = next.integer();
  const int64_t page_size = next.integer();
  const int64_t q_stride = next.integer();
  const int64_t q_head_stride = next.integer();
  const int64_t output_stride = next.integer();
  const int64_t output_head_stride = next.integer();
  const float scale = next.f32() * 1.4426950408889634f;
  auto* sums = static_cast<float*>(range->scratch);
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t sequence = static_cast<int64_t>(group) / q_heads;
    const int64_t head = static_cast<int64_t>(group) % q_heads;
    const int64_t kv_head = head / (q_heads / kv_heads);
    const T* query = q + sequence * q_stride + head * q_head_stride;
    const int64_t first = kv_indptr[sequence];
    const int64_t pages = kv_indptr[sequence + 1] - first;
    const int64_t length = min<int64_t>(kv_lengths[sequence], pages * page_size);
    float largest = -__builtin_inff();
    float total = 0.0f;
    for (int64_t i = 0; i < head_dim; ++i)
      sums[i] = 0.0f;
    for (int64_t position = 0; position < length; ++position) {
      const int64_t page = kv_indices[first + position / page_size];
      if (page < 0 || page >= num_pages) continue;
      const int64_t offset =
          ((page * page_size + position % page_size) * kv_heads + kv_head) * head_dim;
      float score = 0.0f;
      for (int64_t i = 0; i < head_dim; ++i)
        score += to_f32(query[i]) * to_f32(k_cache[offset + i]);
      score *= scale;
      const float maximum = max(largest, score);
      const float reference = maximum == -__builtin_inff() ? 0.0f : maximum;
      const float correction = exp2(largest - reference);
      const float weight = exp2(score - reference);
      largest = maximum;
      total = total * correction + weight;
      for (int64_t i = 0; i < head_dim; ++i)
        sums[i] = sums[i] * correction + weight * to_f32(v_cache[offset + i]);
    }
    T* to = output + sequence * output_stride + head * output_head_stride;
    for (int64_t i = 0; i < head_dim; ++i)
      to[i] = from_f32<T>(total == 0.0f ? 0.0f : sums[i] / total);
    lse[sequence * q_heads + head] =
        total == 0.0f ? -__builtin_inff() : largest + log2(total);
  }
}
)",
    R"(, "cpu": {"partition": "static", "scratch_bytes": "4 * head_dim"})"};

}  // namespace

Package rope_cpu(std::string_view type) {
  return with_value(cpu_package(kRope, type_binding(type)), "/attributes",
                    R"({"style": ["neox"]})");
}
Package copy_strided_cpu(std::string_view type) {
  return cpu_package(kCopyStrided, type_binding(type));
}
Package kv_append_paged_cpu(std::string_view type) {
  return cpu_package(kKvAppend, type_binding(type));
}
Package attention_decode_paged_cpu(std::string_view type) {
  return cpu_package(kAttention, type_binding(type));
}

}  // namespace halyard::adversarial
