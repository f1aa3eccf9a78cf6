// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/base_record.h"

namespace halyard::adversarial {
namespace {

constexpr BaseKernel kRmsNorm{"rms_norm", R"(["batch", 1, 1])",
                              R"(
{"tensor": "x"}, {"tensor": "weight"}, {"tensor": "y"}, {"axis": "hidden", "type": "i64"},
{"stride": "x", "dimension": 0, "type": "i64"}, {"stride": "y", "dimension": 0, "type": "i64"},
{"attribute": "epsilon", "type": "f32"})",
                              R"(#include "halyard_math.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  const auto* weight = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t y_stride = next.integer();
  const float epsilon = next.f32();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    const T* from = x + row * x_stride;
    T* to = y + row * y_stride;
    float sum = 0.0f;
    for (int64_t i = 0; i < hidden; ++i) {
      const float value = to_f32(from[i]);
      sum += value * value;
    }
    const float scale = rsqrt(sum / static_cast<float>(hidden) + epsilon);
    for (int64_t i = 0; i < hidden; ++i)
      to[i] = from_f32<T>(to_f32(from[i]) * scale * to_f32(weight[i]));
  }
}
)",
                              R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kAddRmsNorm{"add_rms_norm", R"(["batch", 1, 1])",
                                 R"(
{"tensor": "x"}, {"tensor": "residual"}, {"tensor": "weight"}, {"tensor": "y"},
{"axis": "hidden", "type": "i64"}, {"stride": "x", "dimension": 0, "type": "i64"},
{"stride": "residual", "dimension": 0, "type": "i64"},
{"stride": "y", "dimension": 0, "type": "i64"}, {"attribute": "epsilon", "type": "f32"})",
                                 R"(#include "halyard_math.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* residual = next.pointer<T>();
  const auto* weight = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t residual_stride = next.integer();
  const int64_t y_stride = next.integer();
  const float epsilon = next.f32();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    const T* from = x + row * x_stride;
    T* both = residual + row * residual_stride;
    T* to = y + row * y_stride;
    float sum = 0.0f;
    for (int64_t i = 0; i < hidden; ++i) {
      both[i] = from_f32<T>(to_f32(from[i]) + to_f32(both[i]));
      const float value = to_f32(both[i]);
      sum += value * value;
    }
    const float scale = rsqrt(sum / static_cast<float>(hidden) + epsilon);
    for (int64_t i = 0; i < hidden; ++i)
      to[i] = from_f32<T>(to_f32(both[i]) * scale * to_f32(weight[i]));
  }
}
)",
                                 R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kSiluMul{"silu_mul", R"(["tokens", 1, 1])",
                              R"(
{"tensor": "x"}, {"tensor": "y"}, {"axis": "hidden", "type": "i64"},
{"stride": "x", "dimension": 0, "type": "i64"}, {"stride": "y", "dimension": 0, "type": "i64"})",
                              R"(#include "halyard_math.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t y_stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    const T* gates = x + row * x_stride;
    const T* ups = gates + hidden;
    T* to = y + row * y_stride;
    for (int64_t i = 0; i < hidden; ++i) {
      const float gate = to_f32(gates[i]);
      const float bounded = gate < -200.0f ? -200.0f : gate;
      to[i] = from_f32<T>(bounded * sigmoid(bounded) * to_f32(ups[i]));
    }
  }
}
)",
                              R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kGemm{"gemm", R"(["M", 1, 1])",
                           R"(
{"tensor": "A"}, {"tensor": "B"}, {"tensor": "bias_vector"}, {"tensor": "C"},
{"attribute": "bias", "type": "i64"}, {"axis": "N", "type": "i64"}, {"axis": "K", "type": "i64"},
{"stride": "A", "dimension": 0, "type": "i64"}, {"stride": "C", "dimension": 0, "type": "i64"})",
                           R"(#include "halyard_types.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* a = next.pointer<const T>();
  const auto* b = next.pointer<const T>();
  const auto* bias = next.pointer<const T>();
  auto* c = next.pointer<T>();
  const bool has_bias = next.integer() != 0;
  const int64_t n = next.integer();
  const int64_t k = next.integer();
  const int64_t a_stride = next.integer();
  const int64_t c_stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    const T* left = a + row * a_stride;
    T* to = c + row * c_stride;
    for (int64_t column = 0; column < n; ++column) {
      const T* right = b + column * k;
      float sum = 0.0f;
      for (int64_t i = 0; i < k; ++i)
        sum += to_f32(left[i]) * to_f32(right[i]);
      if (has_bias) sum += to_f32(bias[column]);
      to[column] = from_f32<T>(sum);
    }
  }
}
)",
                           R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kArgmax{"argmax", R"(["batch", 1, 1])",
                             R"(
{"tensor": "x"}, {"tensor": "index"}, {"axis": "vocab", "type": "i64"},
{"stride": "x", "dimension": 0, "type": "i64"})",
                             R"(#include "halyard_types.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* index = next.pointer<int32_t>();
  const int64_t vocab = next.integer();
  const int64_t x_stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    const T* from = x + row * x_stride;
    float best = to_f32(from[0]);
    int64_t found = 0;
    for (int64_t i = 1; i < vocab && best == best; ++i) {
      const float value = to_f32(from[i]);
      if (value > best || value != value) {
        best = value;
        found = i;
      }
    }
    index[row] = static_cast<int32_t>(found);
  }
}
)",
                             R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kCast{"cast", R"json(["ceil_div(n, 4096)", 1, 1])json",
                           R"({"tensor": "x"}, {"tensor": "y"}, {"axis": "n", "type": "i64"})",
                           R"(#include "halyard_types.h"
using namespace halyard;
using S = Element<HALYARD_TYPE_S>;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const S>();
  auto* y = next.pointer<T>();
  const int64_t n = next.integer();
  const int64_t begin = static_cast<int64_t>(range->begin) * 4096;
  const int64_t end = min(static_cast<int64_t>(range->end) * 4096, n);
  for (int64_t i = begin; i < end; ++i)
    y[i] = from_f32<T>(to_f32(x[i]));
}
)",
                           R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kProbeRead{"probe_read", R"(["rows", 1, 1])",
                                R"(
{"tensor": "x"}, {"tensor": "y"}, {"axis": "columns", "type": "i64"})",
                                R"(#include "halyard_types.h"
