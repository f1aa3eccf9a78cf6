// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/utc_time.h"

#include <array>
#include <ctime>

namespace halyard::base {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text.data(), size);
}

}  // namespace halyard::base
