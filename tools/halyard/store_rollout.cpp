// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/store_rollout.h"

#include "halyard/services/rollout.h"

#include "tools/halyard/document.h"

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

namespace halyard::command_line {
namespace {

struct RolloutOptions : StoreChoice {
  std::string kernel;
  std::string target;
  std::uint32_t least_devices = 2;
};

int advance_rollout(const RolloutOptions& options) {
  const OpenedStore store = OpenedStore::open(options.url);
  const ServiceDocument document = take_document([&](halyard_document** out) {
    return halyard_store_advance_rollout(store.get(), options.kernel.c_str(),
                                         options.target.c_str(), options.least_devices, out);
  });
  if (options.as_json) {
    std::cout << document.text() << '\n';
    return kDone;
  }
  const auto rollout = parse_document(document.text(), "The rollout");
  std::cout << text_of(rollout, "step") << ": " << text_of(rollout, "sentence") << '\n';
  return kDone;
}

}  // namespace

void define_store_rollout(CLI::App& store, SubcommandActions& actions) {
  const auto options = std::make_shared<RolloutOptions>();
  CLI::App* const rollout =
      store.add_subcommand("rollout", "Widen a promotion to a share of the hosts, or take it back");
  rollout->add_option("KERNEL", options->kernel, "Its name, its id, or the id's first digits")
      ->required();
  rollout->add_option("--target", options->target, "The target, such as x86_64-v3")->required();
  rollout
      ->add_option("--devices", options->least_devices,
                   "So many devices have to pass before it reaches all hosts")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  add_store_options(*rollout, *options, "halyard.rollout/1");
  actions[rollout] = [options] { return advance_rollout(*options); };
}

}  // namespace halyard::command_line
