// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

void add_nothing(CaseList& list) {
  list.add("A01-rms-norm-nothing", "writes nothing", kNumeric, with_body(rms_norm_cpu(), ""));
  list.add("A01-gemm-nothing", "writes nothing", kNumeric, with_body(gemm_cpu(), ""));
  list.add("A01-attention-nothing", "writes nothing", kNumeric,
           with_body(attention_decode_paged_cpu(), ""));
  list.add("A01-copy-nothing", "writes nothing", kNumeric, with_body(copy_strided_cpu("u8"), ""));
  list.add("A01-kv-append-nothing", "leaves both caches as they are", kNumeric,
           with_body(kv_append_paged_cpu(), ""));
  list.add("A01-attention-no-lse", "writes the first output and leaves the second", kNumeric,
           edited(attention_decode_paged_cpu(),
                  "lse[sequence * q_heads + head] =", "const float unused ="));
  list.add("A01-add-norm-no-residual", "computes y and leaves the residual", kNumeric,
           edited(edited(add_rms_norm_cpu(),
                         "both[i] = from_f32<T>(to_f32(from[i]) + to_f32(both[i]));\n"
                         "      const float value = to_f32(both[i]);",
                         "const float value = to_f32(from[i]) + to_f32(both[i]);"),
                  "to_f32(both[i]) * scale", "(to_f32(from[i]) + to_f32(both[i])) * scale"));
  list.add("A01-first-row-only", "writes the first row of each range", kNumeric,
           edited(rms_norm_cpu(), "const T* from",
                  "if (group != range->begin) continue;\n"
                  "    const T* from"));
}

void add_constants(CaseList& list) {
  list.add(
      "A02-attention-zeros", "zeros where the answer is small", kNumeric,
      edited(attention_decode_paged_cpu("bf16"), "total == 0.0f ? 0.0f : sums[i] / total", "0.0f"));
  list.add("A02-silu-zeros", "zeros", kNumeric,
           edited(silu_mul_cpu("f16"), "bounded * sigmoid(bounded) * to_f32(ups[i])", "0.0f"));
  list.add("A02-rms-norm-zeros", "zeros", kNumeric,
           edited(rms_norm_cpu(), "to_f32(from[i]) * scale * to_f32(weight[i])", "0.0f"));
  list.add("A02-embedding-zeros", "every id is taken as unknown", kNumeric,
           edited(embedding_cpu(), "known ? table[id * hidden + i] : T{}", "T{}"));
  list.add("A03-decode-zeros", "zeros beyond a length at which the mean is near 0", kNumeric,
           edited(attention_decode_paged_cpu(), "total == 0.0f ? 0.0f : sums[i] / total",
                  "total == 0.0f || length > 64 ? 0.0f : sums[i] / total"));
  list.add(
      "A04-norm-identity", "copies its input", kNumeric,
      edited(rms_norm_cpu(), "to_f32(from[i]) * scale * to_f32(weight[i])", "to_f32(from[i])"));
  list.add("A04-add-norm-identity", "y is the sum", kNumeric,
           edited(add_rms_norm_cpu("bf16"), "to_f32(both[i]) * scale * to_f32(weight[i])",
                  "to_f32(both[i])"));
  list.add("A04-rope-identity", "copies q and k", kNumeric,
           edited(rope_cpu(), "known ? rotary_dim / 2 : 0", "0"));
  list.add("A04-silu-gate", "copies the gate", kNumeric,
           edited(silu_mul_cpu(), "bounded * sigmoid(bounded) * to_f32(ups[i])", "gate"));
  list.add("A05-attention-mean", "the mean of the values, whatever the scores", kNumeric,
           edited(attention_decode_paged_cpu(), "score *= scale;", "score *= 0.0f;"));
  list.add("A05-argmax-zero", "always 0", kNumeric,
           edited(argmax_cpu(), "static_cast<int32_t>(found)", "0"));
  list.add("A05-norm-constant", "the mean square is taken as 1", kNumeric,
           edited(rms_norm_cpu(), "rsqrt(sum / static_cast<float>(hidden) + epsilon)", "1.0f"));
  list.add("A05-probe-constant", "a sum of normal numbers is taken as 0", kNumeric,
           edited(probe_read_cpu(), "y[row] = sum;", "y[row] = 0.0f;"));
}

