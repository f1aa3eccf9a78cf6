// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_spirv.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <cstring>

namespace halyard::vulkan {
namespace {

constexpr std::uint32_t kMagic = 0x07230203;
constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kComputeModel = 5;
constexpr std::uint32_t kSpecIdDecoration = 1;

enum Opcode : std::uint32_t {
  kOpEntryPoint = 15,
  kOpTypeBool = 20,
  kOpTypeInt = 21,
  kOpTypeFloat = 22,
  kOpSpecConstantTrue = 48,
  kOpSpecConstantFalse = 49,
  kOpSpecConstant = 50,
  kOpFunction = 54,
  kOpDecorate = 71,
};

base::Error corrupt(std::string message) {
  return base::Error(base::ErrorCode::kCorruptData, std::move(message));
}

// Follows the instructions before the first function, which hold all that is asked for.
class Reader {
 public:
  explicit Reader(SpirvModule& module) : module_(module) {}

  void read(std::uint32_t opcode, std::span<const std::uint32_t> operands) {
    switch (opcode) {
      case kOpEntryPoint:
        if (operands.size() > 2 && operands[0] == kComputeModel) read_entry(operands.subspan(2));
        break;
      case kOpDecorate:
        if (operands.size() > 2 && operands[1] == kSpecIdDecoration) {
          spec_ids_[operands[0]] = operands[2];
        }
        break;
      case kOpTypeBool:
        if (!operands.empty()) type_sizes_[operands[0]] = 4;
        break;
      case kOpTypeInt:
      case kOpTypeFloat:
        if (operands.size() > 1) type_sizes_[operands[0]] = operands[1] / 8;
        break;
      case kOpSpecConstantTrue:
      case kOpSpecConstantFalse:
      case kOpSpecConstant:
        if (operands.size() > 1) read_constant(operands[0], operands[1]);
        break;
      default:
        break;
    }
  }

 private:
  void read_entry(std::span<const std::uint32_t> name_words) {
    const auto bytes = std::as_bytes(name_words);
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    std::string name;
    for (auto it = bytes.begin(); it != end; ++it)
      name.push_back(static_cast<char>(*it));
    module_.entries.push_back(std::move(name));
  }
  void read_constant(std::uint32_t type, std::uint32_t result) {
    const auto id = spec_ids_.find(result);
    const auto size = type_sizes_.find(type);
    if (id != spec_ids_.end() && size != type_sizes_.end()) {
      module_.constant_sizes[id->second] = size->second;
    }
  }

  SpirvModule& module_;
  std::map<std::uint32_t, std::uint32_t> spec_ids_;    // result to SpecId
  std::map<std::uint32_t, std::uint32_t> type_sizes_;  // result to bytes
};

}  // namespace

base::Result<SpirvModule> read_spirv(std::span<const std::byte> code) {
  if (code.size() % 4 != 0 || code.size() < kHeaderWords * 4) {
    return corrupt(base::concat("The SPIR-V module has ", code.size(),
                                " bytes, which is not a whole number of words from 20 bytes on."));
  }
  SpirvModule module;
  module.words.resize(code.size() / 4);
  std::memcpy(module.words.data(), code.data(), code.size());
  if (module.words[0] != kMagic) {
    return corrupt(base::concat("The SPIR-V module begins with ", module.words[0],
                                " instead of the magic number ", kMagic, "."));
  }
  module.version = module.words[1];
  Reader reader(module);
  const std::span<const std::uint32_t> words = module.words;
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    const std::uint32_t opcode = words[at] & 0xffffU;
    if (length == 0 || length > words.size() - at) {
      return corrupt(base::concat("The SPIR-V instruction at word ", at, " has ", length,
                                  " words, but ", words.size() - at, " are left."));
    }
    if (opcode == kOpFunction) break;
    reader.read(opcode, words.subspan(at + 1, length - 1));
    at += length;
  }
  return module;
}

}  // namespace halyard::vulkan
