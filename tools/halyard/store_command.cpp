// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_command.h"

#include "tools/halyard/store_exchange.h"
#include "tools/halyard/store_listing.h"
#include "tools/halyard/store_rollout.h"
#include "tools/halyard/store_states.h"
#include "tools/halyard/store_upkeep.h"

#include <memory>

namespace halyard::command_line {

Action define_store(CLI::App& app) {
  app.require_subcommand(1);
  const auto actions = std::make_shared<SubcommandActions>();
  define_store_listing(app, *actions);
  define_store_exchange(app, *actions);
  define_store_states(app, *actions);
  define_store_rollout(app, *actions);
  define_store_upkeep(app, *actions);
  return run_subcommand(app, actions);
}

}  // namespace halyard::command_line
