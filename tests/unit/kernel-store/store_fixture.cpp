// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace halyard::store::testing {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (fs::temp_directory_path() / "halyard-store-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data());
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryDirectory::operator/(std::string_view name) const {
  return path_ + '/' + std::string(name);
}

void write_file(const std::string& path, std::string_view text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream file(path, std::ios::binary);
  file << text;
  ASSERT_TRUE(file.flush().good()) << path;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string kernel_json(std::string_view old_text, std::string_view new_text) {
  std::string text = R"json({
  "format": "halyard.kernel/1",
  "name": "rms_norm_plain",
  "version": "1.0.0",
  "contract": "rms_norm@1",
  "language": "c++",
  "source": "a.cpp",
  "targets": ["x86_64-v3"],
  "types": [{"T": "f32"}],
  "where": ["hidden % 8 == 0"],
  "parameters": [
    {"name": "ROWS", "kind": "define", "domain": [1, 2], "default": 2},
    {"name": "CHUNK", "kind": "launch", "domain": [64], "default": 64}
  ],
  "workspace": [{"name": "sums", "bytes": "batch * 4", "alignment_bytes": 64, "initial": "zero"}],
  "stages": [
    {
      "name": "main",
      "cadence": "per-launch",
      "entry": "rms_norm",
      "grid": ["batch", 1, 1],
      "block": [1, 1, 1],
      "arguments": [
        {"tensor": "x"},
        {"workspace": "sums"},
        {"axis": "hidden", "type": "i64"},
        {"parameter": "CHUNK", "type": "u32"}
      ]
    }
  ],
  "provenance": {"project": "halyard"},
  "license": "Apache-2.0"
})json";
  if (old_text.empty()) return text;
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  if (at != std::string::npos) text.replace(at, old_text.size(), new_text);
  return text;
}

KernelPackage make_package(std::string source_text) {
  auto record = parse_kernel_record(kernel_json(), "kernel.json");
  EXPECT_TRUE(record.has_value());
  auto package =
      make_kernel_package(std::move(*record), {{"a.cpp", std::move(source_text)}}, std::nullopt);
  EXPECT_TRUE(package.has_value());
  return std::move(*package);
}

EvidenceRecord make_evidence(const KernelId& kernel) {
  EvidenceRecord record;
  record.kernel = kernel;
  record.parameters = {{"ROWS", 2}};
  record.target = "x86_64-v3";
  record.types = {{"T", base::DataType::kF32}};
  record.device = "cpu/0123";
  record.driver = "cpu 1";
  record.toolchain = "clang 19.1.7";
  record.verifier_name = "self-test";
  record.verifier_version = "1";
  record.kind = EvidenceKind::kSelfTest;
  record.verdict = Verdict::kPass;
  record.checks = {{record.types, {{"batch", 3}, {"hidden", 64}}, 0.25, true}};
  record.timings = {
      {record.types, {{"batch", 3}}, {}, "steady_clock", {100.5, 101.0}, std::nullopt}};
  record.environment["cpus"] = 2;
  record.time = "2026-02-03T04:05:06Z";
  return record;
}

}  // namespace halyard::store::testing
