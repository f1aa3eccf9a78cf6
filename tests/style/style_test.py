# SPDX-License-Identifier: Apache-2.0
"""Each style check passes a tree that keeps the rule and names the line of one that breaks it."""

import pathlib
import shutil
import tempfile
import unittest

import code_format
import environment_table
import file_size
import layering
import licence_line
import plain_text
import thread_rules

SOURCE_ROOT = pathlib.Path(__file__).resolve().parents[2]


class StyleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def assert_passes(self, check):
        self.assertEqual(list(check.find_violations(self.root)), [])

    def assert_finds(self, check, *sentences):
        self.assertEqual(list(check.find_violations(self.root)), list(sentences))

    def test_layering(self):
        self.write("runtime/core/device.cpp", '#include "runtime/base/result.h"\n'
                   '#include "runtime/core/device.h"\n#include "halyard/device.h"\n#include <map>\n')
        self.write("runtime/backend_table.cpp", '#include "backends/cpu/cpu_backend.h"\n')
        self.write("backends/hip/hip_queue.cpp", '#include "backends/stream/stream_queue.h"\n')
        self.assert_passes(layering)
        self.write("runtime/base/log.cpp", '\n#include "runtime/core/device.h"\n')
        self.write("runtime/core/queue.cpp", '#include "queue.h"\n')
        self.write("backends/cpu/cpu_queue.cpp", '#include "backends/vulkan/vulkan_queue.h"\n')
        self.write("samples/saxpy/saxpy.c", '#include "runtime/base/result.h"\n')
        self.assert_finds(
            layering,
            'backends/cpu/cpu_queue.cpp:1: backends/cpu does not see backends/vulkan '
            '("backends/vulkan/vulkan_queue.h").',
            'runtime/base/log.cpp:2: runtime/base does not see runtime/core '
            '("runtime/core/device.h").',
            'runtime/core/queue.cpp:1: "queue.h" is not written from the repository root.',
            'samples/saxpy/saxpy.c:1: samples does not see runtime/base ("runtime/base/result.h").')

    def test_file_size(self):
        self.write("a.cpp", "\n" * 600)
        self.write("build/dev/generated.cpp", "\n" * 601)
        self.assert_passes(file_size)
        self.write("b.py", "\n" * 601)
        self.assert_finds(file_size, "b.py has 601 lines; the most is 600.")

    def test_licence_line(self):
        self.write("a.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.write("notes.md", "Notes\n")
        self.assert_passes(licence_line)
        self.write("x/CMakeLists.txt", "add_library(x x.cpp)\n")
        self.assert_finds(licence_line, 'x/CMakeLists.txt does not say "SPDX-License-Identifier: '
                          'Apache-2.0" in its first three lines.')

    def test_plain_text(self):
        self.write("a.md", "Installed below /usr/lib, see runtime/work/x.\n")
        self.write("a.h", "// TO" "DO(#12): a later step\n")
        self.assert_passes(plain_text)
        self.write("b.txt", "see /ro" "ot/notes\n")
        self.write("c.h", "int a;\n// TO" "DO: later\n")
        self.assert_finds(plain_text,
                          "b.txt:1: this line names a path of one machine: see /ro" "ot/notes",
                          "c.h:2: this line is an open task without an issue: // TO" "DO: later")

    def test_thread_rules(self):
        self.write("include/halyard/a.h", "/* Drops one reference.\n * Threads: any. */\n"
                   "HALYARD_API void halyard_a_release(halyard_a* a);\n"
                   "HALYARD_API void halyard_a_retain(halyard_a* a);\n")
        self.assert_passes(thread_rules)
        self.write("include/halyard/b.h", "/* Threads: any. */\nHALYARD_API int halyard_b(void);\n\n"
                   "/* A count. */\nHALYARD_API int halyard_c(void);\n")
        self.assert_finds(thread_rules, 'include/halyard/b.h:5: halyard_c has no "Threads:".')

    def test_environment_table(self):
        self.write("runtime/base/environment.cpp", 'getenv("HALYARD_DATA_DIR");\n')
        self.write("README.md", "| HALYARD_DATA_DIR | where the data lies |\n")
        self.assert_passes(environment_table)
        self.write("runtime/base/environment.cpp", 'getenv("HALYARD_DATA");\n')
        self.write("runtime/core/device.cpp", 'auto* home = std::getenv("HOME");\n')
        self.assert_finds(environment_table,
                          "README.md does not list HALYARD_DATA, which runtime/base/environment.cpp "
                          "reads.",
                          "runtime/core/device.cpp:1: the environment is read outside of "
                          "runtime/base/environment.cpp.")

    def test_code_format(self):
        shutil.copy(SOURCE_ROOT / ".clang-format", self.root)
        self.write("a.cpp", "int* a = nullptr;\n")
        self.assert_passes(code_format)
        self.write("b.cpp", "\nint *b = nullptr;\n")
        self.assert_finds(code_format, "b.cpp:2: clang-format writes this otherwise.")


if __name__ == "__main__":
    unittest.main()
