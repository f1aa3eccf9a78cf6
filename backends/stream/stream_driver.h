// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/dynamic_library.h"
#include "runtime/core/backend.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace halyard::stream {

// What CUDA's and HIP's drivers are asked alike, before anything runs on them.
struct StreamDriver {
  std::string_view backend;                    // "cuda"
  std::span<const char* const> library_names;  // versioned first
  const char* init;                            // int(unsigned flags)
  const char* device_count;                    // int(int* count)
  const char* driver_version;                  // int(int* version)
  std::optional<int> stub_code;                // what a toolkit's stub answers to `init`
  std::string (*error_name)(const base::DynamicLibrary& library, int code);
  std::string (*version_text)(int version);
};

// A backend that loads the driver and says what it found. It offers no devices: this version does
// not dispatch through these drivers. What `driver` points to lives for ever.
std::unique_ptr<core::Backend> create_stream_probe(const StreamDriver& driver);

}  // namespace halyard::stream
