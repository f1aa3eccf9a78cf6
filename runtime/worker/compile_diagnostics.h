// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace halyard::worker {

// What a compiler has written about foreign source, as text that a person or a model may be shown:
// valid UTF-8, of the control characters only line feeds and tabs, without characters that turn,
// hide or join text (bidirectional marks, zero-width and tag characters), and at most `max_bytes`
// of it, with a last line that says what is left out. Each place of `folder` is taken out, so that
// paths of the host do not show. What it says is still a claim of whoever wrote the source.
std::string clean_diagnostics(std::string_view raw, std::string_view folder, std::size_t max_bytes);

}  // namespace halyard::worker
