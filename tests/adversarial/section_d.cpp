// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

constexpr std::string_view kProduct = "sum += to_f32(left[i]) * to_f32(right[i]);";

void add_accumulators(CaseList& list) {
  list.add("D01-gemm-f16-sum", "adds up in f16", kNumeric,
           edited(gemm_cpu("f16"), kProduct,
                  "sum = to_f32(from_f32<f16>(sum + to_f32(left[i]) * to_f32(right[i])));"));
  list.add("D01-gemm-bf16-sum", "adds up in bf16", kNumeric,
           edited(gemm_cpu("bf16"), kProduct,
                  "sum = to_f32(from_f32<bf16>(sum + to_f32(left[i]) * to_f32(right[i])));"));
  list.add("D01-probe-bf16-sum", "adds up in bf16", kNumeric,
           edited(probe_read_cpu(), "sum += x[row * columns + i];",
                  "sum = to_f32(from_f32<bf16>(sum + x[row * columns + i]));"));
  list.add("D01-norm-f16-squares", "adds its squares in f16", kNumeric,
           edited(rms_norm_cpu("f16"), "sum += value * value;",
                  "sum = to_f32(from_f32<f16>(sum + value * value));"));
  list.add("D01-attention-bf16-sum", "adds the weights in bf16", kNumeric,
           edited(attention_decode_paged_cpu("bf16"), "total = total * correction + weight;",
                  "total = to_f32(from_f32<bf16>(total * correction + weight));"));
  list.add("D02-gemm-f16-chunks", "adds up in f16 for 64 steps, then in f32", kNumeric,
           edited(edited(gemm_cpu("f16"), kProduct,
                         "{\n        part = to_f32(from_f32<f16>(part + to_f32(left[i]) * "
                         "to_f32(right[i])));\n        if (i % 64 == 63 || i == k - 1) {\n"
                         "          sum += part;\n          part = 0.0f;\n        }\n      }"),
                  "float sum = 0.0f;", "float sum = 0.0f;\n      float part = 0.0f;"));
  list.add("D02-gemm-f16-products", "rounds each product to f16", kNumeric,
           edited(gemm_cpu("f16"), kProduct,
                  "sum += to_f32(from_f32<f16>(to_f32(left[i]) * to_f32(right[i])));"));
  list.add("D04-gemm-tf32", "rounds its operands to ten bits", kNumeric,
           edited(gemm_cpu(), kProduct,
                  "{\n        const auto cut = [](float v) {\n"
                  "          return __builtin_bit_cast(float, (__builtin_bit_cast(uint32_t, v) + "
                  "0x1000u) & 0xffffe000u);\n        };\n"
                  "        sum += cut(left[i]) * cut(right[i]);\n      }"));
  list.add("D04-gemm-bf16-operands", "rounds its operands to bf16", kNumeric,
           edited(gemm_cpu(), kProduct,
                  "sum += to_f32(from_f32<bf16>(left[i])) * to_f32(from_f32<bf16>(right[i]));"));
  list.add("D04-rope-half-angles", "reads its angles in f16", kNumeric,
           edited(rope_cpu(), "const float cosine = table[position * rotary_dim + i];",
                  "const float cosine = to_f32(from_f32<f16>(table[position * rotary_dim + i]));"));
}

void add_rounding(CaseList& list) {
  list.add("D08-cast-flushes", "flushes subnormal halves", kNumeric,
           edited(cast_cpu("f32", "f16"), "from_f32<T>(to_f32(x[i]))",
                  "from_f32<T>(x[i] < 6.1e-5f && x[i] > -6.1e-5f ? 0.0f * x[i] : x[i])"));
  list.add("D08-cast-reads-flushed", "reads subnormal halves as 0", kNumeric,
           edited(cast_cpu("f16", "f32"), "from_f32<T>(to_f32(x[i]))",
                  "(x[i].bits & 0x7c00) == 0 ? 0.0f : to_f32(x[i])"));
  list.add("D-cast-truncates", "cuts where it should round", kNumeric,
           edited(cast_cpu("f32", "bf16"), "from_f32<T>(to_f32(x[i]))",
                  "T{static_cast<uint16_t>(__builtin_bit_cast(uint32_t, x[i]) >> 16)}"));
  list.add(
      "D-cast-rounds-up", "rounds ties away from even", kNumeric,
      edited(cast_cpu("f32", "bf16"), "from_f32<T>(to_f32(x[i]))",
             "T{static_cast<uint16_t>((__builtin_bit_cast(uint32_t, x[i]) + 0x8000u) >> 16)}"));
  list.add("D-cast-twice", "goes through the other narrow type", kNumeric,
           edited(cast_cpu("f32", "f16"), "from_f32<T>(to_f32(x[i]))",
                  "from_f32<T>(to_f32(from_f32<bf16>(x[i])))"));
  list.add("D-cast-saturates", "stops at the greatest number", kNumeric,
           edited(cast_cpu("f32", "f16"), "from_f32<T>(to_f32(x[i]))",
                  "from_f32<T>(x[i] > 65504.0f ? 65504.0f : x[i])"));
  list.add("D-add-norm-unrounded", "the norm is that of the sum before it is rounded", kNumeric,
           edited(add_rms_norm_cpu("bf16"),
                  "both[i] = from_f32<T>(to_f32(from[i]) + to_f32(both[i]));\n"
                  "      const float value = to_f32(both[i]);",
                  "const float value = to_f32(from[i]) + to_f32(both[i]);\n"
                  "      both[i] = from_f32<T>(value + value * 0.004f);"));
  list.add("D-copy-by-value", "copies bits as numbers, which changes NaNs and zeros", kNumeric,
           edited(copy_strided_cpu("bf16"), "= x[x_offset + i * strides[3]];",
                  "= from_f32<T>(to_f32(x[x_offset + i * strides[3]]) + 0.0f);"));
}

