// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/spirv_code.h"

#include "runtime/verification/conformance/finding_list.h"
#include "runtime/verification/conformance/spirv_module.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <utility>

namespace halyard::verification {
namespace {

using descriptors::CapabilityKey;

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kHeaderBytes = 20;
constexpr std::uint32_t kModelCompute = 5;
constexpr std::uint32_t kAddressingLogical = 0;
constexpr std::uint32_t kVersionWithWholeInterface = 0x00010400;

struct TargetVersion {
  std::string_view target;
  std::uint32_t version;
  spv_target_env environment;
};
constexpr std::array kTargets = {
    TargetVersion{"spirv-1.3", 0x00010300, SPV_ENV_VULKAN_1_1},
    TargetVersion{"spirv-1.5", 0x00010500, SPV_ENV_VULKAN_1_2},
    TargetVersion{"spirv-1.6", 0x00010600, SPV_ENV_VULKAN_1_3},
};

// What a module may ask for, and the fact about a device that grants it where one is known.
struct AllowedCapability {
  std::uint32_t capability;
  std::string_view name;
  std::optional<CapabilityKey> key;
};
constexpr std::array kAllowed = {
    AllowedCapability{0, "Matrix", std::nullopt},
    AllowedCapability{1, "Shader", std::nullopt},
    AllowedCapability{9, "Float16", CapabilityKey::kTypeF16},
    AllowedCapability{10, "Float64", CapabilityKey::kTypeF64},
    AllowedCapability{11, "Int64", CapabilityKey::kTypeI64},
    AllowedCapability{22, "Int16", CapabilityKey::kTypeI16},
    AllowedCapability{39, "Int8", CapabilityKey::kTypeI8},
    AllowedCapability{61, "GroupNonUniform", CapabilityKey::kSubgroupSize},
    AllowedCapability{62, "GroupNonUniformVote", CapabilityKey::kSubgroupSize},
    AllowedCapability{63, "GroupNonUniformArithmetic", CapabilityKey::kSubgroupArithmetic},
    AllowedCapability{64, "GroupNonUniformBallot", CapabilityKey::kSubgroupSize},
    AllowedCapability{65, "GroupNonUniformShuffle", CapabilityKey::kSubgroupShuffle},
    AllowedCapability{66, "GroupNonUniformShuffleRelative", CapabilityKey::kSubgroupShuffle},
    AllowedCapability{67, "GroupNonUniformClustered", CapabilityKey::kSubgroupArithmetic},
    AllowedCapability{4433, "StorageBuffer16BitAccess", CapabilityKey::kStorage16bit},
    AllowedCapability{4441, "VariablePointersStorageBuffer", std::nullopt},
    AllowedCapability{4448, "StorageBuffer8BitAccess", CapabilityKey::kStorage8bit},
    AllowedCapability{5345, "VulkanMemoryModel", std::nullopt},
    AllowedCapability{5346, "VulkanMemoryModelDeviceScope", std::nullopt},
    AllowedCapability{5347, "PhysicalStorageBufferAddresses",
                      CapabilityKey::kVulkanBufferDeviceAddress},
    AllowedCapability{6016, "DotProductInputAll", std::nullopt},
    AllowedCapability{6017, "DotProductInput4x8Bit", std::nullopt},
    AllowedCapability{6018, "DotProductInput4x8BitPacked", std::nullopt},
    AllowedCapability{6019, "DotProduct", std::nullopt},
    AllowedCapability{6022, "CooperativeMatrixKHR", CapabilityKey::kMatrixCooperative},
};
constexpr std::uint32_t kPhysicalAddresses = 5347;

std::string version_text(std::uint32_t version) {
  return base::concat(version >> 16 & 0xff, '.', version >> 8 & 0xff);
}

class SpirvCheck {
 public:
  SpirvCheck(const SpirvExpectation& expectation, FindingList& findings)
      : expectation_(expectation),
        findings_(findings) {}

  void run(std::string_view bytes) {
    if (!is_module(bytes) || !is_valid()) return;
    std::size_t fault_word = 0;
    auto module = read_spirv_module(words_, expectation_.constants, &fault_word);
    if (!module) return findings_.refuse("ends inside the instruction at word ", fault_word);
    module_ = std::move(*module);
    check_capabilities();
    check_addresses();
    check_imports();
    if (module_.has_decoration_groups) {
      findings_.refuse("has groups of decorations, which no compiler writes any more");
    }
    for (const CodeStage& stage : expectation_.stages)
      check_stage(stage);
  }

 private:
  bool is_module(std::string_view bytes);
  bool is_valid();
  void check_capabilities();
  void check_addresses();
  void check_imports();
  void check_stage(const CodeStage& stage);
  void check_local_size(const CodeStage& stage, const SpirvEntryPoint& entry);
  void check_variables(const CodeStage& stage, const SpirvEntryPoint& entry);
  void check_variable(const CodeStage& stage, const SpirvVariable& variable);
  void check_workgroup_memory(const CodeStage& stage,
                              const std::vector<const SpirvVariable*>& variables);
  std::optional<double> limit(CapabilityKey key) const {
    if (expectation_.capabilities == nullptr) return std::nullopt;
    return expectation_.capabilities->number(key);
  }
  std::optional<std::int64_t> constant(std::uint32_t id) const {
    const auto found = module_.constants.find(id);
    if (found == module_.constants.end()) return std::nullopt;
    return found->second;
  }

