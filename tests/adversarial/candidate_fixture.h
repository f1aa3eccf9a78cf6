// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract_catalog.h"
#include "runtime/verification/supervised_runner.h"
#include "tests/adversarial/verification_bench.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::adversarial {

// Candidates of rms_norm on the CPU, in workers.
class CandidateFixture : public testing::Test {
 protected:
  // With what is meant to hang; anything else has time on a loaded machine too.
  static constexpr std::chrono::milliseconds kShortPatience{150};
  static constexpr std::chrono::milliseconds kPatience{20'000};

  void SetUp() override;

  // A runner of the plain kernel with `text` at its beginning; a failure of the test without one.
  std::optional<verification::SupervisedRunner> runner_of(
      const std::string& text, std::chrono::milliseconds patience = kPatience);

  // Launches over three rows, whose contents are zeros.
  base::Result<verification::LaunchOutcome> launch(verification::SupervisedRunner& runner);
  void expect_right(verification::SupervisedRunner& runner);

  const operators::Problem& problem() const { return *problem_; }

 private:
  VerificationBench* bench_ = nullptr;
  operators::ContractCatalog contracts_{HALYARD_BUNDLED_DATA};
  std::optional<operators::Problem> problem_;
};

}  // namespace halyard::adversarial
