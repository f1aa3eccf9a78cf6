// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

// The next tensor may lie where the read goes.
const CaseList::Classes kOutside{VerdictClass::kBounds, VerdictClass::kNumeric};
const CaseList::Classes kUninitialised{VerdictClass::kNondet, VerdictClass::kNumeric,
                                       VerdictClass::kCheat};

Package with_workspace(Package package, std::string_view bytes) {
  package = with_value(std::move(package), "/workspace",
                       R"([{"name": "memory", "bytes": ")" + std::string(bytes) +
                           R"(", "alignment_bytes": 64, "initial": "undefined"}])");
  return with_value(std::move(package), "/stages/0/arguments/-", R"({"workspace": "memory"})");
}

void add_writes(CaseList& list) {
  list.add("E01-norm-one-past", "writes one element past its last row", kBounds,
           edited(rms_norm_cpu(), "to[i] = from_f32<T>(", "to[i + 1] = to[i] = from_f32<T>("));
  list.add("E01-norm-packed-rows", "writes rows as if they were packed", kBounds,
           edited(rms_norm_cpu(), "T* to = y + row * y_stride;", "T* to = y + row * hidden;"));
  list.add("E01-silu-one-past-end", "writes one element past the end", kBounds,
           inserted(silu_mul_cpu(), "for (uint64_t group",
                    "y[static_cast<int64_t>(range->grid[0]) * y_stride] = T{};\n  "));
  list.add("E01-argmax-one-before", "writes one element before the start", kBounds,
           inserted(argmax_cpu(), "for (uint64_t group", "index[-1] = 0;\n  "));
  list.add("E01-gemm-corner", "writes the element past the last corner", kBounds,
           inserted(gemm_cpu("bf16"), "for (uint64_t group",
                    "c[static_cast<int64_t>(range->grid[0]) * c_stride] = T{};\n  "));
  list.add("E01-cast-whole-blocks", "writes whole blocks of 4096", kBounds,
           edited(cast_cpu(), "min(static_cast<int64_t>(range->end) * 4096, n)",
                  "static_cast<int64_t>(range->end) * 4096"));
  list.add("E01-silu-vectors-no-tail", "stores whole vectors at the end of rows", kBounds,
           edited(silu_mul_cpu(), "for (int64_t i = 0; i < hidden; ++i) {",
                  "for (int64_t i = 0; i < ceil_div(hidden, 8) * 8; ++i) {"));
  list.add(
      "E01-page-past", "writes 4 KiB past the end", kBounds,
      inserted(probe_read_cpu(), "for (uint64_t group", "y[range->grid[0] + 1024] = 0.0f;\n  "));
  list.add("E01-megabytes-past", "writes 64 MiB past the end", kBounds,
           inserted(probe_read_cpu(), "for (uint64_t group",
                    "y[range->grid[0] + (16 << 20)] = 0.0f;\n  "));
  list.add("E01-null", "writes to address 0", kBounds,
           inserted(probe_read_cpu(), "for (uint64_t group",
                    "float* volatile nowhere = nullptr;\n  *nowhere = 0.0f;\n  "));
  list.add("E01-kv-append-other-slot", "writes to the slot after the last", kBounds,
           inserted(kv_append_paged_cpu(), "for (int64_t head",
                    "if (slot + 1 < slot_count) k_cache[(slot + 1) * kv_heads * head_dim] = T{};\n"
                    "    "));
  list.add(
      "E01-kv-append-masked", "writes masked tokens to slot 0",
      {VerdictClass::kBounds, VerdictClass::kNumeric},
      edited(edited(kv_append_paged_cpu(), "if (slot < 0 || slot >= slot_count) continue;", ""),
             "const int64_t slot = slots[token];",
             "const int64_t slot = slots[token] >= 0 && slots[token] < slot_count ? "
             "slots[token] : 0;\n    if (slot_count == 0) continue;"));
}

