// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <span>
#include <string>

namespace halyard::base {

// A shared library loaded with RTLD_NOW | RTLD_LOCAL, unloaded by the destructor. A vendor's driver
// keeps threads and exit handlers of its own: call leak() on it, so that it stays for good.
//
// Threads: find() from any number at once.
class DynamicLibrary {
 public:
  // Loads the first of `candidates` (names or paths) that loads.
  // Errors: kUnavailable, naming each candidate with the loader's reason.
  static Result<DynamicLibrary> open(std::span<const char* const> candidates);
  static Result<DynamicLibrary> open(const char* candidate);

  DynamicLibrary(DynamicLibrary&& other) noexcept;
  DynamicLibrary& operator=(DynamicLibrary&& other) noexcept;
  ~DynamicLibrary();

  // The address of a symbol, or NULL.
  void* find(const char* symbol) const;

  // The function called `symbol`.
  // Errors: kNotFound, naming symbol and library.
  template <typename Function>
  Result<Function*> function(const char* symbol) const {
    void* const address = find(symbol);
    if (address == nullptr) return missing(symbol);
    return reinterpret_cast<Function*>(address);
  }

  // The candidate that loaded, and the file that it is.
  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }

  // Keeps the library loaded until the process ends.
  void leak() { leaked_ = true; }

 private:
  DynamicLibrary(void* handle, std::string name);
  Error missing(const char* symbol) const;
  void unload();

  void* handle_;
  bool leaked_ = false;
  std::string name_;
  std::string path_;
};

// The file that holds `address`, an address of code or data of a loaded library or of the program;
// empty when none does.
std::string path_of_address(const void* address);

}  // namespace halyard::base
