// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/base_record.h"

namespace halyard::adversarial {
namespace {

constexpr BaseKernel kRmsNorm{"rms_norm",
                              R"json(["min(batch, 65535)", "ceil_div(batch, 65535)", 1])json",
                              R"(
{"tensor": "x", "binding": 0}, {"tensor": "weight", "binding": 1}, {"tensor": "y", "binding": 2},
{"axis": "batch", "type": "u32", "push": 0}, {"axis": "hidden", "type": "u32", "push": 4},
{"stride": "x", "dimension": 0, "type": "u32", "push": 8},
{"stride": "y", "dimension": 0, "type": "u32", "push": 12},
{"attribute": "epsilon", "type": "f32", "push": 16})",
                              R"(layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) readonly buffer Weight { HALYARD_T weight[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Y { HALYARD_T y[]; };
layout(push_constant) uniform Push {
  uint batch;
  uint hidden;
  uint x_stride;
  uint y_stride;
  float epsilon;
};
shared float parts[64];

void main() {
  uint row = halyard_group_index();
  if (row >= batch) return;
  uint lane = gl_LocalInvocationID.x;
  float squares = 0.0;
  for (uint i = lane; i < hidden; i += 64) {
    float value = halyard_load_t(x[row * x_stride + i]);
    squares = fma(value, value, squares);
  }
  parts[lane] = squares;
  barrier();  // all parts are there
  for (uint reach = 32; reach > 0; reach /= 2) {
    if (lane < reach) parts[lane] += parts[lane + reach];
    barrier();  // the level is done
  }
  float scale = inversesqrt(parts[0] / float(hidden) + epsilon);
  for (uint i = lane; i < hidden; i += 64) {
    float value = halyard_load_t(x[row * x_stride + i]);
    y[row * y_stride + i] = halyard_store_t(value * scale * halyard_load_t(weight[i]));
  }
}
)",
                              R"(, "split": {"axis": "batch", "multiple": 128})"};

constexpr BaseKernel kSiluMul{"silu_mul",
                              R"json(["min(ceil_div(tokens * hidden, 512), 65535)", 1, 1])json",
                              R"(
{"tensor": "x", "binding": 0}, {"tensor": "y", "binding": 1},
{"axis": "tokens", "type": "u32", "push": 0}, {"axis": "hidden", "type": "u32", "push": 4},
{"stride": "x", "dimension": 0, "type": "u32", "push": 8},
{"stride": "y", "dimension": 0, "type": "u32", "push": 12})",
                              R"(layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { HALYARD_T y[]; };
layout(push_constant) uniform Push {
  uint tokens;
  uint hidden;
  uint x_stride;
  uint y_stride;
};

// A device may divide within 2.5 units in the last place; one step more makes it exact.
float divided(float a, float b) {
  float quotient = a / b;
  float rest = fma(-quotient, b, a);
  return halyard_is_nan(floatBitsToUint(rest)) ? quotient : fma(rest, 1.0 / b, quotient);
}

void main() {
  uint total = tokens * hidden;
  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint row = n / hidden;
    uint i = n % hidden;
    float gate = halyard_load_t(x[row * x_stride + i]);
    float up = halyard_load_t(x[row * x_stride + hidden + i]);
    float small = halyard_exp(-abs(gate));
    float product = gate == -HALYARD_INFINITY ? 0.0 : gate * (gate < 0.0 ? small : 1.0);
    float silu = divided(product, 1.0 + small);
    y[row * y_stride + i] = halyard_store_t(silu * up);
  }
}
)",
                              R"(, "split": {"axis": "tokens", "multiple": 128})"};

constexpr BaseKernel kGemm{"gemm", R"json(["min(ceil_div(M * N, 64), 32)", 1, 1])json",
                           R"(
{"tensor": "A", "binding": 0}, {"tensor": "B", "binding": 1}, {"tensor": "bias_vector", "binding": 2},
{"tensor": "C", "binding": 3}, {"axis": "M", "type": "u32", "push": 0},
{"axis": "N", "type": "u32", "push": 4}, {"axis": "K", "type": "u32", "push": 8},
{"stride": "A", "dimension": 0, "type": "u32", "push": 12},
{"stride": "C", "dimension": 0, "type": "u32", "push": 16},
{"attribute": "bias", "type": "u32", "push": 20})",
                           R"(layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer A { HALYARD_T a[]; };
layout(set = 0, binding = 1, std430) readonly buffer B { HALYARD_T b[]; };
layout(set = 0, binding = 2, std430) readonly buffer Bias { HALYARD_T bias[]; };
layout(set = 0, binding = 3, std430) writeonly buffer C { HALYARD_T c[]; };
layout(push_constant) uniform Push {
  uint m;
  uint n;
  uint k;
  uint a_stride;
  uint c_stride;
  uint has_bias;
};

