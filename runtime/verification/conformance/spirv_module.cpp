// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/spirv_module.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>

namespace halyard::verification {
namespace {

using Words = std::span<const std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
// Where an array has so many elements that its size has no meaning.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;

enum Op : std::uint32_t {
  kOpExtInstImport = 11,
  kOpMemoryModel = 14,
  kOpEntryPoint = 15,
  kOpExecutionMode = 16,
  kOpCapability = 17,
  kOpTypeBool = 20,
  kOpTypeInt = 21,
  kOpTypeFloat = 22,
  kOpTypeVector = 23,
  kOpTypeMatrix = 24,
  kOpTypeArray = 28,
  kOpTypeRuntimeArray = 29,
  kOpTypeStruct = 30,
  kOpTypePointer = 32,
  kOpConstant = 43,
  kOpConstantComposite = 44,
  kOpSpecConstant = 50,
  kOpSpecConstantComposite = 51,
  kOpSpecConstantOp = 52,
  kOpFunction = 54,
  kOpVariable = 59,
  kOpDecorate = 71,
  kOpMemberDecorate = 72,
  kOpDecorationGroup = 73,
  kOpExecutionModeId = 331,
};

constexpr std::uint32_t kModeLocalSize = 17;
constexpr std::uint32_t kModeLocalSizeId = 38;
constexpr std::uint32_t kSpecId = 1;
constexpr std::uint32_t kArrayStride = 6;
constexpr std::uint32_t kBuiltIn = 11;
constexpr std::uint32_t kBinding = 33;
constexpr std::uint32_t kDescriptorSet = 34;
constexpr std::uint32_t kOffset = 35;
constexpr std::uint32_t kBuiltInWorkgroupSize = 25;

struct Type {
  std::uint32_t op = 0;
  std::uint32_t element = 0;  // of a pointer: what it points to
  std::uint64_t size_bytes = 0;
  std::uint64_t alignment = 1;
  bool is_endless = false;
  bool is_signed = false;
};

struct Decorations {
  std::optional<std::uint32_t> constant_id;
  std::optional<std::uint32_t> array_stride;
  std::optional<std::uint32_t> binding;
  std::optional<std::uint32_t> descriptor_set;
  bool is_workgroup_size = false;
  std::map<std::uint32_t, std::uint32_t> member_offsets;
};

std::uint64_t product(std::uint64_t left, std::uint64_t right) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(left, right, &out) ? kHuge : std::min(out, kMostBytes);
}

std::uint64_t aligned(std::uint64_t value, std::uint64_t alignment) {
  return (std::min(value, kMostBytes) + alignment - 1) / alignment * alignment;
}

std::string text_of(Words words) {
  std::string out(words.size() * 4, '\0');
  if (!words.empty()) std::memcpy(out.data(), words.data(), out.size());
  return out.substr(0, out.find('\0'));
}

class ModuleReader {
 public:
  ModuleReader(Words words, const std::map<std::uint32_t, std::int64_t>& specialisation)
      : words_(words),
        specialisation_(specialisation) {}

  std::optional<SpirvModule> read(std::size_t* fault_word) {
    if (words_.size() < kHeaderWords) {
      *fault_word = words_.size();
      return std::nullopt;
    }
    module_.version = words_[1];
    for (std::size_t at = kHeaderWords; at < words_.size();) {
      const std::uint32_t count = words_[at] >> 16;
      if (count == 0 || count > words_.size() - at) {
        *fault_word = at;
        return std::nullopt;
      }
      const std::uint32_t op = words_[at] & 0xffff;
      if (op == kOpFunction) break;
      take(op, words_.subspan(at + 1, count - 1));
      at += count;
    }
    return std::move(module_);
  }

 private:
  static std::uint32_t word(Words operands, std::size_t i) {
    return i < operands.size() ? operands[i] : 0;
  }
  static Words from(Words operands, std::size_t i) {
    return i < operands.size() ? operands.subspan(i) : Words{};
  }

