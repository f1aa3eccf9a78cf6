// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/adversarial/package.h"

#include <string>
#include <string_view>

namespace halyard::adversarial {

// What makes a package of a base kernel; grid, block and arguments are JSON.
struct BaseKernel {
  std::string_view contract;
  std::string_view grid;
  std::string_view arguments;  // the elements of the array
  std::string_view source;
  std::string_view more;  // further members of the stage, each with a comma before it
};

Package cpu_package(const BaseKernel& kernel, const std::string& types);
Package glsl_package(const BaseKernel& kernel, const std::string& types);
// For gfx1100.
Package hip_package(const BaseKernel& kernel, const std::string& types);
// {"T": "f32"}
std::string type_binding(std::string_view type);

}  // namespace halyard::adversarial
