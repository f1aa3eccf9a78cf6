// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/reference.h"

#include <memory>

namespace halyard::operators {

// Makes the reference of one contract from inputs that fit its problem.
using ReferenceFactory = std::unique_ptr<Reference>(const ReferenceInputs& inputs,
                                                    const ShapeTable& shapes);

ReferenceFactory make_add_rms_norm_reference;
ReferenceFactory make_argmax_reference;
ReferenceFactory make_attention_decode_paged_reference;
ReferenceFactory make_cast_reference;
ReferenceFactory make_copy_strided_reference;
ReferenceFactory make_embedding_reference;
ReferenceFactory make_gemm_reference;
ReferenceFactory make_kv_append_paged_reference;
ReferenceFactory make_probe_fma_reference;
ReferenceFactory make_probe_read_reference;
ReferenceFactory make_rms_norm_reference;
ReferenceFactory make_rope_reference;
ReferenceFactory make_silu_mul_reference;
ReferenceFactory make_softmax_reference;

}  // namespace halyard::operators
