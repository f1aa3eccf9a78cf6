// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/capability-descriptors/isa/test_data.h"

#include "tests/test_data.h"

#include <lzma.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace halyard::isa {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("There is no file " + path.string() + ".");
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string unpack(const std::string& packed) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  std::string text(kMostBytes, '\0');
  std::uint64_t memory = std::uint64_t{256} << 20;
  std::size_t in = 0;
  std::size_t out = 0;
  const lzma_ret done = lzma_stream_buffer_decode(
      &memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(packed.data()), &in, packed.size(),
      reinterpret_cast<std::uint8_t*>(text.data()), &out, text.size());
  if (done != LZMA_OK) throw std::runtime_error("An .xz file of the test data cannot be unpacked.");
  text.resize(out);
  return text;
}

template <typename Named>
const Named& named(const std::vector<Named>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Named& entry) { return entry.name == name; });
  if (found == table.end()) throw std::runtime_error("There is no " + std::string(name) + ".");
  return *found;
}

}  // namespace

std::optional<std::string> reconstructed_isa(std::string_view architecture,
                                             std::string_view left_out) {
  const auto folder = testing::test_data(left_out);
  if (!folder) return std::nullopt;
  return unpack(read(*folder / "isa-xml/reconstructed" /
                     ("amdgpu_isa_" + std::string(architecture) + ".xml.xz")));
}

std::string isa_fixture(std::string_view name) {
  return read(std::filesystem::path(HALYARD_ISA_FIXTURES) / name);
}

std::string isa_fixture(std::string_view name, std::string_view part, std::string_view by) {
  std::string text = isa_fixture(name);
  const std::size_t at = text.find(part);
  if (at == std::string::npos)
    throw std::runtime_error("The fixture has no \"" + std::string(part) + "\".");
  return text.replace(at, part.size(), by);
}

const Instruction& instruction_of(const InstructionSet& set, std::string_view name) {
  return named(set.instructions, name);
}

const Encoding& encoding_of(const InstructionSet& set, std::string_view name) {
  return named(set.encodings, name);
}

const Field& field_of(const Encoding& encoding, std::string_view name) {
  return named(encoding.fields, name);
}

}  // namespace halyard::isa