  void take(std::uint32_t op, Words operands) {
    switch (op) {
      case kOpCapability:
        module_.capabilities.push_back(word(operands, 0));
        break;
      case kOpExtInstImport:
        module_.imports.push_back(text_of(from(operands, 1)));
        break;
      case kOpMemoryModel:
        module_.addressing = word(operands, 0);
        break;
      case kOpEntryPoint:
        take_entry_point(operands);
        break;
      case kOpExecutionMode:
      case kOpExecutionModeId:
        take_execution_mode(operands);
        break;
      case kOpDecorate:
        take_decoration(operands);
        break;
      case kOpMemberDecorate:
        if (word(operands, 2) == kOffset) {
          decorations_[word(operands, 0)].member_offsets[word(operands, 1)] = word(operands, 3);
        }
        break;
      case kOpDecorationGroup:
        module_.has_decoration_groups = true;
        break;
      case kOpConstant:
      case kOpSpecConstant:
        take_constant(op, operands);
        break;
      case kOpSpecConstantOp:
        take_constant_operation(operands);
        break;
      case kOpConstantComposite:
      case kOpSpecConstantComposite:
        if (operands.size() == 5 && decorations_[operands[1]].is_workgroup_size) {
          module_.workgroup_size = {operands[2], operands[3], operands[4]};
          workgroup_size_id_ = operands[1];
        }
        break;
      case kOpVariable:
        take_variable(operands);
        break;
      default:
        take_type(op, operands);
    }
  }

  void take_entry_point(Words operands) {
    SpirvEntryPoint entry;
    entry.model = word(operands, 0);
    entry.id = word(operands, 1);
    const Words rest = from(operands, 2);
    entry.name = text_of(rest);
    const std::size_t name_words = entry.name.size() / 4 + 1;
    const Words interface = from(rest, name_words);
    entry.interface.assign(interface.begin(), interface.end());
    module_.entry_points.push_back(std::move(entry));
  }

  void take_execution_mode(Words operands) {
    const std::uint32_t mode = word(operands, 1);
    if (mode != kModeLocalSize && mode != kModeLocalSizeId) return;
    for (SpirvEntryPoint& entry : module_.entry_points) {
      if (entry.id != word(operands, 0)) continue;
      entry.local_size = {word(operands, 2), word(operands, 3), word(operands, 4)};
      entry.local_size_is_ids = mode == kModeLocalSizeId;
    }
  }

  void take_decoration(Words operands) {
    Decorations& of = decorations_[word(operands, 0)];
    const std::uint32_t value = word(operands, 2);
    switch (word(operands, 1)) {
      case kSpecId:
        of.constant_id = value;
        break;
      case kArrayStride:
        of.array_stride = value;
        break;
      case kBinding:
        of.binding = value;
        break;
      case kDescriptorSet:
        of.descriptor_set = value;
        break;
      case kBuiltIn:
        of.is_workgroup_size = value == kBuiltInWorkgroupSize;
        break;
      default:
        break;
    }
  }

  void take_constant(std::uint32_t op, Words operands) {
    const Type& type = types_[word(operands, 0)];
    const std::uint32_t id = word(operands, 1);
    if (op == kOpSpecConstant && decorations_[id].constant_id) {
      module_.constant_ids.push_back(*decorations_[id].constant_id);
    }
    if (type.op != kOpTypeInt) return;
    std::uint64_t bits = word(operands, 2);
    if (operands.size() > 3) bits |= std::uint64_t{operands[3]} << 32;
    auto value = static_cast<std::int64_t>(bits);
    if (type.is_signed && type.size_bytes <= 4) value = static_cast<std::int32_t>(bits);
    if (op == kOpSpecConstant && decorations_[id].constant_id) {
      const auto given = specialisation_.find(*decorations_[id].constant_id);
      if (given != specialisation_.end()) value = given->second;
    }
    module_.constants[id] = value;
  }

  void take_constant_operation(Words operands) {
    if (operands.size() != 5) return;
    constexpr std::uint32_t kCompositeExtract = 81;
    if (operands[2] == kCompositeExtract) {
      // A dimension of the workgroup.
      if (operands[3] != workgroup_size_id_ || operands[4] >= 3) return;
      const auto part = module_.constants.find((*module_.workgroup_size)[operands[4]]);
      if (part == module_.constants.end()) return;
      const std::int64_t value = part->second;
      module_.constants[operands[1]] = value;
      return;
    }
    const auto left = module_.constants.find(operands[3]);
    const auto right = module_.constants.find(operands[4]);
    if (left == module_.constants.end() || right == module_.constants.end()) return;
    const auto value = result(operands[2], static_cast<std::uint64_t>(left->second),
                              static_cast<std::uint64_t>(right->second));
    if (!value) return;
    // Sizes are of 32 bits.
    module_.constants[operands[1]] = static_cast<std::int64_t>(*value & 0xffffffff);
  }

