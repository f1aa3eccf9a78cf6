// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::verification {

struct PtxEntry {
  std::string_view name;
  std::vector<std::uint64_t> parameter_bytes;                  // 0 where the size cannot be read
  std::optional<std::array<std::uint64_t, 3>> required_block;  // .reqntid
  std::optional<std::array<std::uint64_t, 3>> largest_block;   // .maxntid
};

struct PtxCall {
  std::string_view callee;
  std::size_t line = 0;
};

// What a PTX module says of itself. Borrows the text.
struct PtxModule {
  std::string_view version;  // "8.0"
  std::vector<std::string_view> targets;
  std::string_view address_size;
  std::vector<PtxEntry> entries;
  std::vector<std::string_view> functions;  // with a body
  std::vector<PtxCall> calls;
  std::uint64_t shared_bytes = 0;
  // What speaks against it whatever is expected, as ends of sentences; a bounded number.
  std::vector<std::string> faults;
};

PtxModule read_ptx(std::string_view text);

}  // namespace halyard::verification
