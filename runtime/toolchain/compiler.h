// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_words.h"
#include "runtime/base/environment.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::toolchain {

// What makes a binary of a source.
enum class Tool : std::uint8_t {
  kNone,     // nothing: the source is the binary
  kClang,    // c++, hip, amdgcn-asm
  kGlslc,    // glsl
  kSpirvAs,  // spirv-asm
};

// "none", "clang", "glslc", "spirv-as".
std::string_view tool_name(Tool tool);

// Errors: kUnsupported for a language that nothing here compiles.
base::Result<Tool> tool_of(store::KernelLanguage language);

// A compiler and what identifies it in a build.
struct Compiler {
  std::string program;
  std::string id;  // "clang 19.1.7"
};

struct Compilers {
  std::optional<Compiler> clang;
  std::optional<Compiler> glslc;
  std::optional<Compiler> spirv_as;

  // Null when there is none, and for kNone.
  const Compiler* find(Tool tool) const;
};

// The compiler's id from the first line of its --version. Errors: kNotFound.
base::Result<Compiler> probe_compiler(const std::string& program);

// The compilers of this machine by absolute path: those that the configuration names, else the
// first that starts of the names that are usual. One that is missing is absent.
// Errors: kNotFound for one that the configuration names.
base::Result<Compilers> find_compilers(const base::Configuration& configuration);

}  // namespace halyard::toolchain
