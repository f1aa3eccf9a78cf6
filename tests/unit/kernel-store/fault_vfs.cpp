// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/fault_vfs.h"

#include <sqlite3.h>

#include <cstring>
#include <string>

namespace halyard::store::testing {
namespace {

// What the functions that SQLite calls share.
struct Mount {
  FaultDisk* disk = nullptr;
  sqlite3_vfs* real = nullptr;
};

// An open file. SQLite keeps the name; a temporary file has none, and contents of its own.
struct OpenFile {
  sqlite3_file base;
  FaultDisk* disk;
  const char* name;
  std::string* temporary;
};

OpenFile& of(sqlite3_file* file) {
  return *reinterpret_cast<OpenFile*>(file);
}

FaultDisk& disk_of(sqlite3_file* file) {
  return *of(file).disk;
}

int close_file(sqlite3_file* file) {
  delete of(file).temporary;
  return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* bytes, int size, sqlite3_int64 offset) {
  const OpenFile& open = of(file);
  if (open.temporary == nullptr) {
    return disk_of(file).read(open.name, bytes, static_cast<std::uint64_t>(size),
                              static_cast<std::uint64_t>(offset));
  }
  const auto from = static_cast<std::size_t>(offset);
  const auto count = static_cast<std::size_t>(size);
  std::string& contents = *open.temporary;
  if (contents.size() < from + count) contents.resize(from + count);
  std::memcpy(bytes, contents.data() + from, count);
  return SQLITE_OK;
}

int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  const OpenFile& open = of(file);
  if (open.temporary == nullptr) {
    return disk_of(file).write(open.name, bytes, static_cast<std::uint64_t>(size),
                               static_cast<std::uint64_t>(offset));
  }
  const auto from = static_cast<std::size_t>(offset);
  const auto count = static_cast<std::size_t>(size);
  if (open.temporary->size() < from + count) open.temporary->resize(from + count);
  std::memcpy(open.temporary->data() + from, bytes, count);
  return SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (of(file).temporary == nullptr) {
    return disk_of(file).truncate(of(file).name, static_cast<std::uint64_t>(size));
  }
  of(file).temporary->resize(static_cast<std::size_t>(size));
  return SQLITE_OK;
}

int sync_file(sqlite3_file* file, int /*flags*/) {
  return of(file).temporary == nullptr ? disk_of(file).sync(of(file).name) : SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  const OpenFile& open = of(file);
  *size = static_cast<sqlite3_int64>(open.temporary == nullptr ? disk_of(file).size(open.name)
                                                               : open.temporary->size());
  return SQLITE_OK;
}

int lock_file(sqlite3_file* file, int /*level*/) {
  return disk_of(file).is_dead() ? SQLITE_IOERR_LOCK : SQLITE_OK;
}

int unlock_file(sqlite3_file* /*file*/, int /*level*/) {
  return SQLITE_OK;
}

int check_reserved_lock(sqlite3_file* /*file*/, int* is_locked) {
  *is_locked = 0;
  return SQLITE_OK;
}

int control_file(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) {
  return SQLITE_NOTFOUND;
}

int sector_size(sqlite3_file* /*file*/) {
  return 4096;
}

// As SQLite's own file system for Unix says of every disk.
int characteristics(sqlite3_file* /*file*/) {
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

int map_memory(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  return disk_of(file).share_memory(static_cast<std::size_t>(region),
                                    static_cast<std::size_t>(size), extend != 0, memory);
}

int lock_memory(sqlite3_file* file, int /*offset*/, int /*count*/, int /*flags*/) {
  return disk_of(file).is_dead() ? SQLITE_IOERR_SHMLOCK : SQLITE_OK;
}

void memory_barrier(sqlite3_file* /*file*/) {}

int unmap_memory(sqlite3_file* file, int remove) {
  if (remove != 0) disk_of(file).forget_memory();
  return SQLITE_OK;
}

const sqlite3_io_methods kWithoutMemory = {1,
                                           close_file,
                                           read_file,
                                           write_file,
                                           truncate_file,
                                           sync_file,
                                           file_size,
                                           lock_file,
                                           unlock_file,
                                           check_reserved_lock,
                                           control_file,
                                           sector_size,
                                           characteristics,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr,
                                           nullptr};

const sqlite3_io_methods kWithMemory = {2,
                                        close_file,
                                        read_file,
                                        write_file,
                                        truncate_file,
                                        sync_file,
                                        file_size,
                                        lock_file,
                                        unlock_file,
                                        check_reserved_lock,
                                        control_file,
                                        sector_size,
                                        characteristics,
                                        map_memory,
                                        lock_memory,
                                        memory_barrier,
                                        unmap_memory,
                                        nullptr,
                                        nullptr};

Mount& mount_of(sqlite3_vfs* vfs) {
  return *static_cast<Mount*>(vfs->pAppData);
}

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  Mount& mount = mount_of(vfs);
  OpenFile& open = of(file);
  open.base.pMethods = nullptr;
  open.disk = mount.disk;
  open.name = name;
  open.temporary = nullptr;
  if (name == nullptr) {
    open.temporary = new std::string;
  } else if (mount.disk->is_dead()) {
    return SQLITE_IOERR;
  } else if (!mount.disk->exists(name)) {
    if ((flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    if (const int code = mount.disk->create(name); code != SQLITE_OK) return code;
  }
  if (out_flags != nullptr) *out_flags = flags;
  open.base.pMethods = mount.disk->has_shared_memory ? &kWithMemory : &kWithoutMemory;
  return SQLITE_OK;
}

int delete_file(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  return mount_of(vfs).disk->remove(name, sync_directory != 0);
}

int access_file(sqlite3_vfs* vfs, const char* name, int /*flags*/, int* is_there) {
  if (mount_of(vfs).disk->is_dead()) return SQLITE_IOERR_ACCESS;
  *is_there = mount_of(vfs).disk->exists(name) ? 1 : 0;
  return SQLITE_OK;
}

int full_path(sqlite3_vfs* /*vfs*/, const char* name, int size, char* path) {
  sqlite3_snprintf(size, path, "%s", name);
  return SQLITE_OK;
}

int randomness(sqlite3_vfs* vfs, int size, char* bytes) {
  sqlite3_vfs* const real = mount_of(vfs).real;
  return real->xRandomness(real, size, bytes);
}

int sleep_us(sqlite3_vfs* /*vfs*/, int us) {
  return us;
}

int current_time(sqlite3_vfs* vfs, double* days) {
  sqlite3_vfs* const real = mount_of(vfs).real;
  return real->xCurrentTime(real, days);
}

int last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*text*/) {
  return 0;
}

Mount& the_mount() {
  static Mount mount;
  return mount;
}

sqlite3_vfs& the_vfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs made{};
    made.iVersion = 1;
    made.szOsFile = sizeof(OpenFile);
    made.mxPathname = 512;
    made.zName = "halyard-faults";
    made.pAppData = &the_mount();
    made.xOpen = open_file;
    made.xDelete = delete_file;
    made.xAccess = access_file;
    made.xFullPathname = full_path;
    made.xRandomness = randomness;
    made.xSleep = sleep_us;
    made.xCurrentTime = current_time;
    made.xGetLastError = last_error;
    return made;
  }();
  return vfs;
}

}  // namespace

FaultVfs::FaultVfs() {
  the_mount().real = sqlite3_vfs_find(nullptr);
  sqlite3_vfs_register(&the_vfs(), 1);
}

FaultVfs::~FaultVfs() {
  sqlite3_vfs_unregister(&the_vfs());
  sqlite3_vfs_register(the_mount().real, 1);
  mount(nullptr);
}

void FaultVfs::mount(FaultDisk* disk) {
  the_mount().disk = disk;
}

}  // namespace halyard::store::testing
