// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/loaded_object.h"
#include "tests/unit/backends/emulator/kernels/kernel_case.h"
#include "tests/unit/backends/emulator/kernels/native_kernels.h"

#include <cstddef>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace halyard::emulator::testing {

// A way in which sources/ are compiled.
struct Variant {
  std::string name;  // of the files' ending: "gfx1100", "gfx1100w64"
  EmulatedTarget target;
  unsigned bit = 0;  // of KernelCase::targets
  NativeTarget native;
};
const std::vector<Variant>& variants();
inline void PrintTo(const Variant& variant, std::ostream* out) {
  *out << variant.name;
}

// The code objects of one variant, each loaded once. One thread.
class EmulatedKernels {
 public:
  explicit EmulatedKernels(const Variant& variant);

  const LoadedObject& object(const std::string& file);

  struct Outcome {
    std::string failure;  // "" where the launch ended well
    std::uint64_t instructions = 0;
    std::vector<std::vector<std::byte>> memory;  // of each argument
  };
  Outcome run(const KernelCase& test, const LaunchOptions& options);

 private:
  std::string name_;
  std::string processor_;
  std::map<std::string, std::unique_ptr<const LoadedObject>> objects_;
};

// The cases that a variant has an object for.
std::vector<KernelCase> cases_of(const Variant& variant);

}  // namespace halyard::emulator::testing
