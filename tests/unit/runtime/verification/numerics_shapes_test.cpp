// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/verification/verification_fixture.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

// A right kernel but for what `spoil` does afterwards.
HostRunner::Function spoiled(HostRunner::Function spoil) {
  return [spoil = std::move(spoil)](const HostLaunch& launch) {
    run_reference(launch);
    spoil(launch);
  };
}

TEST(NumericsShapes, RefusesAMissingTail) {  // G01, G02
  // Four elements at a time, and nothing for what is left: it stays what it was.
  const auto kernel = [](const HostLaunch& launch) {
    const View y(launch, "y");
    std::vector<std::byte> before(y.size_bytes());
    auto* data = static_cast<std::byte*>(const_cast<void*>(y.data()));
    std::copy(data, data + before.size(), before.begin());
    run_reference(launch);
    const std::size_t size =
        y.count() == 0 ? 1 : before.size() / static_cast<std::size_t>(y.count());
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const std::int64_t column = i % y.size(1);
      if (column < y.size(1) / 4 * 4) continue;
      const std::size_t offset = static_cast<std::size_t>(i) * size;
      std::copy_n(before.data() + offset, size, data + offset);
    }
  };
  expect_finding(check_numerics(kernel, "silu_mul", kBf16).finding, VerdictClass::kNumeric,
                 "\"y\" is not written: ");
}

TEST(NumericsShapes, RefusesRowsPastTheLimitOfAGrid) {  // G13
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View y(launch, "y");
    for (std::int64_t i = 65535 * y.size(1); i < y.count(); ++i)
      y.set(i, 99);
  });
  HostRunner runner(kernel);
  NumericsDesc desc;
  desc.shapes = small_plan("rms_norm", kF32);
  desc.shapes.budget.edge.steps = 600'000;
  const auto result = run_numerics(runner, desc);
  ASSERT_TRUE(result);
  expect_finding(result->finding, VerdictClass::kNumeric, "\"y\" is wrong at [65535, 0]");
}

// The reference, for which the rows of one tensor are packed whatever their strides say.
NumericsResult check_packed(std::size_t tensor) {
  HostRunner runner(
      [tensor](const HostLaunch& launch) {
        std::vector<operators::WritableTensor> tensors(launch.tensors.begin(),
                                                       launch.tensors.end());
        const auto shapes = launch.problem->shapes(launch.launch_axes);
        tensors[tensor] = operators::dense_tensor(shapes->tensors[tensor], tensors[tensor].data);
        run_reference({launch.problem, launch.launch_axes, tensors, launch.scalars});
      },
      true);
  return check_numerics(runner, "rms_norm", kF32);
}

TEST(NumericsShapes, RefusesAStrideOfAnOutputThatIsIgnored) {
  const NumericsResult result = check_packed(2);
  expect_finding(result.finding, VerdictClass::kBounds,
                 "The launch writes between rows 0 and 1 of tensor \"y\". The rows of its tensors "
                 "lie apart, as their strides say.");
  ASSERT_TRUE(result.finding->counter_example);
  EXPECT_EQ(result.finding->counter_example->axes.at("batch"), 2);
  EXPECT_EQ(result.finding->counter_example->axes.at("hidden"), 1);
}

TEST(NumericsShapes, RefusesAStrideOfAnInputThatIsIgnored) {
  const NumericsResult result = check_packed(0);
  expect_finding(result.finding, VerdictClass::kNumeric, "Tensor \"y\" is wrong at [1, 0]");
  EXPECT_THAT(result.finding->sentence, ::testing::HasSubstr("lie apart"));
}

TEST(NumericsShapes, RefusesIndicesThatWrap) {  // E08, with 12 bits in place of 31
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View y(launch, "y");
    for (std::int64_t i = 4096; i < y.count(); ++i)
      y.set(i, y[i % 4096]);
  });
  expect_finding(check_numerics(kernel, "rms_norm", kF32).finding, VerdictClass::kNumeric,
                 "\"y\" is wrong at [");
}

