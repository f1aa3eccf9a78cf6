// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

namespace halyard::kernel_builder {

struct BuilderOptions {
  std::filesystem::path source;       // The folder kernel-store/ of the sources.
  std::filesystem::path descriptors;  // The folder capability-descriptors/; empty: none.
  std::filesystem::path out;          // The data directory to make.
  std::string clang = "clang++-19";
  std::string glslc = "glslc";
  unsigned jobs = 1;
};

// Makes the data directory: contracts, preludes, suites, schemas, descriptors and each kernel with
// its binaries.
// What is up to date is left as it is. Sentences about what fails go to `errors`, a summary to
// `log`. True when nothing failed.
bool build_data_directory(const BuilderOptions& options, std::ostream& log, std::ostream& errors);

}  // namespace halyard::kernel_builder
