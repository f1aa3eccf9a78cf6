# SPDX-License-Identifier: Apache-2.0
"""The operations that LLVM folds and a kernel executes: one text of IR each.

In a text, {0} {1} {2} are the operands and %r is the result.
"""

import dataclasses

BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "<2 x half>": 32, "<2 x i16>": 32,
        "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"half": "f16", "float": "f32", "double": "f64"}
ROUNDINGS = {"up": "round.upward", "down": "round.downward", "zero": "round.towardzero"}


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    result: str             # a type
    operands: tuple         # types
    text: str
    # What inputs are drawn from: "any", "number" (no NaN), "positive" (also finite, no sign),
    # "divisor" (the last is above 0), "small" (the last is a small whole number).
    inputs: str = "any"
    rounds: str = ""        # the constrained intrinsic that folds under a rounding mode
    flushes: bool = False   # folding knows modes that flush denormals
    declarations: tuple = ()


def call(result, name, *types):
    """An intrinsic applied to the operands, and its declaration."""
    arguments = ", ".join(f"{kind} {{{i}}}" for i, kind in enumerate(types))
    return (f"%r = call {result} @{name}({arguments})",
            f"declare {result} @{name}({', '.join(types)})")


def intrinsic(name, function, result, *types, **more):
    text, declaration = call(result, function, *types)
    return Operation(name, result, types, text, declarations=(declaration,), **more)


def float_operations():
    for kind, short in FLOATS.items():
        for word in ("fadd", "fsub", "fmul"):
            yield Operation(f"{word}_{short}", kind, (kind, kind),
                            f"%r = {word} {kind} {{0}}, {{1}}",
                            rounds=f"llvm.experimental.constrained.{word}.{short}", flushes=True)
        yield intrinsic(f"fma_{short}", f"llvm.fma.{short}", kind, kind, kind, kind,
                        rounds=f"llvm.experimental.constrained.fma.{short}")
        if kind != "half":
            yield Operation(f"fdiv_{short}", kind, (kind, kind), f"%r = fdiv {kind} {{0}}, {{1}}")
        yield Operation(f"fneg_{short}", kind, (kind,), f"%r = fneg {kind} {{0}}")
        for word in ("fabs", "floor", "ceil", "trunc", "rint", "roundeven", "round", "sqrt"):
            inputs = {"fabs": "number", "sqrt": "positive"}.get(word, "any")
            yield intrinsic(f"{word}_{short}", f"llvm.{word}.{short}", kind, kind, inputs=inputs)
        yield intrinsic(f"canonicalize_{short}", f"llvm.canonicalize.{short}", kind, kind,
                        inputs="number", flushes=True)
        for word in ("minnum", "maxnum", "copysign"):
            yield intrinsic(f"{word}_{short}", f"llvm.{word}.{short}", kind, kind, kind,
                            inputs="number")
        yield intrinsic(f"fract_{short}", f"llvm.amdgcn.fract.{short}", kind, kind,
                        inputs="number")
        exponent = "i16" if kind == "half" else "i32"
        yield intrinsic(f"ldexp_{short}", f"llvm.ldexp.{short}.{exponent}", kind, kind, exponent,
                        inputs="small")
        for predicate in ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge",
                          "ult", "ule", "une", "uno"):
            yield Operation(f"fcmp_{predicate}_{short}", "i32", (kind, kind),
                            f"%p = fcmp {predicate} {kind} {{0}}, {{1}}\n"
                            "  %r = zext i1 %p to i32")
        for mask in (0x003, 0x0fc, 0x204, 0x198):
            yield Operation(f"class_{mask:x}_{short}", "i32", (kind,),
                            f"%p = call i1 @llvm.is.fpclass.{short}({kind} {{0}}, i32 {mask})\n"
                            "  %r = zext i1 %p to i32",
                            declarations=(
                                f"declare i1 @llvm.is.fpclass.{short}({kind}, i32 immarg)",))