void main() {
  uint total = m * n;
  for (uint place = halyard_invocation_index(); place < total; place += halyard_invocation_count()) {
    uint row = place / n;
    uint column = place % n;
    float sum = 0.0;
    for (uint i = 0; i < k; ++i) {
      sum = fma(halyard_load_t(a[row * a_stride + i]), halyard_load_t(b[column * k + i]), sum);
    }
    if (has_bias != 0) sum += halyard_load_t(bias[column]);
    c[row * c_stride + column] = halyard_store_t(sum);
  }
}
)",
                           ""};

constexpr BaseKernel kArgmax{"argmax",
                             R"json(["min(batch, 65535)", "ceil_div(batch, 65535)", 1])json",
                             R"(
{"tensor": "x", "binding": 0}, {"tensor": "index", "binding": 1},
{"axis": "batch", "type": "u32", "push": 0}, {"axis": "vocab", "type": "u32", "push": 4},
{"stride": "x", "dimension": 0, "type": "u32", "push": 8})",
                             R"(layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Index { int index[]; };
layout(push_constant) uniform Push {
  uint batch;
  uint vocab;
  uint x_stride;
};
shared uint keys[64];
shared uint places[64];

// Integers that order as the contract does: NaN above all, -0 as +0.
uint order_key(uint bits) {
  if (halyard_is_nan(bits)) return 0xffffffffu;
  if (bits == 0x80000000u) return 0x80000000u;
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

void main() {
  uint row = halyard_group_index();
  if (row >= batch) return;
  uint lane = gl_LocalInvocationID.x;
  uint key = 0;
  uint place = 0xffffffffu;
  for (uint i = lane; i < vocab; i += 64) {
    uint candidate = order_key(halyard_bits_t(x[row * x_stride + i]));
    if (candidate > key) {
      key = candidate;
      place = i;
    }
  }
  keys[lane] = key;
  places[lane] = place;
  barrier();  // all lanes have searched
  if (lane != 0) return;
  for (uint other = 1; other < 64; ++other) {
    if (keys[other] > key || (keys[other] == key && places[other] < place)) {
      key = keys[other];
      place = places[other];
    }
  }
  index[row] = int(place);
}
)",
                             ""};

constexpr BaseKernel kEmbedding{"embedding",
                                R"json(["min(ceil_div(tokens * hidden, 512), 65535)", 1, 1])json",
                                R"(
{"tensor": "ids", "binding": 0}, {"tensor": "table", "binding": 1}, {"tensor": "y", "binding": 2},
{"axis": "tokens", "type": "u32", "push": 0}, {"axis": "vocab", "type": "u32", "push": 4},
{"axis": "hidden", "type": "u32", "push": 8},
{"stride": "y", "dimension": 0, "type": "u32", "push": 12})",
                                R"(layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Ids { int ids[]; };
layout(set = 0, binding = 1, std430) readonly buffer Table { HALYARD_T table[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Y { HALYARD_T y[]; };
layout(push_constant) uniform Push {
  uint tokens;
  uint vocab;
  uint hidden;
  uint y_stride;
};

void main() {
  uint total = tokens * hidden;
  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint token = n / hidden;
    uint i = n % hidden;
    int id = ids[token];
    if (id >= 0 && uint(id) < vocab) {
      y[token * y_stride + i] = table[uint(id) * hidden + i];
    } else {
      y[token * y_stride + i] = HALYARD_T(0);
    }
  }
}
)",
                                ""};

constexpr std::string_view kEmptyModule = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 64 1 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%main = OpFunction %void None %function
%body = OpLabel
OpReturn
OpFunctionEnd
)";

}  // namespace

Package rms_norm_glsl(std::string_view type) {
  return glsl_package(kRmsNorm, type_binding(type));
}
Package silu_mul_glsl(std::string_view type) {
  return glsl_package(kSiluMul, type_binding(type));
}
Package gemm_glsl(std::string_view type) {
  return glsl_package(kGemm, type_binding(type));
}
Package argmax_glsl(std::string_view type) {
  return glsl_package(kArgmax, type_binding(type));
}
Package embedding_glsl(std::string_view type) {
  return glsl_package(kEmbedding, type_binding(type));
}

Package silu_mul_spirv() {
  Package package = without_value(silu_mul_glsl(), "/prelude");
  package = with_value(with_value(package, "/language", R"("spirv-asm")"), "/source",
                       R"("kernel.spvasm")");
  package.files.clear();
  return with_source(package, kEmptyModule);
}

}  // namespace halyard::adversarial
