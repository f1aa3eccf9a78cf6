# SPDX-License-Identifier: Apache-2.0
"""No source file has more than 600 lines."""

import sys

import source_tree

MOST_LINES = 600
SUFFIXES = {".cpp", ".h", ".hpp", ".c", ".py", ".sh"}


def find_violations(root):
    for path, name in source_tree.files(root, SUFFIXES):
        count = len(source_tree.lines(path))
        if count > MOST_LINES:
            yield f"{name} has {count} lines; the most is {MOST_LINES}."


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
