// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/adversarial/package.h"

#include <string_view>
#include <vector>

// Honest kernels, as plain as can be, that the corpus edits. Each serves one binding of types and
// has one stage, "main". Entries are called `run`, sources are kernel.cpp and kernel.comp.
namespace halyard::adversarial {

Package rms_norm_cpu(std::string_view type = "f32");
Package add_rms_norm_cpu(std::string_view type = "f32");
Package silu_mul_cpu(std::string_view type = "f32");
Package gemm_cpu(std::string_view type = "f32");
Package argmax_cpu(std::string_view type = "f32");
Package rope_cpu(std::string_view type = "f32");
Package cast_cpu(std::string_view from = "f32", std::string_view to = "bf16");
Package copy_strided_cpu(std::string_view type = "f32");
Package embedding_cpu(std::string_view type = "f32");
Package kv_append_paged_cpu(std::string_view type = "f32");
Package attention_decode_paged_cpu(std::string_view type = "f32");
Package probe_read_cpu();

Package rms_norm_glsl(std::string_view type = "f32");
Package silu_mul_glsl(std::string_view type = "f32");
Package gemm_glsl(std::string_view type = "f32");
Package argmax_glsl(std::string_view type = "f32");
Package embedding_glsl(std::string_view type = "f32");

// For one processor, "gfx1100", in workgroups of 128 lanes. Sources are kernel.hip.
Package rms_norm_hip(std::string_view processor = "gfx1100", std::string_view type = "f32");
Package silu_mul_hip(std::string_view processor = "gfx1100", std::string_view type = "f32");
Package gemm_hip(std::string_view processor = "gfx1100", std::string_view type = "f32");
Package embedding_hip(std::string_view processor = "gfx1100", std::string_view type = "f32");
// The bundled kernel in assembly, for f32.
Package rms_norm_gfx1100();

// A module of SPIR-V assembly that does nothing, as a kernel of silu_mul.
Package silu_mul_spirv();

// The body of the entry is `statements`; arguments are not read.
Package with_body(Package package, std::string_view statements);

// The kernels that come with the library, with all of their types, from the folder of sources.
std::vector<Package> bundled_packages();

}  // namespace halyard::adversarial
