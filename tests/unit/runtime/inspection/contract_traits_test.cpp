// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/contract_traits.h"

#include "runtime/base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

ContractTraits traits_of_bundled(const std::string& name) {
  const std::string path =
      std::string(HALYARD_SOURCE_DIR) + "/kernel-store/contracts/" + name + ".json";
  const auto text = base::read_text_file(path, 1 << 20);
  if (!text) return {text.error().message()};
  const auto contract = operators::Contract::parse(*text, path);
  if (!contract) return {contract.error().message()};
  return traits_of(**contract);
}

TEST(ContractTraits, GemmIsAProductOfItsTypes) {
  const ContractTraits traits = traits_of_bundled("gemm");
  EXPECT_EQ(traits, (ContractTraits{"product", "reduction", "type.bf16", "type.f16", "type.f32"}));
}

TEST(ContractTraits, AttentionIsAnIndexedProductWithExponentials) {
  EXPECT_THAT(traits_of_bundled("attention_decode_paged"),
              IsSupersetOf({"product", "reduction", "indexed", "exp", "log"}));
}

TEST(ContractTraits, NormReducesAndTakesAReciprocalRoot) {
  for (const char* const name : {"rms_norm", "add_rms_norm"}) {
    const ContractTraits traits = traits_of_bundled(name);
    EXPECT_THAT(traits, IsSupersetOf({"stream", "reduction", "rsqrt"})) << name;
    EXPECT_THAT(traits, Not(Contains("product"))) << name;
  }
}

TEST(ContractTraits, SearchReducesThoughNothingIsSummed) {
  EXPECT_THAT(traits_of_bundled("argmax"), IsSupersetOf({"stream", "reduction"}));
}

TEST(ContractTraits, ElementwiseAndGatheringContractsReduceNothing) {
  for (const char* const name : {"cast", "copy_strided", "embedding", "rope", "kv_append_paged"}) {
    const ContractTraits traits = traits_of_bundled(name);
    EXPECT_THAT(traits, Contains("stream")) << name;
    EXPECT_THAT(traits, Not(Contains("reduction"))) << name;
  }
  EXPECT_THAT(traits_of_bundled("embedding"), Contains("indexed"));
  EXPECT_THAT(traits_of_bundled("silu_mul"), Contains("exp"));
}

}  // namespace
}  // namespace halyard::services
