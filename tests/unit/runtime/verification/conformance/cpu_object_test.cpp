// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/cpu_object.h"

#include "kernel-store/kernel_record.h"
#include "tests/unit/runtime/verification/conformance/test_bytes.h"

#include <gmock/gmock.h>

#include <elf.h>

#include <cstring>
#include <functional>
#include <random>

namespace halyard::verification {
namespace {

using testing::bundled_builds;
using testing::file_bytes;
using ::testing::HasSubstr;
using testing::object_bytes;
using testing::sentences;

std::string verdict(std::string_view bytes, std::vector<std::string> entries = {"kernel_entry"}) {
  return sentences(check_cpu_object(bytes, {"saxpy", std::move(entries)}));
}

TEST(CpuObject, EveryBundledBuildIsAccepted) {
  const auto builds = bundled_builds(".so");
  EXPECT_GT(builds.size(), 100U);
  for (const auto& path : builds) {
    const auto json = file_bytes(path.parent_path() / "kernel.json");
    const auto record = store::parse_kernel_record(json, path.string());
    ASSERT_TRUE(record) << record.error().message();
    std::vector<std::string> entries;
    for (const store::KernelStage& stage : record->stages)
      entries.push_back(stage.entry);
    EXPECT_EQ(verdict(file_bytes(path), entries), "") << path;
  }
}

TEST(CpuObject, HonestObjectsAreAccepted) {
  for (const std::string_view name : {"plain", "harmless_bytes", "switch", "table"}) {
    EXPECT_EQ(verdict(object_bytes(std::string(name) + ".so")), "") << name;
  }
}

struct Hostile {
  std::string_view name;
  std::string_view sentence;
};

class HostileObject : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileObject, IsRefusedUnloaded) {
  const std::string bytes = object_bytes(std::string(GetParam().name) + ".so");
  EXPECT_THAT(verdict(bytes), HasSubstr(std::string(GetParam().sentence)));
}

INSTANTIATE_TEST_SUITE_P(
    CpuObject, HostileObject,
    ::testing::Values(
        Hostile{"constructor", "has code that runs when it is loaded (DT_INIT_ARRAY)."},
        Hostile{"destructor", "has code that runs when it is unloaded (DT_FINI_ARRAY)."},
        Hostile{"initial_function", "has code that runs when it is loaded (DT_INIT)."},
        Hostile{"final_function", "has code that runs when it is unloaded (DT_FINI)."},
        Hostile{"ifunc", "chooses \"indirect\" by code that runs when it is loaded (an IFUNC at"},
        Hostile{"hidden_ifunc", "when it is loaded (relocation 0 is IRELATIVE)."},
        Hostile{"needed", "needs another library (DT_NEEDED)."},
        Hostile{"rpath", "says where libraries are looked for (DT_RPATH)."},
        Hostile{"runpath", "says where libraries are looked for (DT_RUNPATH)."},
        Hostile{"textrel", "changes its own code when it is loaded (DT_TEXTREL)."},
        Hostile{"writable_code", "that is both writable and executable."},
        Hostile{"one_segment", "with alignment 8, which no page has."},
        Hostile{"exec_stack", "wants a stack that holds code (PT_GNU_STACK has flags 7)."},
        Hostile{"tls", "has thread-local data (PT_TLS, 4 bytes)."},
        Hostile{"local_tls", "has thread-local data (PT_TLS, 4 bytes)."},
        Hostile{"import", "takes \"getenv\" from another library (an undefined symbol)."},
        Hostile{"weak_import", "takes \"getenv\" from another library (an undefined symbol)."},
        Hostile{"import_in_disguise", "calls or reads \"getenv\" by name"},
        Hostile{"counter", "has 4 bytes of writable data that outlive a launch (address 0x"},
        Hostile{"zeroed_counter", "has 8 bytes of writable data that outlive a launch (address 0x"},
        Hostile{"no_relro", "bytes of writable data that outlive a launch (address 0x"},
        Hostile{"audit", "names an auditing library (DT_AUDIT)."},
        Hostile{"dependency_audit", "names an auditing library (DT_DEPAUDIT)."},
        Hostile{"filter", "stands for another library (DT_FILTER)."},
        Hostile{"auxiliary", "stands for another library (DT_AUXILIARY)."},
        Hostile{"origin", "of which a kernel needs only 0x8."},
        Hostile{"interpose", "(DT_FLAGS_1), of which a kernel needs only 0x1."},
        Hostile{"no_delete", "(DT_FLAGS_1), of which a kernel needs only 0x1."},
        Hostile{"symbolic", "has dynamic entry 0x10, which no kernel needs."},
        Hostile{"packed_relocations", "has dynamic entry 0x24, which no kernel needs."},
        Hostile{"interpreter", "is a program (PT_INTERP)."},
        Hostile{"unique", "shares \"shared\" with every other library (a unique symbol)."},
        Hostile{"missing_entry", "does not export the entry \"kernel_entry\"."},
        Hostile{"data_entry", "as symbol of kind 1, not as a function (2)."},
        Hostile{"entry_in_data", "outside of its executable code."},
        Hostile{"syscall", "that no kernel needs (syscall)."},
        Hostile{"called_syscall", "that no kernel needs (syscall)."},
        Hostile{"switch_syscall", "that no kernel needs (syscall)."},
        Hostile{"interrupt", "that no kernel needs (int)."},
        Hostile{"sysenter", "that no kernel needs (sysenter)."},
        Hostile{"protection_keys", "that no kernel needs (wrpkru)."},
        Hostile{"rounding", "that no kernel needs (ldmxcsr)."},
        Hostile{"far_branch", "which is not in its code."}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// A plain object with a part of its headers changed.
class PatchedObject : public ::testing::Test {
 protected:
  template <typename T>
  T read(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }
  template <typename T>
  void write(std::uint64_t offset, const T& value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof(T));
  }
  Elf64_Ehdr header() const { return read<Elf64_Ehdr>(0); }

  void change_header(const std::function<void(Elf64_Ehdr&)>& change) {
    Elf64_Ehdr changed = header();
    change(changed);
    write(0, changed);
  }
  // Changes the first segment that `which` is true for.
  void change_segment(const std::function<bool(const Elf64_Phdr&)>& which,
                      const std::function<void(Elf64_Phdr&)>& change) {
    for (std::uint64_t i = 0; i < header().e_phnum; ++i) {
      const std::uint64_t offset = header().e_phoff + i * sizeof(Elf64_Phdr);
      auto segment = read<Elf64_Phdr>(offset);
      if (!which(segment)) continue;
      change(segment);
      write(offset, segment);
      return;
    }
    FAIL() << "There is no such segment.";
  }
  void change_entry(std::int64_t tag, const std::function<void(Elf64_Dyn&)>& change) {
    for (std::uint64_t i = 0; i < header().e_phnum; ++i) {
      const auto segment = read<Elf64_Phdr>(header().e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type != PT_DYNAMIC) continue;
      for (std::uint64_t at = segment.p_offset; at < segment.p_offset + segment.p_filesz;
           at += sizeof(Elf64_Dyn)) {
        auto entry = read<Elf64_Dyn>(at);
        if (entry.d_tag != tag) continue;
        change(entry);
        write(at, entry);
        return;
      }
    }
    FAIL() << "There is no such entry.";
  }
  void change_symbol(std::string_view wanted, const std::function<void(Elf64_Sym&)>& change) {
    std::uint64_t names = 0;
    std::uint64_t table = 0;  // addresses and offsets agree for both
    change_entry(DT_STRTAB, [&](Elf64_Dyn& e) { names = e.d_un.d_ptr; });
    change_entry(DT_SYMTAB, [&](Elf64_Dyn& e) { table = e.d_un.d_ptr; });
    for (std::uint64_t at = table; at + sizeof(Elf64_Sym) <= names; at += sizeof(Elf64_Sym)) {
      auto symbol = read<Elf64_Sym>(at);
      if (bytes_.c_str() + names + symbol.st_name != wanted) continue;
      change(symbol);
      write(at, symbol);
      return;
    }
    FAIL() << "There is no symbol " << wanted;
  }
  static auto type_is(std::uint32_t type) {
    return [type](const Elf64_Phdr& segment) { return segment.p_type == type; };
  }

  std::string bytes_ = object_bytes("plain.so");
};

TEST_F(PatchedObject, OtherFilesAreNamed) {
  EXPECT_EQ(verdict("#!/bin/sh\n"),
            "The code of kernel \"saxpy\" (10 bytes) does not start as an ELF file.\n");
  change_header([](Elf64_Ehdr& h) { h.e_machine = EM_AARCH64; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("is for ELF machine 183, not for x86-64 (62)."));
  bytes_ = object_bytes("plain.so");
  change_header([](Elf64_Ehdr& h) { h.e_type = ET_EXEC; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has ELF type 2, not that of a shared object (3)."));
  bytes_ = object_bytes("plain.so");
  change_header([](Elf64_Ehdr& h) { h.e_ident[EI_CLASS] = ELFCLASS32; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("is no 64-bit little-endian ELF file."));
  bytes_ = object_bytes("plain.so");
  change_header([](Elf64_Ehdr& h) { h.e_entry = 0x1000; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("starts as a program at address 0x1000."));
}

TEST_F(PatchedObject, HeadersPastTheFileAreRefused) {
  change_header([](Elf64_Ehdr& h) { h.e_phoff = ~std::uint64_t{0} - 8; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has program headers (offset 18446744073709551607, "));
  change_header([](Elf64_Ehdr& h) { h.e_phoff = 8; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("over its ELF header or past its end"));
  change_header([](Elf64_Ehdr& h) { h.e_phnum = 0; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has 0 program headers of 56 bytes each, not of 56."));
  change_header([](Elf64_Ehdr& h) { h.e_phnum = 65; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has 65 program headers, more than 64."));
}

TEST_F(PatchedObject, SegmentPastTheFileIsRefused) {
  change_segment(type_is(PT_LOAD), [](Elf64_Phdr& s) { s.p_filesz = std::uint64_t{1} << 40; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has segment 0 (offset 0, 1099511627776 bytes) past its"));
}

TEST_F(PatchedObject, HugeMemoryIsRefused) {
  change_segment(type_is(PT_LOAD), [](Elf64_Phdr& s) { s.p_memsz = (64U << 20) + 1; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("with 67108865 bytes in memory, beyond 67108864."));
}

TEST_F(PatchedObject, OverlappingSegmentsAreRefused) {
  change_segment(
      [](const Elf64_Phdr& s) { return s.p_type == PT_LOAD && s.p_flags == (PF_R | PF_X); },
      [](Elf64_Phdr& s) { s.p_vaddr = 0; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("on or before the last page of another (address 0, "));
}

TEST_F(PatchedObject, DynamicTableElsewhereInMemoryIsRefused) {
  change_segment(type_is(PT_DYNAMIC), [](Elf64_Phdr& s) { s.p_vaddr += 16; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("elsewhere in memory than in the file."));
}

TEST_F(PatchedObject, SecondDynamicTableIsRefused) {
  change_segment(type_is(PT_GNU_RELRO), [](Elf64_Phdr& s) { s.p_type = PT_DYNAMIC; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has two segments of type 0x2."));
}

TEST_F(PatchedObject, StackThatIsNotSpokenOfIsRefused) {
  change_segment(type_is(PT_GNU_STACK), [](Elf64_Phdr& s) { s.p_type = PT_NULL; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("does not say that its stack holds no code"));
}

TEST_F(PatchedObject, UnknownSegmentIsRefused) {
  change_segment(type_is(PT_GNU_STACK), [](Elf64_Phdr& s) { s.p_type = PT_SHLIB; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("of type 0x5, which no kernel needs."));
}

TEST_F(PatchedObject, EarlyConstructorsAreRefused) {
  bytes_ = object_bytes("constructor.so");
  change_entry(DT_INIT_ARRAY, [](Elf64_Dyn& e) { e.d_tag = DT_PREINIT_ARRAY; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("when it is loaded (DT_PREINIT_ARRAY)."));
}

TEST_F(PatchedObject, RepeatedAndUnknownEntriesAreRefused) {
  change_entry(DT_FLAGS, [](Elf64_Dyn& e) { e.d_tag = DT_FLAGS_1; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has two dynamic entries of tag 0x6ffffffb."));
  bytes_ = object_bytes("plain.so");
  change_entry(DT_FLAGS, [](Elf64_Dyn& e) { e.d_tag = DT_CONFIG; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("names a configuration of the loader (DT_CONFIG)."));
}

TEST_F(PatchedObject, TablesInWritableMemoryAreRefused) {
  std::uint64_t dynamic = 0;
  change_segment(type_is(PT_DYNAMIC), [&](Elf64_Phdr& s) { dynamic = s.p_vaddr; });
  change_entry(DT_STRTAB, [&](Elf64_Dyn& e) { e.d_un.d_ptr = dynamic; });
  change_entry(DT_STRSZ, [&](Elf64_Dyn& e) { e.d_un.d_val = 64; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("in memory that is written (address 0x"));
}

TEST_F(PatchedObject, RelocationOfTheDynamicTableIsRefused) {
  bytes_ = object_bytes("table.so");
  std::uint64_t table = 0;
  std::uint64_t dynamic = 0;
  change_segment(type_is(PT_DYNAMIC), [&](Elf64_Phdr& s) { dynamic = s.p_vaddr; });
  change_entry(DT_RELA, [&](Elf64_Dyn& e) { table = e.d_un.d_ptr; });  // address and offset agree
  write(table, dynamic + 8);
  EXPECT_THAT(verdict(bytes_), HasSubstr("within its dynamic table."));
  write(table, std::uint64_t{0x40});
  EXPECT_THAT(verdict(bytes_), HasSubstr("which is in no writable data of its own."));
  write(table + 16, std::uint64_t{0x7fff00000000});
  EXPECT_THAT(verdict(bytes_), HasSubstr("to address 0x7fff00000000, past its end in memory"));
  write(table + 8, std::uint64_t{R_X86_64_COPY});
  EXPECT_THAT(verdict(bytes_), HasSubstr("of type 5, which no kernel needs."));
}

TEST_F(PatchedObject, RelocationsThatAreTakenForRelativeAreRefused) {
  bytes_ = object_bytes("table.so");
  change_entry(DT_RELACOUNT, [](Elf64_Dyn& e) { e.d_un.d_val += 1; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("says that 3 of its 2 relocations are relative, and "
                                         "number 2 is not."));
}

TEST_F(PatchedObject, EntryAtAnAbsoluteAddressIsRefused) {
  change_symbol("kernel_entry", [](Elf64_Sym& s) { s.st_shndx = SHN_ABS; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has symbol \"kernel_entry\" at an address of the "
                                         "process (0x1000), not within itself."));
}

TEST_F(PatchedObject, SecondSymbolOfAnEntryIsRefused) {
  bytes_ = object_bytes("initial_function.so");
  std::uint32_t name = 0;
  change_symbol("kernel_entry", [&](Elf64_Sym& s) { name = s.st_name; });
  change_symbol("boot", [&](Elf64_Sym& s) { s.st_name = name; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("has two symbols \"kernel_entry\"."));
}

TEST_F(PatchedObject, DynamicTableThatCannotBeWrittenIsRefused) {
  change_segment(
      [](const Elf64_Phdr& s) { return s.p_type == PT_LOAD && s.p_flags == (PF_R | PF_W); },
      [](Elf64_Phdr& s) { s.p_flags = PF_R; });
  EXPECT_THAT(verdict(bytes_), HasSubstr("in memory that the loader cannot write."));
}

TEST(CpuObject, CutAndDamagedFilesAreReadSafely) {
  const std::string whole = object_bytes("table.so");
  std::size_t accepted_cuts = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut(whole.data(), size);
    accepted_cuts += verdict(cut).empty() ? 1 : 0;
  }
  // Section headers and names, which no loader reads, stand behind the last segment.
  EXPECT_LT(accepted_cuts, whole.size() / 2);
  std::mt19937 random(20261130);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 4; ++i)
      changed[random() % changed.size()] = static_cast<char>(random());
    static_cast<void>(verdict(changed));
  }
  // Most of the file is padding; the headers and tables are what a loader reads.
  for (int round = 0; round < 2000; ++round) {
    std::string changed = whole;
    changed[random() % 0x400] = static_cast<char>(random());
    static_cast<void>(verdict(changed));
  }
}

TEST(CpuObject, FindingsAreBounded) {
  std::vector<std::string> entries(1000, "missing");
  EXPECT_EQ(check_cpu_object(object_bytes("plain.so"), {"saxpy", entries}).size(), 16U);
}

}  // namespace
}  // namespace halyard::verification
