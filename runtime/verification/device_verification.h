// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/device.h"

#include "runtime/base/result.h"
#include "runtime/verification/package_verification.h"

#include <optional>
#include <string>

namespace halyard::verification {

// Where the instance of a device keeps its things.
struct Surroundings {
  std::string data_directory;
  std::string store_url;
};

// Errors: those of the library.
base::Result<Surroundings> surroundings_of(halyard_device* device);

// Verifies the package in `directory` for a device of the library, in its surroundings.
// `worker_program`: that which is installed when empty. Errors: as verify_package().
base::Result<VerificationReport> verify_for_device(halyard_device* device,
                                                   const std::string& directory,
                                                   const Surroundings& surroundings,
                                                   const std::string& worker_program,
                                                   const VerificationOptions& options);

}  // namespace halyard::verification
