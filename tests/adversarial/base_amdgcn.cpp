// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/base_record.h"

#include <string>

namespace halyard::adversarial {
namespace {

constexpr BaseKernel kRmsNorm{"rms_norm", R"json(["min(batch, 65535)", 1, 1])json", R"(
{"tensor": "x"}, {"tensor": "weight"}, {"tensor": "y"},
{"stride": "x", "dimension": 0, "type": "i64"}, {"stride": "y", "dimension": 0, "type": "i64"},
{"axis": "batch", "type": "u32"}, {"axis": "hidden", "type": "u32"},
{"attribute": "epsilon", "type": "f32"})",
                              R"(HALYARD_ENTRY(run, kLanes)
(const T* x, const T* weight, T* y, int64_t x_stride, int64_t y_stride, uint32_t batch,
 uint32_t hidden, float epsilon) {
  HALYARD_SHARED float parts[kLanes];
  const uint32_t lane = static_cast<uint32_t>(thread_index());
  for (uint32_t row = group_x(); row < batch; row += group_count(0)) {
    const T* from = x + row * x_stride;
    T* to = y + row * y_stride;
    float squares = 0.0f;
    for (uint32_t i = lane; i < hidden; i += kLanes) {
      const float value = to_f32(from[i]);
      squares = fma(value, value, squares);
    }
    parts[lane] = squares;
    barrier();  // all parts are there
    for (uint32_t reach = kLanes / 2; reach > 0; reach /= 2) {
      if (lane < reach) parts[lane] += parts[lane + reach];
      barrier();  // the level is done
    }
    const float scale = rsqrt(parts[0] / static_cast<float>(hidden) + epsilon);
    barrier();  // the sum is read
    for (uint32_t i = lane; i < hidden; i += kLanes) {
      const float value = to_f32(from[i]);
      to[i] = from_f32<T>(value * scale * to_f32(weight[i]));
    }
  }
}
)",
                              ""};

constexpr BaseKernel kSiluMul{"silu_mul",
                              R"json(["min(ceil_div(tokens * hidden, 128), 65535)", 1, 1])json", R"(
{"tensor": "x"}, {"tensor": "y"},
{"stride": "x", "dimension": 0, "type": "i64"}, {"stride": "y", "dimension": 0, "type": "i64"},
{"axis": "tokens", "type": "u32"}, {"axis": "hidden", "type": "u32"})",
                              R"(HALYARD_ENTRY(run, kLanes)
(const T* x, T* y, int64_t x_stride, int64_t y_stride, uint32_t tokens, uint32_t hidden) {
  const uint32_t total = tokens * hidden;
  for (uint32_t n = grid_index<kLanes>(); n < total; n += grid_size<kLanes>()) {
    const uint32_t row = n / hidden;
    const uint32_t i = n % hidden;
    const float gate = to_f32(x[row * x_stride + i]);
    const float up = to_f32(x[row * x_stride + hidden + i]);
    const float silu = gate == -kInfinity ? 0.0f : gate / (1.0f + exp(-gate));
    y[row * y_stride + i] = from_f32<T>(silu * up);
  }
}
)",
                              ""};

// A lane computes one element.
constexpr BaseKernel kGemm{"gemm", R"json(["ceil_div(N, 128)", "min(M, 65535)", 1])json", R"(
{"tensor": "A"}, {"tensor": "B"}, {"tensor": "bias_vector"}, {"tensor": "C"},
{"stride": "A", "dimension": 0, "type": "i64"}, {"stride": "C", "dimension": 0, "type": "i64"},
{"axis": "M", "type": "u32"}, {"axis": "N", "type": "u32"}, {"axis": "K", "type": "u32"},
{"attribute": "bias", "type": "u32"})",
                           R"(HALYARD_ENTRY(run, kLanes)
(const T* a, const T* b, const T* bias, T* c, int64_t a_stride, int64_t c_stride, uint32_t m,
 uint32_t n, uint32_t k, uint32_t has_bias) {
  const uint32_t column = grid_index<kLanes>();
  if (column >= n) return;
  const T* right = b + uint64_t{column} * k;
  for (uint32_t row = group_y(); row < m; row += group_count(1)) {
    const T* left = a + row * a_stride;
    float sum = 0.0f;
    for (uint32_t i = 0; i < k; ++i)
      sum = fma(to_f32(left[i]), to_f32(right[i]), sum);
    if (has_bias != 0) sum += to_f32(bias[column]);
    c[row * c_stride + column] = from_f32<T>(sum);
  }
}
)",
                           ""};

constexpr BaseKernel kEmbedding{"embedding", R"json(["min(tokens, 65535)", 1, 1])json", R"(
{"tensor": "ids"}, {"tensor": "table"}, {"tensor": "y"},
{"stride": "y", "dimension": 0, "type": "i64"},
{"axis": "tokens", "type": "u32"}, {"axis": "vocab", "type": "u32"},
{"axis": "hidden", "type": "u32"})",
                                R"(HALYARD_ENTRY(run, kLanes)
(const int32_t* ids, const T* table, T* y, int64_t y_stride, uint32_t tokens, uint32_t vocab,
 uint32_t hidden) {
  for (uint32_t token = group_x(); token < tokens; token += group_count(0)) {
    const int32_t id = ids[token];
    const bool is_known = id >= 0 && static_cast<uint32_t>(id) < vocab;
    for (uint32_t i = static_cast<uint32_t>(thread_index()); i < hidden; i += kLanes)
      y[token * y_stride + i] = is_known ? table[uint64_t(id) * hidden + i] : from_f32<T>(0.0f);
  }
}
)",
                                ""};

Package package_for(std::string_view processor, const BaseKernel& kernel, std::string_view type) {
  return with_value(hip_package(kernel, type_binding(type)), "/targets/0",
                    "\"amdgcn-" + std::string(processor) + "\"");
}

}  // namespace

Package rms_norm_hip(std::string_view processor, std::string_view type) {
  return package_for(processor, kRmsNorm, type);
}

Package silu_mul_hip(std::string_view processor, std::string_view type) {
  return package_for(processor, kSiluMul, type);
}

Package gemm_hip(std::string_view processor, std::string_view type) {
  return package_for(processor, kGemm, type);
}

Package embedding_hip(std::string_view processor, std::string_view type) {
  return package_for(processor, kEmbedding, type);
}

Package rms_norm_gfx1100() {
  for (Package& package : bundled_packages()) {
    if (name_of(package) == "rms_norm_gfx1100.s")
      return with_value(std::move(package), "/types", R"([{"T": "f32"}])");
  }
  Package none;
  none.fault = "There is no kernel \"rms_norm_gfx1100.s\".";
  return none;
}

}  // namespace halyard::adversarial
