// SPDX-License-Identifier: Apache-2.0
// Read by the run time of the thread sanitizer; nothing calls it in other builds.

// Drivers and the compiler in them are not instrumented: how their threads hand memory over, such
// as by counts of references, is not seen.
// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming): the name is given.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:libvulkan_\nrace:libLLVM\n";
}
