# SPDX-License-Identifier: Apache-2.0
"""The files of the project, as each style check reads them."""

import os
import pathlib
import sys

LEFT_OUT_FOLDERS = {"build", ".git", ".cache", "__pycache__"}
CODE_SUFFIXES = {".cpp", ".h", ".hpp", ".c", ".inc", ".comp", ".glsl", ".py", ".sh", ".cmake"}
CPP_SUFFIXES = {".cpp", ".h", ".hpp", ".c"}


def files(root, suffixes=None):
    """Yields (path, path relative to `root` with forward slashes), sorted."""
    root = pathlib.Path(root)
    for folder, names, file_names in os.walk(root):
        names[:] = sorted(n for n in names if n not in LEFT_OUT_FOLDERS)
        for name in sorted(file_names):
            path = pathlib.Path(folder) / name
            if suffixes is None or path.suffix in suffixes:
                yield path, path.relative_to(root).as_posix()


def lines(path):
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def main(find_violations):
    """Runs one check on the folder given on the command line; returns the exit status."""
    root = pathlib.Path(sys.argv[1])
    violations = list(find_violations(root))
    for violation in violations:
        print(violation)
    if not any(True for _ in files(root)):
        print(f"{root} holds no file.")
        return 1
    return 1 if violations else 0
