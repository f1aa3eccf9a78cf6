// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/program/program.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator::testing {

// The tables of a processor, with the shipped instruction set; made once for each processor. Ends
// the process where there is none.
const IsaTables& tables_of(std::string_view processor);

std::vector<std::byte> file_bytes(const std::string& path);

// The object of a file in a folder of compiled kernels; a failure of the test where it does not
// load. Never null: the process ends without an object.
std::unique_ptr<const LoadedObject> load_object(std::string_view processor,
                                                const std::string& path);

// Arguments of a launch.
template <typename T>
LaunchArgument memory(std::string name, std::vector<T>& data) {
  LaunchArgument argument;
  argument.name = std::move(name);
  argument.host = reinterpret_cast<std::byte*>(data.data());
  argument.size_bytes = data.size() * sizeof(T);
  argument.is_writable = true;
  return argument;
}

template <typename T>
LaunchArgument constant_memory(std::string name, std::vector<T>& data) {
  LaunchArgument argument = memory(std::move(name), data);
  argument.is_writable = false;
  return argument;
}

LaunchArgument number(std::string name, std::uint64_t value);

// Launches a kernel by its name; a failure of the test where it cannot be launched.
LaunchOutcome run(const LoadedObject& object, std::string_view kernel, LaunchDesc desc);

}  // namespace halyard::emulator::testing
