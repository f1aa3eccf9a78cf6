# SPDX-License-Identifier: Apache-2.0
"""Variables are read in environment.cpp only, and README.md lists each of them."""

import re
import sys

import source_tree

READER = "runtime/base/environment.cpp"
VARIABLE = re.compile(r'"(HALYARD_[A-Z0-9_]+)"')
READING = re.compile(r"\b(?:secure_)?getenv\s*\(")
PRODUCT_FOLDERS = ("runtime/", "backends/", "kernel-store/", "capability-descriptors/", "tools/")
BENCHES = "tools/bench/"


def find_violations(root):
    known = set(VARIABLE.findall((root / READER).read_text(encoding="utf-8")))
    if not known:
        yield f"{READER} names no variable."
    readme = (root / "README.md").read_text(encoding="utf-8")
    for variable in sorted(known):
        if not re.search(rf"\b{variable}\b", readme):
            yield f"README.md does not list {variable}, which {READER} reads."
    for path, name in source_tree.files(root, source_tree.CPP_SUFFIXES):
        if name == READER or not name.startswith(PRODUCT_FOLDERS) or name.startswith(BENCHES):
            continue
        for number, line in enumerate(source_tree.lines(path), 1):
            if READING.search(line):
                yield f"{name}:{number}: the environment is read outside of {READER}."


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