TEST(NumericsShapes, RefusesNotANumberForAnEmptySequence) {  // G03
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View lse(launch, "lse");
    const View output(launch, "output");
    for (std::int64_t i = 0; i < lse.count(); ++i) {
      if (lse[i] != -HUGE_VAL) continue;
      for (std::int64_t j = 0; j < output.size(2); ++j)
        output.set(i * output.size(2) + j, std::nan(""));
    }
  });
  expect_finding(check_numerics(kernel, "attention_decode_paged", kF32).finding,
                 VerdictClass::kNumeric, "nan instead of 0");
}

TEST(NumericsShapes, RefusesOneLengthForAllSequences) {  // G04
  const auto kernel = [](const HostLaunch& launch) {
    const View lengths(launch, "kv_lengths");
    std::vector<double> kept;
    for (std::int64_t i = 0; i < lengths.count(); ++i)
      kept.push_back(lengths[i]);
    for (std::int64_t i = 1; i < lengths.count(); ++i)
      lengths.set(i, kept[0]);
    run_reference(launch);
    for (std::int64_t i = 0; i < lengths.count(); ++i)
      lengths.set(i, kept[static_cast<std::size_t>(i)]);
  };
  expect_finding(check_numerics(kernel, "attention_decode_paged", kF32).finding,
                 VerdictClass::kNumeric, " is wrong at [");
}

TEST(NumericsShapes, RefusesTheLastOfEqualElements) {  // G07
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View x(launch, "x");
    const View index(launch, "index");
    for (std::int64_t row = 0; row < index.count(); ++row) {
      const double best = x[row * x.size(1) + index.integer(row)];
      for (std::int64_t i = 0; i < x.size(1); ++i) {
        if (x[row * x.size(1) + i] == best) index.set(row, static_cast<double>(i));
      }
    }
  });
  expect_finding(check_numerics(kernel, "argmax", kBf16).finding, VerdictClass::kNumeric,
                 "\"index\" is wrong at [");
}

TEST(NumericsShapes, RefusesANanThatLoses) {  // G11
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View x(launch, "x");
    const View index(launch, "index");
    for (std::int64_t row = 0; row < index.count(); ++row) {
      std::int64_t best = 0;
      for (std::int64_t i = 1; i < x.size(1); ++i) {
        if (x[row * x.size(1) + i] > x[row * x.size(1) + best]) best = i;
      }
      index.set(row, static_cast<double>(best));
    }
  });
  expect_finding(check_numerics(kernel, "argmax", kF32).finding, VerdictClass::kNumeric,
                 "\"index\" is wrong at [");
}

TEST(NumericsShapes, RefusesAnUntouchedRotaryTail) {  // G10
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View out(launch, "q_out");
    const std::int64_t rotary = launch.problem->prepare_axis("rotary_dim");
    for (std::int64_t i = 0; i < out.count(); ++i) {
      if (i % out.size(2) >= rotary) out.set(i, 0);
    }
  });
  expect_finding(check_numerics(kernel, "rope", kF16).finding, VerdictClass::kNumeric,
                 "\"q_out\" is wrong at [");
}

TEST(NumericsShapes, RefusesAnotherStyleOfRotation) {  // G10
  const auto kernel = [](const HostLaunch& launch) {
    auto problem =
        operators::Problem::create(launch.problem->contract_ref(), launch.problem->types(),
                                   {{"style", "neox"}}, launch.problem->prepare_axes());
    ASSERT_TRUE(problem);
    HostLaunch other = launch;
    other.problem = &*problem;
    run_reference(other);
  };
  expect_finding(check_numerics(kernel, "rope", kF32).finding, VerdictClass::kNumeric,
                 " is wrong at [");
}

TEST(NumericsShapes, RefusesIdsThatAreNotMasked) {
  const auto kernel = [](const HostLaunch& launch) {
    const View ids(launch, "ids");
    const View table(launch, "table");
    const View y(launch, "y");
    for (std::int64_t i = 0; i < y.count(); ++i) {
      const std::int64_t last = table.size(0) - 1;
      const std::int64_t id = std::clamp<std::int64_t>(ids.integer(i / y.size(1)), 0, last);
      y.set(i, table[id * y.size(1) + i % y.size(1)]);
    }
  };
  expect_finding(check_numerics(kernel, "embedding", kF32).finding, VerdictClass::kNumeric,
                 "inputs \"masked\"");
}

