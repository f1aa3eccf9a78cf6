// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/shared_memory.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace halyard::worker {
namespace {

base::FileDescriptor duplicate(int file) {
  return base::FileDescriptor(::fcntl(file, F_DUPFD_CLOEXEC, 0));
}

TEST(SharedMemory, BothSidesSeeTheSameBytes) {
  auto ours = SharedMemory::create(8192);
  ASSERT_TRUE(ours) << ours.error().message();
  auto theirs = SharedMemory::map(duplicate(ours->file()));
  ASSERT_TRUE(theirs) << theirs.error().message();
  ASSERT_EQ(theirs->bytes().size(), 8192U);
  EXPECT_NE(theirs->bytes().data(), ours->bytes().data());
  theirs->bytes()[8191] = std::byte{7};
  EXPECT_EQ(ours->bytes()[8191], std::byte{7});
}

TEST(SharedMemory, SizeCannotBeChanged) {
  const auto memory = SharedMemory::create(4096);
  ASSERT_TRUE(memory);
  EXPECT_EQ(::ftruncate(memory->file(), 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(memory->file(), 1 << 20), -1);
}

TEST(SharedMemory, SealedCopyCannotBeWritten) {
  const std::array<std::byte, 3> bytes = {std::byte{1}, std::byte{2}, std::byte{3}};
  auto sealed = SharedMemory::create_sealed(bytes);
  ASSERT_TRUE(sealed) << sealed.error().message();
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), sealed->bytes().begin()));
  EXPECT_EQ(::mmap(nullptr, 3, PROT_WRITE, MAP_SHARED, sealed->file(), 0), MAP_FAILED);
  EXPECT_EQ(::pwrite(sealed->file(), bytes.data(), 3, 0), -1);
  auto mapped = SharedMemory::map(duplicate(sealed->file()));
  ASSERT_TRUE(mapped) << mapped.error().message();
}

TEST(SharedMemory, FileThatCanShrinkIsRefused) {
  base::FileDescriptor file(::memfd_create("open", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(file.get(), 4096), 0);
  const auto memory = SharedMemory::map(std::move(file));
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(memory.error().message(), "The file is no shared memory of a sealed size.");
}

TEST(SharedMemory, DiscardedPagesReadAsZero) {
  const auto memory = SharedMemory::create(3 * 4096);
  ASSERT_TRUE(memory);
  std::fill(memory->bytes().begin(), memory->bytes().end(), std::byte{9});
  memory->discard(4096, 4096);
  EXPECT_EQ(memory->bytes()[4095], std::byte{9});
  EXPECT_EQ(memory->bytes()[4096], std::byte{0});
  EXPECT_EQ(memory->bytes()[8191], std::byte{0});
  EXPECT_EQ(memory->bytes()[8192], std::byte{9});
}

}  // namespace
}  // namespace halyard::worker