using namespace halyard;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* x = next.pointer<const float>();
  auto* y = next.pointer<float>();
  const int64_t columns = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group);
    float sum = 0.0f;
    for (int64_t i = 0; i < columns; ++i)
      sum += x[row * columns + i];
    y[row] = sum;
  }
}
)",
                                R"(, "cpu": {"partition": "static"})"};

constexpr BaseKernel kEmbedding{"embedding", R"(["tokens", 1, 1])",
                                R"(
{"tensor": "ids"}, {"tensor": "table"}, {"tensor": "y"}, {"axis": "vocab", "type": "i64"},
{"axis": "hidden", "type": "i64"}, {"stride": "y", "dimension": 0, "type": "i64"})",
                                R"(#include "halyard_types.h"
using namespace halyard;
using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(run) {
  Arguments next(arguments);
  const auto* ids = next.pointer<const int32_t>();
  const auto* table = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t vocab = next.integer();
  const int64_t hidden = next.integer();
  const int64_t y_stride = next.integer();
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t token = static_cast<int64_t>(group);
    const int64_t id = ids[token];
    const bool known = id >= 0 && id < vocab;
    T* to = y + token * y_stride;
    for (int64_t i = 0; i < hidden; ++i)
      to[i] = known ? table[id * hidden + i] : T{};
  }
}
)",
                                R"(, "cpu": {"partition": "static"})"};

}  // namespace

Package rms_norm_cpu(std::string_view type) {
  return cpu_package(kRmsNorm, type_binding(type));
}
Package add_rms_norm_cpu(std::string_view type) {
  return cpu_package(kAddRmsNorm, type_binding(type));
}
Package silu_mul_cpu(std::string_view type) {
  return cpu_package(kSiluMul, type_binding(type));
}
Package gemm_cpu(std::string_view type) {
  return cpu_package(kGemm, type_binding(type));
}
Package argmax_cpu(std::string_view type) {
  return cpu_package(kArgmax, type_binding(type));
}
Package embedding_cpu(std::string_view type) {
  return cpu_package(kEmbedding, type_binding(type));
}
Package probe_read_cpu() {
  return cpu_package(kProbeRead, type_binding("f32"));
}
Package cast_cpu(std::string_view from, std::string_view to) {
  return cpu_package(kCast, base::concat(R"({"S": ")", from, R"(", "T": ")", to, R"("})"));
}

}  // namespace halyard::adversarial
