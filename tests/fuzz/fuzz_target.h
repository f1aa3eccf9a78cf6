// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string_view>

// What libFuzzer calls with each input; replay.cpp calls it with those of the saved corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace halyard::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process where something does not hold that must, whatever the input.
inline void require(bool condition, std::string_view what) {
  if (condition) return;
  std::cerr << what << '\n';
  std::abort();
}

}  // namespace halyard::fuzz
