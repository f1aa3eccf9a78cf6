// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/verification/verification_fixture.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

constexpr std::array<std::string_view, 14> kContracts{
    "add_rms_norm", "argmax",          "attention_decode_paged",
    "cast",         "copy_strided",    "embedding",
    "gemm",         "kv_append_paged", "probe_fma",
    "probe_read",   "rms_norm",        "rope",
    "silu_mul",     "softmax"};

TEST(HonestKernels, TheReferenceIsAccepted) {
  for (const std::string_view name : kContracts) {
    for (const operators::TypeBindings& types : contract(name)->fields().types) {
      SCOPED_TRACE(std::string(name) + " " + operators::type_bindings_text(types));
      HostRunner runner(run_reference, true);
      const NumericsResult result = check_numerics(runner, name, types);
      expect_accepted(result.finding);
      EXPECT_GT(result.checks.size(), 10U);
      for (const store::EvidenceCheck& check : result.checks)
        EXPECT_LE(check.worst_error_ratio.value_or(2), 1);
    }
  }
}

// A product in f32 whose steps are dealt out to `parts` sums that are added in order.
HostRunner::Function split_product(std::size_t parts) {
  return [parts](const HostLaunch& launch) {
    const View a(launch, "A");
    const View b(launch, "B");
    const View c(launch, "C");
    const std::int64_t steps = a.size(1);
    for (std::int64_t i = 0; i < c.count(); ++i) {
      std::vector<float> sums(parts, 0.0F);
      const std::int64_t row = i / c.size(1) * steps;
      const std::int64_t column = i % c.size(1) * steps;
      for (std::int64_t k = 0; k < steps; ++k) {
        sums[static_cast<std::size_t>(k) % parts] +=
            static_cast<float>(a[row + k]) * static_cast<float>(b[column + k]);
      }
      float total = 0;
      for (const float sum : sums)
        total += sum;
      if (launch.tensors[2].data != nullptr)
        total += static_cast<float>(View(launch, "bias_vector")[i % c.size(1)]);
      c.set(i, static_cast<double>(total));
    }
  };
}

TEST(HonestKernels, ProductsInF32AreAcceptedInAnyOrder) {  // I01, I07
  for (const operators::TypeBindings& types : {kF32, kF16, kBf16}) {
    for (const std::size_t parts : {1U, 16U})
      expect_accepted(check_numerics(split_product(parts), "gemm", types).finding);
  }
}

TEST(HonestKernels, GatesInF32AreAccepted) {  // I07
  const auto kernel = [](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const std::int64_t row = i / y.size(1) * x.size(1);
      const auto gate = static_cast<float>(x[row + i % y.size(1)]);
      const auto up = static_cast<float>(x[row + y.size(1) + i % y.size(1)]);
      const float activated = gate == -INFINITY ? -0.0F : gate / (1 + std::exp(-gate));
      y.set(i, static_cast<double>(activated * up));
    }
  };
  for (const operators::TypeBindings& types : {kF32, kF16, kBf16})
    expect_accepted(check_numerics(kernel, "silu_mul", types).finding);
}

TEST(HonestKernels, RotationsInF32AreAccepted) {
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View table(launch, "cos_sin_cache");
    const View positions(launch, "positions");
    const std::int64_t half = launch.problem->prepare_axis("rotary_dim") / 2;
    const bool is_neox = std::get<std::string>(launch.problem->attribute("style")) == "neox";
    for (const auto& [in, out] : {std::pair{"q", "q_out"}, std::pair{"k", "k_out"}}) {
      const View source(launch, in);
      const View target(launch, out);
      const std::int64_t row = source.size(1) * source.size(2);
      for (std::int64_t head = 0; head < source.size(0) * source.size(1); ++head) {
        const std::int64_t position = positions.integer(head * source.size(2) / row);
        if (position < 0 || position >= table.size(0)) continue;
        for (std::int64_t i = 0; i < half; ++i) {
          const std::int64_t first = head * source.size(2) + (is_neox ? i : 2 * i);
          const std::int64_t second = first + (is_neox ? half : 1);
          const auto a = static_cast<float>(source[first]);
          const auto b = static_cast<float>(source[second]);
          const auto cosine = static_cast<float>(table[position * 2 * half + i]);
          const auto sine = static_cast<float>(table[position * 2 * half + half + i]);
          target.set(first, static_cast<double>(a * cosine - b * sine));
          target.set(second, static_cast<double>(b * cosine + a * sine));
        }
      }
    }
  };
  for (const operators::TypeBindings& types : {kF32, kF16, kBf16})
    expect_accepted(check_numerics(kernel, "rope", types).finding);
}

TEST(HonestKernels, ReadSumsInF32AreAccepted) {
  const auto kernel = [](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    for (std::int64_t row = 0; row < y.count(); ++row) {
      std::array<float, 8> sums{};
      for (std::int64_t i = 0; i < x.size(1); ++i)
        sums[static_cast<std::size_t>(i % 8)] += static_cast<float>(x[row * x.size(1) + i]);
      float total = 0;
      for (const float sum : sums)
        total += sum;
      y.set(row, static_cast<double>(total));
    }
  };
  expect_accepted(check_numerics(kernel, "probe_read", kF32).finding);
}

TEST(HonestKernels, OutputsWrittenTwiceAndAKeptWorkspaceAreAccepted) {  // I09, I10
  std::vector<double> workspace;
  const auto kernel = [&workspace](const HostLaunch& launch) {
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i)
      y.set(i, 0);
    run_reference(launch);
    workspace.resize(static_cast<std::size_t>(y.count()));
    for (std::int64_t i = 0; i < y.count(); ++i)
      workspace[static_cast<std::size_t>(i)] = y[i];
    for (std::int64_t i = 0; i < y.count(); ++i)
      y.set(i, workspace[static_cast<std::size_t>(i)]);
  };
  expect_accepted(check_numerics(kernel, "add_rms_norm", kBf16).finding);
  expect_accepted(check_stability(kernel, "add_rms_norm", kBf16).finding);
}

TEST(HonestKernels, AKernelWithConditionsIsAccepted) {
  // Takes multiples of eight only, and knows nothing of others.
  HostRunner runner([](const HostLaunch& launch) {
    EXPECT_EQ(launch.problem->prepare_axis("hidden") % 8, 0);
    run_reference(launch);
  });
  NumericsDesc desc;
  desc.shapes = small_plan("rms_norm", kBf16);
  desc.shapes.serves = [](const operators::Problem& problem, std::span<const std::int64_t>) {
    return problem.prepare_axis("hidden") % 8 == 0;
  };
  const auto result = run_numerics(runner, desc);
  ASSERT_TRUE(result) << result.error().message();
  expect_accepted(result->finding);
  EXPECT_GT(result->checks.size(), 10U);
}

}  // namespace
}  // namespace halyard::verification
