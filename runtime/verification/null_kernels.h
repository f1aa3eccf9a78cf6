// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/numerics.h"

#include <optional>
#include <string>

namespace halyard::verification {

// Kernels that compute nothing.
enum class NullKernel : std::uint8_t { kZeros, kCopiedInput, kConstant, kMean };

std::string_view null_kernel_name(NullKernel kernel);

// Whether the stage of wrong values, as described, tells a kernel that computes nothing from one
// that does: why the contract must be refused, or nothing. A copy is let be where it is bit for bit
// what the reference says. Inputs are normal: NaNs and infinities would refuse what a tolerance
// lets through. The description's `serves` stays in force: a kernel that takes only shapes that
// show nothing cannot be verified. Errors: as run_numerics().
base::Result<std::optional<std::string>> find_accepted_null_kernel(const NumericsDesc& desc);

}  // namespace halyard::verification