def conversions():
    for source, target in (("half", "float"), ("float", "double"), ("bfloat", "float")):
        yield Operation(f"extend_{source}_{target}", target, (source,),
                        f"%r = fpext {source} {{0}} to {target}")
    for source, target in (("float", "half"), ("double", "float"), ("float", "bfloat"),
                           ("double", "half")):
        yield Operation(f"narrow_{source}_{target}", target, (source,),
                        f"%r = fptrunc {source} {{0}} to {target}")
    for kind, short in FLOATS.items():
        for word, letter in (("sitofp", "s"), ("uitofp", "u")):
            for bits in (16, 32, 64):
                yield Operation(f"{word}_i{bits}_{short}", kind, (f"i{bits}",),
                                f"%r = {word} i{bits} {{0}} to {kind}")
        for bits in (16, 32):
            for word in ("fptosi", "fptoui"):
                yield intrinsic(f"{word}_sat_{short}_i{bits}",
                                f"llvm.{word}.sat.i{bits}.{short}", f"i{bits}", kind)
    for word in ("fptosi", "fptoui"):
        yield intrinsic(f"{word}_sat_f64_i64", f"llvm.{word}.sat.i64.f64", "i64", "double")
    yield intrinsic("cvt_pkrtz", "llvm.amdgcn.cvt.pkrtz", "<2 x half>", "float", "float",
                    inputs="number")
    yield intrinsic("fmed3_f32", "llvm.amdgcn.fmed3.f32", "float", "float", "float", "float",
                    inputs="number")
    yield intrinsic("fmul_legacy", "llvm.amdgcn.fmul.legacy", "float", "float", "float",
                    inputs="number")


def integer_operations():
    for bits in (16, 32, 64):
        kind = f"i{bits}"
        for word in ("add", "sub", "mul", "and", "or", "xor"):
            yield Operation(f"{word}_{kind}", kind, (kind, kind),
                            f"%r = {word} {kind} {{0}}, {{1}}")
        for word in ("shl", "lshr", "ashr"):
            yield Operation(f"{word}_{kind}", kind, (kind, kind),
                            f"%n = and {kind} {{1}}, {bits - 1}\n  %r = {word} {kind} {{0}}, %n")
        for word in ("smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat",
                     "usub.sat"):
            yield intrinsic(f"{word.replace('.', '_')}_{kind}", f"llvm.{word}.{kind}", kind, kind,
                            kind)
        for word in ("ctpop", "bitreverse", "bswap"):
            yield intrinsic(f"{word}_{kind}", f"llvm.{word}.{kind}", kind, kind)
        for word in ("ctlz", "cttz", "abs"):
            yield Operation(f"{word}_{kind}", kind, (kind,),
                            f"%r = call {kind} @llvm.{word}.{kind}({kind} {{0}}, i1 false)",
                            declarations=(
                                f"declare {kind} @llvm.{word}.{kind}({kind}, i1 immarg)",))
        for predicate in ("eq", "ne", "sgt", "sge", "slt", "sle", "ugt", "uge", "ult", "ule"):
            yield Operation(f"icmp_{predicate}_{kind}", "i32", (kind, kind),
                            f"%p = icmp {predicate} {kind} {{0}}, {{1}}\n"
                            "  %r = zext i1 %p to i32")
    for bits in (32, 64):
        kind = f"i{bits}"
        for word in ("udiv", "urem", "sdiv", "srem"):
            yield Operation(f"{word}_{kind}", kind, (kind, kind),
                            f"%r = {word} {kind} {{0}}, {{1}}", inputs="divisor")
    for word in ("fshl", "fshr"):
        yield intrinsic(f"{word}_i32", f"llvm.{word}.i32", "i32", "i32", "i32", "i32")
    for word, extend in (("umulh", "zext"), ("smulh", "sext")):
        for bits in (32, 64):
            yield Operation(f"{word}_i{bits}", f"i{bits}", (f"i{bits}", f"i{bits}"),
                            f"%a = {extend} i{bits} {{0}} to i{2 * bits}\n"
                            f"  %b = {extend} i{bits} {{1}} to i{2 * bits}\n"
                            f"  %m = mul i{2 * bits} %a, %b\n"
                            f"  %h = lshr i{2 * bits} %m, {bits}\n"
                            f"  %r = trunc i{2 * bits} %h to i{bits}")
    for word in ("ubfe", "sbfe"):
        yield intrinsic(f"{word}_i32", f"llvm.amdgcn.{word}.i32", "i32", "i32", "i32", "i32")
    yield intrinsic("perm_i32", "llvm.amdgcn.perm", "i32", "i32", "i32", "i32")
    yield Operation("mad_u24", "i32", ("i32", "i32", "i32"),
                    "%a = and i32 {0}, 16777215\n  %b = and i32 {1}, 16777215\n"
                    "  %m = mul i32 %a, %b\n  %r = add i32 %m, {2}")
    yield Operation("mad_i24", "i32", ("i32", "i32", "i32"),
                    "%s = shl i32 {0}, 8\n  %a = ashr i32 %s, 8\n  %t = shl i32 {1}, 8\n"
                    "  %b = ashr i32 %t, 8\n  %m = mul i32 %a, %b\n  %r = add i32 %m, {2}")
    yield Operation("mad_u64_u32", "i64", ("i32", "i32", "i64"),
                    "%a = zext i32 {0} to i64\n  %b = zext i32 {1} to i64\n"
                    "  %m = mul i64 %a, %b\n  %r = add i64 %m, {2}")
    yield Operation("bitselect_i32", "i32", ("i32", "i32", "i32"),
                    "%x = xor i32 {1}, {2}\n  %y = and i32 %x, {0}\n  %r = xor i32 %y, {2}")
    for width in (8, 16):
        for word in ("sext", "zext"):
            yield Operation(f"{word}_i{width}", "i32", ("i32",),
                            f"%t = trunc i32 {{0}} to i{width}\n  %r = {word} i{width} %t to i32")


