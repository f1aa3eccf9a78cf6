// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/known_gaps.h"

#include <algorithm>
#include <array>

namespace halyard::adversarial {
namespace {

constexpr auto kGaps = std::to_array<KnownGap>({
    {"A06-workspace-pointer-cache", "what a workspace keeps is looked at over a few launches only",
     true},
    {"A07-workspace-fingerprint", "what a workspace keeps is looked at over a few launches only",
     true},
    {"A07-workspace-last-element", "what a workspace keeps is looked at over a few launches only",
     true},
    {"A08-kept-table", "what a workspace keeps is looked at over a few launches only", true},
    {"A10-batch-and-skip", "what a workspace keeps is looked at over a few launches only", true},
    {"A22-gemm-zero-rows", "few inputs put an infinity where it meets a zero", true},
    {"E01-glsl-one-past", "the driver drops writes past the range that is bound"},
    {"D-copy-by-value", "an exact comparison takes a NaN for any NaN and -0 for 0"},
    {"G11-cast-minus-zero", "an exact comparison takes -0 for 0"},
    {"E01-glsl-row-past", "the driver drops writes past the range that is bound"},
    {"E02-attention-past-indices", "reads inside of a tensor are not told from others"},
    {"F03-order-by-thread", "the number of threads is the same in all launches"},
    {"G-copy-dense-rows", "launches with gaps within rows are not made"},
    {"argmax_glsl:23:2:statement: if (row >= batch) return; -> ;",
     "the driver drops writes past the range that is bound", true},
    {"rms_norm_glsl:18:2:statement: if (row >= batch) return; -> ;",
     "the driver drops writes past the range that is bound", true},
    {"embedding_glsl:20:15:operator:  &&  ->  || ", "reads past a range give 0, as the rule asks",
     true},
    {"attention_decode_paged_cpu:32:49:operator:  -  ->  + ",
     "reads inside of a tensor are not told from others", true},
    {"attention_decode_paged_cpu:36:28:bound: head_dim -> head_dim + 1",
     "scratch lies on the heap, without a fence", true},
});

}  // namespace

const KnownGap* known_gap(std::string_view id) {
  const auto* const found =
      std::find_if(kGaps.begin(), kGaps.end(), [id](const KnownGap& gap) { return gap.id == id; });
  return found == kGaps.end() ? nullptr : found;
}

}  // namespace halyard::adversarial
