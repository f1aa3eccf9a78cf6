// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/worker/compile_sandbox.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker::testing {

// What a test has compiled: one language, for one target, with the file that it calls the source.
struct Source {
  store::KernelLanguage language = store::KernelLanguage::kCpp;
  std::string text;
  store::PackageFiles other_files = {};
};

// The compilers of this machine; a failure of the test when one is missing.
const toolchain::Compilers& compilers();
std::string worker_program();
// The levels that this machine gives, the strongest first; without kNone.
std::vector<Isolation> isolation_levels();

store::KernelPackage package_of(const Source& source);
// The one step of a package without prelude.
toolchain::CompileStep step_of(const store::KernelPackage& package);
CompileRequest request_for(const store::KernelPackage& package, Isolation isolation);

// Whether this process has children, or folders of compilations.
bool has_children();
bool has_compile_folders();

// A source of each language that compiles.
std::string_view small_source(store::KernelLanguage language);
std::vector<store::KernelLanguage> compiled_languages();

std::string text_of(const std::vector<std::byte>& bytes);

}  // namespace halyard::worker::testing
