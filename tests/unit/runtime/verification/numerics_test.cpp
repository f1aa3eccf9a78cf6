// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/numerics.h"

#include "tests/unit/runtime/verification/verification_fixture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

std::vector<std::byte> bytes_of(const View& view) {
  const auto* data = static_cast<const std::byte*>(view.data());
  return {data, data + view.size_bytes()};
}

void put_bytes(const View& view, const std::vector<std::byte>& bytes) {
  std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(const_cast<void*>(view.data())));
}

TEST(Numerics, RefusesAKernelThatWritesNothing) {  // A01
  const auto result = check_numerics([](const HostLaunch&) {}, "gemm", kF32);
  expect_finding(result.finding, VerdictClass::kNumeric, "\"C\" is not written: ");
}

TEST(Numerics, RefusesAnUnwrittenNan) {
  // All is written but the NaNs, which poison may be.
  const auto kernel = [](const HostLaunch& launch) {
    const View y(launch, "y");
    const std::vector<std::byte> poison = bytes_of(y);
    run_reference(launch);
    const std::size_t size =
        y.count() == 0 ? 1 : y.size_bytes() / static_cast<std::size_t>(y.count());
    std::vector<std::byte> right = bytes_of(y);
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const auto offset = static_cast<std::size_t>(i) * size;
      if (std::isnan(y[i])) std::memcpy(right.data() + offset, poison.data() + offset, size);
    }
    put_bytes(y, right);
  };
  const auto result = check_numerics(kernel, "rms_norm", kF32);
  expect_finding(result.finding, VerdictClass::kNumeric, "\"y\" is not written: ");
}

TEST(Numerics, RefusesIdentityInPlaceOfANorm) {  // A04
  const auto kernel = [](const HostLaunch& launch) {
    put_bytes(View(launch, "y"), bytes_of(View(launch, "x")));
  };
  expect_finding(check_numerics(kernel, "rms_norm", kBf16).finding, VerdictClass::kNumeric,
                 "\"y\" is wrong at [");
}

TEST(Numerics, CatchesACacheKeyedOnThePointer) {  // A06
  using Key = std::tuple<std::uint64_t, const void*, std::size_t>;
  std::map<Key, std::vector<std::byte>> cache;
  const HostRunner* process = nullptr;
  HostRunner runner([&](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    const auto [entry, is_new] = cache.try_emplace({process->restarts(), x.data(), x.size_bytes()});
    if (is_new) {
      run_reference(launch);
      entry->second = bytes_of(y);
    }
    put_bytes(y, entry->second);
  });
  process = &runner;
  const auto result = check_numerics(runner, "rms_norm", kF32);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->verdict, VerdictClass::kCheat) << result.finding->sentence;
}

TEST(Numerics, CatchesACacheKeyedOnTheFirstElements) {  // A07
  std::map<std::vector<std::byte>, std::vector<std::byte>> cache;
  const auto kernel = [&cache](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    std::vector<std::byte> key = bytes_of(x);
    key.resize(std::min<std::size_t>(key.size(), 4096 * 4));
    const std::size_t size = x.size_bytes();
    for (std::size_t i = 0; i < sizeof(size); ++i)
      key.push_back(static_cast<std::byte>(size >> (8 * i)));
    const auto [entry, is_new] = cache.try_emplace(key);
    if (is_new) {
      run_reference(launch);
      entry->second = bytes_of(y);
    }
    put_bytes(y, entry->second);
  };
  expect_finding(check_numerics(kernel, "argmax", kF32).finding, VerdictClass::kCheat,
                 "The answer is that of the launch before, whose inputs differ. ");
}

TEST(Numerics, CatchesKeptDerivedInputs) {  // A08
  // The table of angles is no constant of the contract.
  std::map<std::pair<const void*, std::size_t>, std::vector<std::byte>> tables;
  const auto kernel = [&tables](const HostLaunch& launch) {
    const View table(launch, "cos_sin_cache");
    std::vector<std::byte> now = bytes_of(table);
    const auto& kept = tables.try_emplace({table.data(), table.size_bytes()}, now).first->second;
    put_bytes(table, kept);
    run_reference(launch);
    put_bytes(table, now);
  };
  expect_finding(check_numerics(kernel, "rope", kF32).finding, VerdictClass::kCheat,
                 "The answer is that of the launch before, whose inputs differ. ");
}

