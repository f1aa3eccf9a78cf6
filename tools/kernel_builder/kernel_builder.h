// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace halyard::kernel_builder {

struct BuilderOptions {
  std::filesystem::path source;       // The folder kernel-store/ of the sources.
  std::filesystem::path descriptors;  // The folder capability-descriptors/; empty: none.
  std::filesystem::path out;          // The data directory to make.
  std::string clang = "clang++-19";
  std::string glslc = "glslc";
  // Of AMD, those that binaries are made for; kernels name more, which a verification compiles for.
  std::vector<std::string> processors = {"gfx90a", "gfx942", "gfx1100", "gfx1201"};
  unsigned jobs = 1;
};

// Makes the data directory: contracts, preludes, suites, schemas, descriptors and each kernel with
// its binaries.
// What is up to date is left as it is. Sentences about what fails go to `errors`, a summary to
// `log`. True when nothing failed.
bool build_data_directory(const BuilderOptions& options, std::ostream& log, std::ostream& errors);

}  // namespace halyard::kernel_builder