void add_reads(CaseList& list) {
  list.add("E02-norm-one-past", "reads one element past the end, to no effect", kBounds,
           edited(rms_norm_cpu(), "sum += value * value;",
                  "sum += value * value;\n"
                  "      __asm__ volatile(\"\" : : \"r\"(*reinterpret_cast<const volatile "
                  "uint16_t*>(from + i + 1)));"));
  list.add("E02-gemm-vector-tail", "reads whole vectors of B and uses what there is", kBounds,
           edited(gemm_cpu(), "float sum = 0.0f;",
                  "float sum = 0.0f;\n      for (int64_t i = k; i < ceil_div(k, 8) * 8; ++i)\n"
                  "        __asm__ volatile(\"\" : : \"x\"(to_f32(*const_cast<const volatile "
                  "float*>(right + i))));"));
  list.add("E02-cast-one-before", "reads the element before the first", kBounds,
           inserted(cast_cpu(), "for (int64_t i = begin",
                    "if (begin == 0 && n > 0) __asm__ volatile(\"\" : : \"x\"(*const_cast<const "
                    "volatile float*>(x - 1)));\n  "));
  list.add("E02-embedding-unknown-id", "reads the row of an id that there is not", kOutside,
           edited(embedding_cpu(), "id >= 0 && id < vocab", "id < (1 << 30)"));
  list.add("E02-attention-unknown-page", "reads pages that there are not", kOutside,
           edited(attention_decode_paged_cpu(), "if (page < 0 || page >= num_pages) continue;",
                  "(void)num_pages;"));
  list.add(
      "E02-attention-past-indices", "reads positions that no page holds",
      {VerdictClass::kBounds, VerdictClass::kNumeric},
      edited(attention_decode_paged_cpu(), "min<int64_t>(kv_lengths[sequence], pages * page_size)",
             "static_cast<int64_t>(kv_lengths[sequence]) + 0 * pages"));
  list.add("E02-rope-unknown-position", "reads angles of positions that there are not", kOutside,
           edited(rope_cpu(), "position >= 0 && position < max_positions",
                  "position > -(1 << 30) && max_positions > 0"));
  list.add("E02-missing-tensor", "reads the bias where there is none",
           {VerdictClass::kBounds, VerdictClass::kNumeric},
           edited(gemm_cpu(), "if (has_bias) sum += to_f32(bias[column]);",
                  "(void)has_bias;\n      sum += to_f32(bias[column]);"));
}

void add_scratch(CaseList& list) {
  list.add(
      "E04-scratch-overrun", "uses more scratch than it asks for",
      // Scratch lies on the heap, which notices late.
      {VerdictClass::kBounds, VerdictClass::kCheat, VerdictClass::kNondet, VerdictClass::kNumeric},
      with_value(attention_decode_paged_cpu(), "/stages/0/cpu/scratch_bytes", R"("2 * head_dim")"));
  list.add("E04-no-scratch", "uses scratch and asks for none", kBounds,
           with_value(attention_decode_paged_cpu(), "/stages/0/cpu", R"({"partition": "static"})"));
  list.add("E04-workspace-overrun", "writes past the end of its workspace", kBounds,
           inserted(with_workspace(probe_read_cpu(), "64"), "for (uint64_t group",
                    "auto* memory = next.pointer<volatile float>();\n  memory[16] = 1.0f;\n  "));
  list.add("E04-workspace-before", "writes before the start of its workspace", kBounds,
           inserted(with_workspace(probe_read_cpu(), "64"), "for (uint64_t group",
                    "auto* memory = next.pointer<volatile float>();\n  memory[-1] = 1.0f;\n  "));
  list.add("E06-scratch-as-zero", "takes its scratch to be zero", kUninitialised,
           edited(attention_decode_paged_cpu(), "sums[i] = 0.0f;", "sums[i] += 0.0f;"));
  list.add("E06-workspace-as-zero", "takes its workspace to be zero", kUninitialised,
           edited(inserted(with_workspace(probe_read_cpu(), "4 * rows"), "for (uint64_t group",
                           "auto* memory = next.pointer<float>();\n  "),
                  "float sum = 0.0f;", "float sum = memory[row];"));
  list.add("E06-output-as-zero", "adds to an output that it takes to be zero", kUninitialised,
           edited(probe_read_cpu(), "y[row] = sum;", "y[row] += sum;"));
}

