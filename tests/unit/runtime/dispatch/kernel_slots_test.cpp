// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/kernel_slots.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::dispatch {
namespace {

TEST(KernelSlots, EveryExpressionOfAKernelIsListed) {
  store::KernelRecord record;
  record.where = {"a"};
  record.workspace.push_back({"w", {"b", false}, 16, store::WorkspaceInitial::kUndefined});
  record.packed_layouts.push_back({"p", "t", {"c", false}, 16, "pack"});
  store::KernelStage stage;
  stage.grid = {{{"d", false}, {"1", true}, {"1", true}}};
  stage.block = {{{"e", false}, {"1", true}, {"1", true}}};
  stage.cpu = store::StageCpu{store::CpuPartition::kStatic, store::ExpressionText{"f", false}};
  store::KernelArgument argument;
  argument.kind = store::ArgumentKind::kExpression;
  argument.expression = {"g", false};
  stage.arguments.push_back(argument);
  record.stages.push_back(stage);
  const auto texts = expression_texts(record);
  for (const char* text : {"a", "b", "c", "d", "e", "f", "g"}) {
    EXPECT_NE(std::find(texts.begin(), texts.end(), text), texts.end()) << text;
  }
}

}  // namespace
}  // namespace halyard::dispatch
