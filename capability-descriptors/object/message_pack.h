// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <boost/json/value.hpp>
#include <string_view>

namespace halyard::object {

// Reads one MessagePack value that fills `bytes`, which may be anything. Maps have texts as keys.
// Refused besides: binary data and extensions, repeated keys, nesting beyond 32. A text is taken
// as it is, and need not be UTF-8.
// Errors: kCorruptData, naming the offset and what stands there.
base::Result<boost::json::value> parse_message_pack(std::string_view bytes,
                                                    std::string_view source_name);

}  // namespace halyard::object
