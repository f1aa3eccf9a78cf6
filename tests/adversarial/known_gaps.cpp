// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/known_gaps.h"

#include <algorithm>
#include <array>

namespace halyard::adversarial {
namespace {

struct Gap {
  std::string_view id;
  std::string_view reason;
};

constexpr auto kGaps = std::to_array<Gap>({
    {"A22-gemm-zero-rows", "no inputs put an infinity where it meets a zero"},
    {"D-copy-by-value", "an exact comparison takes a NaN for any NaN and -0 for 0"},
    {"G11-cast-minus-zero", "an exact comparison takes -0 for 0"},
    {"E01-glsl-row-past", "the driver drops writes past the range that is bound"},
    {"E02-attention-past-indices", "reads inside of a tensor are not told from others"},
    {"F03-order-by-thread", "the number of threads is the same in all launches"},
    {"G-copy-dense-rows", "launches with gaps between rows are not made"},
    {"G-norm-dense-rows", "launches with gaps between rows are not made"},
});

}  // namespace

std::optional<std::string_view> known_gap(std::string_view id) {
  const auto* const found =
      std::find_if(kGaps.begin(), kGaps.end(), [id](const Gap& gap) { return gap.id == id; });
  if (found == kGaps.end()) return std::nullopt;
  return found->reason;
}

}  // namespace halyard::adversarial