  const SpirvExpectation& expectation_;
  FindingList& findings_;
  const TargetVersion* target_ = nullptr;
  std::vector<std::uint32_t> words_;
  SpirvModule module_;
};

bool SpirvCheck::is_module(std::string_view bytes) {
  const auto target = std::find_if(kTargets.begin(), kTargets.end(), [&](const TargetVersion& t) {
    return t.target == expectation_.target;
  });
  if (target == kTargets.end()) {
    findings_.refuse("is built for target \"", printable(expectation_.target),
                     "\", which is no version of SPIR-V that devices take");
    return false;
  }
  target_ = &*target;
  if (bytes.size() < kHeaderBytes || bytes.size() % 4 != 0 || bytes.size() > kMostSpirvBytes) {
    findings_.refuse("has ", bytes.size(), " bytes, not a multiple of 4 from ", kHeaderBytes,
                     " to ", kMostSpirvBytes);
    return false;
  }
  words_.resize(bytes.size() / 4);
  std::memcpy(words_.data(), bytes.data(), bytes.size());
  if (words_[0] != kMagic) {
    findings_.refuse("starts with ", hexadecimal(words_[0]), ", not as SPIR-V (",
                     hexadecimal(kMagic), ")");
    return false;
  }
  if (words_[1] > target_->version) {
    findings_.refuse("is SPIR-V ", version_text(words_[1]), ", newer than its target (",
                     version_text(target_->version), ")");
    return false;
  }
  return true;
}

bool SpirvCheck::is_valid() {
  spvtools::SpirvTools tools(target_->environment);
  std::string first;
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char*, const spv_position_t& at, const char* message) {
        if (level <= SPV_MSG_ERROR && first.empty() && message != nullptr) {
          const std::string_view text(message);
          first = base::concat("word ", at.index, ": ", text.substr(0, text.find('\n')));
        }
      });
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(target_->environment != SPV_ENV_VULKAN_1_1);
  if (tools.Validate(words_.data(), words_.size(), options)) return true;
  constexpr std::size_t kMostMessageBytes = 200;
  if (first.size() > kMostMessageBytes) first.resize(kMostMessageBytes);
  while (!first.empty() && (first.back() == '.' || first.back() == ' '))
    first.pop_back();
  std::replace_if(
      first.begin(), first.end(), [](char c) { return c < 0x20 || c == 0x7f; }, '?');
  findings_.refuse("is no valid SPIR-V for ", expectation_.target, " (", first, ")");
  return false;
}

void SpirvCheck::check_capabilities() {
  for (const std::uint32_t asked : module_.capabilities) {
    const auto allowed =
        std::find_if(kAllowed.begin(), kAllowed.end(),
                     [&](const AllowedCapability& a) { return a.capability == asked; });
    if (allowed == kAllowed.end()) {
      findings_.refuse("asks for SPIR-V capability ", asked, ", which kernels may not use");
      continue;
    }
    if (expectation_.is_foreign && asked == kPhysicalAddresses) {
      findings_.refuse("asks for ", allowed->name,
                       ", with which a foreign kernel could reach any memory of the device");
    }
    if (expectation_.capabilities == nullptr || !allowed->key) continue;
    const auto& info = descriptors::capability_key_info(*allowed->key);
    const auto* known = expectation_.capabilities->find(info.name);
    // What a descriptor says of instructions is about the silicon, not about what its driver takes.
    const bool is_there =
        known != nullptr &&
        (known->kind != descriptors::CapabilityKind::kFlag || known->number != 0) &&
        (known->origin == descriptors::CapabilityOrigin::kDriver ||
         !descriptors::is_about_instructions(info.name));
    if (!is_there) {
      findings_.refuse("asks for ", allowed->name, ", and the device does not say that it has ",
                       info.name);
    }
  }
}

void SpirvCheck::check_addresses() {
  if (!expectation_.is_foreign || module_.addressing == kAddressingLogical) return;
  findings_.refuse("uses addressing model ", module_.addressing,
                   ", and a foreign kernel may use only the logical one (", kAddressingLogical,
                   ")");
}

void SpirvCheck::check_imports() {
  for (const std::string& import : module_.imports) {
    const bool is_debug_info = import.starts_with("NonSemantic.Shader.DebugInfo.");
    if (import == "GLSL.std.450" || is_debug_info) continue;
    findings_.refuse("uses the instructions of \"", printable(import),
                     "\", which kernels may not use");
  }
}

void SpirvCheck::check_stage(const CodeStage& stage) {
  const auto& entries = module_.entry_points;
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const SpirvEntryPoint& e) { return e.name == stage.entry; });
  if (entry == entries.end()) {
    return findings_.refuse("has no entry point \"", printable(stage.entry), "\"");
  }
  if (entry->model != kModelCompute) {
    return findings_.refuse("has entry point \"", stage.entry, "\" of execution model ",
                            entry->model, ", not for compute (", kModelCompute, ")");
  }
  check_local_size(stage, *entry);
  check_variables(stage, *entry);
}

