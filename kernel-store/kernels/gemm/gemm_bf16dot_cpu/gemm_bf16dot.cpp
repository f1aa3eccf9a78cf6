// SPDX-License-Identifier: Apache-2.0
#include "halyard_product.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

using Product = PackedProduct<Bf16DotFormat, T>;

// Writes the layout "panels" of B: one group is one panel of 16 columns.
HALYARD_ENTRY(pack) {
  Arguments next(arguments);
  const auto* from = next.pointer<const T>();
  auto* to = next.pointer<Product::Column>();
  Product product = {};
  product.n = next.integer();
  product.k = next.integer();
  product.pack(from, to, static_cast<int64_t>(range->begin), static_cast<int64_t>(range->end));
}

HALYARD_ENTRY(gemm) {
  Arguments next(arguments);
  Product product;
  product.a = next.pointer<const T>();
  product.b = next.pointer<const Product::Column>();
  product.bias = next.pointer<const T>();
  product.c = next.pointer<T>();
  if (next.integer() == 0) product.bias = nullptr;
  product.m = next.integer();
  product.n = next.integer();
  product.k = next.integer();
  product.a_stride = next.integer();
  product.c_stride = next.integer();
  product.run(*range);
}
