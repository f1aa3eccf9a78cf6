// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/candidate_fixture.h"

#include "tests/adversarial/base_kernels.h"

#include <utility>
#include <vector>

namespace halyard::adversarial {
namespace {

using verification::LaunchOutcome;
using verification::SupervisedRunner;

// Where the body of the plain kernel begins.
constexpr std::string_view kBegin = "Arguments next(arguments);";

}  // namespace

void CandidateFixture::SetUp() {
  bench_ = VerificationBench::shared();
  ASSERT_NE(bench_, nullptr);
  const auto contract = contracts_.find("rms_norm");
  ASSERT_TRUE(contract) << contract.error().message();
  auto problem = operators::Problem::create(*contract, {{"T", base::DataType::kF32}}, {},
                                            std::vector<operators::AxisValue>{{"hidden", 64}});
  ASSERT_TRUE(problem) << problem.error().message();
  problem_.emplace(std::move(*problem));
}

std::optional<SupervisedRunner> CandidateFixture::runner_of(const std::string& text,
                                                            std::chrono::milliseconds patience) {
  const Package honest = rms_norm_cpu();
  const Package package = text.empty() ? honest : inserted(honest, kBegin, text);
  EXPECT_EQ(package.fault, "");
  auto built = bench_->build(package);
  if (!built || built->finding || built->codes.empty()) {
    ADD_FAILURE() << (built ? built->finding->sentence : built.error().message());
    return std::nullopt;
  }
  verification::CandidateDesc desc;
  desc.worker.program = HALYARD_WORKER_PROGRAM;
  desc.worker.isolation = worker::probe_isolation(HALYARD_WORKER_PROGRAM).level;
  desc.load.device = "cpu:0";
  desc.load.contract = problem_->contract().canonical_json();
  desc.load.kernel = record_text(package);
  desc.load.target = built->codes.front().build.target;
  desc.load.build = "build";
  desc.code = built->codes.front().bytes;
  desc.launch_patience = patience;
  return SupervisedRunner(std::move(desc));
}

base::Result<LaunchOutcome> CandidateFixture::launch(SupervisedRunner& runner) {
  const std::vector<std::int64_t> axes = {3};
  auto placed = runner.place({&*problem_, axes, {}, verification::Fence::kAfter});
  if (!placed) return std::move(placed.error());
  return runner.launch();
}

void CandidateFixture::expect_right(SupervisedRunner& runner) {
  const auto outcome = launch(runner);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->kind, LaunchOutcome::Kind::kDone) << outcome->message;
}

}  // namespace halyard::adversarial
