# SPDX-License-Identifier: Apache-2.0
"""Every C and C++ file stands as clang-format 14 writes it."""

import concurrent.futures
import os
import re
import subprocess
import sys

import source_tree

CLANG_FORMAT = os.environ.get("CLANG_FORMAT", "clang-format-14")
WARNING = re.compile(r"^(.*?):(\d+):\d+: .*-Wclang-format-violations")
FILES_AT_ONCE = 16


def check(root, names):
    ran = subprocess.run([CLANG_FORMAT, "--dry-run", "--style=file", *names], cwd=root,
                         capture_output=True, text=True, check=True)
    found = (WARNING.match(line) for line in ran.stderr.splitlines())
    first = {}
    for match in filter(None, found):
        first.setdefault(match[1], match[2])
    return [f"{name}:{number}: clang-format writes this otherwise." for name, number in first.items()]


def find_violations(root):
    names = [name for _, name in source_tree.files(root, source_tree.CPP_SUFFIXES)]
    chunks = [names[i:i + FILES_AT_ONCE] for i in range(0, len(names), FILES_AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for violations in pool.map(lambda chunk: check(root, chunk), chunks):
            yield from violations


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
