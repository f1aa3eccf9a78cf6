# SPDX-License-Identifier: Apache-2.0
"""No text file holds a path of one machine, or an open task without an issue."""

import re
import sys

import source_tree

PATTERNS = [
    (re.compile(r"(?:^|[^A-Za-z0-9_.])/(?:work|root|home)/"), "names a path of one machine"),
    (re.compile(r"\b(?:TO" r"DO|FIX" r"ME|HA" r"CK|XX" r"X)\b(?!\(#[0-9]+\))"),
     "is an open task without an issue"),
]
SUFFIXES = source_tree.CODE_SUFFIXES | {".txt", ".md", ".json", ".in", ".sql", ".map", ".xml"}


def find_violations(root):
    for path, name in source_tree.files(root, SUFFIXES):
        for number, line in enumerate(source_tree.lines(path), 1):
            for pattern, meaning in PATTERNS:
                if pattern.search(line):
                    yield f"{name}:{number}: this line {meaning}: {line.strip()[:80]}"


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
