// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/loaded_object.h"
#include "backends/emulator/launch/object_image.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {

// Makes one LoadedObject of the bytes of a file. Borrows the tables and the bytes.
class ObjectLoader {
 public:
  ObjectLoader(const IsaTables& tables, std::string_view bytes, std::string name);

  base::Result<std::unique_ptr<const LoadedObject>> load();

 private:
  // A function of the code section.
  struct Function {
    std::uint32_t first_word = 0;
    std::uint32_t end_word = 0;
    bool is_kernel = false;
  };

  base::Status check_target() const;
  base::Status find_code();
  std::string_view section_bytes(std::string_view name) const;
  void find_functions();
  base::Status load_kernel(const object::ObjectKernel& kernel);
  base::Result<object::KernelMetadata> metadata_of(const object::ObjectKernel& kernel) const;
  base::Status check_kernel(const LoadedKernel& kernel) const;
  base::Status check_arguments(const LoadedKernel& kernel) const;
  base::Status count_registers(LoadedKernel& kernel) const;
  std::vector<CodeStretch> stretches_of(std::uint32_t entry_word) const;
  base::Error corrupt(std::string_view kernel, std::string_view what) const;

  const IsaTables& tables_;
  std::string_view bytes_;
  std::string name_;
  object::AmdgpuObject object_;
  ObjectImage image_;
  std::uint32_t code_section_ = object::kNoSection;
  std::uint64_t code_address_ = 0;  // in the file
  std::vector<std::uint32_t> words_;
  std::vector<Function> functions_;  // by their first word, each word once
  std::uint64_t decoded_words_ = 0;
  std::unique_ptr<LoadedObject> loaded_;
};

}  // namespace halyard::emulator
