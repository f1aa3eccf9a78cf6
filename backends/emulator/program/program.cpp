// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/program.h"

#include "backends/emulator/program/program_builder.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::emulator {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

IsaTables::IsaTables(EmulatedTarget target, std::unique_ptr<const isa::InstructionSet> set,
                     isa::InstructionDecoder decoder)
    : target_(std::move(target)),
      set_(std::move(set)),
      decoder_(std::move(decoder)),
      writers_(std::make_unique<Writers>()) {
  layouts_.reserve(set_->encodings.size());
  for (const isa::Encoding& encoding : set_->encodings)
    layouts_.emplace_back(encoding);
}

Result<IsaTables> IsaTables::create(EmulatedTarget target, isa::InstructionSet set) {
  auto kept = std::make_unique<const isa::InstructionSet>(std::move(set));
  HALYARD_TRY_ASSIGN(isa::InstructionDecoder decoder, isa::InstructionDecoder::create(*kept));
  return IsaTables(std::move(target), std::move(kept), std::move(decoder));
}

const isa::InstructionWriter& IsaTables::writer(std::uint32_t lanes) const {
  std::call_once(writers_->once, [&] {
    writers_->narrow.emplace(*set_, 32);
    writers_->wide.emplace(*set_, 64);
  });
  return lanes == 32 ? *writers_->narrow : *writers_->wide;
}

Result<Program> Program::create(const IsaTables& tables, std::vector<std::uint32_t> words,
                                std::span<const std::uint32_t> starts,
                                const ProgramLimits& limits) {
  std::vector<CodeStretch> stretches;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : words.size();
    stretches.push_back({starts[i], static_cast<std::uint32_t>(end)});
  }
  return create(tables, std::span<const std::uint32_t>(words), stretches, limits);
}

Result<Program> Program::create(const IsaTables& tables, std::span<const std::uint32_t> words,
                                std::span<const CodeStretch> stretches,
                                const ProgramLimits& limits) {
  ProgramBuilder builder(tables, limits);
  std::uint32_t previous_end = 0;
  for (const CodeStretch& stretch : stretches) {
    if (stretch.first_word < previous_end || stretch.end_word < stretch.first_word ||
        stretch.end_word > words.size()) {
      return Error(
          ErrorCode::kInvalidArgument,
          concat("A function has the dwords ", stretch.first_word, " to ", stretch.end_word, " of ",
                 words.size(), "; the one before it ends at ", previous_end, "."));
    }
    previous_end = stretch.end_word;
    builder.add(words, stretch);
  }
  return builder.finish();
}

const Operation* Program::at(std::uint64_t offset) const noexcept {
  auto found = std::lower_bound(
      operations_.begin(), operations_.end(), offset,
      [](const Operation& operation, std::uint64_t wanted) { return operation.address < wanted; });
  // The end of a stretch has the address of what follows.
  while (found != operations_.end() && found->address == offset && found->size_bytes == 0)
    ++found;
  if (found == operations_.end() || found->address != offset) return nullptr;
  return &*found;
}

std::span<const std::uint32_t> Program::encoding(const Operation& operation) const {
  const std::uint32_t word = operation.address / 4;
  for (const Part& part : parts_) {
    if (word < part.stretch.first_word || word >= part.stretch.end_word) continue;
    return std::span(words_).subspan(part.first + word - part.stretch.first_word,
                                     operation.size_bytes / 4);
  }
  return {};
}

std::string Program::text(const Operation& operation) const {
  const auto words = encoding(operation);
  isa::DecodedInstruction decoded;
  if (words.empty() || !tables_->decoder().decode(words, &decoded)) return {};
  return tables_->writer(lanes_).text(decoded, words);
}

}  // namespace halyard::emulator
