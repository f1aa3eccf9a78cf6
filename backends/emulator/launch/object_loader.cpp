// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/object_loader.h"

#include "backends/emulator/launch/initial_registers.h"
#include "runtime/base/text.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using object::KernelField;

// Of all kernels together; each decodes the functions that it may call.
constexpr std::uint64_t kMostDecodedWords = std::uint64_t{1} << 20;
constexpr std::size_t kMostKernels = 4096;
constexpr std::uint64_t kLargestKernarg = std::uint64_t{1} << 16;
constexpr std::uint32_t kMostRegisters = 256;
constexpr std::uint64_t kPreloadCode = 256;  // bytes of code that loads arguments

}  // namespace

ObjectLoader::ObjectLoader(const IsaTables& tables, std::string_view bytes, std::string name)
    : tables_(tables),
      bytes_(bytes),
      name_(std::move(name)) {}

Error ObjectLoader::corrupt(std::string_view kernel, std::string_view what) const {
  return {ErrorCode::kCorruptData, concat(name_, ": Kernel \"", kernel, "\" ", what)};
}

Result<std::unique_ptr<const LoadedObject>> ObjectLoader::load() {
  HALYARD_TRY_ASSIGN(object_, object::parse_amdgpu_object(bytes_, name_));
  HALYARD_TRY(check_target());
  HALYARD_TRY_ASSIGN(image_, make_image(object_.elf, name_));
  HALYARD_TRY(find_code());
  find_functions();
  loaded_.reset(new LoadedObject);
  for (const object::ObjectKernel& kernel : object_.kernels)
    HALYARD_TRY(load_kernel(kernel));
  loaded_->name_ = name_;
  loaded_->target_ = object_.target;
  loaded_->code_base_ = code_address_ + image_.bias;
  loaded_->code_address_ = code_address_;
  loaded_->lines_ = LineTable::read(section_bytes(".debug_line"), section_bytes(".debug_line_str"),
                                    section_bytes(".debug_str"));
  loaded_->regions_ = std::move(image_.regions);
  loaded_->image_ = std::move(image_.bytes);
  return std::unique_ptr<const LoadedObject>(std::move(loaded_));
}

Status ObjectLoader::check_target() const {
  const std::string& wanted = tables_.target().processor;
  if (object_.target.processor != wanted) {
    return Error(
        ErrorCode::kUnsupported,
        concat(name_, ": The object is for ", object_.target.processor, ", not for ", wanted, "."));
  }
  if (object_.kernels.empty()) {
    return Error(ErrorCode::kCorruptData, concat(name_, ": The object has no kernel."));
  }
  if (object_.kernels.size() > kMostKernels) {
    return Error(ErrorCode::kUnsupported, concat(name_, ": The object has ", object_.kernels.size(),
                                                 " kernels; the most is ", kMostKernels, "."));
  }
  return base::ok();
}

// All kernels start in one section.
Status ObjectLoader::find_code() {
  for (const object::ObjectKernel& kernel : object_.kernels) {
    const auto& sections = object_.elf.sections;
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const object::ElfSection& section) {
          return section.type == SHT_PROGBITS && (section.flags & SHF_EXECINSTR) != 0 &&
                 kernel.entry_address >= section.address &&
                 kernel.entry_address - section.address < section.bytes.size();
        });
    if (found == sections.end() || kernel.entry_address % 4 != 0) {
      return corrupt(kernel.name, concat("starts at address ", kernel.entry_address,
                                         ", where no instruction can be."));
    }
    const auto index = static_cast<std::uint32_t>(found - sections.begin());
    if (code_section_ != object::kNoSection && index != code_section_) {
      return Error(ErrorCode::kUnsupported,
                   concat(name_, ": Kernel \"", kernel.name, "\" lies in section ", index,
                          ", another one in section ", code_section_, "."));
    }
    code_section_ = index;
  }
  const object::ElfSection& section = object_.elf.sections[code_section_];
  code_address_ = section.address;
  const std::byte* const code = image_.find(section.address, section.bytes.size());
  if (code == nullptr || code_address_ % 4 != 0) {
    return Error(ErrorCode::kCorruptData,
                 concat(name_, ": The code, ", section.bytes.size(), " bytes at address ",
                        section.address, ", is within no segment."));
  }
  words_.resize(section.bytes.size() / 4);
  std::memcpy(words_.data(), code, words_.size() * 4);
  return base::ok();
}

