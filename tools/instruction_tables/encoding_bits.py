# SPDX-License-Identifier: Apache-2.0
"""Dwords of an encoding from the values of its fields."""

import itertools

# Operands that most instructions accept: vector registers as sources of vector instructions, scalar
# ones elsewhere. Every other field is 0, as those that an instruction does not use must be.
USUAL = {
    "SRC0": 256, "SRC1": 258, "SRC2": 260, "VSRC0": 8, "VSRC1": 10, "SRCX0": 257, "VSRCX1": 2,
    "SRCY0": 260, "VSRCY1": 7, "SDST": 4, "SSRC0": 8, "SSRC1": 12, "SBASE": 2, "IMM": 1,
    "DMASK": 1, "LITERAL": 0x12345678, "ROW_MASK": 15, "BANK_MASK": 15, "SRC0_SEL": 6,
    "SRC1_SEL": 6, "DST_SEL": 6, "FORMAT": 1, "DFMT": 1,
}
# Instructions that refuse those accept one of these.
OTHERS = [
    {},
    {"SRC0": 128, "SRC1": 129, "SRC2": 130, "SSRC0": 128, "SSRC1": 129, "SOFFSET": 128},
    {"SDST": 106, "IMM": 0, "SOFFSET_EN": 1},
    {"SADDR": 124}, {"SADDR": 125}, {"SADDR": 127},
    {"VDST": 32, "SRC0": 264, "SRC1": 280, "SRC2": 288},
    {"SRC0": 256, "SRC1": 4, "SRC2": 6},
    {"SRC0": 256, "SRC1": 128, "SRC2": 0},
    {"SRC0": 256, "SRC1": 0, "SRC2": 0}, {"SRC0": 0, "SRC1": 0, "SRC2": 0},
    {"SRC0": 264, "SRC1": 280, "SRC2": 128, "VDST": 32},
    {"GDS": 1}, {"LDS": 1}, {"SIMM16": 1}, {"EN": 15}, {"SVE": 1}, {"SVE": 1, "SADDR": 124},
    {"SVE": 1, "SADDR": 127}, {"DMASK": 15}, {"DMASK": 3, "R128": 1}, {"D16": 1},
    {"SD": 1}, {"SDST": 0}, {"SDST": 0, "SSRC0": 0, "SSRC1": 0},
    {"SRC0": 266, "SRC1": 268, "SRC2": 270, "VDST": 40, "ACC": 3, "ACC_CD": 1},
    {"SRC0": 264, "SRC1": 280, "SRC2": 288, "VDST": 32, "ACC": 3, "ACC_CD": 1},
    {"SRC1": 258, "SRC2": 0}, {"SRC1": 0, "SRC2": 0}, {"SRC1_SEL": 0}, {"VSRCX1": 0}, {"VSRCY1": 0},
    {"DIM": 1}, {"A16": 1}, {"DMASK": 15, "DIM": 1, "A16": 1}, {"DMASK": 15, "UNORM": 1, "R128": 1},
    {"VSRC0": 0, "VSRC1": 0}, {"SRC0": 0}, {"VDST": 0, "SRC0": 0, "VSRC1": 0},
]


def put(dwords, field, raw):
    """Sets the bits of a field to those of `raw`, its value without padding."""
    for offset, count in field["bits"]:
        for bit in range(count):
            dword, place = divmod(offset + bit, 32)
            dwords[dword] &= ~(1 << place)
            dwords[dword] |= (raw >> bit & 1) << place
        raw >>= count


def field(encoding, name):
    return next((f for f in encoding["fields"] if f["name"] == name), None)


def opcode_fields(encoding):
    """Names of the fields of each opcode of the encoding, the least significant first."""
    names = [f["name"] for f in encoding["fields"]]
    if "OPX" in names:
        return [["OPX"], ["OPY"]]
    return [[n for n in ("OP", "OPM") if n in names]] if "OP" in names else [[]]


def width(encoding, names):
    return sum(count for name in names for _, count in field(encoding, name)["bits"])


def base_of(encoding):
    """The bits of the first dword that tell the encoding from others, without an opcode."""
    identifiers = encoding["identifiers"]
    base = int(identifiers["base"], 16)
    first = identifiers["values"][0] if identifiers["values"] else 0
    dwords = [base + ((first[0] if isinstance(first, list) else first) << identifiers["shift"]), 0,
              0, 0]
    for names in opcode_fields(encoding):
        for name in names:
            put(dwords, field(encoding, name), 0)
    return dwords[0]


def assemble(encoding, opcodes, values):
    """The dwords of an instruction. `opcodes` are (names of fields, opcode)."""
    dwords = [base_of(encoding)] + [0] * (encoding["bits"] // 32 - 1)
    for name, value in (USUAL | values).items():
        entry = field(encoding, name)
        if entry is not None:
            put(dwords, entry, value)
    for names, opcode in opcodes:
        for name in names:
            entry = field(encoding, name)
            put(dwords, entry, opcode)
            opcode >>= sum(count for _, count in entry["bits"])
    return dwords


def identifiers_of(encoding, opcodes):
    """The member "identifiers" for opcodes given as (names of fields, opcode)."""
    dwords = set()
    for names, opcode in opcodes:
        dwords.add(assemble(encoding, [(names, opcode)], {n: 0 for n in USUAL})[0] &
                   int(encoding["mask"], 16))
    base = min(dwords)
    # The tool that writes the table chooses the shortest way to say it.
    return {"base": f"0x{base:08x}", "shift": 0, "values": sorted(d - base for d in dwords)}


def condition_holds(expression, values):
    text = expression.replace("&&", " and ").replace("||", " or ")
    return bool(eval(text, {"__builtins__": {}}, dict(values)))  # pylint: disable=eval-used


def values_for(encoding, expression):
    """Values other than the usual ones that make a condition true, or None."""
    names = [f["name"] for f in encoding["fields"]]
    usual = {n: USUAL.get(n, 0) for n in names}
    used = [n for n in names if n in expression.replace("(", " ").replace(")", " ").split()]
    for values in itertools.product(*((usual[n], 255, 250, 233, 249, 1, 2, 3) for n in used)):
        chosen = {n: v for n, v in zip(used, values) if v != usual[n]}
        if condition_holds(expression, usual | chosen):
            return chosen
    return None
