# SPDX-License-Identifier: Apache-2.0
"""What LLVM's disassembler says of single instructions."""

import re
import subprocess

# Of LLVM's mnemonics; the names of AMD never end so.
SUFFIX = re.compile(r"_(?:e32|e64|sdwa|dpp|e64_dpp)$")
MARK = re.compile(r"s_nop (\w+)")
AT_ONCE = 60_000


class Decoder:
    def __init__(self, program, target):
        self.program = program
        self.target = target

    def decode(self, instructions):
        """The text of each (a list of dwords), or None where it is no instruction of that size."""
        texts = []
        for start in range(0, len(instructions), AT_ONCE):
            texts += self._decode(instructions[start:start + AT_ONCE])
        return texts

    def _decode(self, instructions):
        # "s_nop <number>" stands in front of each. In brackets, LLVM gives up at the first fault.
        lines = []
        for number, dwords in enumerate(instructions, 1):
            lines.append(block([0xBF800000 | number]))
            lines.append(block(dwords))
        lines.append(block([0xBF800000 | len(instructions) + 1]))
        ran = subprocess.run(
            [self.program, "-triple=amdgcn", f"-mcpu={self.target}", "--disassemble"],
            input="\n".join(lines), capture_output=True, text=True, check=False)
        found = [[] for _ in instructions]
        number = 0
        for line in ran.stdout.splitlines()[1:]:
            text = line.strip()
            mark = MARK.fullmatch(text)
            if mark and int(mark[1], 0) == number + 1:
                number += 1
            elif text and 0 < number <= len(instructions):
                found[number - 1].append(text)
        if number != len(instructions) + 1:
            raise RuntimeError(f"{self.program} stopped after {number} of {len(instructions)}")
        return [texts[0] if len(texts) == 1 else None for texts in found]


def block(dwords):
    return "[" + ",".join(f"0x{byte:02x}" for dword in dwords
                          for byte in dword.to_bytes(4, "little")) + "]"


def name_of(text):
    """AMD's form of the mnemonic: "v_add_f32_e64 v0, v1, v2" is V_ADD_F32."""
    return SUFFIX.sub("", text.split()[0]).upper()
