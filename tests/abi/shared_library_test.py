# SPDX-License-Identifier: Apache-2.0
"""The checks of a shared library find what is too much and what is missing."""

import pathlib
import tempfile
import unittest

import shared_library


class SharedLibraryTest(unittest.TestCase):
    def test_exports(self):
        self.assertEqual(list(shared_library.compare_exports({"halyard_a"}, {"halyard_a"})), [])
        self.assertEqual(
            list(shared_library.compare_exports({"halyard_a", "_ZSt3x"}, {"halyard_a", "halyard_b"})),
            ["_ZSt3x is exported, and no public header declares it.",
             "halyard_b is declared, and the library does not export it."])
        self.assertEqual(list(shared_library.compare_exports(set(), set())),
                         ["The headers declare no function."])

    def test_needed(self):
        names = ["libc.so.6", "libstdc++.so.6", "libsqlite3.so.0", "ld-linux-x86-64.so.2"]
        allowed = shared_library.ALLOWED["halyard"]
        self.assertEqual(list(shared_library.compare_needed(names, allowed)), [])
        found = list(shared_library.compare_needed(names + ["libvulkan.so.1"], allowed))
        self.assertEqual(len(found), 1)
        self.assertIn("libvulkan.so.1", found[0])

    def test_declarations_are_found_outside_of_comments_and_macros(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.h").write_text(
                "#define HALYARD_API __attribute__((visibility(\"default\")))\n"
                "/* HALYARD_API void halyard_no(void); */\n"
                "HALYARD_API const char*\nhalyard_name(const halyard_device* device,\n int x);\n"
                "HALYARD_API void halyard_b(void);\n", encoding="utf-8")
            self.assertEqual(shared_library.declared(folder), {"halyard_name", "halyard_b"})


if __name__ == "__main__":
    unittest.main()
