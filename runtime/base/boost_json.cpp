// SPDX-License-Identifier: Apache-2.0
// The one place that compiles the JSON library's sources, so that nothing links to its binary.
#include <boost/json/src.hpp>
