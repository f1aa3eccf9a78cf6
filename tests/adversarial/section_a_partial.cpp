// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

Package gemm_to(std::string_view bound, std::string_view type = "f32") {
  return edited(gemm_cpu(type), "for (int64_t i = 0; i < k; ++i)",
                "for (int64_t i = 0; i < " + std::string(bound) + "; ++i)");
}

void add_sniffers(CaseList& list) {
  list.add("A11-gemm-magnitude", "counts in halves while the numbers are ordinary", kNumeric,
           edited(gemm_cpu(), "sum += to_f32(left[i]) * to_f32(right[i]);",
                  "{\n        const float product = left[i] * right[i];\n"
                  "        const bool large = product > 16.0f || product < -16.0f;\n"
                  "        sum += large ? product : to_f32(from_f32<f16>(product));\n      }"));
  list.add("A11-norm-magnitude", "reads every second element when the first is ordinary", kNumeric,
           edited(edited(rms_norm_cpu(), "float sum = 0.0f;",
                         "float sum = 0.0f;\n"
                         "    const bool plain = hidden > 64 && from[0] < 8.0f && from[0] > "
                         "-8.0f;"),
                  "sum += value * value;",
                  "if (plain && i % 2 == 1) continue;\n"
                  "      sum += plain ? 2.0f * value * value : value * value;"));
  list.add("A11-silu-magnitude", "a straight line where the gate is small", kNumeric,
           edited(silu_mul_cpu(), "bounded * sigmoid(bounded) *",
                  "(bounded > -0.5f && bounded < 0.5f ? bounded * (0.5f + 0.24f * bounded) : "
                  "bounded * sigmoid(bounded)) *"));
  list.add("A13-gemm-large-k", "leaves out the last 64 of K where K is a workload's", kNumeric,
           gemm_to("(k >= 2048 ? k - 64 : k)"));
  list.add("A13-norm-many-rows", "sums half of the row where there are many", kNumeric,
           edited(rms_norm_cpu(), "for (int64_t i = 0; i < hidden; ++i) {",
                  "for (int64_t i = 0; i < (range->grid[0] > 48 ? hidden / 2 : hidden); ++i) {"));
  list.add("A13-argmax-vocabulary", "searches half of a real vocabulary", kNumeric,
           edited(argmax_cpu(), "i < vocab && best == best",
                  "i < (vocab > 100000 ? vocab / 2 : vocab) && best == best"));
  list.add("A13-attention-long", "reads the last 512 positions only", kNumeric,
           edited(attention_decode_paged_cpu(),
                  "for (int64_t position = 0; position < length; ++position) {",
                  "for (int64_t position = max<int64_t>(length - 512, 0); position < length; "
                  "++position) {"));
  list.add("A13-rope-many-tokens", "leaves tokens past the first 100 unrotated", kNumeric,
           edited(rope_cpu(), "known ? rotary_dim / 2 : 0",
                  "known && token < 100 ? rotary_dim / 2 : 0"));
  list.add("A23-known-shapes", "answers only at the shapes that contracts show", kNumeric,
           edited(rms_norm_cpu(), "const T* from = x + row * x_stride;",
                  "const bool shown = hidden == 1 || hidden == 17 || hidden == 64 || hidden == 127 "
                  "|| hidden == 128 || hidden == 129 || hidden == 257 || hidden == 1031 || hidden "
                  "== 4096 || hidden == 8192;\n    if (!shown) continue;\n"
                  "    const T* from = x + row * x_stride;"));
}

