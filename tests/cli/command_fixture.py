# SPDX-License-Identifier: Apache-2.0
"""Runs the command as a user does. The paths come from the environment of CTest."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

COMMAND = os.environ["HALYARD_TEST_COMMAND"]
TIMEOUT_S = 240


class CommandTest(unittest.TestCase):
    """Each test has an empty home of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="halyard-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def environment(self, changes):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("HALYARD_", "XDG_", "VK_"))}
        kept["HOME"] = str(self.folder)
        # Leaks of drivers are not ours.
        kept["ASAN_OPTIONS"] = "detect_leaks=0"
        kept.update(changes)
        return {name: value for name, value in kept.items() if value is not None}

    def run_command(self, *arguments, prefix=(), **changes):
        return subprocess.run([*prefix, COMMAND, *arguments], capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False, env=self.environment(changes))

    def expect(self, code, *arguments, **changes):
        done = self.run_command(*arguments, **changes)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        self.assertNotIn("Traceback", done.stderr)
        return done

    def expect_json(self, document_format, *arguments, **changes):
        done = self.expect(0, *arguments, "--json", **changes)
        document = json.loads(done.stdout)
        self.assertEqual(document["format"], document_format)
        return document

    def expect_sentence(self, code, words, *arguments, **changes):
        """The command ends with `code`, one sentence on stderr that has `words`, no result."""
        done = self.expect(code, *arguments, **changes)
        self.assertEqual(done.stdout, "")
        sentences = [line for line in done.stderr.splitlines() if line.startswith("halyard: ")]
        self.assertEqual(len(sentences), 1, done.stderr)
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, sentences[0])
        return sentences[0]

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return str(path)
