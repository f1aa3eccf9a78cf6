// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A disk in memory, whose calls that write can fail or be the last ones of the process.
namespace halyard::store::testing {

enum class CallClass : std::uint8_t { kWrite, kTruncate, kSync, kDelete, kCreate, kSharedMemory };

enum class FaultKind : std::uint8_t {
  kNone,
  kKill,         // The process ends within the call.
  kNoSpace,      // ENOSPC.
  kIoError,      // EIO.
  kShortWrite,   // Half of the bytes are written.
  kSyncFailure,  // What was not synced is lost though it still reads back.
};

// What a crash leaves of the changes that were not synced.
enum class Remains : std::uint8_t {
  kAll,       // The process was killed, the machine runs on.
  kNone,      // Power went.
  kTorn512,   // As kAll, and half of the last write, in whole sectors of 512 bytes.
  kTorn4096,  // The same with 4096 bytes.
  kSome,      // Sectors of any writes, in any order.
};

std::string_view fault_name(FaultKind kind);
std::string_view remains_name(Remains remains);

struct Fault {
  FaultKind kind = FaultKind::kNone;
  std::uint64_t call = 0;  // The first that it hits, counted from arm().
  bool persistent = false;
  Remains remains = Remains::kAll;
};

bool applies_to(FaultKind kind, CallClass call);

// Files by their names. Copies are independent.
class FaultDisk {
 public:
  // Without syncs the disk says that it has synced and has not.
  bool has_syncs = true;
  bool has_shared_memory = true;

  // Counts calls from here, and fails those of the fault.
  void arm(const Fault& fault);
  void disarm() { arm({}); }
  // The classes of the calls since arm().
  const std::vector<CallClass>& calls() const { return calls_; }
  bool has_fired() const { return has_fired_; }

  // The disk as the next process finds it.
  FaultDisk after_crash(Remains remains, std::uint64_t seed) const;

  // For the VFS; the results are SQLite's codes.
  bool exists(const std::string& name) const { return files_.count(name) != 0; }
  bool is_dead() const { return is_dead_; }
  int create(const std::string& name);
  int remove(const std::string& name, bool sync_directory);
  int read(const std::string& name, void* bytes, std::uint64_t size, std::uint64_t offset) const;
  int write(const std::string& name, const void* bytes, std::uint64_t size, std::uint64_t offset);
  int truncate(const std::string& name, std::uint64_t size);
  int sync(const std::string& name);
  std::uint64_t size(const std::string& name) const;
  // The region of memory that users of the files share; NULL without it, unless `extend`.
  int share_memory(std::size_t region, std::size_t size, bool extend, void volatile** memory);
  void forget_memory() { memory_.regions.clear(); }

 private:
  struct Change {
    bool is_truncation = false;
    std::uint64_t offset = 0;  // Or the size.
    std::string bytes;
  };

  struct File {
    std::string current;
    std::string synced;
    bool is_name_synced = false;
    std::vector<Change> pending;
  };

  // Not copied: it is gone with the process.
  struct Memory {
    Memory() = default;
    Memory(const Memory& /*other*/) {}
    Memory& operator=(const Memory& /*other*/) {
      regions.clear();
      return *this;
    }
    std::vector<std::unique_ptr<char[]>> regions;
  };

  // The kind of fault that hits a call that begins now.
  FaultKind begin(CallClass call);
  int end_process(int code);
  static void apply(std::string& contents, const Change& change);
  static void apply_some(std::string& contents, const Change& change, std::uint64_t& random);

  std::map<std::string, File> files_;
  std::map<std::string, std::string> undead_;  // Removed, but the directory is not synced.
  Memory memory_;
  Fault fault_;
  std::vector<CallClass> calls_;
  bool has_fired_ = false;
  bool is_dead_ = false;
};

}  // namespace halyard::store::testing
