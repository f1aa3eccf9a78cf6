// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/target_flags.h"

#include "runtime/base/text.h"
#include "runtime/toolchain/compiler.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace halyard::toolchain {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using store::KernelLanguage;

struct Flag {
  std::string_view when;
  std::string_view flag;
};

constexpr auto kArchitectures = std::to_array<Flag>({
    {"x86_64-v4", "-march=x86-64-v4"},
    {"x86_64-v3", "-march=x86-64-v3"},
    {"x86_64-v2", "-march=x86-64-v2"},
});
constexpr auto kExtensions = std::to_array<Flag>({
    {"cpu.avx512_bf16", "-mavx512bf16"},
    {"cpu.avx512_vnni", "-mavx512vnni"},
});
constexpr auto kSpirvVersions = std::to_array<Flag>({
    {"spirv-1.3", "--target-env=vulkan1.1"},
    {"spirv-1.5", "--target-env=vulkan1.2"},
    {"spirv-1.6", "--target-env=vulkan1.3"},
});
constexpr auto kAssembledSpirvVersions = std::to_array<Flag>({
    {"spirv-1.3", "spv1.3"},
    {"spirv-1.5", "spv1.5"},
    {"spirv-1.6", "spv1.6"},
});

// Which of the two settings of a processor a target may name.
enum class Settings : std::uint8_t { kNone, kXnack, kBoth };
struct Processor {
  std::string_view name;
  Settings settings = Settings::kNone;
};
constexpr auto kProcessors = std::to_array<Processor>({
    {"gfx900", Settings::kXnack},
    {"gfx906", Settings::kBoth},
    {"gfx908", Settings::kBoth},
    {"gfx90a", Settings::kBoth},
    {"gfx90c", Settings::kXnack},
    {"gfx940", Settings::kBoth},
    {"gfx941", Settings::kBoth},
    {"gfx942", Settings::kBoth},
    {"gfx1010", Settings::kXnack},
    {"gfx1011", Settings::kXnack},
    {"gfx1012", Settings::kXnack},
    {"gfx1013", Settings::kXnack},
    {"gfx1030"},
    {"gfx1031"},
    {"gfx1032"},
    {"gfx1033"},
    {"gfx1034"},
    {"gfx1035"},
    {"gfx1036"},
    {"gfx1100"},
    {"gfx1101"},
    {"gfx1102"},
    {"gfx1103"},
    {"gfx1150"},
    {"gfx1151"},
    {"gfx1152"},
    {"gfx1200"},
    {"gfx1201"},
    {"gfx9-generic", Settings::kXnack},
    {"gfx10-1-generic", Settings::kXnack},
    {"gfx10-3-generic"},
    {"gfx11-generic"},
    {"gfx12-generic"},
});
constexpr auto kXnackSettings = std::to_array<std::string_view>({"", ":xnack+", ":xnack-"});
constexpr auto kSrameccSettings = std::to_array<std::string_view>({"", ":sramecc+", ":sramecc-"});
constexpr std::string_view kAmdgcnPrefix = "amdgcn-";

// No headers but the prelude's, no library, no start-up code, and all symbols resolved.
constexpr auto kCppFlags = std::to_array<std::string_view>({
    "-std=c++20",
    "-O3",
    "-ffreestanding",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-math-errno",
    "-ffp-contract=on",
    "-fPIC",
    "-shared",
    "-nostdlib",
    "-nostdinc",
    "-nostdinc++",
    "-fvisibility=hidden",
    "-Wl,-z,defs",
    "-Wl,-z,now",
    "-Wl,-z,relro",
    "-Wl,-z,noexecstack",
    "-Wl,--build-id=none",
});
// The device's half only, as a bare code object; nothing of ROCm, whose place the prelude takes. No
// two loads become a wider one from an address that is no multiple of its size: hardware splits it
// again, and where it stands for a mistake it could not be told from one.
constexpr auto kHipFlags = std::to_array<std::string_view>({
    "-std=c++20",
    "-O3",
    "--offload-device-only",
    "--no-gpu-bundle-output",
    "-nogpulib",
    "-nogpuinc",
    "-nostdinc",
    "-nostdinc++",
    "-ffreestanding",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-math-errno",
    "-ffp-contract=on",
    "-fuse-cuid=none",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "-unaligned-access-mode",
});
constexpr auto kAmdgcnAssemblyFlags =
    std::to_array<std::string_view>({"--target=amdgcn-amd-amdhsa", "-nostdlib"});
