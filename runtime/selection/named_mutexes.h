// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace halyard::selection {

// Mutexes by name, each made when it is first asked for and kept.
// Threads: any number at once.
class NamedMutexes {
 public:
  std::mutex& of(std::string_view name) {
    const std::scoped_lock lock(mutex_);
    const auto found = mutexes_.find(name);
    return found != mutexes_.end() ? found->second : mutexes_[std::string(name)];
  }

 private:
  std::mutex mutex_;  // guards mutexes_; its nodes stay where they are
  std::map<std::string, std::mutex, std::less<>> mutexes_;
};

}  // namespace halyard::selection