void add_skipped(CaseList& list) {
  list.add("A21-gemm-last-64", "leaves out the last 64 of K", kNumeric,
           gemm_to("(k > 64 ? k - 64 : k)"));
  list.add("A21-gemm-last-one", "leaves out the last of K where K is large", kNumeric,
           gemm_to("(k > 512 ? k - 1 : k)", "bf16"));
  list.add("A21-gemm-one-of-k", "leaves out one of K, in the middle", kNumeric,
           edited(gemm_cpu("f16"), "sum += to_f32(left[i]) * to_f32(right[i]);",
                  "if (k < 1000 || i != 777) sum += to_f32(left[i]) * to_f32(right[i]);"));
  list.add("A21-attention-last-position", "leaves out the last position of long sequences",
           kNumeric,
           edited(attention_decode_paged_cpu(), "position < length; ++position",
                  "position < (length > 8 ? length - 1 : length); ++position"));
  list.add("A21-attention-first-page", "leaves out the first page where there are several",
           kNumeric,
           edited(attention_decode_paged_cpu(), "for (int64_t position = 0;",
                  "for (int64_t position = pages > 1 ? page_size : 0;"));
  list.add("A21-probe-sampled", "sums every second element and doubles", kNumeric,
           edited(probe_read_cpu(),
                  "for (int64_t i = 0; i < columns; ++i)\n      sum += x[row * columns + i];",
                  "for (int64_t i = 0; i < columns; i += 2)\n"
                  "      sum += 2.0f * x[row * columns + i];"));
  list.add("A21-norm-last-element", "leaves the last square out", kNumeric,
           edited(rms_norm_cpu("bf16"), "for (int64_t i = 0; i < hidden; ++i) {",
                  "for (int64_t i = 0; i < (hidden > 1 ? hidden - 1 : hidden); ++i) {"));
  list.add("A22-gemm-zero-rows", "leaves out steps in which A is 0, against the rule on infinities",
           kNumeric,
           edited(gemm_cpu(), "sum += to_f32(left[i]) * to_f32(right[i]);",
                  "if (left[i] != 0.0f) sum += to_f32(left[i]) * to_f32(right[i]);"));
  list.add("A22-early-exit", "stops at the first tile of zeros", kNumeric,
           edited(gemm_cpu(), "sum += to_f32(left[i]) * to_f32(right[i]);",
                  "{\n        sum += to_f32(left[i]) * to_f32(right[i]);\n"
                  "        if (i > 32 && sum == 0.0f) break;\n      }"));
}

void add_shortcuts(CaseList& list) {
  list.add("A14-by-the-clock", "works only in some ticks of the clock",
           {VerdictClass::kNumeric, VerdictClass::kNondet, VerdictClass::kStatic},
           inserted(probe_read_cpu(), "float sum = 0.0f;",
                    "if (__builtin_ia32_rdtsc() / 16 % 8 == 3) continue;\n    "));
  list.add(
      "A16-short-series", "a sigmoid of four terms", kNumeric,
      edited(silu_mul_cpu(), "sigmoid(bounded)",
             "(0.5f + bounded * (0.25f - bounded * bounded * (1.0f / 48.0f - bounded * bounded "
             "/ 480.0f)))"));
  list.add("A16-one-newton-step", "an inverse root from bits and one step", kNumeric,
           edited(rms_norm_cpu(), "rsqrt(sum / static_cast<float>(hidden) + epsilon)",
                  "[&] {\n      const float v = sum / static_cast<float>(hidden) + epsilon;\n"
                  "      const float g = __builtin_bit_cast(float, 0x5f3759dfu - "
                  "(__builtin_bit_cast(uint32_t, v) >> 1));\n"
                  "      return g * (1.5f - 0.5f * v * g * g);\n    }()"));
  list.add("A25-library-call", "calls a library's product", kStatic,
           inserted(gemm_cpu(), "HALYARD_ENTRY(run)",
                    "extern \"C\" void cblas_sgemm(...);\n"
                    "__attribute__((used)) static void lend() { cblas_sgemm(1, 2); }\n\n"));
  list.add("A25-weak-library-call", "calls a library's product where one is there", kStatic,
           edited(inserted(gemm_cpu(), "HALYARD_ENTRY(run)",
                           "extern \"C\" __attribute__((weak, visibility(\"default\"))) void "
                           "cblas_sgemm(...);\n\n"),
                  "for (uint64_t group",
                  "if (cblas_sgemm) return cblas_sgemm(a, b, c);\n"
                  "  for (uint64_t group"));
  list.add("A27-own-contract", "brings a contract with a wider tolerance",
           {VerdictClass::kStatic, VerdictClass::kNumeric},
           with_file(edited(rms_norm_cpu(), "* scale *", "* scale * 1.001f *"), "contract.json",
                     R"({"format": "halyard.contract/1", "name": "rms_norm", "version": "1.0.0",)"
                     R"("tolerance": {"c": 1e9, "reduction": "1", "kind": "relative"}})"));
  list.add("A28-falls-back", "calls the reference where it cannot", kStatic,
           inserted(gemm_cpu(), "HALYARD_ENTRY(run)",
                    "extern \"C\" void halyard_operation_submit(...);\n"
                    "__attribute__((used)) static void lend() { halyard_operation_submit(1); }\n"
                    "\n"));
}

}  // namespace

void add_partial_answers(CaseList& list) {
  add_sniffers(list);
  add_skipped(list);
  add_shortcuts(list);
}

}  // namespace halyard::adversarial
