// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace halyard::isa {

struct XmlLimits {
  std::size_t size_bytes = std::size_t{64} << 20;
  std::size_t depth = 128;                        // of elements
  std::size_t text_bytes = std::size_t{1} << 20;  // between two tags
  std::size_t elements = 2'000'000;
  std::size_t attributes = 4'000'000;
};

// Checks, before a parser sees it, that `text` is UTF-8, holds one root element whose tags match,
// declares no document type (so that no entity exists) and stays within `limits`.
// Errors: kCorruptData, as "<source_name>: <path of the element> <sentence>".
base::Status check_xml_text(std::string_view text, std::string_view source_name,
                            const XmlLimits& limits = {});

// The innermost element that is open at `offset`, as "/Spec/ISA/Encodings/Encoding[3]": numbers
// count the siblings of one name from 1, and are left out for the first one. "/" outside the root.
std::string xml_path_at(std::string_view text, std::size_t offset);

}  // namespace halyard::isa