  static std::optional<std::uint64_t> result(std::uint32_t op, std::uint64_t left,
                                             std::uint64_t right) {
    switch (op) {
      case 128:  // OpIAdd
        return left + right;
      case 130:  // OpISub
        return left - right;
      case 132:  // OpIMul
        return left * right;
      case 134:  // OpUDiv
      case 135:  // OpSDiv
        if (right == 0) return std::nullopt;
        return left / right;
      case 137:  // OpUMod
        if (right == 0) return std::nullopt;
        return left % right;
      case 194:  // OpShiftRightLogical
        return right < 32 ? left >> right : 0;
      case 196:  // OpShiftLeftLogical
        return right < 32 ? left << right : 0;
      default:
        return std::nullopt;
    }
  }

  void take_type(std::uint32_t op, Words operands) {
    Type type;
    type.op = op;
    const std::uint32_t id = word(operands, 0);
    switch (op) {
      case kOpTypeBool:
        type.size_bytes = type.alignment = 4;
        break;
      case kOpTypeInt:
      case kOpTypeFloat:
        type.size_bytes = type.alignment = std::clamp<std::uint64_t>(word(operands, 1) / 8, 1, 8);
        type.is_signed = op == kOpTypeInt && word(operands, 2) != 0;
        break;
      case kOpTypeVector:
      case kOpTypeMatrix: {
        const Type& element = types_[word(operands, 1)];
        type.size_bytes = product(element.size_bytes, word(operands, 2));
        type.alignment = element.alignment;
        break;
      }
      case kOpTypeArray:
        make_array(operands, type);
        break;
      case kOpTypeRuntimeArray:
        type.is_endless = true;
        break;
      case kOpTypeStruct:
        make_struct(operands, type);
        break;
      case kOpTypePointer:
        type.element = word(operands, 2);
        type.size_bytes = type.alignment = 8;
        break;
      default:
        return;
    }
    types_[id] = type;
  }

  void make_array(Words operands, Type& type) {
    const Type element = types_[word(operands, 1)];
    const auto length = module_.constants.find(word(operands, 2));
    const auto stride = decorations_[word(operands, 0)].array_stride;
    type.alignment = element.alignment;
    type.is_endless = element.is_endless || length == module_.constants.end() || length->second < 0;
    if (type.is_endless) return;
    type.size_bytes =
        product(stride.value_or(0) != 0 ? *stride : aligned(element.size_bytes, element.alignment),
                static_cast<std::uint64_t>(length->second));
  }

  void make_struct(Words operands, Type& type) {
    const auto& offsets = decorations_[word(operands, 0)].member_offsets;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const Type& member = types_[operands[i]];
      const auto placed = offsets.find(static_cast<std::uint32_t>(i - 1));
      const std::uint64_t offset =
          placed == offsets.end() ? aligned(type.size_bytes, member.alignment) : placed->second;
      type.size_bytes = std::max(type.size_bytes, offset + std::min(member.size_bytes, kMostBytes));
      type.size_bytes = std::min(type.size_bytes, kMostBytes);
      type.alignment = std::max(type.alignment, member.alignment);
      type.is_endless = type.is_endless || member.is_endless;
    }
  }

  void take_variable(Words operands) {
    SpirvVariable variable;
    variable.id = word(operands, 1);
    variable.storage = word(operands, 2);
    const Type& type = types_[types_[word(operands, 0)].element];
    if (!type.is_endless) variable.size_bytes = type.size_bytes;
    const Decorations& of = decorations_[variable.id];
    variable.descriptor_set = of.descriptor_set;
    variable.binding = of.binding;
    module_.variables.push_back(variable);
  }

  Words words_;
  const std::map<std::uint32_t, std::int64_t>& specialisation_;
  SpirvModule module_;
  std::optional<std::uint32_t> workgroup_size_id_;
  std::unordered_map<std::uint32_t, Type> types_;
  std::unordered_map<std::uint32_t, Decorations> decorations_;
};

}  // namespace

std::optional<SpirvModule> read_spirv_module(
    std::span<const std::uint32_t> words,
    const std::map<std::uint32_t, std::int64_t>& specialisation, std::size_t* fault_word) {
  return ModuleReader(words, specialisation).read(fault_word);
}

}  // namespace halyard::verification