// Of the first section with a name; empty where there is none.
std::string_view ObjectLoader::section_bytes(std::string_view name) const {
  for (const object::ElfSection& section : object_.elf.sections) {
    if (section.name == name) return section.bytes;
  }
  return {};
}

void ObjectLoader::find_functions() {
  const auto word_of = [&](std::uint64_t address) { return (address - code_address_) / 4; };
  for (const object::ElfSymbol& symbol : object_.elf.symbols) {
    if (symbol.section != code_section_ || symbol.type != STT_FUNC ||
        symbol.address < code_address_ || symbol.address % 4 != 0 ||
        word_of(symbol.address) >= words_.size()) {
      continue;
    }
    const std::uint64_t first = word_of(symbol.address);
    const std::uint64_t count =
        std::min<std::uint64_t>(symbol.size_bytes / 4, words_.size() - first);
    functions_.push_back(
        {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + count), false});
  }
  for (const object::ObjectKernel& kernel : object_.kernels) {
    const auto first = static_cast<std::uint32_t>(word_of(kernel.entry_address));
    functions_.push_back({first, first, true});
  }
  std::sort(functions_.begin(), functions_.end(), [](const Function& left, const Function& right) {
    return left.first_word < right.first_word;
  });
  // A kernel is a function too, and several names may be of one.
  std::vector<Function> merged;
  for (const Function& function : functions_) {
    if (merged.empty() || merged.back().first_word != function.first_word) {
      merged.push_back(function);
      continue;
    }
    merged.back().end_word = std::max(merged.back().end_word, function.end_word);
    merged.back().is_kernel = merged.back().is_kernel || function.is_kernel;
  }
  // A function without a size ends where the next one starts, and so does one that is too long.
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const auto next = i + 1 < merged.size() ? merged[i + 1].first_word
                                            : static_cast<std::uint32_t>(words_.size());
    const bool has_size = merged[i].end_word > merged[i].first_word;
    merged[i].end_word = has_size ? std::min(merged[i].end_word, next) : next;
  }
  functions_ = std::move(merged);
}

// A kernel and every function that it may call.
std::vector<CodeStretch> ObjectLoader::stretches_of(std::uint32_t entry_word) const {
  std::vector<CodeStretch> stretches;
  for (const Function& function : functions_) {
    if (function.is_kernel && function.first_word != entry_word) continue;
    stretches.push_back({function.first_word, function.end_word});
  }
  return stretches;
}

Result<object::KernelMetadata> ObjectLoader::metadata_of(const object::ObjectKernel& kernel) const {
  if (object_.metadata) {
    for (const object::KernelMetadata& metadata : object_.metadata->kernels) {
      if (metadata.symbol == kernel.name + ".kd" || metadata.name == kernel.name) return metadata;
    }
  }
  return corrupt(kernel.name, "has no metadata, which say what its arguments are.");
}

Status ObjectLoader::check_kernel(const LoadedKernel& kernel) const {
  const object::KernelDescriptor& descriptor = kernel.descriptor;
  const object::KernelMetadata& metadata = kernel.metadata;
  struct Pair {
    std::string_view what;
    std::uint64_t in_descriptor;
    std::uint64_t in_metadata;
  };
  const Pair pairs[] = {
      {"lanes a wave", kernel.lanes, metadata.wavefront_size},
      {"bytes of group memory", descriptor.group_segment_bytes, metadata.group_segment_bytes},
      {"bytes of private memory", descriptor.private_segment_bytes, metadata.private_segment_bytes},
      {"bytes of arguments", descriptor.kernarg_bytes, metadata.kernarg_segment_bytes},
  };
  for (const Pair& pair : pairs) {
    // An older assembler does not say the arguments' size in the descriptor.
    if (pair.in_descriptor == pair.in_metadata) continue;
    if (pair.in_descriptor == 0 && pair.what == "bytes of arguments") continue;
    return corrupt(kernel.name,
                   concat("has ", pair.in_descriptor, " ", pair.what, " by its descriptor and ",
                          pair.in_metadata, " by its metadata."));
  }
  if (metadata.kernarg_segment_bytes > kLargestKernarg) {
    return Error(
        ErrorCode::kUnsupported,
        concat(name_, ": Kernel \"", kernel.name, "\" has ", metadata.kernarg_segment_bytes,
               " bytes of arguments; the most is ", kLargestKernarg, "."));
  }
  return check_arguments(kernel);
}