void add_formulas(CaseList& list) {
  list.add("D10-norm-fast-root", "an inverse root of twelve bits", kNumeric,
           edited(rms_norm_cpu(), "rsqrt(sum / static_cast<float>(hidden) + epsilon)",
                  "[&] {\n      const F32x4 v = sum / static_cast<float>(hidden) + epsilon;\n"
                  "      return static_cast<float>(__builtin_ia32_rsqrtps(v)[0]);\n    }()"));
  list.add("D10-silu-fast-exp", "an exponential from the bits of its argument", kNumeric,
           edited(silu_mul_cpu(), "sigmoid(bounded)",
                  "(1.0f / (1.0f + __builtin_bit_cast(float, static_cast<int32_t>(12102203.0f * "
                  "max(-80.0f, min(80.0f, -bounded))) + 1064866805)))"));
  list.add("D10-silu-minus-infinity", "minus infinity times 0", kNumeric,
           edited(silu_mul_cpu(), "gate < -200.0f ? -200.0f : gate", "gate"));
  list.add(
      "D10-silu-lost-nan", "turns NaN into a number", kNumeric,
      edited(silu_mul_cpu(), "gate < -200.0f ? -200.0f : gate", "gate > -200.0f ? gate : -200.0f"));
  list.add("D10-silu-overflow", "overflows for large negative gates", kNumeric,
           edited(silu_mul_cpu(), "bounded * sigmoid(bounded) *",
                  "gate * (exp(gate) / (1.0f + exp(gate))) *"));
  list.add("D11-attention-no-maximum", "takes no maximum off its scores", kNumeric,
           edited(edited(attention_decode_paged_cpu(), "const float maximum = max(largest, score);",
                         "const float maximum = 0.0f * score;"),
                  "float largest = -__builtin_inff();", "float largest = 0.0f;"));
  list.add("D11-attention-first-score", "takes the first score for the maximum", kNumeric,
           edited(attention_decode_paged_cpu(), "const float maximum = max(largest, score);",
                  "const float maximum = largest == -__builtin_inff() ? score : largest;"));
  list.add("D11-lse-base-e", "gives its sum in base e", kNumeric,
           edited(attention_decode_paged_cpu(), "largest + log2(total)",
                  "(largest + log2(total)) * 0.6931471805599453f"));
  list.add(
      "D12-norm-own-epsilon", "has an epsilon of its own", kNumeric,
      edited(rms_norm_cpu(), "const float epsilon = next.f32();", "const float epsilon = 1e-6f;"));
  list.add("D12-norm-default-epsilon", "has the default epsilon baked in", kNumeric,
           edited(add_rms_norm_cpu(), "const float epsilon = next.f32();",
                  "const float epsilon = 1e-5f;"));
  list.add("D12-norm-late-epsilon", "adds epsilon after the root", kNumeric,
           edited(rms_norm_cpu(), "rsqrt(sum / static_cast<float>(hidden) + epsilon)",
                  "1.0f / (sqrt(sum / static_cast<float>(hidden)) + epsilon)"));
  list.add(
      "D14-norm-of-layer", "takes the mean off first", kNumeric,
      edited(edited(rms_norm_cpu(), "float sum = 0.0f;",
                    "float sum = 0.0f;\n    float mean = 0.0f;\n"
                    "    for (int64_t i = 0; i < hidden; ++i)\n      mean += to_f32(from[i]);\n"
                    "    mean /= static_cast<float>(hidden);"),
             "const float value = to_f32(from[i]);",
             "const float value = to_f32(from[i]) - mean;"));
  list.add("D14-norm-of-sum", "squares the sum, not the elements", kNumeric,
           edited(edited(rms_norm_cpu(), "sum += value * value;", "sum += value;"),
                  "rsqrt(sum / static_cast<float>(hidden) + epsilon)",
                  "rsqrt(sum * sum / static_cast<float>(hidden) + epsilon)"));
  list.add("D-norm-small-squares", "squares below 1e-30 are dropped", kNumeric,
           edited(rms_norm_cpu(), "sum += value * value;",
                  "sum += value * value > 1e-5f ? value * value : 0.0f;"));
}

}  // namespace

void add_precision(CaseList& list) {
  add_accumulators(list);
  add_rounding(list);
  add_formulas(list);
}

}  // namespace halyard::adversarial
