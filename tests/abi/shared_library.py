# SPDX-License-Identifier: Apache-2.0
"""Compares a shared library with the public headers, and with the libraries that it may need.

  shared_library.py exports LIBRARY HEADER-FOLDER
  shared_library.py needed LIBRARY halyard|halyard_services
"""

import pathlib
import re
import subprocess
import sys

ALWAYS = ["libc", "libm", "libstdc++", "libgcc_s", "ld-linux-x86-64", "libsqlite3", "libsodium"]
ALLOWED = {
    "halyard": ALWAYS,
    "halyard_services": ALWAYS + ["libhalyard", "libpugixml", "libzip", "libarchive"],
}
DECLARATION = re.compile(r"\bHALYARD_API\b[^;{]*?\b(halyard_\w+)\s*\(", re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DIRECTIVE = re.compile(r"^\s*#(?:.*\\\n)*.*$", re.MULTILINE)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def declared(folder):
    """The functions that the headers of one folder declare."""
    names = set()
    for header in sorted(pathlib.Path(folder).glob("*.h")):
        text = DIRECTIVE.sub("", COMMENT.sub("", header.read_text(encoding="utf-8")))
        names.update(DECLARATION.findall(text))
    return names


def exported(library):
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", run("readelf", "-d", library))


def compare_exports(in_library, in_headers):
    for name in sorted(in_library - in_headers):
        yield f"{name} is exported, and no public header declares it."
    for name in sorted(in_headers - in_library):
        yield f"{name} is declared, and the library does not export it."
    if not in_headers:
        yield "The headers declare no function."


def compare_needed(names, allowed):
    for name in names:
        if name.split(".so")[0] not in allowed:
            yield f"The library needs {name}, which is not among {', '.join(allowed)}."


def main():
    check, library, other = sys.argv[1:]
    if check == "exports":
        violations = list(compare_exports(exported(library), declared(other)))
    else:
        violations = list(compare_needed(needed(library), ALLOWED[other]))
    print("\n".join(violations))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
