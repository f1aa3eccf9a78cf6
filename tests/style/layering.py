# SPDX-License-Identifier: Apache-2.0
"""Includes are written from the repository root and point down."""

import re
import sys

import source_tree

# Lowest first. Folders of one row do not see one another.
ROWS = [
    ["runtime/base"],
    ["kernel-store", "capability-descriptors"],
    ["runtime/core"],
    ["backends/stream", "backends/host"],
    ["backends/cpu", "backends/vulkan", "backends/cuda", "backends/hip", "backends/emulator"],
    ["runtime/backend_table"],
    ["runtime/operators"],
    ["runtime/dispatch"],
    ["runtime/selection"],
    ["runtime/api"],
]
RANK = {layer: rank for rank, row in enumerate(ROWS) for layer in row}

# These see the public headers and what is named here, and nothing else.
ONLY = {
    # The second library reaches the first through the public headers, and has these inside.
    "runtime/toolchain": ["runtime/base", "kernel-store", "capability-descriptors"],
    "runtime/worker": ["runtime/base", "kernel-store", "runtime/operators", "runtime/toolchain"],
    "runtime/verification": ["runtime/base", "kernel-store", "capability-descriptors",
                             "runtime/operators", "runtime/toolchain", "runtime/worker",
                             "runtime/evaluation"],
    "runtime/fleet": ["runtime/base", "kernel-store", "runtime/verification"],
    "runtime/generation": ["runtime/base", "kernel-store", "runtime/operators",
                           "runtime/verification"],
    "runtime/evaluation": ["runtime/base", "kernel-store", "runtime/operators"],
    "runtime/inspection": ["runtime/base", "kernel-store", "capability-descriptors",
                           "runtime/operators"],
    "runtime/stewardship": ["runtime/base", "kernel-store", "runtime/operators"],
    "include": [],
    "tools/halyard": [],
    "tools/instruction_tables": ["runtime/base", "capability-descriptors"],
    "tools/kernel_builder": ["runtime/base", "kernel-store", "capability-descriptors",
                             "runtime/toolchain"],
    "tools/worker": ["runtime/base", "kernel-store", "capability-descriptors", "runtime/core",
                     "runtime/backend_table", "runtime/operators", "runtime/dispatch",
                     "runtime/selection", "runtime/worker", "runtime/verification"],
    "samples": [],
    "integrations": [],
    "tests/adversarial": ["runtime/base", "kernel-store", "runtime/verification", "tests", "runtime/operators"],
    "tests/conformance": ["tests"],
    "tests/conformance/store": ["runtime/base", "kernel-store", "tests"],
}

# Compiled as kernels with include paths of their own, or free to see everything.
LEFT_OUT = ["kernel-store/kernels/", "kernel-store/prelude/", "samples/looks_right/", "tests/unit/", "tests/fakes/",
            "tests/abi/", "tests/fuzz/", "tests/package/", "tests/style/"]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def layer_of(path):
    """The longest known folder (or file without suffix) that `path` lies in."""
    known = list(RANK) + list(ONLY) + ["tests"]
    inside = [k for k in known if path.startswith(k + "/") or path.rsplit(".", 1)[0] == k]
    return max(inside, key=len, default=None)


def may_include(layer, included):
    if included == layer:
        return True
    if layer in ONLY:
        return included in ONLY[layer]
    return included in RANK and layer in RANK and RANK[included] < RANK[layer]


def find_violations(root):
    for path, name in source_tree.files(root, source_tree.CPP_SUFFIXES | {".inc"}):
        layer = layer_of(name)
        if layer is None or name.startswith(tuple(LEFT_OUT)):
            continue
        for number, line in enumerate(source_tree.lines(path), 1):
            match = INCLUDE.match(line)
            if not match or match[1].startswith("halyard/"):
                continue
            included = layer_of(match[1])
            if included is None:
                yield f'{name}:{number}: "{match[1]}" is not written from the repository root.'
            elif not may_include(layer, included):
                yield f'{name}:{number}: {layer} does not see {included} ("{match[1]}").'


if __name__ == "__main__":
    sys.exit(source_tree.main(find_violations))
