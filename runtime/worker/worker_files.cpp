// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/worker_files.h"

#include "runtime/worker/program_files.h"
#include "runtime/worker/worker_request.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace halyard::worker {
namespace {

namespace fs = std::filesystem;

// What a Vulkan driver opens once it runs: libraries by name, the list of drivers, its settings.
constexpr std::array<std::string_view, 8> kDriverFolders = {"/lib",
                                                            "/lib64",
                                                            "/usr/lib",
                                                            "/usr/lib64",
                                                            "/usr/share/vulkan",
                                                            "/etc/vulkan",
                                                            "/usr/share/drirc.d",
                                                            "/etc/ld.so.cache"};

bool is_device_node(const std::string& name) {
  return name.starts_with("renderD") || name.starts_with("nvidia") || name == "kfd";
}

void add_device_nodes(const char* folder, std::vector<std::string>& nodes) {
  std::error_code code;
  fs::directory_iterator entry(folder, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
    if (!is_device_node(entry->path().filename().string())) continue;
    if (entry->is_character_file(code)) nodes.push_back(entry->path().string());
  }
}

void add_driver_files(SandboxDesc& desc) {
  for (const std::string_view path : kDriverFolders) {
    std::error_code code;
    if (!fs::exists(path, code)) continue;
    // What lies in the folder is seen with it.
    std::erase_if(desc.visible, [&](const VisiblePath& file) {
      return file.inside.starts_with(std::string(path) + "/");
    });
    desc.visible.push_back({std::string(path), std::string(path)});
  }
  add_device_nodes("/dev", desc.device_nodes);
  add_device_nodes("/dev/dri", desc.device_nodes);
  std::sort(desc.device_nodes.begin(), desc.device_nodes.end());
}

}  // namespace

base::Status describe_worker(const std::string& program, const std::string& device,
                             const std::string& data_directory, SandboxDesc& desc) {
  HALYARD_TRY_ASSIGN(desc.visible, program_files(program));
  desc.arguments = {program};
  desc.profile = SyscallProfile::kWorker;
  if (is_emulated(device)) {
    // The tables, and what a data directory is told by.
    for (const char* const folder : {"/descriptors", "/contracts"}) {
      desc.visible.push_back({data_directory + folder, data_directory + folder});
    }
  }
  if (is_in_place(device)) return base::ok();
  desc.profile = SyscallProfile::kDevice;
  desc.environment = {"MESA_SHADER_CACHE_DISABLE=true"};
  add_driver_files(desc);
  return base::ok();
}

}  // namespace halyard::worker