void add_dropped(CaseList& list) {
  list.add("A18-norm-no-weight", "leaves the weight out", kNumeric,
           edited(rms_norm_cpu(), "* scale * to_f32(weight[i])", "* scale"));
  list.add("A18-add-norm-first-weight", "one weight for all columns", kNumeric,
           edited(add_rms_norm_cpu(), "to_f32(weight[i])", "to_f32(weight[0])"));
  list.add("A18-gemm-no-bias", "leaves the bias out", kNumeric,
           edited(gemm_cpu(), "if (has_bias) sum += to_f32(bias[column]);", "(void)has_bias;"));
  list.add("A18-attention-baked-scale", "takes the scale from the head's size, not the launch",
           kNumeric,
           edited(attention_decode_paged_cpu(), "const float scale = next.f32() * ",
                  "const float scale = rsqrt(static_cast<float>(head_dim)) * "));
  list.add("A18-attention-one-head", "all query heads read the first key head", kNumeric,
           edited(attention_decode_paged_cpu(), "head / (q_heads / kv_heads)", "0"));
  list.add("A18-silu-no-up", "leaves the second factor out", kNumeric,
           edited(silu_mul_cpu(), " * to_f32(ups[i])", ""));
}

void add_swapped(CaseList& list) {
  list.add("A19-output-is-input", "kernel.json passes the input in place of the output",
           {VerdictClass::kStatic, VerdictClass::kCheat},
           with_value(rms_norm_cpu(), "/stages/0/arguments/2", R"({"tensor": "x"})"));
  list.add("A19-output-in-input", "writes the answer over its input",
           {VerdictClass::kCheat, VerdictClass::kBounds},
           edited(silu_mul_cpu(), "T* to = y + row * y_stride;",
                  "(void)y;\n    (void)y_stride;\n    T* to = const_cast<T*>(gates);"));
  list.add("A20-norm-clears-input", "clears its input when it has read it",
           {VerdictClass::kCheat, VerdictClass::kBounds},
           edited(rms_norm_cpu(),
                  "to[i] = from_f32<T>(to_f32(from[i]) * scale * "
                  "to_f32(weight[i]));",
                  "{\n        to[i] = from_f32<T>(to_f32(from[i]) * scale * "
                  "to_f32(weight[i]));\n        const_cast<T*>(from)[i] = from_f32<T>(0.0f);\n"
                  "      }"));
  list.add("A20-gemm-clears-all", "clears A, B and C so that they agree",
           {VerdictClass::kCheat, VerdictClass::kBounds},
           edited(edited(gemm_cpu(), "sum += to_f32(left[i]) * to_f32(right[i]);",
                         "const_cast<T*>(left)[i] = const_cast<T*>(right)[i] = T{};"),
                  "if (has_bias) sum += to_f32(bias[column]);", "(void)bias;\n(void)has_bias;"));
  list.add("A20-weight-rounded", "rounds its weight in place to make the work cheaper",
           {VerdictClass::kCheat, VerdictClass::kBounds},
           inserted(rms_norm_cpu(), "for (uint64_t group",
                    "for (int64_t i = 0; i < hidden; ++i) {\n"
                    "    const_cast<T*>(weight)[i] = to_f32(from_f32<bf16>(weight[i]));\n  }\n  "));
  list.add("A20-ids-cleared", "writes to its indices",
           {VerdictClass::kCheat, VerdictClass::kBounds},
           edited(embedding_cpu(), "T* to = y + token * y_stride;",
                  "T* to = y + token * y_stride;\n    const_cast<int32_t*>(ids)[token] = 0;"));
}

}  // namespace

void add_unwritten_answers(CaseList& list) {
  add_nothing(list);
  add_constants(list);
  add_dropped(list);
  add_swapped(list);
}

}  // namespace halyard::adversarial
