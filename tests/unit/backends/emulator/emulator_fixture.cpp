// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include "capability-descriptors/descriptor_catalog.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

namespace halyard::emulator::testing {
namespace {

[[noreturn]] void end(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

struct KnownTarget {
  std::string_view processor;
  std::string_view instruction_set;
  Generation generation;
};

constexpr std::array kTargets = {
    KnownTarget{"gfx90a", "amd/cdna2", Generation::kGfx9},
    KnownTarget{"gfx942", "amd/cdna3", Generation::kGfx9},
    KnownTarget{"gfx1100", "amd/rdna3", Generation::kGfx11},
    KnownTarget{"gfx1150", "amd/rdna3_5", Generation::kGfx11},
    KnownTarget{"gfx1201", "amd/rdna4", Generation::kGfx12},
};

IsaTables make_tables(const KnownTarget& known) {
  auto catalog = descriptors::DescriptorCatalog::open({HALYARD_SHIPPED_DESCRIPTORS});
  if (!catalog) end(catalog.error().message());
  auto set = catalog->find_instruction_set(known.instruction_set);
  if (!set) end(set.error().message());
  EmulatedTarget target;
  target.processor = known.processor;
  target.instruction_set = known.instruction_set;
  target.generation = known.generation;
  auto tables = IsaTables::create(std::move(target), std::move(*set));
  if (!tables) end(tables.error().message());
  return std::move(*tables);
}

}  // namespace

const IsaTables& tables_of(std::string_view processor) {
  static std::map<std::string, IsaTables, std::less<>> made;
  const auto found = made.find(processor);
  if (found != made.end()) return found->second;
  for (const KnownTarget& known : kTargets) {
    if (known.processor == processor) {
      return made.emplace(std::string(processor), make_tables(known)).first->second;
    }
  }
  end("There is no target " + std::string(processor) + ".");
}

std::vector<std::byte> file_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::unique_ptr<const LoadedObject> load_object(std::string_view processor,
                                                const std::string& path) {
  const std::vector<std::byte> bytes = file_bytes(path);
  auto object = LoadedObject::load(tables_of(processor), bytes, path);
  if (!object) end(object.error().message());
  return std::move(*object);
}

LaunchArgument number(std::string name, std::uint64_t value) {
  LaunchArgument argument;
  argument.name = std::move(name);
  argument.is_value = true;
  argument.value = value;
  return argument;
}

LaunchOutcome run(const LoadedObject& object, std::string_view kernel, LaunchDesc desc) {
  const auto found = object.kernel(kernel);
  if (!found) end(found.error().message());
  auto outcome = launch(object, **found, desc);
  if (!outcome) {
    ADD_FAILURE() << outcome.error().message();
    return {};
  }
  return std::move(*outcome);
}

}  // namespace halyard::emulator::testing
