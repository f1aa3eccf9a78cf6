# SPDX-License-Identifier: Apache-2.0
"""Makes the assembly of the kernels of this folder for one processor, and a list of them.

A file has one good kernel and edits of one line of it, each of which breaks it in one way:

    kernel NAME
    lds BYTES / scratch BYTES / block one   (one wave of work-items instead of 128)
    processors PROCESSOR,PROCESSOR          (that have it; else all)
    code
      [LABEL:] INSTRUCTION       of the .inc files, or one that all processors have
      %NAME:                     a place to branch to
    edits
      NAME KIND AT : LABEL -> INSTRUCTION     the line becomes this; "nothing" removes it
      NAME KIND AT : LABEL + INSTRUCTION      this comes before the line
      ... only PROCESSOR,PROCESSOR            at the end of an edit

KIND is that of the expected report, AT the labels of the lines where it may come, separated by
commas; "edit" is the line that was edited. The list has a line for each kernel: its name, KIND or
"good", the numbers of the instructions in the kernel where the report may come.
"""

import argparse
import pathlib
import re

LANES = {"gfx1100": 32, "gfx1201": 32, "gfx942": 64}
ARGUMENTS = ["input", "output", "tickets"]  # memory, in this order


class Template:
    def __init__(self, path):
        self.options = {"lds": "0", "scratch": "0", "block": "128"}
        self.lines = []  # (label or None, instruction)
        self.edits = []
        part = "head"
        for raw in path.read_text().splitlines():
            line = raw.split("//")[0].strip()
            if not line:
                continue
            if line in ("code", "edits"):
                part = line
            elif part == "head":
                key, value = line.split(None, 1)
                self.options[key] = value
            elif part == "code":
                found = re.fullmatch(r"(\w+): (.+)", line)
                self.lines.append((found[1], found[2]) if found else (None, line))
            else:
                self.edits.append(self.parse_edit(path, line))
        self.name = self.options["kernel"]

    def parse_edit(self, path, line):
        found = re.fullmatch(
            r"(\w+) (\w+) ([\w,]+) : (\w+) (->|\+) (.+?)(?: only ([\w,]+))?", line)
        if not found:
            raise SystemExit(f"{path}: {line}")
        name, kind, at, label, verb, instruction, only = found.groups()
        if label not in [one for one, _ in self.lines]:
            raise SystemExit(f"{path}: no line {label}: {line}")
        return name, kind, at.split(","), label, verb, instruction, only

    def edited(self, label, verb, instruction):
        lines = []
        for own, text in self.lines:
            if own != label:
                lines.append((own, text))
            elif verb == "+":
                lines += [("edit", instruction), (own, text)]
            elif instruction != "nothing":
                lines.append(("edit", instruction))
        return lines


def size_of(text, processor):
    if text.startswith("%") and text.endswith(":"):
        return 0
    return 2 if text == "barrier" and processor == "gfx1201" else 1


def numbers_of(lines, labels, processor):
    numbers, number = [], 0
    for own, text in lines:
        if own in labels:
            numbers.append(number)
        number += size_of(text, processor)
    return numbers


def metadata(kernels, processor):
    out = [".amdgpu_metadata", "---", "amdhsa.version: [1, 2]", "amdhsa.kernels:"]
    for name, template, _ in kernels:
        out += [f"  - .name: {name}", f"    .symbol: {name}.kd", "    .kernarg_segment_size: 24",
                "    .kernarg_segment_align: 8",
                f"    .group_segment_fixed_size: {template.options['lds']}",
                f"    .private_segment_fixed_size: {template.options['scratch']}",
                f"    .wavefront_size: {LANES[processor]}", "    .sgpr_count: 32",
                "    .vgpr_count: 16", "    .max_flat_workgroup_size: 128", "    .args:"]
        for i, argument in enumerate(ARGUMENTS):
            out += [f"      - .name: {argument}", "        .size: 8", f"        .offset: {8 * i}",
                    "        .value_kind: global_buffer", "        .address_space: global"]
    return out + ["...", ".end_amdgpu_metadata"]


def descriptor(name, template, processor):
    scratch = int(template.options["scratch"])
    out = [".rodata", ".p2align 6", f".amdhsa_kernel {name}", "  .amdhsa_kernarg_size 24",
           "  .amdhsa_user_sgpr_count 2", "  .amdhsa_user_sgpr_kernarg_segment_ptr 1",
           "  .amdhsa_system_sgpr_workgroup_id_x 1",
           f"  .amdhsa_group_segment_fixed_size {template.options['lds']}",
           f"  .amdhsa_private_segment_fixed_size {scratch}", "  .amdhsa_next_free_vgpr 16",
           "  .amdhsa_next_free_sgpr 32"]
    if scratch:
        out.append("  .amdhsa_enable_private_segment 1")
    if processor == "gfx942":
        out.append("  .amdhsa_accum_offset 16")
    else:
        out.append("  .amdhsa_wavefront_size32 1")
    return out + [".end_amdhsa_kernel"]


def assembly(name, lines, template, processor):
    out = [".text", f".globl {name}", ".p2align 8", f".type {name}, @function", f"{name}:"]
    for _, text in lines:
        out.append("  " + re.sub(r"%(\w+)", rf".L{name}_\1", text))
    out.append(f".size {name}, . - {name}")
    return out + descriptor(name, template, processor)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", required=True)
    parser.add_argument("--processor", required=True, choices=sorted(LANES))
    parser.add_argument("--assembly", required=True)
    parser.add_argument("--list", required=True)
    arguments = parser.parse_args()
    processor = arguments.processor
    folder = pathlib.Path(arguments.folder)
    text = [f'.include "{processor}.inc"']
    listed, kernels = [], []
    for path in sorted(folder.glob("*.kernel")):
        template = Template(path)
        if processor not in template.options.get("processors", processor).split(","):
            continue
        block = LANES[processor] if template.options["block"] == "one" else 128
        made = [(template.name, template.lines, "good", [])]
        for name, kind, at, label, verb, instruction, only in template.edits:
            if only and processor not in only.split(","):
                continue
            lines = template.edited(label, verb, instruction)
            numbers = numbers_of(lines, at, processor)
            if not numbers:
                raise SystemExit(f"{path}: {name} is expected nowhere")
            made.append((f"{template.name}__{name}", lines, kind, numbers))
        for name, lines, kind, numbers in made:
            text += assembly(name, lines, template, processor)
            kernels.append((name, template, kind))
            listed.append(" ".join([name, kind, str(block)] + [str(n) for n in numbers]))
    text += metadata(kernels, processor)
    pathlib.Path(arguments.assembly).write_text("\n".join(text) + "\n")
    pathlib.Path(arguments.list).write_text("\n".join(listed) + "\n")


if __name__ == "__main__":
    main()
