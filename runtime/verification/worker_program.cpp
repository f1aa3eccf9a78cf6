// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/worker_program.h"

#include "runtime/base/dynamic_library.h"
#include "runtime/base/text.h"

#include <filesystem>
#include <system_error>
#include <vector>

namespace halyard::verification {

base::Result<std::string> find_worker_program() {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path own = fs::canonical(
      base::path_of_address(reinterpret_cast<const void*>(&find_worker_program)), code);
  std::vector<std::string> tried;
  // Libraries lie in <prefix>/lib or, on Debian, one folder deeper.
  fs::path folder = own.parent_path();
  for (int depth = 0; depth < 2 && !code && folder.has_parent_path(); ++depth) {
    folder = folder.parent_path();
    const fs::path program = folder / "libexec" / "halyard" / "halyard-worker";
    if (fs::is_regular_file(program, code)) return program.string();
    code.clear();
    tried.push_back(program.string());
  }
  return base::Error(base::ErrorCode::kNotFound,
                     base::concat("The worker's program is in none of: ", base::join(tried), "."));
}

}  // namespace halyard::verification