TEST(Numerics, CatchesACounterOfLaunches) {  // A09, A10
  HostRunner* runner = nullptr;
  std::uint64_t restarts = 0;
  int launches = 0;
  HostRunner counting([&](const HostLaunch& launch) {
    if (runner->restarts() != restarts) launches = 0;
    restarts = runner->restarts();
    run_reference(launch);
    if (++launches > 90) View(launch, "index").set(0, -1);
  });
  runner = &counting;
  const auto result = check_numerics(counting, "argmax", kF32);
  ASSERT_TRUE(result.finding);
  expect_finding(result.finding, VerdictClass::kCheat,
                 "The answer is right in a fresh process and wrong at launch 91 each time. ");
}

TEST(Numerics, TellsARaceFromMemory) {  // F01
  int launches = 0;
  const auto kernel = [&launches](const HostLaunch& launch) {
    run_reference(launch);
    ++launches;
    if (launches % 37 == 0 && View(launch, "y").count() > 0) View(launch, "y").set(0, 1e6);
  };
  expect_finding(check_numerics(kernel, "rms_norm", kF32).finding, VerdictClass::kNondet,
                 "The same launch is right in a fresh process. ");
}

TEST(Numerics, RefusesALossyPathForNominalInputs) {  // A11
  const auto kernel = [](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    run_reference(launch);
    double greatest = 0;
    for (std::int64_t i = 0; i < x.count(); ++i)
      greatest = std::max(greatest, std::abs(x[i]));
    for (std::int64_t i = 0; i < y.count() && greatest < 100; ++i)
      y.set(i, base::bf16_to_double(base::bf16_from_double(y[i])));
  };
  expect_finding(check_numerics(kernel, "rms_norm", kF32).finding, VerdictClass::kNumeric,
                 "\"y\" is wrong at [");
}

TEST(Numerics, RefusesSmallRowsBesideLargeOnes) {  // A11
  const auto kernel = [](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    run_reference(launch);
    double greatest = 0;
    for (std::int64_t i = 0; i < x.count(); ++i)
      greatest = std::max(greatest, std::abs(x[i]));
    if (!(greatest > 100) || std::isinf(greatest)) return;
    for (std::int64_t i = 0; i < y.count(); ++i) {
      if (std::abs(x[i]) < greatest * 1e-5) y.set(i, 0);
    }
  };
  const auto result = check_numerics(kernel, "rms_norm", kF32);
  expect_finding(result.finding, VerdictClass::kNumeric, ": 0 instead of ");
}

TEST(Numerics, RefusesADroppedWeight) {  // A18
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View weight(launch, "weight");
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i)
      y.set(i, y[i] / weight[i % weight.count()]);
  };
  expect_finding(check_numerics(kernel, "rms_norm", kBf16).finding, VerdictClass::kNumeric,
                 "\"y\" is wrong at [");
}

TEST(Numerics, CatchesModifiedInputs) {  // A20
  const auto kernel = [](const HostLaunch& launch) {
    for (const char* name : {"A", "B", "C"}) {
      const View view(launch, name);
      put_bytes(view, std::vector<std::byte>(view.size_bytes()));
    }
  };
  expect_finding(check_numerics(kernel, "gemm", kF32).finding, VerdictClass::kCheat,
                 "The launch modifies its input \"");
}

TEST(Numerics, RefusesAWritePastTheEnd) {  // E01
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View y(launch, "y");
    if (y.count() % 4 == 1) y.set(y.count(), 0);
  };
  expect_finding(check_numerics(kernel, "rms_norm", kF32).finding, VerdictClass::kBounds,
                 "The launch writes 1 element past the end of tensor \"y\" (1 elements).");
}

TEST(Numerics, RefusesAWriteBeforeTheStart) {
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View y(launch, "y");
    if (y.count() > 0) y.set(-3, 0);
  };
  expect_finding(check_numerics(kernel, "rms_norm", kF32).finding, VerdictClass::kBounds,
                 "The launch writes 3 elements before the start of tensor \"y\"");
}