// Runs the function in a child process over shared memory in which one end of each tensor meets a
// page that is not mapped.
class FencedRunner final : public Runner {
 public:
  explicit FencedRunner(HostRunner::Function function) : function_(std::move(function)) {}
  ~FencedRunner() override { unmap(); }

  base::Result<std::vector<TensorMemory>> place(const LaunchDesc& desc) override {
    unmap();
    problem_ = desc.problem;
    axes_.assign(desc.launch_axes.begin(), desc.launch_axes.end());
    scalars_.assign(desc.scalars.begin(), desc.scalars.end());
    const auto shapes = desc.problem->shapes(desc.launch_axes);
    std::vector<TensorMemory> placed;
    tensors_.clear();
    for (std::size_t i = 0; i < shapes->tensor_count; ++i) {
      placed.push_back(map(static_cast<std::size_t>(shapes->tensors[i].size_bytes), desc.fence));
      tensors_.push_back(operators::dense_tensor(shapes->tensors[i], placed.back().data.data()));
    }
    return placed;
  }

  base::Result<LaunchOutcome> launch() override {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGSEGV, SIG_DFL);  // A sanitizer would report it, and exit.
      function_({problem_, axes_, tensors_, scalars_});
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    LaunchOutcome outcome;
    if (WIFSIGNALED(status)) {
      outcome.kind = LaunchOutcome::Kind::kFault;
      outcome.message = "SIGSEGV.";
    }
    return outcome;
  }

  void restart() override {}

 private:
  static constexpr std::size_t kPage = 4096;

  TensorMemory map(std::size_t size_bytes, Fence fence) {
    const std::size_t inside = (size_bytes + kPage - 1) / kPage * kPage + kPage;
    auto* whole = static_cast<std::byte*>(
        mmap(nullptr, inside + 2 * kPage, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    mappings_.emplace_back(whole, inside + 2 * kPage);
    std::byte* begin = whole + kPage;
    mprotect(begin, inside, PROT_READ | PROT_WRITE);
    const std::span<std::byte> all(begin, inside);
    if (fence == Fence::kBefore) {
      return {all.first(size_bytes), {}, all.subspan(size_bytes)};
    }
    return {all.last(size_bytes), all.first(inside - size_bytes), {}};
  }

  void unmap() {
    for (const auto& [address, size] : mappings_)
      munmap(address, size);
    mappings_.clear();
  }

  HostRunner::Function function_;
  const operators::Problem* problem_ = nullptr;
  std::vector<std::int64_t> axes_;
  std::vector<double> scalars_;
  std::vector<operators::WritableTensor> tensors_;
  std::vector<std::pair<std::byte*, std::size_t>> mappings_;
};

volatile double g_ignored = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

NumericsResult check_fenced(HostRunner::Function kernel) {
  FencedRunner runner(std::move(kernel));
  NumericsDesc desc;
  desc.shapes = small_plan("rms_norm", kF32);
  desc.shapes.budget.edge.steps = 3'000;
  desc.shapes.budget.held_out = 1;
  auto result = run_numerics(runner, desc);
  EXPECT_TRUE(result) << result.error().message();
  return result ? std::move(*result) : NumericsResult{};
}

TEST(NumericsShapes, RefusesAReadPastTheEnd) {  // E02
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View x(launch, "x");
    if (x.count() % 4 == 3) g_ignored = x[x.count()];
  });
  expect_finding(check_fenced(kernel).finding, VerdictClass::kBounds,
                 "The launch touches memory outside its tensors: SIGSEGV.");
}

TEST(NumericsShapes, RefusesAReadBeforeTheStart) {  // E02
  const auto kernel = spoiled([](const HostLaunch& launch) {
    const View x(launch, "x");
    if (x.count() > 0) g_ignored = x[-1];
  });
  expect_finding(check_fenced(kernel).finding, VerdictClass::kBounds,
                 "The launch touches memory outside its tensors: SIGSEGV.");
}

TEST(NumericsShapes, AcceptsARightKernelBetweenFences) {
  expect_accepted(check_fenced(run_reference).finding);
}

}  // namespace
}  // namespace halyard::verification
