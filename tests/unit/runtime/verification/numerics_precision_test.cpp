// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/verification/verification_fixture.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

using Round = std::function<double(double)>;

double to_bf16(double value) {
  return base::bf16_to_double(base::bf16_from_double(value));
}

double to_f16(double value) {
  return base::f16_to_double(base::f16_from_double(value));
}

// A product that rounds its sum after each step and leaves out the last `skipped` steps.
HostRunner::Function product(Round round, std::int64_t skipped = 0) {
  return [round = std::move(round), skipped](const HostLaunch& launch) {
    const View a(launch, "A");
    const View b(launch, "B");
    const View c(launch, "C");
    const bool has_bias = launch.tensors[2].data != nullptr;
    const std::int64_t steps = a.size(1);
    for (std::int64_t i = 0; i < c.size(0); ++i) {
      for (std::int64_t j = 0; j < c.size(1); ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < std::max<std::int64_t>(steps - skipped, 0); ++k)
          sum = round(sum + a[i * steps + k] * b[j * steps + k]);
        c.set(i * c.size(1) + j, has_bias ? sum + View(launch, "bias_vector")[j] : sum);
      }
    }
  };
}

TEST(NumericsPrecision, RefusesSumsInNarrowTypes) {  // D01, D02, D03
  expect_finding(check_numerics(product(to_bf16), "gemm", kBf16).finding, VerdictClass::kNumeric,
                 "\"C\" is wrong at [");
  expect_finding(check_numerics(product(to_f16), "gemm", kF16).finding, VerdictClass::kNumeric,
                 "\"C\" is wrong at [");
}

TEST(NumericsPrecision, RefusesSumsThatStickAtALimit) {  // D01
  // Right but for long reductions, as a counter of 11 bits is.
  const auto stick = [](double sum) { return std::clamp(sum, -2048.0, 2048.0); };
  const auto result = check_numerics(product(stick), "gemm", kBf16);
  expect_finding(result.finding, VerdictClass::kNumeric, "\"C\" is wrong at [");
}

TEST(NumericsPrecision, RefusesProductsInTf32) {  // D04
  const auto tf32 = [](double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
  };
  const auto kernel = [&tf32](const HostLaunch& launch) {
    const View a(launch, "A");
    const View b(launch, "B");
    const View c(launch, "C");
    for (std::int64_t i = 0; i < c.count(); ++i) {
      double sum =
          launch.tensors[2].data == nullptr ? 0 : View(launch, "bias_vector")[i % c.size(1)];
      for (std::int64_t k = 0; k < a.size(1); ++k)
        sum += tf32(a[i / c.size(1) * a.size(1) + k]) * tf32(b[i % c.size(1) * a.size(1) + k]);
      c.set(i, sum);
    }
  };
  expect_finding(check_numerics(kernel, "gemm", kF32).finding, VerdictClass::kNumeric,
                 "\"C\" is wrong at [");
}

TEST(NumericsPrecision, RefusesASkippedStep) {  // A21
  const auto exact = [](double sum) { return sum; };
  for (const std::int64_t skipped : {1, 64}) {
    expect_finding(check_numerics(product(exact, skipped), "gemm", kBf16).finding,
                   VerdictClass::kNumeric, "\"C\" is wrong at [");
  }
}

TEST(NumericsPrecision, RefusesOneSkippedStepOfThousands) {  // A21
  const auto kernel = [](const HostLaunch& launch) {
    const std::int64_t steps = View(launch, "A").size(1);
    product([](double sum) { return sum; }, steps >= 4097 ? 1 : 0)(launch);
  };
  expect_finding(check_numerics(kernel, "gemm", kBf16).finding, VerdictClass::kNumeric,
                 "\"C\" is wrong at [");
}

// A norm with another epsilon, in f32.
HostRunner::Function norm(double factor) {
  return [factor](const HostLaunch& launch) {
    const View x(launch, "x");
    const View weight(launch, "weight");
    const View y(launch, "y");
    const double epsilon = std::get<double>(launch.problem->attribute("epsilon")) * factor;
    const std::int64_t hidden = x.size(1);
    for (std::int64_t row = 0; row < x.size(0); ++row) {
      float sum = 0;
      for (std::int64_t i = 0; i < hidden; ++i)
        sum += static_cast<float>(x[row * hidden + i]) * static_cast<float>(x[row * hidden + i]);
      const float mean = sum / static_cast<float>(hidden) + static_cast<float>(epsilon);
      const float scale = 1 / std::sqrt(mean);
      for (std::int64_t i = 0; i < hidden; ++i) {
        const float value = static_cast<float>(x[row * hidden + i]) * scale;
        y.set(row * hidden + i, static_cast<double>(value * static_cast<float>(weight[i])));
      }
    }
  };
}

TEST(NumericsPrecision, RefusesAnotherEpsilon) {  // D12
  for (const operators::TypeBindings& types : {kF32, kF16, kBf16}) {
    expect_accepted(check_numerics(norm(1), "rms_norm", types).finding);
    expect_finding(check_numerics(norm(0.1), "rms_norm", types).finding, VerdictClass::kNumeric,
                   "\"y\" is wrong at [");
  }
}

