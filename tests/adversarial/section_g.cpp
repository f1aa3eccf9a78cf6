// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/base_kernels.h"
#include "tests/adversarial/corpus.h"

namespace halyard::adversarial {
namespace {

const CaseList::Classes kWrongPlace{VerdictClass::kBounds, VerdictClass::kNumeric};

void add_tails(CaseList& list) {
  list.add("G01-gemm-row-tail", "leaves out rows past a multiple of 8", kNumeric,
           edited(gemm_cpu(), "const T* left",
                  "if (row >= static_cast<int64_t>(range->grid[0]) / 8 * 8 && range->grid[0] > 8) "
                  "continue;\n    const T* left"));
  list.add("G02-gemm-column-tail", "leaves out columns past a multiple of 16", kNumeric,
           edited(gemm_cpu(), "column < n; ++column", "column < n / 16 * 16; ++column"));
  list.add("G02-gemm-k-tail", "leaves out K past a multiple of 32", kNumeric,
           edited(gemm_cpu(), "for (int64_t i = 0; i < k; ++i)",
                  "for (int64_t i = 0; i < k / 32 * 32; ++i)"));
  list.add("G02-gemm-swapped", "has rows and columns of B swapped", kWrongPlace,
           edited(edited(gemm_cpu(), "const T* right = b + column * k;", "const T* right = b;"),
                  "to_f32(right[i])", "to_f32(right[i * n + column])"));
  list.add("G02-gemm-k-zero", "writes nothing where K is 0", kNumeric,
           edited(gemm_cpu(), "const T* left", "if (k == 0) continue;\n    const T* left"));
  list.add("G02-gemm-stride", "takes the rows of C to lie as those of A", kWrongPlace,
           edited(gemm_cpu(), "T* to = c + row * c_stride;",
                  "(void)c_stride;\n    T* to = c + row * a_stride;"));
  list.add("G02-norm-one-column", "is wrong where a row has one element", kNumeric,
           edited(rms_norm_cpu(), "float sum = 0.0f;", "float sum = hidden == 1 ? 1.0f : 0.0f;"));
  list.add("G12-argmax-power-of-two", "searches the greatest power of two below the vocabulary",
           kNumeric,
           edited(argmax_cpu(), "i < vocab && best == best",
                  "i < (int64_t{1} << (63 - __builtin_clzl(static_cast<uint64_t>(vocab)))) && best "
                  "== best"));
  list.add("G-copy-transposed", "swaps two dimensions of its output", kWrongPlace,
           edited(copy_strided_cpu(), "place[d] * strides[4 + d]",
                  "place[d == 0 ? 0 : 3 - d] * strides[4 + d]"));
  list.add("G-copy-dense-rows", "takes the last dimension to be dense", kWrongPlace,
           edited(copy_strided_cpu("i16"), "x[x_offset + i * strides[3]]", "x[x_offset + i]"));
  list.add("G-norm-dense-rows", "takes the rows of its input to lie without gaps", kWrongPlace,
           edited(rms_norm_cpu(), "x + row * x_stride", "x + row * hidden + 0 * x_stride"));
}

void add_sequences(CaseList& list) {
  list.add("G03-attention-empty", "divides by 0 where a sequence is empty", kNumeric,
           edited(attention_decode_paged_cpu(), "total == 0.0f ? 0.0f : sums[i] / total",
                  "sums[i] / total"));
  list.add("G03-attention-empty-lse", "says 0 for the sum of no position", kNumeric,
           edited(attention_decode_paged_cpu(),
                  "total == 0.0f ? -__builtin_inff() : largest + log2(total)",
                  "total == 0.0f ? 0.0f : largest + log2(total)"));
  list.add("G04-attention-one-length", "takes all sequences to be as long as the first",
           kWrongPlace,
           edited(attention_decode_paged_cpu(), "kv_lengths[sequence]", "kv_lengths[0]"));
  list.add("G05-attention-page-order", "takes the pages to lie in order", kWrongPlace,
           edited(attention_decode_paged_cpu(), "kv_indices[first + position / page_size]",
                  "kv_indices[first] + position / page_size"));
  list.add("G05-attention-page-shift", "takes the size of a page to be a power of two", kWrongPlace,
           edited(attention_decode_paged_cpu(), "kv_indices[first + position / page_size]",
                  "kv_indices[first + (position >> (63 - __builtin_clzl(static_cast<uint64_t>("
                  "page_size))))]"));
  list.add("G05-attention-heads-by-turns", "shares key heads by turns, not in blocks", kNumeric,
           edited(attention_decode_paged_cpu(), "head / (q_heads / kv_heads)", "head % kv_heads"));
  list.add("G05-attention-value-head", "reads the values where the keys were read", kNumeric,
           edited(attention_decode_paged_cpu(), "weight * to_f32(v_cache[offset + i])",
                  "weight * to_f32(k_cache[offset + i])"));
  list.add("G05-kv-append-page", "forgets the number of heads in its rows", kWrongPlace,
           edited(kv_append_paged_cpu(), "(slot * kv_heads + head) * head_dim + i",
                  "slot * head_dim + head * head_dim + i"));
  list.add("G05-kv-append-values", "writes keys where values belong", kNumeric,
           edited(kv_append_paged_cpu(), "= v[token * v_stride + head * v_head_stride + i];",
                  "= k[token * v_stride + head * v_head_stride + i];"));
}

void add_ties(CaseList& list) {
  list.add(
      "G07-argmax-last-tie", "takes the last among equals", kNumeric,
      edited(argmax_cpu(), "value > best || value != value", "value >= best || value != value"));
  list.add("G07-argmax-no-nan", "leaves NaN out", kNumeric,
           edited(edited(argmax_cpu(), "value > best || value != value", "value > best"),
                  "i < vocab && best == best", "i < vocab"));
  list.add("G07-argmax-last-nan", "takes the last NaN", kNumeric,
           edited(argmax_cpu(), "i < vocab && best == best", "i < vocab"));
  list.add("G07-argmax-by-bits", "tells -0 from 0", kNumeric,
           edited(argmax_cpu(), "value > best || value != value",
                  "value > best || value != value || (value == 0.0f && best == 0.0f && "
                  "__builtin_signbit(best) && !__builtin_signbit(value))"));
  list.add("G07-argmax-from-zero", "starts from 0, below which nothing wins", kNumeric,
           edited(edited(argmax_cpu(), "float best = to_f32(from[0]);", "float best = 0.0f;"),
                  "for (int64_t i = 1;", "for (int64_t i = 0;"));
  list.add("G07-argmax-magnitude", "takes the greatest magnitude", kNumeric,
           edited(argmax_cpu(), "const float value = to_f32(from[i]);",
                  "const float value = __builtin_fabsf(to_f32(from[i]));"));
  list.add("G11-cast-minus-zero", "turns -0 into 0", kNumeric,
           edited(cast_cpu(), "to_f32(x[i])", "to_f32(x[i]) + 0.0f"));
  list.add("G11-cast-infinity", "turns infinity into the greatest number", kNumeric,
           edited(cast_cpu("bf16", "f16"), "from_f32<T>(to_f32(x[i]))",
                  "from_f32<T>(__builtin_isinf(to_f32(x[i])) ? 65504.0f : to_f32(x[i]))"));
  list.add(
      "G11-norm-infinity", "stops at the greatest number where a row is infinite", kNumeric,
      edited(rms_norm_cpu(), "sum += value * value;", "sum = min(sum + value * value, 3.0e38f);"));
  list.add("G11-gemm-nan-as-zero", "takes NaN for 0", kNumeric,
           edited(gemm_cpu(), "sum += to_f32(left[i]) * to_f32(right[i]);",
                  "{\n        const float product = to_f32(left[i]) * to_f32(right[i]);\n"
                  "        sum += product == product ? product : 0.0f;\n      }"));
}

void add_angles(CaseList& list) {
  list.add("G10-rope-clamped", "takes the last angle for positions past the table", kNumeric,
           edited(edited(rope_cpu(), "const int64_t position = positions[token];",
                         "const int64_t position = max<int64_t>(0, min(positions[token], "
                         "max_positions - 1));"),
                  "position >= 0 && position < max_positions", "true"));
  list.add("G10-rope-tail", "leaves elements past the rotated ones alone", kNumeric,
           edited(rope_cpu(), "for (int64_t i = 2 * half; i < head_dim; ++i)",
                  "for (int64_t i = known ? head_dim : 0; i < head_dim; ++i)"));
  list.add("G10-rope-order", "pairs neighbours, as the other style does", kNumeric,
           edited(edited(edited(edited(rope_cpu(), "to_f32(from[i]);\n      const float second",
                                       "to_f32(from[2 * i]);\n      const float second"),
                                "to_f32(from[i + half])", "to_f32(from[2 * i + 1])"),
                         "to[i] = from_f32<T>(first", "to[2 * i] = from_f32<T>(first"),
                  "to[i + half] =", "to[2 * i + 1] ="));
  list.add(
      "G10-rope-backwards", "turns the other way", kNumeric,
      edited(edited(rope_cpu(), "first * cosine - second * sine", "first * cosine + second * sine"),
             "second * cosine + first * sine", "second * cosine - first * sine"));
  list.add("G10-rope-keys-as-queries", "rotates keys by the queries' strides", kWrongPlace,
           edited(rope_cpu(), "is_q ? strides : strides + 2;", "strides;"));
  list.add("G10-rope-both-styles", "serves a style that it does not compute", kNumeric,
           without_value(rope_cpu(), "/attributes"));
  list.add(
      "G14-embedding-clamped", "takes the last row for ids that there are not", kNumeric,
      edited(edited(embedding_cpu(), "const int64_t id = ids[token];",
                    "const int64_t id = max<int64_t>(0, min<int64_t>(ids[token], vocab - 1));"),
             "id >= 0 && id < vocab", "vocab > 0"));
  list.add("G14-embedding-last-row", "takes the last row to be no row", kNumeric,
           edited(embedding_cpu(), "id < vocab", "id < vocab - 1"));
  list.add("G14-embedding-16-bits", "reads ids as 16 bits", kWrongPlace,
           edited(embedding_cpu(), "const int64_t id = ids[token];",
                  "const int64_t id = static_cast<int16_t>(ids[token]);"));
}

}  // namespace

void add_edges(CaseList& list) {
  add_tails(list);
  add_sequences(list);
  add_ties(list);
  add_angles(list);
}

}  // namespace halyard::adversarial
