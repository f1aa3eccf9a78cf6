// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace halyard::emulator {

// Who last accessed a byte, or four of them alike. A wave of 0 is none.
struct AccessRecord {
  struct Access {
    std::uint32_t wave = 0;
    std::uint32_t number = 0;  // of the wave's accesses
  };
  Access write;
  std::array<Access, 2> reads;  // the last two waves that read
  bool is_atomic_write = false;
  bool is_split = false;  // its four bytes have records of their own

  void add_read(Access access) {
    if (reads[0].wave != access.wave) reads[1] = reads[0];
    reads[0] = access;
  }
};

// The records of the memory that was accessed, in blocks, up to a limit: what lies beyond it has
// none, and is not looked at.
class AccessHistory {
 public:
  explicit AccessHistory(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // Calls visit(record, offset, bytes) for the parts of a range; until it returns false.
  template <typename Visit>
  void visit(std::uint64_t address, unsigned bytes, const Visit& visit) {
    Block* block = nullptr;
    for (std::uint64_t at = address; at < address + bytes;) {
      if (!block || at % kBlockBytes == 0) block = block_of(at);
      if (!block) return;
      const unsigned dword = static_cast<unsigned>(at % kBlockBytes / 4);
      const bool is_whole = at % 4 == 0 && address + bytes - at >= 4;
      AccessRecord& record = block->dwords[dword];
      if (is_whole && !record.is_split) {
        if (!visit(record, at - address, 4U)) return;
        at += 4;
        continue;
      }
      AccessRecord* const parts = split(*block, dword);
      if (!parts) return;
      if (!visit(parts[at % 4], at - address, 1U)) return;
      ++at;
    }
  }

  // The records of `count` dwords that lie in one block, one after the other; null where they do
  // not, or are not aligned. One of them may be split.
  AccessRecord* dwords(std::uint64_t address, unsigned count) {
    const std::uint64_t offset = address % kBlockBytes;
    if (address % 4 != 0 || offset + std::uint64_t{count} * 4 > kBlockBytes) return nullptr;
    Block* const block = block_of(address);
    return block ? &block->dwords[offset / 4] : nullptr;
  }

 private:
  static constexpr std::uint64_t kBlockBytes = 1024;

  struct Block {
    std::array<AccessRecord, kBlockBytes / 4> dwords;
    std::unique_ptr<std::array<AccessRecord, kBlockBytes>> bytes;
  };

  Block* block_of(std::uint64_t address) {
    const std::uint64_t key = address / kBlockBytes;
    Block* const block = recent_[key % recent_.size()].second;
    return block && recent_[key % recent_.size()].first == key ? block : find(key);
  }
  Block* find(std::uint64_t key);
  AccessRecord* split(Block& block, unsigned dword);

  std::size_t limit_bytes_;
  std::size_t used_bytes_ = 0;
  std::array<std::pair<std::uint64_t, Block*>, 64> recent_{};
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
};

}  // namespace halyard::emulator
