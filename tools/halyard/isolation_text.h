// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>
#include <string>

namespace halyard::command_line {

// How well this machine keeps unverified code apart ("halyard.isolation/1"); a sentence in place of
// the level where it cannot be found out.
boost::json::object isolation_document();

// "full (bubblewrap 0.8.0, seccomp, landlock ABI 7, rlimits)", or the level and what is missing.
std::string isolation_text(const boost::json::object& document);

}  // namespace halyard::command_line
