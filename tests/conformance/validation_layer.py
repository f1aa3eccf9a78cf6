# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance suite on Vulkan under the Khronos validation layer, with a native vector
width of lavapipe that sets its subgroup size; any message of the layer fails the run.

Usage: validation_layer.py CONFORMANCE_TESTS VECTOR_WIDTH
"""
import os
import re
import subprocess
import sys

MESSAGE = re.compile(r"Validation (Error|Warning)|VUID-|UNASSIGNED-")


def main():
    tests, width = sys.argv[1:3]
    environment = dict(os.environ, VK_INSTANCE_LAYERS="VK_LAYER_KHRONOS_validation",
                       LP_NATIVE_VECTOR_WIDTH=width)
    done = subprocess.run([tests, "--gtest_filter=*/vulkan_*", "--gtest_brief=1"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment, check=False)
    with_layer = subprocess.run([tests, "--gtest_filter=*BytesWrittenAreRead/vulkan_*"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env=dict(environment, VK_LOADER_DEBUG="layer"), check=False)
    if "VK_LAYER_KHRONOS_validation" not in with_layer.stdout:
        print("The validation layer was not loaded.")
        return 1
    passed = re.search(r"\[  PASSED  \] (\d+) tests", done.stdout)
    if done.returncode != 0 or passed is None or int(passed[1]) == 0:
        print(done.stdout)
        return 1
    messages = [line for line in done.stdout.splitlines() if MESSAGE.search(line)]
    for line in messages[:20]:
        print(line)
    print(f"{passed[1]} tests at vector width {width}, {len(messages)} lines of the layer.")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
