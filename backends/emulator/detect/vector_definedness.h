// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/register_shadow.h"

#include <array>
#include <cstdint>

namespace halyard::emulator {

// What a vector operation leaves undefined, by lane. Found before the operation executes, from the
// values it will read, and written to the shadow at once (or, of two that are issued together,
// after both are found).
struct VectorDefinedness {
  static constexpr unsigned kDwords = 4;

  std::uint64_t written = 0;  // lanes
  std::array<std::array<std::uint32_t, 64>, kDwords> undefined;
  std::uint64_t undefined_lanes = 0;  // of a mask of lanes or a carry
  std::uint32_t undefined_scalar = 0;
};

// Of any operation but those on matrices and on lanes of the LDS unit. Some source may be
// undefined.
void find_definedness(const Wave& wave, const RegisterShadow& shadow, const Operation& operation,
                      const OperationFacts& facts, VectorDefinedness& found);
// Writes what was found for the destinations.
void apply_definedness(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
                       const OperationFacts& facts, const VectorDefinedness& found);
// The same where all sources are defined: the destinations become so in the lanes of EXEC.
void define_destinations(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
                         const OperationFacts& facts);

// Of matrix operations: a row of the result depends on a row of A and all of B, a column on a
// column of B.
void find_matrix_definedness(const Wave& wave, RegisterShadow& shadow, const Operation& operation);
// Of ds_swizzle, ds_permute and ds_bpermute.
void find_lane_data_definedness(const Wave& wave, RegisterShadow& shadow,
                                const Operation& operation, DefinednessRule rule);

// Of a scalar operation; SCC and EXEC too. Returns whether EXEC becomes undefined, of which nothing
// is written.
bool scalar_definedness(const Wave& wave, RegisterShadow& shadow, const Operation& operation,
                        const OperationFacts& facts);

}  // namespace halyard::emulator
