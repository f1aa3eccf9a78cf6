# SPDX-License-Identifier: Apache-2.0
"""Every source file names its licence in its first three lines."""

import sys

import source_tree

LINE = "SPDX-License-Identifier: Apache-2.0"


def find_violations(root):
    suffixes = source_tree.CODE_SUFFIXES | {".sql", ".map"}
    for path, name in source_tree.files(root):
        if path.suffix not in suffixes and path.name != "CMakeLists.txt":
            continue
        if not any(LINE in line for line in source_tree.lines(path)[:3]):
            yield f'{name} does not say "{LINE}" in its first three lines.'


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
