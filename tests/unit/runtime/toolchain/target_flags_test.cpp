// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/target_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace halyard::toolchain {
namespace {

using store::KernelLanguage;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

store::KernelRecord record_in(KernelLanguage language) {
  store::KernelRecord record;
  record.name = "k";
  record.language = language;
  return record;
}

std::vector<std::string> flags_of(KernelLanguage language, const std::string& target) {
  const auto flags = target_flags(record_in(language), target);
  EXPECT_TRUE(flags) << target;
  return flags ? *flags : std::vector<std::string>{"none"};
}

constexpr KernelLanguage kLanguages[] = {
    KernelLanguage::kCpp,  KernelLanguage::kGlsl,           KernelLanguage::kHip,
    KernelLanguage::kCuda, KernelLanguage::kAmdgcnAssembly, KernelLanguage::kSpirvAssembly,
    KernelLanguage::kSpirv};

TEST(TargetFlags, TargetsHaveTheFlagOfTheirTable) {
  EXPECT_THAT(flags_of(KernelLanguage::kCpp, "x86_64-v4"), Contains("-march=x86-64-v4"));
  EXPECT_THAT(flags_of(KernelLanguage::kGlsl, "spirv-1.5"), Contains("--target-env=vulkan1.2"));
  EXPECT_THAT(flags_of(KernelLanguage::kSpirvAssembly, "spirv-1.3"),
              ElementsAre("--preserve-numeric-ids", "--target-env", "spv1.3"));
  EXPECT_THAT(flags_of(KernelLanguage::kHip, "amdgcn-gfx1100"), Contains("--offload-arch=gfx1100"));
  EXPECT_THAT(flags_of(KernelLanguage::kHip, "amdgcn-gfx1201"), Contains("-unaligned-access-mode"));
  EXPECT_THAT(flags_of(KernelLanguage::kAmdgcnAssembly, "amdgcn-gfx942:sramecc+:xnack-"),
              Contains("-mcpu=gfx942:sramecc+:xnack-"));
}

TEST(TargetFlags, RequirementsThatNameAnExtensionAddItsFlag) {
  store::KernelRecord record = record_in(KernelLanguage::kCpp);
  for (const char* const capability : {"cpu.avx512_bf16", "-fplugin=evil.so"})
    record.requirements.emplace_back().capability = capability;
  const auto flags = target_flags(record, "x86_64-v4");
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->back(), "-mavx512bf16");
  EXPECT_THAT(*flags, Not(Contains("-fplugin=evil.so")));
}

TEST(TargetFlags, WhatIsTakenAsItIsHasNone) {
  EXPECT_THAT(flags_of(KernelLanguage::kPtx, "ptx-8.0/sm_80"), IsEmpty());
  EXPECT_THAT(flags_of(KernelLanguage::kObject, "amdgcn-gfx1100"), IsEmpty());
  EXPECT_THAT(flags_of(KernelLanguage::kObject, "nvsass-sm_90"), IsEmpty());
  EXPECT_THAT(flags_of(KernelLanguage::kSpirv, "spirv-1.6"), IsEmpty());
}

TEST(TargetFlags, TargetOfAnotherLanguageIsRefused) {
  const auto flags = target_flags(record_in(KernelLanguage::kCpp), "spirv-1.5");
  ASSERT_FALSE(flags);
  EXPECT_EQ(flags.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(flags.error().message(),
            "Kernel \"k\": no build of c++ for target \"spirv-1.5\" is known.");
  EXPECT_FALSE(target_flags(record_in(KernelLanguage::kPtx), "x86_64-v4"));
  EXPECT_FALSE(target_flags(record_in(KernelLanguage::kObject), "spirv-1.5"));
}

TEST(TargetFlags, SettingsThatAProcessorLacksAreRefused) {
  EXPECT_TRUE(is_amdgcn_target("amdgcn-gfx900:xnack+"));
  EXPECT_TRUE(is_amdgcn_target("amdgcn-gfx11-generic"));
  EXPECT_FALSE(is_amdgcn_target("amdgcn-gfx900:sramecc+"));
  EXPECT_FALSE(is_amdgcn_target("amdgcn-gfx1100:xnack+"));
  EXPECT_FALSE(is_amdgcn_target("amdgcn-gfx942:xnack-:sramecc+"));
  EXPECT_FALSE(is_amdgcn_target("gfx1100"));
}

// Known targets with a piece of a flag put in, and random text of the characters of flags.
TEST(TargetFlags, NothingBesideTheTablesIsATarget) {
  constexpr std::string_view kPieces[] = {
      " -fplugin=x",    "\n", ",-Wl,-T,x", "=", "@x", "\"", "/..", "-march=native",
      ":xnack+:xnack+", "'",  "$(x)",      "\\"};
  constexpr std::string_view kKnown[] = {"x86_64-v3", "spirv-1.5", "amdgcn-gfx1100",
                                         "amdgcn-gfx942:sramecc+:xnack-"};
  constexpr std::string_view kAlphabet = "x86_64-v3spirv1.5amdgcngfx90:+-=/,@ \n\t\"'$";
  std::vector<std::string> targets;
  for (const std::string_view known : kKnown) {
    for (const std::string_view piece : kPieces) {
      targets.push_back(std::string(known) + std::string(piece));
      targets.push_back(std::string(piece) + std::string(known));
    }
  }
  std::minstd_rand random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string target;
    for (std::size_t length = random() % 24; target.size() < length;)
      target += kAlphabet[random() % kAlphabet.size()];
    targets.push_back(std::move(target));
  }
  for (const std::string& target : targets) {
    for (const KernelLanguage language : kLanguages)
      EXPECT_FALSE(target_flags(record_in(language), target)) << target;
  }
}

}  // namespace
}  // namespace halyard::toolchain
