// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

#include <string>

namespace halyard::adversarial {
namespace {

// An input is memory that is not to be written, so that the interpreter stops at the store.
const CaseList::Classes kInput{VerdictClass::kCheat, VerdictClass::kBounds};
const CaseList::Classes kRace{VerdictClass::kNondet, VerdictClass::kNumeric, VerdictClass::kCheat};

constexpr std::string_view kNormed = "value * scale * to_f32(weight[i])";
constexpr std::string_view kProduct = "sum = fma(to_f32(left[i]), to_f32(right[i]), sum);";
constexpr std::string_view kFirstStatement = "const uint32_t total = tokens * hidden;";

void add_answers(CaseList& list) {
  list.add("A01-hip-norm-nothing", "writes nothing", kNumeric,
           edited(rms_norm_hip(), "to[i] = from_f32<T>(value * scale * to_f32(weight[i]));",
                  "(void)value;\n      (void)scale;\n      (void)to;"));
  list.add("A02-hip-silu-zeros", "zeros", kNumeric,
           edited(silu_mul_hip("gfx1201"), "from_f32<T>(silu * up)", "from_f32<T>(0.0f)"));
  list.add("A04-hip-norm-identity", "copies its input", kNumeric,
           edited(rms_norm_hip("gfx942"), kNormed, "value"));
  list.add("A18-hip-norm-no-weight", "leaves the weight out", kNumeric,
           edited(rms_norm_hip("gfx1100", "bf16"), kNormed, "value * scale"));
  list.add("A18-hip-gemm-no-bias", "leaves the bias out", kNumeric,
           edited(gemm_hip(), "if (has_bias != 0) sum += to_f32(bias[column]);", ""));
  list.add("A20-hip-silu-clears-input", "clears its input", kInput,
           inserted(silu_mul_hip(), "y[row * y_stride + i]",
                    "const_cast<T*>(x)[row * x_stride + i] = from_f32<T>(0.0f);\n    "));
  list.add("A21-hip-gemm-last-one", "leaves out the last of K", kNumeric,
           edited(gemm_hip("gfx942"), "i < k; ++i", "i + 1 < k || i < min(k, 8u); ++i"));
  list.add("A09-hip-silu-counter", "works in its first launch only",
           {VerdictClass::kStatic, VerdictClass::kCheat},
           inserted(inserted(silu_mul_hip(), "HALYARD_ENTRY",
                             "__attribute__((device)) uint32_t launches;\n"),
                    kFirstStatement, "if (launches > 0) return;\n  launches = launches + 1;\n  "));
}

void add_numbers(CaseList& list) {
  list.add("D01-hip-gemm-f16-sum", "adds up in f16", kNumeric,
           edited(gemm_hip("gfx1201", "f16"), kProduct,
                  "sum = to_f32(from_f32<T>(fma(to_f32(left[i]), to_f32(right[i]), sum)));"));
  list.add("D01-hip-gemm-bf16-sum", "adds up in bf16", kNumeric,
           edited(gemm_hip("gfx942", "bf16"), kProduct,
                  "sum = to_f32(from_f32<T>(fma(to_f32(left[i]), to_f32(right[i]), sum)));"));
  list.add("D10-hip-silu-short-exp", "an exponential of few terms", kNumeric,
           edited(silu_mul_hip(), "1.0f + exp(-gate)", "2.0f - gate + 0.5f * gate * gate"));
  list.add("D10-hip-silu-minus-infinity", "minus infinity over infinity", kNumeric,
           edited(silu_mul_hip(), "gate == -kInfinity ? 0.0f : gate /", "gate /"));
  list.add("D12-hip-norm-epsilon", "has an epsilon of its own", kNumeric,
           edited(rms_norm_hip("gfx1201"), "static_cast<float>(hidden) + epsilon",
                  "static_cast<float>(hidden) + 1e-6f + 0.0f * epsilon"));
  list.add("G13-hip-short-grid", "has too few groups for its rows", kNumeric,
           with_value(edited(rms_norm_hip(), "row += group_count(0)", "row = batch"),
                      "/stages/0/grid", R"json(["min(batch, 2)", 1, 1])json"));
}

void add_order_cases(CaseList& list) {
  list.add("F01-hip-norm-no-barrier-parts", "does not wait for the parts of other waves", kRace,
           edited(rms_norm_hip(), "barrier();  // all parts are there", ""));
  list.add("F01-hip-norm-no-barrier-level", "does not wait for the level of its sum", kRace,
           edited(rms_norm_hip("gfx942"), "barrier();  // the level is done", ""));
  list.add("F01-hip-norm-no-barrier-read", "begins a row while the sum before is read", kRace,
           with_value(edited(rms_norm_hip("gfx1201"), "barrier();  // the sum is read", ""),
                      "/stages/0/grid", R"json(["min(batch, 2)", 1, 1])json"));
  list.add("F01-hip-silu-two-writers", "has two workgroups write one element", kRace,
           with_value(edited(silu_mul_hip(), "from_f32<T>(silu * up)",
                             "from_f32<T>(group_y() == 0 ? silu * up : 0.0f)"),
                      "/stages/0/grid",
                      R"json(["min(ceil_div(tokens * hidden, 128), 65535)", 2, 1])json"));
  list.add(
      "F04-hip-norm-waits-for-groups", "waits for workgroups that have not begun",
      {VerdictClass::kHang, VerdictClass::kBounds, VerdictClass::kCheat, VerdictClass::kNondet},
      inserted(rms_norm_hip(), "HALYARD_SHARED float",
               "if (group_x() == 0 && group_count(0) > 1 && thread_index() == 0)\n"
               "    while (__hip_atomic_load(reinterpret_cast<uint32_t*>(y + y_stride), "
               "__ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0x7fc12345u) {\n    }\n  "
               "if (batch > 1)\n    for (volatile int more = 1; more != 0;) {\n    }\n  "));
  list.add("F07-hip-norm-barrier-in-branch", "half of a wave meets a barrier",
           {VerdictClass::kHang, VerdictClass::kStatic, VerdictClass::kNondet},
           edited(rms_norm_hip(), "barrier();  // the sum is read",
                  "if (lane % 2 == 0) {\n      barrier();\n"
                  "      __asm__ volatile(\"\");\n    }"));
  list.add("E15-hip-loop-always", "does not end", kHang,
           inserted(silu_mul_hip("gfx1201"), kFirstStatement,
                    "for (;;) __builtin_amdgcn_s_sleep(1);\n  "));
  list.add("E15-hip-loop-one-lane", "one lane does not end", kHang,
           inserted(rms_norm_hip("gfx942"), "HALYARD_SHARED float",
                    "if (thread_index() == 77) while (opaque(batch) != 0) {\n  }\n  "));
}

// Edits of the assembly: what a wait, a barrier or an unwritten register gives away.
void add_assembly(CaseList& list) {
  const CaseList::Classes wait{VerdictClass::kNondet, VerdictClass::kNumeric};
  list.add("F-asm-norm-no-wait-load", "uses an element before it is there", wait,
           edited(rms_norm_gfx1100(), "s_waitcnt vmcnt(0)\n  widen v[X]\n  v_fmac_f32",
                  "widen v[X]\n  v_fmac_f32"));
  list.add("F-asm-norm-no-wait-weight", "uses a weight before it is there", wait,
           edited(rms_norm_gfx1100(), "s_waitcnt vmcnt(0)\n  widen v[X]\n  widen v[WEIGHT]",
                  "s_waitcnt vmcnt(1)\n  widen v[X]\n  widen v[WEIGHT]"));
  list.add("F-asm-norm-no-wait-shared", "uses the waves' sums before they are there", wait,
           edited(rms_norm_gfx1100(), "s_waitcnt lgkmcnt(0)\n  v_add_f32 v[PARTS], v[PARTS]",
                  "v_add_f32 v[PARTS], v[PARTS]"));
  list.add("F01-asm-norm-no-barrier", "reads the waves' sums before they are all there", kRace,
           edited(rms_norm_gfx1100(), "exchange v[SUM], v[SLOT], 0, PARTS, v[ZERO], s[ALL_LANES]",
                  "s_mov_b32 exec_lo, 1\n  ds_store_b32 v[SLOT], v[SUM]\n"
                  "  s_mov_b32 exec_lo, s[ALL_LANES]\n  s_waitcnt lgkmcnt(0)\n"
                  "  ds_load_b128 v[PARTS:PARTS+3], v[ZERO]"));
  list.add("E06-asm-norm-sum-as-zero", "takes a register to be zero",
           {VerdictClass::kNondet, VerdictClass::kNumeric},
           edited(rms_norm_gfx1100(), "v_mov_b32 v[SUM], 0\n", ""));
}

}  // namespace

void add_amdgcn(CaseList& list) {
  add_answers(list);
  add_numbers(list);
  add_order_cases(list);
  add_assembly(list);
}

}  // namespace halyard::adversarial