constexpr auto kGlslFlags =
    std::to_array<std::string_view>({"-fshader-stage=compute", "-O", "-Werror"});

std::optional<std::string> find_flag(std::span<const Flag> flags, std::string_view when) {
  for (const Flag& flag : flags) {
    if (flag.when == when) return std::string(flag.flag);
  }
  return std::nullopt;
}

// The processor of an AMD target as clang takes it, put together from the tables above.
std::optional<std::string> find_processor(std::string_view target) {
  if (!target.starts_with(kAmdgcnPrefix)) return std::nullopt;
  target.remove_prefix(kAmdgcnPrefix.size());
  for (const Processor& processor : kProcessors) {
    const bool has_sramecc = processor.settings == Settings::kBoth;
    const bool has_xnack = processor.settings != Settings::kNone;
    const std::span sramecc(kSrameccSettings.data(), has_sramecc ? kSrameccSettings.size() : 1);
    const std::span xnack(kXnackSettings.data(), has_xnack ? kXnackSettings.size() : 1);
    for (const std::string_view first : sramecc) {
      for (const std::string_view second : xnack) {
        std::string known = concat(processor.name, first, second);
        if (known == target) return known;
      }
    }
  }
  return std::nullopt;
}

Error unsupported_target(const store::KernelRecord& record, std::string_view target) {
  return Error(ErrorCode::kUnsupported,
               concat("Kernel \"", record.name, "\": no build of ", store::word_of(record.language),
                      " for target \"", target, "\" is known."));
}

using Flags = std::vector<std::string>;

template <std::size_t N>
Flags copy_of(const std::array<std::string_view, N>& flags) {
  return Flags(flags.begin(), flags.end());
}

Result<Flags> cpp_flags(const store::KernelRecord& record, const std::string& target) {
  const auto architecture = find_flag(kArchitectures, target);
  if (!architecture) return unsupported_target(record, target);
  Flags flags = copy_of(kCppFlags);
  flags.push_back(*architecture);
  for (const store::Requirement& requirement : record.requirements) {
    if (auto flag = find_flag(kExtensions, requirement.capability)) {
      flags.push_back(std::move(*flag));
    }
  }
  return flags;
}

Result<Flags> amdgcn_flags(const store::KernelRecord& record, const std::string& target) {
  const auto processor = find_processor(target);
  if (!processor) return unsupported_target(record, target);
  const bool is_hip = record.language == KernelLanguage::kHip;
  Flags flags = is_hip ? copy_of(kHipFlags) : copy_of(kAmdgcnAssemblyFlags);
  flags.push_back(concat(is_hip ? "--offload-arch=" : "-mcpu=", *processor));
  return flags;
}

// A target of what is taken as it is says nothing to a compiler.
bool has_known_form(KernelLanguage language, std::string_view target) {
  const bool is_ptx = target.starts_with("ptx-");
  const bool is_spirv = find_flag(kSpirvVersions, target).has_value();
  if (language == KernelLanguage::kPtx) return is_ptx;
  if (language == KernelLanguage::kSpirv) return is_spirv;
  return find_flag(kArchitectures, target) || is_amdgcn_target(target) ||
         target.starts_with("nvsass-sm_");
}

}  // namespace

Result<Flags> target_flags(const store::KernelRecord& record, const std::string& target) {
  switch (record.language) {
    case KernelLanguage::kCpp:
      return cpp_flags(record, target);
    case KernelLanguage::kHip:
    case KernelLanguage::kAmdgcnAssembly:
      return amdgcn_flags(record, target);
    case KernelLanguage::kGlsl: {
      auto version = find_flag(kSpirvVersions, target);
      if (!version) return unsupported_target(record, target);
      Flags flags = copy_of(kGlslFlags);
      flags.push_back(std::move(*version));
      return flags;
    }
    case KernelLanguage::kSpirvAssembly: {
      auto version = find_flag(kAssembledSpirvVersions, target);
      if (!version) return unsupported_target(record, target);
      return Flags{"--preserve-numeric-ids", "--target-env", std::move(*version)};
    }
    case KernelLanguage::kPtx:
    case KernelLanguage::kSpirv:
    case KernelLanguage::kObject:
      if (!has_known_form(record.language, target)) return unsupported_target(record, target);
      return Flags{};
    case KernelLanguage::kCuda:
      break;
  }
  return unsupported_target(record, target);
}

bool is_amdgcn_target(std::string_view target) {
  return find_processor(target).has_value();
}

}  // namespace halyard::toolchain