def packed_operations():
    kind = "<2 x half>"
    for word in ("fadd", "fmul"):
        yield Operation(f"{word}_v2f16", kind, (kind, kind), f"%r = {word} {kind} {{0}}, {{1}}",
                        inputs="number")
    yield intrinsic("fma_v2f16", "llvm.fma.v2f16", kind, kind, kind, kind, inputs="number")
    for word in ("minnum", "maxnum"):
        yield intrinsic(f"{word}_v2f16", f"llvm.{word}.v2f16", kind, kind, kind, inputs="number")
    kind = "<2 x i16>"
    for word in ("add", "sub", "mul"):
        yield Operation(f"{word}_v2i16", kind, (kind, kind), f"%r = {word} {kind} {{0}}, {{1}}")
    for word in ("shl", "lshr", "ashr"):
        yield Operation(f"{word}_v2i16", kind, (kind, kind),
                        f"%n = and {kind} {{1}}, <i16 15, i16 15>\n  %r = {word} {kind} {{0}}, %n")
    for word in ("smax", "smin", "umax", "umin", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"):
        yield intrinsic(f"{word.replace('.', '_')}_v2i16", f"llvm.{word}.v2i16", kind, kind, kind)


# Sums and choices of three, which many targets have one instruction for.
TRIPLES = {
    "add3": "%t = add {k} {0}, {1}\n  %r = add {k} %t, {2}",
    "lshl_add": "%n = and {k} {1}, {m}\n  %t = shl {k} {0}, %n\n  %r = add {k} %t, {2}",
    "add_lshl": "%t = add {k} {0}, {1}\n  %n = and {k} {2}, {m}\n  %r = shl {k} %t, %n",
    "lshl_or": "%n = and {k} {1}, {m}\n  %t = shl {k} {0}, %n\n  %r = or {k} %t, {2}",
    "and_or": "%t = and {k} {0}, {1}\n  %r = or {k} %t, {2}",
    "or3": "%t = or {k} {0}, {1}\n  %r = or {k} %t, {2}",
    "xor3": "%t = xor {k} {0}, {1}\n  %r = xor {k} %t, {2}",
    "xor_add": "%t = xor {k} {0}, {1}\n  %r = add {k} %t, {2}",
    "xnor": "%t = xor {k} {0}, {1}\n  %r = xor {k} %t, -1",
    "and_not": "%t = xor {k} {1}, -1\n  %r = and {k} {0}, %t",
    "or_not": "%t = xor {k} {1}, -1\n  %r = or {k} {0}, %t",
    "nand": "%t = and {k} {0}, {1}\n  %r = xor {k} %t, -1",
    "nor": "%t = or {k} {0}, {1}\n  %r = xor {k} %t, -1",
    "sub_shl": "%n = and {k} {1}, {m}\n  %t = shl {k} {2}, %n\n  %r = sub {k} %t, {0}",
    "mask_shl": "%n = and {k} {1}, {m}\n  %t = shl {k} -1, %n\n  %r = and {k} %t, {0}",
    "mask_low": "%n = and {k} {1}, {m}\n  %t = shl {k} 1, %n\n  %u = sub {k} %t, 1\n"
                "  %r = and {k} %u, {0}",
}


def triple_operations():
    for bits in (32, 64):
        kind = f"i{bits}"
        for name, text in TRIPLES.items():
            text = text.replace("{k}", kind).replace("{m}", str(bits - 1))
            yield Operation(f"{name}_{kind}", kind, (kind,) * 3, text)
    for bits in (16, 32):
        kind = f"i{bits}"
        for outer, inner in (("smax", "smax"), ("smin", "smin"), ("umax", "umax"),
                             ("umin", "umin"), ("smax", "smin"), ("smin", "smax"),
                             ("umax", "umin"), ("umin", "umax")):
            yield nested(f"{outer}_{inner}_{kind}", kind, f"llvm.{outer}.{kind}",
                         f"llvm.{inner}.{kind}", "any")
    for kind, short in (("half", "f16"), ("float", "f32")):
        for outer, inner in (("minnum", "minnum"), ("maxnum", "maxnum"), ("minnum", "maxnum"),
                             ("maxnum", "minnum")):
            yield nested(f"{outer}_{inner}_{short}", kind, f"llvm.{outer}.{short}",
                         f"llvm.{inner}.{short}", "number")


# Forms with constants, and halves of registers.
PARTS = {
    "lshl1_add": "%t = shl i32 {0}, 1\n  %r = add i32 %t, {1}",
    "lshl2_add": "%t = shl i32 {0}, 2\n  %r = add i32 %t, {1}",
    "lshl3_add": "%t = shl i32 {0}, 3\n  %r = add i32 %t, {1}",
    "lshl4_add": "%t = shl i32 {0}, 4\n  %r = add i32 %t, {1}",
    "zero_bits": "%t = xor i32 {0}, {1}\n  %u = xor i32 %t, -1\n"
                 "  %r = call i32 @llvm.ctpop.i32(i32 %u)",
    "field_mask": "%a = and i32 {0}, 31\n  %b = and i32 {1}, 31\n  %t = shl i32 1, %a\n"
                  "  %u = sub i32 %t, 1\n  %r = shl i32 %u, %b",
    "pack_low_low": "%a = and i32 {0}, 65535\n  %b = shl i32 {1}, 16\n  %r = or i32 %a, %b",
    "pack_low_high": "%a = and i32 {0}, 65535\n  %b = and i32 {1}, -65536\n  %r = or i32 %a, %b",
    "pack_high_high": "%a = lshr i32 {0}, 16\n  %b = and i32 {1}, -65536\n  %r = or i32 %a, %b",
    "pack_high_low": "%a = lshr i32 {0}, 16\n  %b = shl i32 {1}, 16\n  %r = or i32 %a, %b",
    "bit_is_set": "%n = and i32 {1}, 31\n  %t = shl i32 1, %n\n  %u = and i32 {0}, %t\n"
                  "  %p = icmp ne i32 %u, 0\n  %r = select i1 %p, i32 77, i32 {1}",
    "field_at_5": "%t = lshr i32 {0}, 5\n  %u = and i32 %t, 2047\n  %r = add i32 %u, {1}",
    "signed_field_at_9": "%t = shl i32 {0}, 13\n  %u = ashr i32 %t, 22\n  %r = xor i32 %u, {1}",
    "nand": "%t = and i32 {0}, {1}\n  %r = xor i32 %t, -1",
    "distance": "%g = icmp ugt i32 {0}, {1}\n  %t = sub i32 {0}, {1}\n  %u = sub i32 {1}, {0}\n"
                "  %r = select i1 %g, i32 %t, i32 %u",
    "choice": "%p = icmp eq i32 {0}, {1}\n  %r = select i1 %p, i32 1234567, i32 {0}",
    "mul_constant": "%t = mul i32 {0}, 100003\n  %r = add i32 %t, {1}",
}
WIDE_PARTS = {
    "field_at_40": "%t = lshr i64 {0}, 40\n  %u = and i64 %t, 511\n  %r = add i64 %u, {1}",
    "signed_field_at_20": "%t = shl i64 {0}, 14\n  %u = ashr i64 %t, 34\n  %r = add i64 %u, {1}",
    "zero_bits_64": "%t = xor i64 {0}, -1\n  %u = call i64 @llvm.ctpop.i64(i64 %t)\n"
                    "  %r = add i64 %u, {1}",
    "choice_64": "%p = icmp ult i64 {0}, {1}\n  %r = select i1 %p, i64 81985529216486895, i64 {0}",
}


def part_operations():
    for name, text in PARTS.items():
        yield Operation(f"{name}_part", "i32", ("i32", "i32"), text,
                        declarations=("declare i32 @llvm.ctpop.i32(i32)",))
    for name, text in WIDE_PARTS.items():
        yield Operation(f"{name}_part", "i64", ("i64", "i64"), text,
                        declarations=("declare i64 @llvm.ctpop.i64(i64)",))
    for kind, short in FLOATS.items():
        fma = (f"declare {kind} @llvm.fma.{short}({kind}, {kind}, {kind})",)
        yield Operation(f"fma_add_constant_{short}", kind, (kind, kind),
                        f"%r = call {kind} @llvm.fma.{short}({kind} {{0}}, {kind} {{1}}, "
                        f"{kind} 1.25)", declarations=fma)
        yield Operation(f"fma_mul_constant_{short}", kind, (kind, kind),
                        f"%r = call {kind} @llvm.fma.{short}({kind} {{0}}, {kind} 5.5, "
                        f"{kind} {{1}})", declarations=fma)
        yield Operation(f"constant_minus_{short}", kind, (kind,),
                        f"%r = fsub {kind} 3.75, {{0}}")
    yield Operation("mad_u16", "i16", ("i16", "i16", "i16"),
                    "%t = mul i16 {0}, {1}\n  %r = add i16 %t, {2}")
    kind = "<2 x half>"
    for name, text in {
            "crossed_fma": "%s = shufflevector <2 x half> {1}, <2 x half> {1}, <2 x i32> "
                           "<i32 1, i32 0>\n  %n = fneg <2 x half> {2}\n"
                           "  %r = call <2 x half> @llvm.fma.v2f16("
                           "<2 x half> {0}, <2 x half> %s, <2 x half> %n)",
            "broadcast_fma": "%s = shufflevector <2 x half> {1}, <2 x half> {1}, <2 x i32> "
                             "<i32 1, i32 1>\n  %r = call <2 x half> @llvm.fma.v2f16("
                             "<2 x half> %s, <2 x half> {0}, <2 x half> {2})"}.items():
        yield Operation(f"{name}_v2f16", kind, (kind,) * 3, text, inputs="number",
                        declarations=(f"declare {kind} @llvm.fma.v2f16({kind}, {kind}, {kind})",))


def nested(name, kind, outer, inner, inputs):
    declarations = tuple(f"declare {kind} @{function}({kind}, {kind})"
                         for function in (outer, inner))
    return Operation(name, kind, (kind,) * 3,
                     f"%t = call {kind} @{inner}({kind} {{0}}, {kind} {{1}})\n"
                     f"  %r = call {kind} @{outer}({kind} %t, {kind} {{2}})", inputs=inputs,
                     declarations=declarations)


def modifier_operations():
    """What an operand's sign, its magnitude and the result's range are modifiers of."""
    for kind, short in FLOATS.items():
        fabs = f"declare {kind} @llvm.fabs.{short}({kind})"
        fma = f"declare {kind} @llvm.fma.{short}({kind}, {kind}, {kind})"
        least = f"declare {kind} @llvm.minnum.{short}({kind}, {kind})"
        most = f"declare {kind} @llvm.maxnum.{short}({kind}, {kind})"
        magnitude = f"%m = call {kind} @llvm.fabs.{short}({kind} {{0}})\n"
        clamp = (f"  %l = call {kind} @llvm.maxnum.{short}({kind} %s, {kind} 0.0)\n"
                 f"  %r = call {kind} @llvm.minnum.{short}({kind} %l, {kind} 1.0)")
        yield Operation(f"add_magnitude_{short}", kind, (kind, kind),
                        f"{magnitude}  %r = fadd {kind} %m, {{1}}", declarations=(fabs,))
        yield Operation(f"mul_minus_{short}", kind, (kind, kind),
                        f"{magnitude}  %n = fneg {kind} %m\n  %r = fmul {kind} %n, {{1}}",
                        declarations=(fabs,))
        yield Operation(f"fma_minus_{short}", kind, (kind, kind, kind),
                        f"{magnitude}  %n = fneg {kind} {{1}}\n  %o = fneg {kind} {{2}}\n"
                        f"  %r = call {kind} @llvm.fma.{short}({kind} %m, {kind} %n, {kind} %o)",
                        declarations=(fabs, fma))
        yield Operation(f"add_clamp_{short}", kind, (kind, kind),
                        f"%s = fadd {kind} {{0}}, {{1}}\n{clamp}", inputs="number",
                        declarations=(least, most))
        yield Operation(f"fma_clamp_{short}", kind, (kind, kind, kind),
                        f"%s = call {kind} @llvm.fma.{short}({kind} {{0}}, {kind} {{1}}, "
                        f"{kind} {{2}})\n{clamp}", inputs="number",
                        declarations=(fma, least, most))
        yield Operation(f"select_{short}", kind, (kind, kind, kind),
                        f"%p = fcmp olt {kind} {{0}}, {{1}}\n"
                        f"  %n = fneg {kind} {{2}}\n"
                        f"  %r = select i1 %p, {kind} %n, {kind} {{1}}", inputs="number")
    wide = "\n".join(f"  %{name} = fpext half {{{at}}} to float" for at, name in enumerate("xy"))
    fma = "declare float @llvm.fma.f32(float, float, float)"
    fused = "  %s = call float @llvm.fma.f32(float %x, float %y, float {2})\n"
    yield Operation("fma_mix_f32", "float", ("half", "half", "float"),
                    wide.strip() + "\n" + fused.replace("%s", "%r").rstrip(),
                    declarations=(fma,))
    yield Operation("fma_mixlo_f16", "half", ("half", "half", "float"),
                    wide.strip() + "\n" + fused + "  %r = fptrunc float %s to half",
                    declarations=(fma,))


def all_operations():
    return [*float_operations(), *conversions(), *integer_operations(), *packed_operations(),
            *triple_operations(), *part_operations(), *modifier_operations()]


def modes(operation):
    """The modes of arithmetic under which an operation is folded and executed."""
    names = ["nearest"]
    if operation.rounds:
        names += list(ROUNDINGS)
    if operation.flushes:
        names.append("flush")
    return names
