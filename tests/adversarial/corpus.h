// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/verdict.h"
#include "tests/adversarial/package.h"

#include <string>
#include <utility>
#include <vector>

namespace halyard::adversarial {

using verification::VerdictClass;

// One package and what a verification must say of it.
struct AdversarialCase {
  std::string id;                      // "A02-softmax-zeros": the corpus' number first
  std::string what;                    // what it does, in one line
  std::vector<VerdictClass> expected;  // any of these; the first is what the corpus names
  Package package;
  bool is_long = false;    // too long for every run
  bool is_foreign = true;  // false: a kernel of the project, which may use device addresses
};

class CaseList {
 public:
  using Classes = std::vector<VerdictClass>;

  void add(std::string id, std::string what, Classes expected, Package package) {
    cases_.push_back({std::move(id), std::move(what), std::move(expected), std::move(package)});
  }
  void add_long(std::string id, std::string what, Classes expected, Package package) {
    add(std::move(id), std::move(what), std::move(expected), std::move(package));
    cases_.back().is_long = true;
  }
  void add_honest(std::string id, std::string what, Package package, bool is_long = false) {
    add(std::move(id), std::move(what), {VerdictClass::kAccept}, std::move(package));
    cases_.back().is_long = is_long;
  }
  void add_own(std::string id, std::string what, Package package, bool is_long = false) {
    add_honest(std::move(id), std::move(what), std::move(package), is_long);
    cases_.back().is_foreign = false;
  }
  std::vector<AdversarialCase> take() { return std::move(cases_); }

 private:
  std::vector<AdversarialCase> cases_;
};

// Classes as the sections write them.
inline const CaseList::Classes kStatic{VerdictClass::kStatic};
inline const CaseList::Classes kNumeric{VerdictClass::kNumeric};
inline const CaseList::Classes kBounds{VerdictClass::kBounds};
inline const CaseList::Classes kNondet{VerdictClass::kNondet};
inline const CaseList::Classes kCheat{VerdictClass::kCheat};
inline const CaseList::Classes kHang{VerdictClass::kHang};
inline const CaseList::Classes kAccept{VerdictClass::kAccept};

void add_unwritten_answers(CaseList& list);   // section A: the answer is not computed
void add_remembered_answers(CaseList& list);  // section A: state between launches
void add_partial_answers(CaseList& list);     // section A: part of the work
void add_host_code(CaseList& list);           // section B and C: what a launch record cannot say
void add_system_calls(CaseList& list);        // section B and C: in the kernel's process
void add_compile_attacks(CaseList& list);     // section C07
void add_package_attacks(CaseList& list);     // section C08
void add_record_attacks(CaseList& list);      // section C: kernel.json
void add_precision(CaseList& list);           // section D
void add_memory(CaseList& list);              // section E
void add_order(CaseList& list);               // section F
void add_edges(CaseList& list);               // section G and H
void add_vulkan(CaseList& list);              // sections A to G on Vulkan
void add_spirv(CaseList& list);               // sections C and E: SPIR-V modules
void add_amdgcn(CaseList& list);              // sections A, D and F on AMD processors
void add_amdgcn_memory(CaseList& list);       // section E on AMD processors

// What must be refused.
std::vector<AdversarialCase> hostile_cases();
// What must be accepted: section I, the plain kernels, and the bundled ones.
std::vector<AdversarialCase> honest_cases();

}  // namespace halyard::adversarial
