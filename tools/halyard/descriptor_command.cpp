// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/descriptor_command.h"

#include "tools/halyard/descriptor_difference.h"
#include "tools/halyard/descriptor_files.h"
#include "tools/halyard/descriptor_list.h"
#include "tools/halyard/descriptor_show.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace halyard::command_line {
namespace {

struct DescriptorOptions {
  bool as_json = false;
  std::string id;
  std::string other;  // a key, or the second id
  FactsOptions facts;
  bool for_model = false;
};

using Options = std::shared_ptr<DescriptorOptions>;
constexpr const char* kIdMeaning =
    "Its id, an alias, a product's name, a target, or a device (cpu:0)";

int show(const DescriptorOptions& options) {
  if (!options.for_model) {
    if (!options.facts.contract.empty() || options.facts.token_budget != 0) {
      throw UsageError("--contract and --budget-tokens go with --for-model.");
    }
    return show_descriptor(options.id, options.as_json);
  }
  return show_facts(options.id, options.facts, options.as_json);
}

CLI::App* add_sub_verb(CLI::App& app, const Options& options, const char* name, const char* summary,
                       const char* format) {
  CLI::App* const verb = app.add_subcommand(name, summary);
  verb->add_flag("--json", options->as_json, std::string("Print JSON (") + format + ")");
  return verb;
}

void add_show_options(CLI::App& show, DescriptorOptions& options) {
  show.add_option("ID", options.id, kIdMeaning)->required();
  show.add_flag("--for-model", options.for_model,
                "Print what a writer of kernels must know, most relevant first");
  show.add_option("--contract", options.facts.contract,
                  "With --for-model: for kernels of this one");
  show.add_option("--budget-tokens", options.facts.token_budget,
                  "With --for-model: at most this many tokens of 4 bytes")
      ->check(CLI::Range(std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

Action define_descriptor(CLI::App& app) {
  const auto options = std::make_shared<DescriptorOptions>();
  app.require_subcommand(1);
  std::map<const CLI::App*, Action> actions;
  CLI::App* verb = add_sub_verb(app, options, "list", "List the descriptors and instruction sets",
                                "halyard.descriptor_list/1");
  actions[verb] = [options] { return list_descriptors(options->as_json); };

  verb = add_sub_verb(app, options, "show", "Show one descriptor or instruction set",
                      "halyard.descriptor/1 or halyard.instruction_set/1");
  add_show_options(*verb, *options);
  actions[verb] = [options] { return show(*options); };

  verb = add_sub_verb(app, options, "import", "Add descriptors or instruction sets from a file",
                      "halyard.descriptor_import/1");
  verb->add_option(
          "FILE", options->id,
          "AMD's ISA XML or a zip of it, a report of vulkan.gpuinfo.org, a Khronos profile,\n"
          "a SPIR-V grammar, or a document of Halyard's")
      ->required();
  actions[verb] = [options] { return import_file(options->id, options->as_json); };

  verb = add_sub_verb(app, options, "query", "Print the value of one capability",
                      "halyard.descriptor_value/1");
  verb->add_option("ID", options->id, kIdMeaning)->required();
  verb->add_option("KEY", options->other, "The capability's key, as descriptor show lists them")
      ->required();
  actions[verb] = [options] {
    return query_descriptor(options->id, options->other, options->as_json);
  };

  verb = add_sub_verb(app, options, "check", "Read a file as import does, and store nothing",
                      "halyard.descriptor_check/1");
  verb->add_option("FILE", options->id, "As for import")->required();
  actions[verb] = [options] { return check_file(options->id, options->as_json); };

  verb = add_sub_verb(app, options, "diff", "Compare two descriptors or two instruction sets",
                      "halyard.descriptor_diff/1");
  verb->add_option("A", options->id, "The first id")->required();
  verb->add_option("B", options->other, "The second id")->required();
  actions[verb] = [options] {
    return compare_descriptors(options->id, options->other, options->as_json);
  };
  return [&app, actions] { return actions.at(app.get_subcommands().front())(); };
}

}  // namespace halyard::command_line
