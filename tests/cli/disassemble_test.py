# SPDX-License-Identifier: Apache-2.0
"""disassemble, with the instruction sets that are shipped and with imported ones."""

import pathlib
import shutil
import subprocess
import unittest

import command_fixture

KERNEL = """
typedef unsigned int u32;
extern "C" __attribute__((global)) void add(float* y, const float* x, u32 n) {
  u32 i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x();
  if (i < n) y[i] += x[i];
}
"""


class Disassemble(command_fixture.CommandTest):
    def compile(self, target):
        clang = shutil.which("clang++-19")
        self.assertIsNotNone(clang, "clang-19 is not installed.")
        code = str(self.folder / f"{target}.hsaco")
        subprocess.run([clang, "-x", "hip", f"--offload-arch={target}", "--offload-device-only",
                        "--no-gpu-bundle-output", "-nogpulib", "-nogpuinc", "-O3",
                        self.write("add.hip", KERNEL), "-o", code], check=True)
        return code

    def test_compiled_kernel_has_symbols_instructions_and_metadata(self):
        for target in ["gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1151", "gfx1201"]:
            with self.subTest(target):
                code = self.compile(target)
                text = self.expect(0, "disassemble", code).stdout
                for words in [f"amdgcn-amd-amdhsa--{target}", "add:", "global_load", "s_endpgm", "kernarg"]:
                    self.assertIn(words, text)
                self.assertNotIn(".long", text)
                self.assertEqual(self.expect(0, "disassemble", code, "--target", target).stdout,
                                 text)
                document = self.expect_json("halyard.disassembly/1", "disassemble", code)
                self.assertEqual(document["text"], text)

    def test_imported_instruction_set_is_used(self):
        code = self.compile("gfx1201")
        before = self.expect(0, "disassemble", code).stdout
        shown = self.expect(0, "descriptor", "show", "amd/rdna4", "--json").stdout
        self.assertIn('"S_ENDPGM"', shown)
        path = self.write("rdna4.json", shown.replace('"S_ENDPGM"', '"S_FINISH"'))
        self.expect(0, "descriptor", "import", path)
        after = self.expect(0, "disassemble", code).stdout
        self.assertEqual(after, before.replace("s_endpgm", "s_finish"))

    def test_what_cannot_be_disassembled_is_named(self):
        code = self.compile("gfx1100")
        self.expect_sentence(1, "gfx9999", "disassemble", code, "--target", "gfx9999")
        self.expect_sentence(1, "add.hip", "disassemble", str(self.folder / "add.hip"))
        self.expect_sentence(1, "none.hsaco", "disassemble", "none.hsaco")
        half = self.folder / "half.hsaco"
        half.write_bytes(pathlib.Path(code).read_bytes()[:200])
        self.expect_sentence(1, "half.hsaco", "disassemble", str(half))
        self.expect_sentence(2, "FILE", "disassemble")


if __name__ == "__main__":
    unittest.main()
