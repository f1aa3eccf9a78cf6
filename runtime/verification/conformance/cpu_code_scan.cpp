// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/cpu_code_scan.h"

#include "runtime/verification/conformance/x86_code.h"

#include <algorithm>

namespace halyard::verification {
namespace {

class CodeScan {
 public:
  CodeScan(const ElfImage& image, FindingList& findings) : image_(image), findings_(findings) {
    std::uint64_t end = 0;
    for (const Elf64_Phdr& segment : image.segments()) {
      if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_vaddr + segment.p_memsz);
    }
    seen_.resize(end);
  }

  // Functions whose size is known come first, so that all of each is seen.
  void run(const std::vector<CodeRange>& functions) {
    for (const CodeRange& function : functions)
      follow(function);
    while (!pending_.empty() && !findings_.is_full()) {
      const std::uint64_t address = pending_.back();
      pending_.pop_back();
      follow({address, 0});
    }
  }

 private:
  bool is_code(std::uint64_t address) const {
    const Elf64_Phdr* segment = image_.segment_of(address, 1);
    return segment != nullptr && (segment->p_flags & PF_X) != 0;
  }

  // Decodes on from an address: to the end of the range where that is known, whatever ends before,
  // because tables of jumps lead behind it; else to the first end.
  void follow(const CodeRange& range) {
    const std::uint64_t known_end = range.address + range.size_bytes;
    std::string_view code = image_.bytes_at(range.address);
    for (std::uint64_t address = range.address; !code.empty() && !findings_.is_full();) {
      if (seen_[address]) return;
      seen_[address] = true;
      const auto instruction = decode_x86(code);
      if (!instruction) return;
      if (!instruction->forbidden.empty()) {
        findings_.refuse("has an instruction at ", hexadecimal(address), " that no kernel needs (",
                         instruction->forbidden, ")");
      }
      address += instruction->size_bytes;
      code.remove_prefix(instruction->size_bytes);
      if (instruction->distance) branch(address, *instruction->distance);
      if (instruction->is_end && address >= known_end) return;
    }
  }

  void branch(std::uint64_t from, std::int64_t distance) {
    const std::uint64_t to = from + static_cast<std::uint64_t>(distance);
    if (!is_code(to)) {
      findings_.refuse("branches from ", hexadecimal(from), " to ", hexadecimal(to),
                       ", which is not in its code");
    } else if (!seen_[to]) {
      pending_.push_back(to);
    }
  }

  const ElfImage& image_;
  FindingList& findings_;
  std::vector<std::uint64_t> pending_;
  std::vector<bool> seen_;  // by address: whether an instruction there was looked at
};

}  // namespace

void scan_cpu_code(const ElfImage& image, const std::vector<CodeRange>& functions,
                   FindingList& findings) {
  CodeScan(image, findings).run(functions);
}

}  // namespace halyard::verification
