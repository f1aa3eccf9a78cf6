# SPDX-License-Identifier: Apache-2.0
"""An import, also of a hostile archive, changes nothing outside the folder of its store."""

import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CORPUS = pathlib.Path(sys.argv.pop(1))
CHANGING = re.compile(
    r"^\d+ +(?:open|openat|openat2|creat|mkdir|mkdirat|rename|renameat|renameat2|link|linkat|symlink"
    r"|symlinkat|unlink|unlinkat|rmdir|chmod|fchmodat|truncate|mknod|mknodat|chown|fchownat"
    r"|utimensat|execve)\(")
FOR_WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")


def member(name, contents=b"", kind=tarfile.REGTYPE, target=""):
    info = tarfile.TarInfo(name)
    info.size = len(contents)
    info.type = kind
    info.linkname = target
    return info, contents


def write_archive(path, members):
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        for info, contents in members:
            archive.addfile(info, io.BytesIO(contents))


def manifest(objects):
    return member("manifest.json", json.dumps(
        {"format": "halyard.export/1", "kernels": [], "objects": objects}).encode())


@unittest.skipUnless(shutil.which("strace"), "strace is not installed")
class SystemCalls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "store").mkdir()

    def written(self, *members_of_each):
        exports = []
        for i, members in enumerate(members_of_each):
            exports.append(self.folder / f"{i}.tar")
            write_archive(exports[-1], members)
        return exports

    def imported(self, exports):
        """What the program prints, and the calls that change or could change a file."""
        log = self.folder / "calls"
        printed = subprocess.run(
            ["strace", "-f", "-o", log, "-e", "trace=file", PROGRAM,
             self.folder / "store/store.sqlite", *exports],
            capture_output=True, text=True, check=True,
            # The sanitizer that looks for leaks traces the process itself.
            env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0")).stdout.splitlines()
        calls = [line for line in log.read_text().splitlines() if CHANGING.match(line)]
        return printed, [c for c in calls if "open" not in c.split("(")[0] or FOR_WRITING.search(c)]

    def strays(self, calls):
        """Those of `calls` that are not about the store's folder."""
        inside = f'"{self.folder}/store/'
        # A file without a name is nowhere; the program itself is started; /dev is no folder.
        return [c for c in calls
                if inside not in c and "O_TMPFILE" not in c and "execve(" not in c
                and '"/dev/' not in c]

    def test_exports_of_the_corpus_touch_the_store_alone(self):
        exports = sorted(CORPUS.iterdir())
        printed, calls = self.imported(exports)
        self.assertEqual(len(exports), len(printed))
        # The first that is sound brings a kernel; others bring it again.
        self.assertEqual(1, printed.count("1"))
        self.assertTrue(any(f'"{self.folder}/store/' in call for call in calls))
        self.assertEqual([], self.strays(calls))

    def test_hostile_ones_touch_nothing(self):
        digits = "a" * 64
        evil = self.folder / "evil"
        body = b"bytes"
        announced = manifest({hashlib.sha256(body).hexdigest(): len(body)})
        hostile = [
            [manifest({}), member("../evil", body)],
            [manifest({}), member(str(evil), body)],
            [manifest({}), member(f"objects/{digits}", kind=tarfile.SYMTYPE, target=str(evil)),
             member(f"objects/{digits}", body)],
            [manifest({}), member(f"objects/{digits}", kind=tarfile.LNKTYPE, target="manifest.json")],
            [manifest({}), member("objects", kind=tarfile.SYMTYPE, target=str(self.folder))],
            [manifest({}), member(f"objects/{digits}", kind=tarfile.FIFOTYPE)],
            [manifest({}), member(f"objects/{digits}", kind=tarfile.CHRTYPE)],
            [manifest({}), member("objects/e\u0301", body)],
            [manifest({}), member("objects/" + "../" * 100 + str(evil)[1:], body)],
            [announced, member("objects/" + hashlib.sha256(body).hexdigest(), body)],
            [member("manifest.json", b"[" * 100000)],
        ]
        printed, calls = self.imported(self.written(*hostile))
        self.assertEqual(len(hostile), len(printed))
        for line in printed:
            self.assertTrue(line.startswith("refused: "), line)
        self.assertEqual([], self.strays(calls))
        self.assertFalse(evil.exists())
        self.assertEqual(0, len(list(self.folder.glob("**/evil*"))))


if __name__ == "__main__":
    unittest.main()