// Attention in f32; `stable` takes off the greatest score first.
HostRunner::Function attention(bool stable, bool keeps_page_order = true) {
  return [stable, keeps_page_order](const HostLaunch& launch) {
    const View q(launch, "q");
    const View keys(launch, "k_cache");
    const View values(launch, "v_cache");
    const View starts(launch, "kv_indptr");
    const View pages(launch, "kv_indices");
    const View lengths(launch, "kv_lengths");
    const View output(launch, "output");
    const View lse(launch, "lse");
    const std::int64_t heads = q.size(1);
    const std::int64_t dim = q.size(2);
    const std::int64_t page_size = keys.size(1);
    const std::int64_t kv_heads = keys.size(2);
    for (std::int64_t row = 0; row < q.size(0) * heads; ++row) {
      const std::int64_t sequence = row / heads;
      const std::int64_t kv_head = row % heads / (heads / kv_heads);
      std::vector<float> sums(static_cast<std::size_t>(dim), 0.0F);
      float greatest = stable ? -INFINITY : 0.0F;
      float total = 0;
      const std::int64_t first = starts.integer(sequence);
      const std::int64_t room = (starts.integer(sequence + 1) - first) * page_size;
      for (std::int64_t p = 0; p < std::min(room, lengths.integer(sequence)); ++p) {
        const std::int64_t page = keeps_page_order ? pages.integer(first + p / page_size)
                                                   : pages.integer(first) + p / page_size;
        if (page < 0 || page >= keys.size(0)) continue;
        const std::int64_t base = ((page * page_size + p % page_size) * kv_heads + kv_head) * dim;
        float score = 0;
        for (std::int64_t i = 0; i < dim; ++i)
          score += static_cast<float>(q[row * dim + i]) * static_cast<float>(keys[base + i]);
        score *= static_cast<float>(launch.scalars[0]);
        if (score == -INFINITY) continue;
        const float next = stable ? std::max(greatest, score) : 0.0F;
        const float kept = greatest == -INFINITY ? 0.0F : std::exp(greatest - next);
        const float weight = std::isnan(score) ? score : std::exp(score - next);
        greatest = next;
        total = total * kept + weight;
        for (std::int64_t i = 0; i < dim; ++i) {
          float& sum = sums[static_cast<std::size_t>(i)];
          sum = sum * kept + weight * static_cast<float>(values[base + i]);
        }
      }
      for (std::int64_t i = 0; i < dim; ++i) {
        const float sum = sums[static_cast<std::size_t>(i)];
        output.set(row * dim + i, static_cast<double>(total == 0 ? 0.0F : sum / total));
      }
      const float log = greatest + std::log(total);
      lse.set(row, total == 0 ? -HUGE_VAL : static_cast<double>(log * 1.44269504F));
    }
  };
}

TEST(NumericsPrecision, AcceptsOnlineSoftmax) {  // I02
  for (const operators::TypeBindings& types : {kF32, kF16, kBf16}) {
    expect_accepted(check_numerics(attention(true), "attention_decode_paged", types).finding);
  }
}

TEST(NumericsPrecision, RefusesUnstableSoftmax) {  // D10, D11
  expect_finding(check_numerics(attention(false), "attention_decode_paged", kF32).finding,
                 VerdictClass::kNumeric, " is wrong at [");
}

TEST(NumericsPrecision, RefusesPagesTakenInOrder) {  // G05
  expect_finding(check_numerics(attention(true, false), "attention_decode_paged", kF32).finding,
                 VerdictClass::kNumeric, " is wrong at [");
}

TEST(NumericsPrecision, RefusesZerosForAttention) {  // A03
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View output(launch, "output");
    for (std::int64_t i = 0; i < output.count(); ++i)
      output.set(i, 0);
  };
  expect_finding(check_numerics(kernel, "attention_decode_paged", kBf16).finding,
                 VerdictClass::kNumeric, "\"output\" is wrong at [");
}

TEST(NumericsPrecision, RefusesAGateThatOverflows) {  // D10
  const auto kernel = [](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const std::int64_t row = i / y.size(1) * x.size(1);
      const auto gate = static_cast<float>(x[row + i % y.size(1)]);
      const auto up = static_cast<float>(x[row + y.size(1) + i % y.size(1)]);
      // exp(gate) / (1 + exp(gate)) is infinity over infinity for large gates.
      const float grown = std::exp(gate);
      y.set(i, static_cast<double>(gate * grown / (1 + grown) * up));
    }
  };
  expect_finding(check_numerics(kernel, "silu_mul", kF32).finding, VerdictClass::kNumeric,
                 "\"y\" is wrong at [");
}

TEST(NumericsPrecision, RefusesTruncationInPlaceOfRounding) {  // D09
  const operators::TypeBindings types{{"S", base::DataType::kF32}, {"T", base::DataType::kBf16}};
  const auto kernel = [](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const double rounded = to_bf16(x[i]);
      const bool has_ulp = std::isfinite(x[i]) && x[i] != 0;
      const double ulp = has_ulp ? std::ldexp(1.0, std::ilogb(x[i]) - 7) : 1.0;
      const bool is_tie = has_ulp && std::abs(rounded - x[i]) == ulp / 2;
      y.set(i, is_tie ? std::trunc(x[i] / ulp) * ulp : rounded);
    }
  };
  expect_finding(check_numerics(kernel, "cast", types).finding, VerdictClass::kNumeric,
                 "inputs \"extreme\"");
}

TEST(NumericsPrecision, RefusesFlushedHalves) {  // D08
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View x(launch, "x");
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i) {
      if (std::abs(x[i]) < 0x1p-14) y.set(i, 0);
    }
  };
  const operators::TypeBindings types{{"S", base::DataType::kF16}, {"T", base::DataType::kF32}};
  expect_finding(check_numerics(kernel, "cast", types).finding, VerdictClass::kNumeric,
                 "\"y\" is wrong at [");
}

}  // namespace
}  // namespace halyard::verification