Status ObjectLoader::check_arguments(const LoadedKernel& kernel) const {
  const std::uint64_t size_bytes = kernel.metadata.kernarg_segment_bytes;
  for (const object::KernelArgument& argument : kernel.metadata.arguments) {
    if (argument.offset > size_bytes || argument.size_bytes > size_bytes - argument.offset) {
      return corrupt(kernel.name,
                     concat("has argument \"", argument.name, "\" (", argument.value_kind, ") of ",
                            argument.size_bytes, " bytes at offset ", argument.offset, " of ",
                            size_bytes, " bytes of arguments."));
    }
  }
  return base::ok();
}

Status ObjectLoader::count_registers(LoadedKernel& kernel) const {
  const std::uint32_t all = kernel.descriptor.vgprs(object_.target);
  if (tables_.target().generation != Generation::kGfx9) {
    kernel.vector_registers = std::min(all, kMostRegisters);
    return base::ok();
  }
  const std::uint32_t offset = (kernel.descriptor.field(KernelField::kAccumOffset) + 1) * 4;
  // The offset may be rounded further up than what is given.
  kernel.vector_registers = std::min({offset, all, kMostRegisters});
  kernel.accumulation_registers = all > offset ? std::min(all - offset, kMostRegisters) : 0;
  return base::ok();
}

Status ObjectLoader::load_kernel(const object::ObjectKernel& from) {
  LoadedKernel kernel;
  kernel.name = from.name;
  kernel.descriptor = from.descriptor;
  kernel.lanes = from.descriptor.wavefront_size(object_.target);
  HALYARD_TRY_ASSIGN(kernel.metadata, metadata_of(from));
  HALYARD_TRY(check_kernel(kernel));
  HALYARD_TRY(count_registers(kernel));
  const auto layout = scalar_layout(kernel.descriptor, object_.target);
  if (!layout) return corrupt(from.name, layout.error().message());
  const auto entry_word = static_cast<std::uint32_t>((from.entry_address - code_address_) / 4);
  const std::vector<CodeStretch> stretches = stretches_of(entry_word);
  for (const CodeStretch& stretch : stretches)
    decoded_words_ += stretch.end_word - stretch.first_word;
  if (decoded_words_ > kMostDecodedWords) {
    return Error(ErrorCode::kUnsupported,
                 concat(name_, ": The kernels up to \"", from.name, "\" have ", decoded_words_,
                        " dwords of code together; the most is ", kMostDecodedWords, "."));
  }
  const ProgramLimits limits{kernel.lanes, kernel.vector_registers, kernel.accumulation_registers};
  HALYARD_TRY_ASSIGN(
      Program program,
      Program::create(tables_, std::span<const std::uint32_t>(words_), stretches, limits));
  kernel.program = std::make_unique<const Program>(std::move(program));
  // Where arguments are in registers already, what would load them is passed over.
  const std::uint64_t start = from.entry_address + (layout->preloaded_count > 0 ? kPreloadCode : 0);
  kernel.entry = kernel.program->at(start - code_address_);
  if (kernel.entry == nullptr) {
    return corrupt(from.name,
                   concat("starts at address ", start, ", where no instruction starts."));
  }
  loaded_->kernels_.push_back(std::move(kernel));
  return base::ok();
}

}  // namespace halyard::emulator
