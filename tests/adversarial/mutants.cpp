// SPDX-License-Identifier: Apache-2.0
#include "tests/adversarial/mutants.h"

#include "runtime/base/text.h"
#include "tests/adversarial/base_kernels.h"

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::adversarial {
namespace {

struct Original {
  std::string_view name;
  Package package;
};

std::vector<Original> originals() {
  std::vector<Original> list;
  list.push_back({"rms_norm_cpu", rms_norm_cpu()});
  list.push_back({"add_rms_norm_cpu", add_rms_norm_cpu()});
  list.push_back({"silu_mul_cpu", silu_mul_cpu()});
  list.push_back({"gemm_cpu", gemm_cpu()});
  list.push_back({"argmax_cpu", argmax_cpu()});
  list.push_back({"rope_cpu", rope_cpu()});
  list.push_back({"cast_cpu", cast_cpu()});
  list.push_back({"copy_strided_cpu", copy_strided_cpu()});
  list.push_back({"embedding_cpu", embedding_cpu()});
  list.push_back({"kv_append_paged_cpu", kv_append_paged_cpu()});
  list.push_back({"attention_decode_paged_cpu", attention_decode_paged_cpu()});
  list.push_back({"probe_read_cpu", probe_read_cpu()});
  list.push_back({"rms_norm_glsl", rms_norm_glsl()});
  list.push_back({"silu_mul_glsl", silu_mul_glsl()});
  list.push_back({"gemm_glsl", gemm_glsl()});
  list.push_back({"argmax_glsl", argmax_glsl()});
  list.push_back({"embedding_glsl", embedding_glsl()});
  return list;
}

struct Equivalence {
  std::string_view id;
  std::string_view reason;
};

constexpr std::string_view kFirstBeforeAll = "The first element is never better than itself.";
constexpr std::string_view kLeastKey = "No element has a key below 0x007fffff.";
constexpr std::string_view kOverlap =
    "A range writes some of its neighbour's elements too, and writes the same.";
constexpr std::string_view kFactorOfZero =
    "What stands before the first position is multiplied by exp2(-infinity), which is 0.";
constexpr std::string_view kSigmoidOfZero = "The sigmoid is 0 in f32 from -104 on.";

constexpr std::array kEquivalences = {
    Equivalence{"argmax_cpu:16:21:literal: 1 -> 0", kFirstBeforeAll},
    Equivalence{"argmax_glsl:25:13:literal: 0 -> 1", kLeastKey},
    Equivalence{"attention_decode_paged_cpu:37:16:literal: 0.0f -> 1.0f", kFactorOfZero},
    Equivalence{"cast_cpu:11:61:literal: 4096 -> 4095", kOverlap},
    Equivalence{"cast_cpu:12:61:literal: 4096 -> 4097", kOverlap},
    Equivalence{"silu_mul_cpu:19:36:literal: 200.0f -> (200.0f * 1.5f)", kSigmoidOfZero},
    Equivalence{"silu_mul_cpu:19:46:literal: 200.0f -> (200.0f * 1.5f)", kSigmoidOfZero},
};

// A step of a generator with 64 bits of state, enough to shuffle.
std::uint64_t next(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

}  // namespace

std::vector<Mutant> all_mutants(std::uint64_t seed) {
  std::vector<Mutant> mutants;
  for (const Original& original : originals()) {
    const std::string& source = source_of(original.package);
    for (const Mutation& mutation : find_mutations(source)) {
      const std::size_t line_begin = source.rfind('\n', mutation.offset) + 1;
      mutants.push_back(
          {base::concat(original.name, ':', mutation.line, ':', mutation.offset - line_begin, ':',
                        mutation.kind, ": ", mutation.before, " -> ", mutation.after),
           original.package, with_source(original.package, mutated(source, mutation))});
    }
  }
  std::uint64_t state = seed;
  for (std::size_t i = mutants.size(); i > 1; --i)
    std::swap(mutants[i - 1], mutants[next(state) % i]);
  return mutants;
}

std::optional<std::string_view> equivalence_of(std::string_view id) {
  const auto found = std::find_if(kEquivalences.begin(), kEquivalences.end(),
                                  [id](const Equivalence& each) { return each.id == id; });
  if (found == kEquivalences.end()) return std::nullopt;
  return found->reason;
}

}  // namespace halyard::adversarial
