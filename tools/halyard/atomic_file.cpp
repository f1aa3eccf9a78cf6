// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace halyard::command_line {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    fail();
  }
  temporary_ = path_ + "." + std::to_string(::getpid()) + ".new";
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::commit(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(descriptor_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail();
    written += static_cast<std::size_t>(count);
  }
  if (::fsync(descriptor_) != 0) fail();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail();
  ::close(std::exchange(descriptor_, -1));
}

void AtomicFile::fail() const {
  throw std::runtime_error("File \"" + path_ + "\" cannot be written: " + std::strerror(errno) +
                           ".");
}

}  // namespace halyard::command_line
