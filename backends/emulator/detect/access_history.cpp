// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/access_history.h"

namespace halyard::emulator {

AccessHistory::Block* AccessHistory::find(std::uint64_t key) {
  const auto found = blocks_.find(key);
  Block* block = nullptr;
  if (found != blocks_.end()) {
    block = found->second.get();
  } else {
    if (used_bytes_ + sizeof(Block) > limit_bytes_) return nullptr;
    used_bytes_ += sizeof(Block);
    block = blocks_.emplace(key, std::make_unique<Block>()).first->second.get();
  }
  recent_[key % recent_.size()] = {key, block};
  return block;
}

AccessRecord* AccessHistory::split(Block& block, unsigned dword) {
  if (!block.bytes) {
    if (used_bytes_ + sizeof(*block.bytes) > limit_bytes_) return nullptr;
    used_bytes_ += sizeof(*block.bytes);
    block.bytes = std::make_unique<std::array<AccessRecord, kBlockBytes>>();
  }
  AccessRecord* const parts = block.bytes->data() + std::size_t{dword} * 4;
  AccessRecord& whole = block.dwords[dword];
  if (!whole.is_split) {
    for (unsigned i = 0; i < 4; ++i)
      parts[i] = whole;
    whole.is_split = true;
  }
  return parts;
}

}  // namespace halyard::emulator
