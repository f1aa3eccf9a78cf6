# SPDX-License-Identifier: Apache-2.0
"""tools/tidy.py finds in joined files what clang-tidy finds in each of them."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

SOURCE_ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = SOURCE_ROOT / "tools" / "tidy.py"
sys.path.insert(0, str(SCRIPT.parent))

import tidy  # noqa: E402  (found by the line above)


class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.build = self.root / "build"
        self.build.mkdir()
        shutil.copy(SOURCE_ROOT / ".clang-tidy", self.root)

    def write(self, **texts):
        """Writes a.cpp and so on to runtime/, and the commands that compile them."""
        commands = []
        for name, text in texts.items():
            path = self.root / "runtime" / name.replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if path.suffix == ".cpp":
                commands.append({"file": str(path), "directory": str(self.root),
                                 "command": f"c++ -std=c++20 -I{self.root} -o {path.stem}.o "
                                            f"-c {path}"})
        (self.build / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")

    def run_script(self):
        return subprocess.run([sys.executable, "-B", SCRIPT, self.root, self.build],
                              capture_output=True, text=True, check=False)

    def assert_finds(self, *places):
        ran = self.run_script()
        lines = [line for line in ran.stdout.splitlines() if ": error: " in line]
        self.assertEqual(len(lines), len(places), ran.stdout + ran.stderr)
        for place, check in places:
            self.assertTrue(any(line.startswith(f"{self.root}/runtime/{place}:") and
                                f"[{check}," in line for line in lines), ran.stdout)
        self.assertEqual(ran.returncode, 1 if places else 0)

    def test_names_the_line_of_the_file_by_itself(self):
        self.write(a_cpp="int one() { return 1; }\n",
                   b_cpp="\nint Two() { return 2; }\n", c_cpp="int three() { return 3; }")
        self.assert_finds(("b.cpp:2:5", "readability-identifier-naming"))

    def test_the_analyzer_enters_each_function_of_each_file(self):
        self.write(a_h="#pragma once\nint load(const int* from);\n",
                   a_cpp='#include "runtime/a.h"\nint load(const int* from) {\n'
                         "  if (!from) {\n  }\n  return *from;\n}\n",
                   b_cpp='#include "runtime/a.h"\nint five() {\n  int of = 5;\n'
                         "  return load(&of);\n}\n")
        self.assert_finds(("a.cpp:5:10", "clang-analyzer-core.NullDereference"))

    def test_names_a_header_once(self):
        self.write(a_h="#pragma once\nint Bad();\n",
                   a_cpp='#include "runtime/a.h"\n', b_cpp='#include "runtime/a.h"\n')
        self.assert_finds(("a.h:2:5", "readability-identifier-naming"))

    def test_reads_files_whose_names_clash(self):
        hidden = "namespace {{\nint used() {{ return 1; }}\n}}\nint {}() {{ return used(); }}\n"
        self.write(a_cpp=hidden.format("one"), b_cpp=hidden.format("Two"),
                   c_cpp=hidden.format("three"))
        self.assert_finds(("b.cpp:4:5", "readability-identifier-naming"))

    def test_finds_what_another_file_would_hide(self):
        self.write(a_h="#pragma once\nnamespace lib {\nstruct Part {};\n}\n",
                   a_cpp='#include "runtime/a.h"\nusing lib::Part;\n',
                   b_cpp='#include "runtime/a.h"\nusing lib::Part;\nPart make() { return {}; }\n')
        self.assert_finds(("a.cpp:2:12", "misc-unused-using-decls"))

    def test_names_what_clang_refuses(self):
        self.write(a_cpp="int one() { return 1; }\n", b_cpp="int two() { return none; }\n")
        ran = self.run_script()
        self.assertIn("runtime/b.cpp:1:20: error: use of undeclared identifier 'none'", ran.stdout)
        self.assertEqual(ran.returncode, 1)

    def test_reads_a_folder_again_when_a_header_has_changed(self):
        texts = {"a_h": "int one();\n", "a_cpp": '#include "runtime/a.h"\n'}
        self.write(**texts)
        self.assert_finds()
        folder, = tidy.read_folders(self.root, self.build)
        folder.lint = lambda source: self.fail(f"{source} is read again.")
        self.assertEqual(folder.findings(), [])
        self.write(**{**texts, "a_h": "int One();\n"})
        self.assert_finds(("a.h:1:5", "readability-identifier-naming"))

    def test_names_the_file_whose_reading_is_killed(self):
        self.write(a_cpp="int one() { return 1; }\n")
        folder, = tidy.read_folders(self.root, self.build)
        with unittest.mock.patch.object(tidy, "CLANG_TIDY", ["sh", "-c", "kill -9 $$"]):
            found = folder.lint(str(self.root / "runtime" / "a.cpp"))
        self.assertEqual(
            found, [f"{self.root}/runtime/a.cpp: clang-tidy ends with status -9.\n"])

    def test_fails_when_there_is_nothing_to_read(self):
        self.write()
        ran = self.run_script()
        self.assertIn("names no source file", ran.stderr)
        self.assertEqual(ran.returncode, 1)


if __name__ == "__main__":
    unittest.main()
