# SPDX-License-Identifier: Apache-2.0
"""Writes the matrix operations of an AMD target as the lines of its descriptor.

The shapes and cycles are those that AMD's matrix instruction calculator gives, and for gfx950 those
of the CDNA4 reference guide; the layout of lanes follows from the shape by a few rules. A test
compares the lines with those of the shipped descriptors.

    python3 tools/descriptors/matrix_operations.py gfx942
"""

import json
import sys

CALCULATOR = "AMD matrix instruction calculator"
CDNA4_GUIDE = "AMD CDNA4 ISA reference guide"

BITS = {"f64": 64, "f32": 32, "tf32": 32, "f16": 16, "bf16": 16, "i8": 8, "iu8": 8, "iu4": 4,
        "fp8_e4m3": 8, "fp8_e5m2": 8, "fp8_e4m3fnuz": 8, "fp8_e5m2fnuz": 8}

# name, m, n, k, blocks, type of A and B, type of C and D, cycles
CDNA1 = """
F32_32X32X1F32 32 32 1 2 f32 f32 64
F32_16X16X1F32 16 16 1 4 f32 f32 32
F32_4X4X1F32 4 4 1 16 f32 f32 8
F32_32X32X2F32 32 32 2 1 f32 f32 64
F32_16X16X4F32 16 16 4 1 f32 f32 32
F32_32X32X4F16 32 32 4 2 f16 f32 64
F32_16X16X4F16 16 16 4 4 f16 f32 32
F32_4X4X4F16 4 4 4 16 f16 f32 8
F32_32X32X8F16 32 32 8 1 f16 f32 64
F32_16X16X16F16 16 16 16 1 f16 f32 32
I32_32X32X4I8 32 32 4 2 i8 i32 64
I32_16X16X4I8 16 16 4 4 i8 i32 32
I32_4X4X4I8 4 4 4 16 i8 i32 8
I32_32X32X8I8 32 32 8 1 i8 i32 64
I32_16X16X16I8 16 16 16 1 i8 i32 32
F32_32X32X2BF16 32 32 2 2 bf16 f32 64
F32_16X16X2BF16 16 16 2 4 bf16 f32 32
F32_4X4X2BF16 4 4 2 16 bf16 f32 8
F32_32X32X4BF16 32 32 4 1 bf16 f32 64
F32_16X16X8BF16 16 16 8 1 bf16 f32 32
"""
CDNA2 = CDNA1 + """
F32_32X32X4BF16_1K 32 32 4 2 bf16 f32 64
F32_16X16X4BF16_1K 16 16 4 4 bf16 f32 32
F32_4X4X4BF16_1K 4 4 4 16 bf16 f32 8
F32_32X32X8BF16_1K 32 32 8 1 bf16 f32 64
F32_16X16X16BF16_1K 16 16 16 1 bf16 f32 32
F64_16X16X4F64 16 16 4 1 f64 f64 32
F64_4X4X4F64 4 4 4 4 f64 f64 16
"""
CDNA3_AND_4 = """
F32_32X32X1_2B_F32 32 32 1 2 f32 f32 64
F32_16X16X1_4B_F32 16 16 1 4 f32 f32 32
F32_4X4X1_16B_F32 4 4 1 16 f32 f32 8
F32_32X32X2_F32 32 32 2 1 f32 f32 64
F32_16X16X4_F32 16 16 4 1 f32 f32 32
F32_32X32X4_2B_F16 32 32 4 2 f16 f32 64
F32_16X16X4_4B_F16 16 16 4 4 f16 f32 32
F32_4X4X4_16B_F16 4 4 4 16 f16 f32 8
F32_32X32X8_F16 32 32 8 1 f16 f32 32
F32_16X16X16_F16 16 16 16 1 f16 f32 16
I32_32X32X4_2B_I8 32 32 4 2 i8 i32 64
I32_16X16X4_4B_I8 16 16 4 4 i8 i32 32
I32_4X4X4_16B_I8 4 4 4 16 i8 i32 8
I32_32X32X16_I8 32 32 16 1 i8 i32 32
I32_16X16X32_I8 16 16 32 1 i8 i32 16
F32_32X32X4_2B_BF16 32 32 4 2 bf16 f32 64
F32_16X16X4_4B_BF16 16 16 4 4 bf16 f32 32
F32_4X4X4_16B_BF16 4 4 4 16 bf16 f32 8
F32_32X32X8_BF16 32 32 8 1 bf16 f32 32
F32_16X16X16_BF16 16 16 16 1 bf16 f32 16
"""
CDNA3 = CDNA3_AND_4 + """
F32_16X16X8_XF32 16 16 8 1 tf32 f32 16
F32_32X32X4_XF32 32 32 4 1 tf32 f32 32
F64_16X16X4_F64 16 16 4 1 f64 f64 32
F64_4X4X4_4B_F64 4 4 4 4 f64 f64 16
"""
CDNA4 = CDNA3_AND_4 + """
F64_16X16X4_F64 16 16 4 1 f64 f64 64
F64_4X4X4_4B_F64 4 4 4 4 f64 f64 32
F32_16X16X32_F16 16 16 32 1 f16 f32 16
F32_32X32X16_F16 32 32 16 1 f16 f32 32
F32_16X16X32_BF16 16 16 32 1 bf16 f32 16
F32_32X32X16_BF16 32 32 16 1 bf16 f32 32
I32_16X16X64_I8 16 16 64 1 i8 i32 16
I32_32X32X32_I8 32 32 32 1 i8 i32 32
"""
SPARSE_CDNA3 = """
F32_16X16X32_F16 16 16 32 1 f16 f32 16
F32_32X32X16_F16 32 32 16 1 f16 f32 32
F32_16X16X32_BF16 16 16 32 1 bf16 f32 16
F32_32X32X16_BF16 32 32 16 1 bf16 f32 32
I32_16X16X64_I8 16 16 64 1 i8 i32 16
I32_32X32X32_I8 32 32 32 1 i8 i32 32
"""
SPARSE_CDNA4 = SPARSE_CDNA3 + """
F32_16X16X64_F16 16 16 64 1 f16 f32 16
F32_32X32X32_F16 32 32 32 1 f16 f32 32
F32_16X16X64_BF16 16 16 64 1 bf16 f32 16
F32_32X32X32_BF16 32 32 32 1 bf16 f32 32
I32_16X16X128_I8 16 16 128 1 i8 i32 16
I32_32X32X64_I8 32 32 64 1 i8 i32 32
"""
RDNA3 = """
F32_16X16X16_F16 16 16 16 1 f16 f32 32
F32_16X16X16_BF16 16 16 16 1 bf16 f32 32
F16_16X16X16_F16 16 16 16 1 f16 f16 32
BF16_16X16X16_BF16 16 16 16 1 bf16 bf16 32
I32_16X16X16_IU8 16 16 16 1 iu8 i32 32
I32_16X16X16_IU4 16 16 16 1 iu4 i32 16
"""
RDNA4 = """
F32_16X16X16_F16 16 16 16 1 f16 f32 16
F32_16X16X16_BF16 16 16 16 1 bf16 f32 16
F16_16X16X16_F16 16 16 16 1 f16 f16 16
BF16_16X16X16_BF16 16 16 16 1 bf16 bf16 16
I32_16X16X16_IU8 16 16 16 1 iu8 i32 8
I32_16X16X16_IU4 16 16 16 1 iu4 i32 8
I32_16X16X32_IU4 16 16 32 1 iu4 i32 8
"""
SPARSE_RDNA4 = """
F32_16X16X32_F16 16 16 32 1 f16 f32 16
F32_16X16X32_BF16 16 16 32 1 bf16 f32 16
F16_16X16X32_F16 16 16 32 1 f16 f16 16
BF16_16X16X32_BF16 16 16 32 1 bf16 bf16 16
I32_16X16X32_IU8 16 16 32 1 iu8 i32 8
I32_16X16X32_IU4 16 16 32 1 iu4 i32 8
I32_16X16X64_IU4 16 16 64 1 iu4 i32 8
"""
FNUZ = {"FP8": "fp8_e4m3fnuz", "BF8": "fp8_e5m2fnuz"}
OCP = {"FP8": "fp8_e4m3", "BF8": "fp8_e5m2"}