void SpirvCheck::check_local_size(const CodeStage& stage, const SpirvEntryPoint& entry) {
  double lanes = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    std::optional<std::int64_t> size;
    if (module_.workgroup_size) {
      size = constant((*module_.workgroup_size)[d]);
    } else if (entry.local_size) {
      const std::uint32_t word = (*entry.local_size)[d];
      size = entry.local_size_is_ids ? constant(word) : std::optional<std::int64_t>(word);
    }
    if (!size) {
      return findings_.refuse("does not say how large a workgroup of \"", stage.entry,
                              "\" is in dimension ", d);
    }
    lanes *= static_cast<double>(*size);
    if (!stage.block[d]) {
      findings_.refuse("has workgroups of ", *size, " in dimension ", d, " of \"", stage.entry,
                       "\", and kernel.json lets more than its parameters decide that");
    } else if (*size != *stage.block[d]) {
      findings_.refuse("has workgroups of ", *size, " in dimension ", d, " of \"", stage.entry,
                       "\", and kernel.json says ", *stage.block[d]);
    }
  }
  const auto most = limit(CapabilityKey::kLimitWorkgroupInvocations);
  if (most && lanes > *most) {
    findings_.refuse("has workgroups of ", lanes, " lanes in \"", stage.entry,
                     "\", and the device takes ", *most);
  }
}

void SpirvCheck::check_variables(const CodeStage& stage, const SpirvEntryPoint& entry) {
  std::vector<const SpirvVariable*> variables;
  for (const SpirvVariable& variable : module_.variables) {
    // Older modules do not say which buffers an entry point uses.
    const auto& interface = entry.interface;
    if (module_.version < kVersionWithWholeInterface ||
        std::find(interface.begin(), interface.end(), variable.id) != interface.end()) {
      variables.push_back(&variable);
    }
  }
  for (const SpirvVariable* variable : variables)
    check_variable(stage, *variable);
  check_workgroup_memory(stage, variables);
}

void SpirvCheck::check_variable(const CodeStage& stage, const SpirvVariable& variable) {
  switch (static_cast<SpirvStorage>(variable.storage)) {
    case SpirvStorage::kInput:
    case SpirvStorage::kPrivate:
    case SpirvStorage::kWorkgroup:
      return;
    case SpirvStorage::kStorageBuffer: {
      if (!variable.binding || variable.descriptor_set.value_or(1) != 0) {
        return findings_.refuse("has a buffer of \"", stage.entry, "\" in descriptor set ",
                                variable.descriptor_set.value_or(0), ", binding ",
                                variable.binding.value_or(0), "; only set 0 is bound");
      }
      const auto& bindings = stage.bindings;
      if (std::find(bindings.begin(), bindings.end(), *variable.binding) != bindings.end()) return;
      return findings_.refuse("uses binding ", *variable.binding, " in \"", stage.entry,
                              "\", which kernel.json does not bind");
    }
    case SpirvStorage::kPushConstant: {
      const std::uint64_t pushed = (stage.push_bytes + 3) / 4 * 4;
      const std::uint64_t size = variable.size_bytes.value_or(~std::uint64_t{0});
      if (size > pushed) {
        findings_.refuse("reads ", size, " bytes of push constants in \"", stage.entry,
                         "\", and kernel.json pushes ", stage.push_bytes);
      }
      const auto most = limit(CapabilityKey::kLimitPushConstantBytes);
      if (most && static_cast<double>(size) > *most) {
        findings_.refuse("reads ", size, " bytes of push constants in \"", stage.entry,
                         "\", and the device has ", *most);
      }
      return;
    }
    default:
      findings_.refuse("has a variable of storage class ", variable.storage, " in \"", stage.entry,
                       "\", which no launch fills");
  }
}

void SpirvCheck::check_workgroup_memory(const CodeStage& stage,
                                        const std::vector<const SpirvVariable*>& variables) {
  const auto most = limit(CapabilityKey::kLimitSharedBytes);
  std::uint64_t total = 0;
  for (const SpirvVariable* variable : variables) {
    if (variable->storage != static_cast<std::uint32_t>(SpirvStorage::kWorkgroup)) continue;
    if (!variable->size_bytes) {
      return findings_.refuse("has shared memory in \"", stage.entry,
                              "\" whose size its constants do not say");
    }
    if (__builtin_add_overflow(total, *variable->size_bytes, &total)) total = ~std::uint64_t{0};
  }
  if (most && static_cast<double>(total) > *most) {
    findings_.refuse("has ", total, " bytes of shared memory in \"", stage.entry,
                     "\", and a workgroup of the device has ", *most);
  }
}

}  // namespace

std::vector<Finding> check_spirv_code(std::string_view bytes, const SpirvExpectation& expectation) {
  FindingList findings(base::concat("The code of kernel \"", printable(expectation.kernel), "\""));
  SpirvCheck(expectation, findings).run(bytes);
  return std::move(findings).take();
}

}  // namespace halyard::verification
