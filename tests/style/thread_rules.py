# SPDX-License-Identifier: Apache-2.0
"""Each public function says which threads may call it: "Threads:" in the comment above it."""

import re
import sys

import source_tree

DECLARATION = re.compile(r"^\s*HALYARD_API\b")
NAME = re.compile(r"\b(halyard_\w+)\s*\(")


def comment_above(text_lines, index):
    """The lines above `index` up to the nearest empty line."""
    start = index
    while start > 0 and text_lines[start - 1].strip():
        start -= 1
    return "\n".join(text_lines[start:index])


def find_violations(root):
    for path, name in source_tree.files(root, {".h"}):
        if not name.startswith("include/halyard/"):
            continue
        text_lines = source_tree.lines(path)
        for index, line in enumerate(text_lines):
            if not DECLARATION.match(line):
                continue
            if "Threads:" not in paragraph_above(text_lines, index):
                function = NAME.search("\n".join(text_lines[index:index + 3]))
                yield f'{name}:{index + 1}: {function[1] if function else line} has no "Threads:".'


def paragraph_above(text_lines, index):
    """The comment above a declaration, or above the declarations that stand right before it."""
    text = comment_above(text_lines, index)
    if "/*" in text or "*/" not in text:
        return text
    while index > 0 and "/*" not in text_lines[index]:
        index -= 1
        text = text_lines[index] + "\n" + text
    return text


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