def shapes(table):
    for line in table.split("\n"):
        if not line:
            continue
        name, m, n, k, blocks, a, c, cycles = line.split()
        yield {"name": name, "m": int(m), "n": int(n), "k": int(k), "blocks": int(blocks), "a": a,
               "b": a, "c": c, "cycles": int(cycles)}


def fp8_shapes(edges, names):
    """The four pairings of the two 8-bit floats, for each (m, k, cycles)."""
    for m, k, cycles in edges:
        for a in ("BF8", "FP8"):
            for b in ("BF8", "FP8"):
                yield {"name": f"F32_{m}X{m}X{k}_{a}_{b}", "m": m, "n": m, "k": k, "blocks": 1,
                       "a": names[a], "b": names[b], "c": "f32", "cycles": cycles}


def layout(items, row, column, block=None):
    out = {"items": items, "row": row, "column": column}
    if block:
        out["block"] = block
    return out


def scaled(factor, text):
    return text if factor == 1 else f"{factor} * {text}"


def joined(*terms):
    return " + ".join(term for term in terms if term) or "0"


def mfma_layouts(op, sparse):
    """64 lanes. Each lane holds neighbours in k; lanes step through the rows of A first."""
    m, n, k, blocks = op["m"], op["n"], op["k"], op["blocks"]
    lane_row = f"lane % {m}"
    held = m * (k // 2 if sparse else k) * blocks // 64
    held_b = n * k * blocks // 64
    block = None
    if op["a"] == "f64" and blocks > 1:
        block, group = f"lane / {m} % {blocks}", "lane / 16"
    elif blocks > 1:
        block, group = f"lane / {m}", None
    else:
        group = f"lane / {m}"

    def column(items):
        return joined(group and scaled(items, f"({group})" if items > 1 else group),
                      "item" if items > 1 else None)

    a = layout(held, lane_row, column(held), block)
    b = layout(held_b, column(held_b), f"lane % {n}", block)
    items = m * n * blocks // 64
    if op["c"] == "f64":
        if blocks > 1:
            d = layout(items, "lane / 16", f"lane % {n}", block)
        else:
            d = layout(items, "4 * item + lane / 16", f"lane % {n}")
    elif m == 4:
        d = layout(items, "item", "lane % 4", "lane / 4")
    else:
        each = items // blocks
        within = "item" if blocks == 1 else f"item % {each}"
        if m == 32:
            within = "item" if blocks == 1 else f"(item % {each})"
            row = f"8 * ({within} / 4) + 4 * (lane / 32) + item % 4"
        else:
            row = "4 * (lane / 16) + item % 4" if items > 4 else "4 * (lane / 16) + item"
        d = layout(items, row, f"lane % {n}", f"item / {each}" if blocks > 1 else None)
    return a, b, d


def wmma_gfx11_layouts(_op, lanes):
    """A and B stand in each group of 16 lanes; the rows of D are interleaved."""
    items = 256 // lanes
    return (layout(16, "lane % 16", "item"), layout(16, "item", "lane % 16"),
            layout(items, f"{lanes // 16} * item + lane / 16", "lane % 16"))


def wmma_gfx12_column(items, lanes, bits):
    """Which k an item of A or B is: groups of 16 lanes hold neighbours, in turns for 16 bits."""
    if lanes == 64:
        if bits == 16:
            return "8 * (lane / 32) + 4 * (lane / 16 % 2) + item"
        return f"{2 * items} * (lane / 16 % 2) + {items} * (lane / 32) + item"
    if bits == 16:
        return "8 * (item / 4) + 4 * (lane / 16) + item % 4"
    return f"{items} * (lane / 16) + item"


def swmmac_b_column(items, lanes, bits):
    if lanes == 64:
        if bits == 16:
            return f"{items} * (lane / 16) + item"
        return f"{2 * items} * (lane / 16 % 2) + {items} * (lane / 32) + item"
    if bits == 16:
        return "16 * (item / 8) + 8 * (lane / 16) + item % 8"
    return f"{items} * (lane / 16) + item"


def swmmac_a_column(items, lanes, bits):
    if lanes == 64 and bits == 16:
        return f"{items} * (lane / 16) + item"
    return wmma_gfx12_column(items, lanes, bits)


def wmma_gfx12_layouts(op, lanes, sparse):
    bits, k = BITS[op["a"]], op["k"]
    held = 16 * (k // 2 if sparse else k) // lanes
    held_b = 16 * k // lanes
    if sparse:
        column, row = swmmac_a_column(held, lanes, bits), swmmac_b_column(held_b, lanes, bits)
    else:
        column = row = wmma_gfx12_column(held, lanes, bits)
    a, b = layout(held, "lane % 16", column), layout(held_b, row, "lane % 16")
    # 4-bit elements that would fill less than a register stand in half of the lanes.
    if held * bits < 32:
        a = None
    if held_b * bits < 32:
        b = None
    items = 256 // lanes
    if lanes == 32:
        d = layout(items, "8 * (lane / 16) + item", "lane % 16")
    else:
        d = layout(items, "8 * (lane / 16 % 2) + 4 * (lane / 32) + item", "lane % 16")
    return a, b, d


def operation(prefix, op, lanes, simds, layouts, sparse, source):
    operations = 2 * op["m"] * op["n"] * op["k"] * op["blocks"]
    out = {"instruction": f"{prefix}_{op['name']}", "m": op["m"], "n": op["n"], "k": op["k"]}
    if op["blocks"] > 1:
        out["blocks"] = op["blocks"]
    out |= {"a_type": op["a"], "b_type": op["b"], "c_type": op["c"]}
    if sparse:
        out["sparse"] = True
    out["lanes"] = lanes
    out["cycles"] = op["cycles"]
    out["operations_per_unit_clock"] = operations * simds // op["cycles"]
    for name, value in zip("abd", layouts):
        if value:
            out[name] = value
    return out | {"origin": "documented", "source": source}


def mfma(table, source, prefix="V_MFMA", sparse=False):
    return [operation(prefix, op, 64, 4, mfma_layouts(op, sparse), sparse, source) for op in table]


def f8f6f4(source):
    """The types are chosen by the instruction's CBSZ and BLGP; an 8-bit type takes twice as long."""
    out = []
    for m, k, cycles in ((16, 128, 16), (32, 64, 32)):
        for prefix in ("V_MFMA", "V_MFMA_SCALE"):
            for a, factor in (("fp8_e4m3", 2), ("fp8_e5m2", 2), ("fp6_e2m3", 1), ("fp6_e3m2", 1),
                              ("fp4_e2m1", 1)):
                op = {"name": f"F32_{m}X{m}X{k}_F8F6F4", "m": m, "n": m, "k": k, "blocks": 1,
                      "a": a, "b": a, "c": "f32", "cycles": cycles * factor}
                d = mfma_layouts(op, False)[2]
                out.append(operation(prefix, op, 64, 4, (None, None, d), False, source))
    return out


def rdna3():
    return [operation("V_WMMA", op, lanes, 2, wmma_gfx11_layouts(op, lanes), False, CALCULATOR)
            for lanes in (32, 64) for op in shapes(RDNA3)]


def rdna4():
    dense = list(shapes(RDNA4)) + list(fp8_shapes([(16, 16, 8)], OCP))
    sparse = list(shapes(SPARSE_RDNA4)) + list(fp8_shapes([(16, 32, 8)], OCP))
    out = []
    for lanes in (32, 64):
        out += [operation("V_WMMA", op, lanes, 2, wmma_gfx12_layouts(op, lanes, False), False,
                          CALCULATOR) for op in dense]
        out += [operation("V_SWMMAC", op, lanes, 2, wmma_gfx12_layouts(op, lanes, True), True,
                          CALCULATOR) for op in sparse]
    return out


def operations_of(target):
    if target == "gfx908":
        return mfma(shapes(CDNA1), CALCULATOR)
    if target == "gfx90a":
        return mfma(shapes(CDNA2), CALCULATOR)
    if target == "gfx942":
        return (mfma(shapes(CDNA3), CALCULATOR) +
                mfma(fp8_shapes([(16, 32, 16), (32, 16, 32)], FNUZ), CALCULATOR) +
                mfma(shapes(SPARSE_CDNA3), CALCULATOR, "V_SMFMAC", True) +
                mfma(fp8_shapes([(16, 64, 16), (32, 32, 32)], FNUZ), CALCULATOR, "V_SMFMAC", True))
    if target == "gfx950":
        return (mfma(shapes(CDNA4), CDNA4_GUIDE) +
                mfma(fp8_shapes([(16, 32, 16), (32, 16, 32)], OCP), CDNA4_GUIDE) +
                f8f6f4(CDNA4_GUIDE) +
                mfma(shapes(SPARSE_CDNA4), CDNA4_GUIDE, "V_SMFMAC", True) +
                mfma(fp8_shapes([(16, 64, 16), (32, 32, 32), (16, 128, 16), (32, 64, 32)], OCP),
                     CDNA4_GUIDE, "V_SMFMAC", True))
    if target.startswith("gfx11"):
        return rdna3()
    if target.startswith("gfx12"):
        return rdna4()
    return []


if __name__ == "__main__":
    print(",\n".join("    " + json.dumps(each) for each in operations_of(sys.argv[1])))
