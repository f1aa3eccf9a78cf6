# SPDX-License-Identifier: Apache-2.0
"""Writes rows (operation, mode, operands, result) whose results LLVM folds; or checks some.

  fold_rows.py --clang CLANG --write FILE      all rows
  fold_rows.py --clang CLANG --check FILE N    folds every N-th row of the file again
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys

import fold_operations
from fold_operations import BITS, ROUNDINGS

ROWS = 10
SPECIAL = {
    "half": [0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 1, 0x8001, 0x03ff, 0x0400,
             0x7bff, 0xfbff, 0x3c01, 0x6400, 0x4100, 0x3800, 0xc580, 0x7800],
    "bfloat": [0, 0x8000, 0x3f80, 0x7f80, 0xff80, 0x7fc0, 1, 0x80ff, 0x7f7f],
    "float": [0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
              0x7fa00001, 1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
              0x3f800001, 0x3f7fffff, 0x4b000000, 0x4b000001, 0x3f000000, 0x40200000, 0x40600000,
              0xbf000000, 0x4f000000, 0xcf000000, 0x4effffff, 0x47000000, 0x477fe000, 0x477ff000,
              0x38800000, 0x33000000, 0x33000001, 0x387fe000, 0x7effffff, 0x00ffffff],
    "double": [0, 1 << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
               0xfff0000000000000, 0x7ff8000000000000, 0x7ff4000000000001, 1, 0x800fffffffffffff,
               0x0010000000000000, 0x7fefffffffffffff, 0x3ff0000000000001, 0x4004000000000000,
               0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000200000, 0x43e0000000000000,
               0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x3810000000000000,
               0x36a0000000000000, 0x3690000000000001, 0x4330000000000001, 0x3fe0000000000000],
    "i8": [0, 1, 127, 128, 255],
    "i16": [0, 1, 2, 0x7fff, 0x8000, 0xffff, 0x00ff, 0x0100],
    "i32": [0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x10000, 0x00ffffff, 0x01000001,
            0x01000003, 0x33333333, 0x0c070300],
    "i64": [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0xffffffff, 1 << 32, 0x20000000000001,
            0x40000100000001, 0x123456789abcdef],
}
MANTISSA = {"half": 10, "bfloat": 7, "float": 23, "double": 52}


def infinity(kind):
    return ((1 << (BITS[kind] - 1 - MANTISSA[kind])) - 1) << MANTISSA[kind]


def is_drawn(operation, kind, bits):
    if kind not in MANTISSA or operation.inputs not in ("number", "positive"):
        return True
    magnitude = bits & ((1 << (BITS[kind] - 1)) - 1)
    if operation.inputs == "positive":
        return bits < infinity(kind)
    return magnitude <= infinity(kind)


def lane(kind):
    """What one item of a packed type is."""
    return {"<2 x half>": "half", "<2 x i16>": "i16"}.get(kind, kind)


def draw_item(source, kind):
    if source.random() < 0.6:
        return source.choice(SPECIAL[kind])
    bits = source.getrandbits(BITS[kind])
    if kind in MANTISSA and source.random() < 0.7:
        # Exponents near that of 1, so that sums round.
        ones = (1 << (BITS[kind] - 2 - MANTISSA[kind])) - 1
        near = (ones + source.randrange(-6, 7)) << MANTISSA[kind]
        bits = (bits & (1 << (BITS[kind] - 1) | (1 << MANTISSA[kind]) - 1)) | near
    return bits


def draw(source, operation, position, kind):
    is_last = position == len(operation.operands) - 1
    if operation.inputs == "divisor" and is_last:
        return source.getrandbits(source.randrange(1, BITS[kind] - 1)) | 1
    if operation.inputs == "small" and is_last:
        return source.choice([0, 1, -1, 5, -12, 24, -30, 140, -160, 1100]) % (1 << BITS[kind])
    item = lane(kind)
    bits = 0
    for at in range(0, BITS[kind], BITS[item]):
        number = draw_item(source, item)
        while not is_drawn(operation, item, number):
            number = draw_item(source, item)
        bits |= number << at
    return bits


def operand_text(kind, bits):
    return f"bitcast (i{BITS[kind]} {bits} to {kind})" if not kind.startswith("i") else str(bits)


def folded_text(operation, mode, operands):
    constants = [operand_text(*pair) for pair in zip(operation.operands, operands)]
    if mode not in ROUNDINGS:
        return operation.text.format(*constants)
    arguments = ", ".join(f"{kind} {text}" for kind, text in zip(operation.operands, constants))
    return (f"%r = call {operation.result} @{operation.rounds}({arguments}, "
            f'metadata !"{ROUNDINGS[mode]}", metadata !"fpexcept.ignore") strictfp')


def module_of(rows, operations):
    """IR with a function for each row that only has to be folded."""
    lines = []
    declarations = set()
    for number, (name, mode, operands) in enumerate(rows):
        operation = operations[name]
        declarations.update(operation.declarations)
        if mode in ROUNDINGS:
            kinds = ", ".join([*operation.operands, "metadata", "metadata"])
            declarations.add(f"declare {operation.result} @{operation.rounds}({kinds})")
        attribute = {"flush": "#1", "nearest": "#0"}.get(mode, "#2")
        bits = BITS[operation.result]
        lines.append(f"define i{bits} @row_{number}() {attribute} {{")
        lines.append(f"  {folded_text(operation, mode, operands)}")
        lines.append(f"  %bits = bitcast {operation.result} %r to i{bits}")
        lines.append(f"  ret i{bits} %bits\n}}")
    flush = '"denormal-fp-math"="preserve-sign,preserve-sign"'
    lines += ["attributes #0 = { nounwind }", f"attributes #1 = {{ nounwind {flush} }}",
              "attributes #2 = { nounwind strictfp }"]
    return "\n".join(['target triple = "amdgcn-amd-amdhsa"', *sorted(declarations), *lines, ""])


def fold(clang, rows, operations):
    """The bits that LLVM folds each row to."""
    command = [clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-O1", "-x", "ir",
               "-S", "-emit-llvm", "-", "-o", "-"]
    ran = subprocess.run(command, input=module_of(rows, operations), capture_output=True, text=True,
                         check=False)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    body = r"@row_(\d+)\(\)[^{]*\{\n(?:[^}]*\n)?  ret i\d+ ([^\n]*)\n"
    found = dict(re.findall(body, ran.stdout))
    results = []
    unfolded = []
    for number, row in enumerate(rows):
        value = found.get(str(number), "nothing")
        if value in ("true", "false"):
            value = str(int(value == "true"))
        if not re.fullmatch(r"-?\d+", value):
            unfolded.append(f"LLVM folds {row} to {value}.")
            continue
        results.append(int(value) % (1 << BITS[operations[row[0]].result]))
    if unfolded:
        sys.exit("\n".join(unfolded))
    return results


def all_rows(operations):
    for operation in operations.values():
        for mode in fold_operations.modes(operation):
            source = random.Random(f"{operation.name} {mode}")
            seen = set()
            for _ in range(ROWS * 4):
                row = tuple(draw(source, operation, *item)
                            for item in enumerate(operation.operands))
                if len(seen) < ROWS and row not in seen:
                    seen.add(row)
                    yield operation.name, mode, row


def row_text(row, result):
    name, mode, operands = row
    return " ".join([name, mode, *(f"{bits:x}" for bits in operands), "=", f"{result:x}"])


def read_rows(path):
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            left, right = line.split(" = ")
            name, mode, *operands = left.split()
            yield (name, mode, tuple(int(bits, 16) for bits in operands)), int(right, 16)


def write(clang, path, operations):
    version = subprocess.run([clang, "--version"], capture_output=True, text=True, check=True)
    rows = list(all_rows(operations))
    lines = ["# Written by fold_rows.py: operation, mode, operands = result, all in hexadecimal.",
             "# The results are what constant folding gives, by " + version.stdout.splitlines()[0]]
    lines += [row_text(*pair) for pair in zip(rows, fold(clang, rows, operations))]
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(rows)} rows of {len(operations)} operations")


def check(clang, path, step, operations):
    rows = list(read_rows(path))[::step]
    results = fold(clang, [row for row, _ in rows], operations)
    wrong = [f"{row_text(row, expected)}, and LLVM folds it to {result:x}"
             for (row, expected), result in zip(rows, results) if result != expected]
    print("\n".join([*wrong, f"{len(rows)} rows folded again, {len(wrong)} otherwise"]))
    return 1 if wrong or not rows else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--write")
    parser.add_argument("--check", nargs=2)
    arguments = parser.parse_args()
    operations = {operation.name: operation for operation in fold_operations.all_operations()}
    if arguments.write:
        write(arguments.clang, arguments.write, operations)
        return 0
    path, step = arguments.check
    return check(arguments.clang, path, int(step), operations)


if __name__ == "__main__":
    sys.exit(main())
