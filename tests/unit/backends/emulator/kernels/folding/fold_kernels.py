# SPDX-License-Identifier: Apache-2.0
"""Builds a code object with a kernel for each operation and mode of fold_operations.

  fold_kernels.py --clang CLANG --processor gfx1100 --out FILE

Each kernel takes three arrays of operands and one of results, 64 bits an item, and applies its
operation to each item: "fadd_f32_up" has an item for each lane, "uniform_fadd_f32_up" one for each
workgroup, which scalar instructions compute where there are any, and of which each lane stores the
result. Of a comparison there is "branch_fcmp_oeq_f32_nearest" too: lanes for which it holds store
1, the others branch around that. A mode that does not round to the nearest, or flushes denormals,
is that of the kernel's descriptor.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import fold_operations
from fold_operations import BITS

ROUND_DIRECTIVE = {"up": 1, "down": 2, "zero": 3}


def widened(kind, value, bits, out):
    """Lines that store `bits` of a value in 64."""
    lines = [f"  %bits = bitcast {kind} {value} to i{bits}"]
    if bits == 64:
        return [*lines, f"  store i64 %bits, ptr addrspace(1) {out}"]
    return [*lines, f"  %wide = zext i{bits} %bits to i64",
            f"  store i64 %wide, ptr addrspace(1) {out}"]


def kernel_of(operation, mode, is_uniform):
    names = ["%a", "%b", "%c", "%out"]
    parameters = ", ".join(f"ptr addrspace(1) noalias {name}.base" for name in names)
    prefix = "uniform_" if is_uniform else ""
    lines = [f"define amdgpu_kernel void @{prefix}{operation.name}_{mode}({parameters}) #0 {{",
             "  %thread = call i32 @llvm.amdgcn.workitem.id.x()",
             "  %group = call i32 @llvm.amdgcn.workgroup.id.x()",
             "  %first = shl i32 %group, 6", "  %narrow = add i32 %first, %thread",
             "  %lane = zext i32 %narrow to i64",
             f"  %i = zext i32 {'%group' if is_uniform else '%narrow'} to i64"]
    values = []
    for name, kind in zip(names, operation.operands):
        bits = BITS[kind]
        word = f"{name}.word"
        lines += [f"  {name}.at = getelementptr i64, ptr addrspace(1) {name}.base, i64 %i",
                  f"  {word} = load i64, ptr addrspace(1) {name}.at"]
        if bits < 64:
            lines.append(f"  {name}.part = trunc i64 {word} to i{bits}")
            word = f"{name}.part"
        lines.append(f"  {name}.value = bitcast i{bits} {word} to {kind}")
        values.append(f"{name}.value")
    lines.append("  " + operation.text.format(*values))
    lines.append("  %out.at = getelementptr i64, ptr addrspace(1) %out.base, i64 %lane")
    lines += widened(operation.result, "%r", BITS[operation.result], "%out.at")
    return "\n".join([*lines, "  ret void", "}"])


def branching_kernel_of(operation):
    """The kernel of a comparison whose result is where each lane goes."""
    lines = kernel_of(operation, "nearest", is_uniform=False).splitlines()
    end = next(at for at, line in enumerate(lines) if "%r = zext i1 %p" in line)
    head = lines[:end]
    head[0] = head[0].replace("@", "@branch_", 1)
    return "\n".join([*head, "  br i1 %p, label %holds, label %end", "holds:",
                      "  %out.at = getelementptr i64, ptr addrspace(1) %out.base, i64 %lane",
                      "  store i64 1, ptr addrspace(1) %out.at", "  br label %end", "end:",
                      "  ret void", "}"])


def module():
    declarations = {"declare i32 @llvm.amdgcn.workitem.id.x()",
                    "declare i32 @llvm.amdgcn.workgroup.id.x()"}
    kernels = []
    for operation in fold_operations.all_operations():
        declarations.update(operation.declarations)
        kernels += [kernel_of(operation, mode, is_uniform)
                    for mode in fold_operations.modes(operation) for is_uniform in (False, True)]
        if operation.name.startswith(("fcmp_", "icmp_", "class_")):
            kernels.append(branching_kernel_of(operation))
    return "\n".join(['target triple = "amdgcn-amd-amdhsa"', *sorted(declarations), *kernels,
                      'attributes #0 = { nounwind "amdgpu-flat-work-group-size"="64,64" }', ""])


def with_modes(assembly):
    """The assembly with the modes that the names of kernels tell in their descriptors."""
    def patched(match):
        mode = match[1].rsplit("_", 1)[1]
        text = match[0]
        if mode in ROUND_DIRECTIVE:
            text = re.sub(r"(\.amdhsa_float_round_mode_\w+) \d",
                          rf"\1 {ROUND_DIRECTIVE[mode]}", text)
        if mode == "flush":
            text = re.sub(r"(\.amdhsa_float_denorm_mode_\w+) \d", r"\1 0", text)
        return text
    return re.sub(r"\.amdhsa_kernel (\w+)\n.*?\.end_amdhsa_kernel", patched, assembly, flags=re.S)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clang", required=True)
    parser.add_argument("--processor", required=True)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    target = [arguments.clang, "--target=amdgcn-amd-amdhsa", f"-mcpu={arguments.processor}"]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernels.ll"
        assembly = pathlib.Path(folder) / "kernels.s"
        source.write_text(module(), encoding="utf-8")
        subprocess.run([*target, "-nogpulib", "-O2", "-x", "ir", "-S", source, "-o", assembly],
                       check=True)
        assembly.write_text(with_modes(assembly.read_text(encoding="utf-8")), encoding="utf-8")
        subprocess.run([*target, "-x", "assembler", assembly, "-o", arguments.out], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