void add_addresses(CaseList& list) {
  const CaseList::Classes misaligned{VerdictClass::kBounds, VerdictClass::kNumeric};
  list.add("E09-aligned-loads", "takes its input to be aligned to 32 bytes", misaligned,
           inserted(rms_norm_cpu(), "float sum = 0.0f;",
                    "if (hidden >= 8) __asm__ volatile(\"vmovaps %0, %%ymm0\" : : "
                    "\"m\"(*reinterpret_cast<const F32x8*>(from)) : \"ymm0\");\n    "));
  list.add(
      "E09-aligned-base", "takes its first element to be aligned to 64 bytes",
      {VerdictClass::kBounds, VerdictClass::kNumeric, VerdictClass::kNondet, VerdictClass::kCheat},
      inserted(cast_cpu(), "for (int64_t i = begin",
               "if ((reinterpret_cast<uint64_t>(x) & 63) != 0) return;\n  "));
  list.add("E08-index-16-bits", "counts its elements in 16 bits", kNumeric,
           edited(edited(cast_cpu(), "for (int64_t i = begin; i < end; ++i)",
                         "for (int64_t at = begin; at < end; ++at)"),
                  "y[i] = from_f32<T>(to_f32(x[i]));",
                  "{\n      const auto i = static_cast<uint16_t>(at);\n"
                  "      y[i] = from_f32<T>(to_f32(x[i]));\n    }"));
  list.add("E08-row-16-bits", "has offsets of rows in 16 bits",
           {VerdictClass::kNumeric, VerdictClass::kBounds},
           edited(rms_norm_cpu("f16"), "const T* from = x + row * x_stride;",
                  "const T* from = x + static_cast<int16_t>(row * x_stride);"));
  list.add_long(
      "E08-offset-32-bits", "has offsets of 32 bits, above which it starts again",
      {VerdictClass::kNumeric, VerdictClass::kBounds},
      edited(copy_strided_cpu("u8"), "y[y_offset + i * strides[7]] = x[x_offset + i * strides[3]];",
             "y[static_cast<int32_t>(y_offset + i * strides[7])] = "
             "x[static_cast<int32_t>(x_offset + i * strides[3])];"));
  list.add("E15-loop-always", "does not end", kHang,
           inserted(probe_read_cpu(), "for (uint64_t group",
                    "for (volatile int more = 1; more != 0;) {\n  }\n  "));
  list.add("E15-loop-on-empty", "does not end where a sequence is empty", kHang,
           inserted(attention_decode_paged_cpu(), "float largest",
                    "for (volatile int64_t left = length; left == 0;) {\n    }\n    "));
  list.add("E15-loop-on-one-size", "does not end at one size", kHang,
           inserted(silu_mul_cpu(), "for (uint64_t group",
                    "for (volatile int64_t at = hidden; at == 129;) {\n  }\n  "));
  list.add("E15-loop-on-nan", "does not end where an element is NaN", kHang,
           inserted(argmax_cpu(), "float best",
                    "for (volatile float first = to_f32(from[vocab / 2]); first != first;) {\n"
                    "    }\n    "));
  list.add("E15-loop-in-16-bits", "does not end where a row is longer than its counter", kHang,
           edited(argmax_cpu(), "for (int64_t i = 1; i < vocab && best == best; ++i) {",
                  "for (uint16_t i = 1; i < vocab && best == best; ++i) {"));
}

}  // namespace

void add_memory(CaseList& list) {
  add_writes(list);
  add_reads(list);
  add_scratch(list);
  add_addresses(list);
}

}  // namespace halyard::adversarial
