// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/isa_file.h"

#include "capability-descriptors/isa/amd_isa_xml.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <zip.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace halyard::isa {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

struct ArchiveCloser {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct EntryCloser {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Archive = std::unique_ptr<zip_t, ArchiveCloser>;
using Entry = std::unique_ptr<zip_file_t, EntryCloser>;

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of("/\\") + 1));
}

// What of an entry's name may stand in a message.
std::string printable(std::string_view name) {
  constexpr std::size_t kShown = 128;
  std::string text = file_name(name).substr(0, kShown);
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

bool is_xml(std::string_view name) {
  constexpr std::string_view kSuffix = ".xml";
  if (name.size() < kSuffix.size()) return false;
  name.remove_prefix(name.size() - kSuffix.size());
  return std::equal(name.begin(), name.end(), kSuffix.begin(),
                    [](char a, char b) { return (a | 0x20) == b || a == b; });
}

class IsaArchive {
 public:
  IsaArchive(std::string name, Archive archive, const IsaFileLimits& limits)
      : name_(std::move(name)),
        archive_(std::move(archive)),
        limits_(limits) {}

  // Borrows `bytes`.
  static Result<IsaArchive> open(const std::vector<std::byte>& bytes, std::string name,
                                 const IsaFileLimits& limits) {
    zip_error_t failed;
    zip_error_init(&failed);
    zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &failed);
    Archive archive(source == nullptr ? nullptr
                                      : zip_open_from_source(source, ZIP_RDONLY, &failed));
    std::string reason = archive ? "" : zip_error_strerror(&failed);
    if (!archive && source != nullptr) zip_source_free(source);
    zip_error_fini(&failed);
    if (!archive) {
      return Error(ErrorCode::kCorruptData,
                   concat(name, ": The archive cannot be read: ", reason, '.'));
    }
    return IsaArchive(std::move(name), std::move(archive), limits);
  }

  Result<std::vector<InstructionSet>> read() {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    if (count < 0 || static_cast<std::uint64_t>(count) > limits_.entries)
      return error(concat("The archive has ", count, " entries; the most is ", limits_.entries));
    std::vector<InstructionSet> sets;
    for (zip_uint64_t index = 0; index < static_cast<zip_uint64_t>(count); ++index) {
      zip_stat_t stat;
      if (zip_stat_index(archive_.get(), index, 0, &stat) != 0 || (stat.valid & ZIP_STAT_NAME) == 0)
        return error(concat("Entry ", index, " of the archive cannot be read"));
      if (!is_xml(stat.name)) continue;
      HALYARD_TRY_ASSIGN(const std::string text, unpack(stat));
      HALYARD_TRY_ASSIGN(InstructionSet set,
                         read_amd_isa_xml(text, concat(name_, '/', printable(stat.name))));
      for (const InstructionSet& other : sets) {
        if (other.id == set.id) {
          return error(concat(printable(stat.name), " and ", other.sources.front().title,
                              " are both about ", set.id));
        }
      }
      sets.push_back(std::move(set));
    }
    if (sets.empty()) return error("The archive has no XML file");
    return sets;
  }

 private:
  Error error(std::string_view what) const {
    return Error(ErrorCode::kCorruptData, concat(name_, ": ", what, '.'));
  }

  Result<std::string> unpack(const zip_stat_t& stat) {
    const std::string name = printable(stat.name);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if ((stat.valid & kNeeded) != kNeeded) return error(concat(name, " has no size"));
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && stat.encryption_method != ZIP_EM_NONE)
      return error(concat(name, " is encrypted"));
    if (stat.size > limits_.entry_bytes)
      return error(concat(name, " has ", stat.size, " bytes; the most is ", limits_.entry_bytes));
    unpacked_ += stat.size;
    if (unpacked_ > limits_.unpacked_bytes)
      return error(concat("The archive unpacks to more than ", limits_.unpacked_bytes, " bytes"));
    if (stat.size / std::max<zip_uint64_t>(stat.comp_size, 1) > limits_.ratio) {
      return error(concat(name, " unpacks ", stat.comp_size, " bytes to ", stat.size,
                          "; the most is ", limits_.ratio, " times"));
    }
    const Entry entry(zip_fopen_index(archive_.get(), stat.index, 0));
    if (!entry) return error(concat(name, " cannot be unpacked: ", zip_strerror(archive_.get())));
    std::string text(static_cast<std::size_t>(stat.size), '\0');
    const zip_int64_t read = zip_fread(entry.get(), text.data(), text.size());
    char beyond = 0;
    const zip_int64_t more = read < 0 ? read : zip_fread(entry.get(), &beyond, 1);
    if (more < 0)
      return error(concat(name, " cannot be unpacked: ", zip_file_strerror(entry.get())));
    if (read != static_cast<zip_int64_t>(text.size()) || more != 0) {
      return error(concat(name, " unpacks to ", more == 0 ? "fewer" : "more", " bytes than the ",
                          text.size(), " that the archive states"));
    }
    return text;
  }

  std::string name_;
  Archive archive_;
  IsaFileLimits limits_;
  std::uint64_t unpacked_ = 0;
};

}  // namespace

Result<std::vector<InstructionSet>> read_isa_file(const std::string& path,
                                                  const IsaFileLimits& limits) {
  HALYARD_TRY_ASSIGN(const std::vector<std::byte> bytes, base::read_file(path, limits.file_bytes));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("PK")) {
    HALYARD_TRY_ASSIGN(IsaArchive archive, IsaArchive::open(bytes, file_name(path), limits));
    return archive.read();
  }
  HALYARD_TRY_ASSIGN(InstructionSet set, read_amd_isa_xml(text, file_name(path)));
  std::vector<InstructionSet> sets;
  sets.push_back(std::move(set));
  return sets;
}

}  // namespace halyard::isa
