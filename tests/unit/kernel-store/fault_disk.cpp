// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/fault_disk.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace halyard::store::testing {
namespace {

constexpr std::uint64_t kSector = 512;

// xorshift64.
std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  return state;
}

bool coin(std::uint64_t& state) {
  return (next_random(state) >> 32U & 1U) != 0;
}

// Half of `size`, in whole sectors.
std::uint64_t torn_size(std::uint64_t size, Remains remains) {
  const std::uint64_t sector = remains == Remains::kTorn512 ? 512 : 4096;
  return size / 2 / sector * sector;
}

}  // namespace

std::string_view fault_name(FaultKind kind) {
  static constexpr std::array<std::string_view, 6> kNames = {"none", "kill",        "no space",
                                                             "EIO",  "short write", "failed sync"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view remains_name(Remains remains) {
  static constexpr std::array<std::string_view, 5> kNames = {"all", "none", "torn at 512",
                                                             "torn at 4096", "some"};
  return kNames[static_cast<std::size_t>(remains)];
}

bool applies_to(FaultKind kind, CallClass call) {
  switch (kind) {
    case FaultKind::kNone:
      return false;
    case FaultKind::kKill:
    case FaultKind::kIoError:
      return true;
    case FaultKind::kNoSpace:
      return call == CallClass::kWrite || call == CallClass::kCreate ||
             call == CallClass::kSharedMemory;
    case FaultKind::kShortWrite:
      return call == CallClass::kWrite;
    case FaultKind::kSyncFailure:
      return call == CallClass::kSync;
  }
  return false;
}

void FaultDisk::arm(const Fault& fault) {
  fault_ = fault;
  calls_.clear();
  has_fired_ = false;
}

FaultKind FaultDisk::begin(CallClass call) {
  const std::uint64_t index = calls_.size();
  calls_.push_back(call);
  if (!applies_to(fault_.kind, call)) return FaultKind::kNone;
  if (index != fault_.call && !(fault_.persistent && index > fault_.call)) return FaultKind::kNone;
  has_fired_ = true;
  return fault_.kind;
}

int FaultDisk::end_process(int code) {
  is_dead_ = true;
  return code;
}

void FaultDisk::apply(std::string& contents, const Change& change) {
  if (change.is_truncation) {
    contents.resize(change.offset);
    return;
  }
  const std::uint64_t end = change.offset + change.bytes.size();
  if (contents.size() < end) contents.resize(end);
  std::memcpy(contents.data() + change.offset, change.bytes.data(), change.bytes.size());
}

void FaultDisk::apply_some(std::string& contents, const Change& change, std::uint64_t& random) {
  if (change.is_truncation) {
    if (coin(random)) apply(contents, change);
    return;
  }
  std::uint64_t from = 0;
  while (from < change.bytes.size()) {
    const std::uint64_t to_boundary = kSector - (change.offset + from) % kSector;
    const std::uint64_t size = std::min<std::uint64_t>(to_boundary, change.bytes.size() - from);
    if (coin(random)) {
      apply(contents, {false, change.offset + from, change.bytes.substr(from, size)});
    }
    from += size;
  }
}

FaultDisk FaultDisk::after_crash(Remains remains, std::uint64_t seed) const {
  FaultDisk next;
  next.has_syncs = has_syncs;
  next.has_shared_memory = has_shared_memory;
  std::uint64_t random = seed * 2 + 1;
  const bool is_kept = remains != Remains::kNone && remains != Remains::kSome;
  const auto add = [&](const std::string& name, std::string contents) {
    File& file = next.files_[name];
    file.synced = contents;
    file.current = std::move(contents);
    file.is_name_synced = true;
  };
  for (const auto& [name, contents] : undead_) {
    if (remains == Remains::kNone || (remains == Remains::kSome && coin(random))) {
      add(name, contents);
    }
  }
  for (const auto& [name, file] : files_) {
    if (is_kept) {
      add(name, file.current);
      continue;
    }
    if (!file.is_name_synced && (remains == Remains::kNone || coin(random))) continue;
    std::string contents = file.synced;
    for (const Change& change : file.pending) {
      if (remains == Remains::kSome) apply_some(contents, change, random);
    }
    add(name, std::move(contents));
  }
  return next;
}

int FaultDisk::create(const std::string& name) {
  if (is_dead_) return SQLITE_IOERR;
  if (exists(name)) return SQLITE_OK;
  switch (begin(CallClass::kCreate)) {
    case FaultKind::kNone:
      files_[name];
      return SQLITE_OK;
    case FaultKind::kKill:
      return end_process(SQLITE_CANTOPEN);
    default:
      return SQLITE_CANTOPEN;
  }
}

int FaultDisk::remove(const std::string& name, bool sync_directory) {
  if (is_dead_) return SQLITE_IOERR_DELETE;
  const auto found = files_.find(name);
  if (found == files_.end()) return SQLITE_IOERR_DELETE_NOENT;
  switch (begin(CallClass::kDelete)) {
    case FaultKind::kNone:
      break;
    case FaultKind::kKill:
      return end_process(SQLITE_IOERR_DELETE);
    default:
      return SQLITE_IOERR_DELETE;
  }
  if (found->second.is_name_synced) undead_[name] = found->second.synced;
  if (sync_directory && has_syncs) undead_.erase(name);
  files_.erase(found);
  return SQLITE_OK;
}

int FaultDisk::read(const std::string& name, void* bytes, std::uint64_t size,
                    std::uint64_t offset) const {
  const auto found = files_.find(name);
  if (is_dead_ || found == files_.end()) return SQLITE_IOERR_READ;
  const std::string& contents = found->second.current;
  const std::uint64_t there = offset < contents.size() ? contents.size() - offset : 0;
  const std::uint64_t count = std::min(there, size);
  if (count != 0) std::memcpy(bytes, contents.data() + offset, count);
  if (count == size) return SQLITE_OK;
  std::memset(static_cast<char*>(bytes) + count, 0, size - count);
  return SQLITE_IOERR_SHORT_READ;
}

int FaultDisk::write(const std::string& name, const void* bytes, std::uint64_t size,
                     std::uint64_t offset) {
  const auto found = files_.find(name);
  if (is_dead_ || found == files_.end()) return SQLITE_IOERR_WRITE;
  Change change{false, offset, std::string(static_cast<const char*>(bytes), size)};
  int code = SQLITE_OK;
  switch (begin(CallClass::kWrite)) {
    case FaultKind::kNone:
      break;
    case FaultKind::kKill: {
      const bool is_torn =
          fault_.remains == Remains::kTorn512 || fault_.remains == Remains::kTorn4096;
      change.bytes.resize(is_torn ? torn_size(size, fault_.remains) : 0);
      code = end_process(SQLITE_IOERR_WRITE);
      break;
    }
    case FaultKind::kNoSpace:
      return SQLITE_FULL;
    case FaultKind::kShortWrite:
      change.bytes.resize(size / 2);
      code = SQLITE_FULL;
      break;
    default:
      return SQLITE_IOERR_WRITE;
  }
  if (change.bytes.empty()) return code;
  apply(found->second.current, change);
  found->second.pending.push_back(std::move(change));
  return code;
}

int FaultDisk::truncate(const std::string& name, std::uint64_t size) {
  const auto found = files_.find(name);
  if (is_dead_ || found == files_.end()) return SQLITE_IOERR_TRUNCATE;
  switch (begin(CallClass::kTruncate)) {
    case FaultKind::kNone:
      break;
    case FaultKind::kKill:
      return end_process(SQLITE_IOERR_TRUNCATE);
    default:
      return SQLITE_IOERR_TRUNCATE;
  }
  const Change change{true, size, {}};
  apply(found->second.current, change);
  found->second.pending.push_back(change);
  return SQLITE_OK;
}

int FaultDisk::sync(const std::string& name) {
  const auto found = files_.find(name);
  if (is_dead_ || found == files_.end()) return SQLITE_IOERR_FSYNC;
  File& file = found->second;
  switch (begin(CallClass::kSync)) {
    case FaultKind::kNone:
      break;
    case FaultKind::kKill:
      return end_process(SQLITE_IOERR_FSYNC);
    case FaultKind::kSyncFailure:
      file.pending.clear();
      return SQLITE_IOERR_FSYNC;
    default:
      return SQLITE_IOERR_FSYNC;
  }
  if (!has_syncs) return SQLITE_OK;
  for (const Change& change : file.pending)
    apply(file.synced, change);
  file.pending.clear();
  file.is_name_synced = true;
  undead_.erase(name);
  return SQLITE_OK;
}

std::uint64_t FaultDisk::size(const std::string& name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? 0 : found->second.current.size();
}

int FaultDisk::share_memory(std::size_t region, std::size_t size, bool extend,
                            void volatile** memory) {
  *memory = nullptr;
  if (is_dead_) return SQLITE_IOERR_SHMMAP;
  while (memory_.regions.size() <= region) {
    if (!extend) return SQLITE_OK;
    switch (begin(CallClass::kSharedMemory)) {
      case FaultKind::kNone:
        break;
      case FaultKind::kKill:
        return end_process(SQLITE_IOERR_SHMMAP);
      default:
        return SQLITE_IOERR_SHMSIZE;
    }
    memory_.regions.push_back(std::make_unique<char[]>(size));
  }
  *memory = memory_.regions[region].get();
  return SQLITE_OK;
}

}  // namespace halyard::store::testing