TEST(Numerics, RefusesToTouchOtherSlots) {
  const auto kernel = [](const HostLaunch& launch) {
    const View slots(launch, "slots");
    const View cache(launch, "k_cache");
    std::set<std::int64_t> used;
    for (std::int64_t i = 0; i < slots.count(); ++i)
      used.insert(slots.integer(i));
    run_reference(launch);
    const std::int64_t row = cache.size(2) * cache.size(3);
    for (std::int64_t slot = 0; slot * row < cache.count(); ++slot) {
      if (!used.contains(slot)) return cache.set(slot * row, 77);
    }
  };
  expect_finding(check_numerics(kernel, "kv_append_paged", kF32).finding, VerdictClass::kBounds,
                 "\"k_cache\" changes in 1 element that the launch should leave alone.");
}

TEST(Numerics, ReportsASmallCounterExample) {
  const auto kernel = [](const HostLaunch& launch) {
    run_reference(launch);
    const View c(launch, "C");
    if (c.size(0) >= 3 && c.size(1) >= 5) c.set(2 * c.size(1) + 4, 1e4);
  };
  const auto result = check_numerics(kernel, "gemm", kF32);
  ASSERT_TRUE(result.finding && result.finding->counter_example);
  const CounterExample& example = *result.finding->counter_example;
  EXPECT_EQ(example.axes.at("M"), 3);
  EXPECT_EQ(example.axes.at("N"), 5);
  EXPECT_LE(example.axes.at("K"), 1);
  EXPECT_EQ(example.tensor, "C");
  EXPECT_THAT(example.index, ::testing::ElementsAre(2, 4));
  EXPECT_EQ(example.got, "10000");
  EXPECT_EQ(example.inputs, "normal");
  EXPECT_TRUE(example.attributes.at("bias").is_int64());
  EXPECT_EQ(example.types.at("T"), base::DataType::kF32);
  EXPECT_FALSE(example.is_held_out);
}

TEST(Numerics, TellsNoValuesOfHeldOutShapes) {
  std::set<std::string> shown;
  auto plan = plan_shapes(small_plan("rms_norm", kF32));
  ASSERT_TRUE(plan);
  for (const PlannedShape& shape : *plan) {
    if (shape.origin != ShapeOrigin::kHeldOut) shown.insert(axes_text(shape.axes));
  }
  // Knows the shapes that are shown, and is wrong on all others.
  const auto kernel = [&shown](const HostLaunch& launch) {
    run_reference(launch);
    const View x(launch, "x");
    const std::vector<operators::AxisValue> axes{{"batch", x.size(0)}, {"hidden", x.size(1)}};
    if (!shown.contains(axes_text(axes))) View(launch, "y").set(0, 12345);
  };
  const auto result = check_numerics(kernel, "rms_norm", kF32);
  expect_finding(result.finding, VerdictClass::kNumeric,
                 "A launch of a held-out shape gives wrong values; its bucket is batch from ");
  const CounterExample& example = *result.finding->counter_example;
  EXPECT_TRUE(example.is_held_out);
  EXPECT_EQ(example.got + example.expected + example.tensor + example.inputs, "");
  EXPECT_EQ(example.seed, 0U);
  EXPECT_TRUE(example.index.empty());
  EXPECT_THAT(result.finding->sentence, ::testing::Not(::testing::HasSubstr("12345")));
}

TEST(Numerics, IsUndecidedPastItsDeadline) {
  HostRunner runner(run_reference);
  NumericsDesc desc;
  desc.shapes = small_plan("gemm", kF32);
  desc.deadline = std::chrono::steady_clock::now();
  const auto result = run_numerics(runner, desc);
  ASSERT_TRUE(result);
  expect_finding(result->finding, VerdictClass::kUndecided, "The deadline passes after 0 of ");
}

TEST(Numerics, RefusesAKernelThatTakesNothing) {
  HostRunner runner(run_reference);
  NumericsDesc desc;
  desc.shapes = small_plan("gemm", kF32);
  desc.shapes.serves = [](const operators::Problem&, std::span<const std::int64_t>) {
    return false;
  };
  const auto result = run_numerics(runner, desc);
  ASSERT_TRUE(result);
  expect_finding(result->finding, VerdictClass::kStatic,
                 "The kernel takes no shape of contract \"gemm\" with T = f32.");
}

}  // namespace
}  // namespace halyard::verification
