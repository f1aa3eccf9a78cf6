# SPDX-License-Identifier: Apache-2.0
"""README.md holds the sample word for word, and the sample has at most 40 lines.

  readme_example.py SOURCE-ROOT
"""

import pathlib
import re
import sys

SAMPLE = "samples/rms_norm/rms_norm.c"
MOST_LINES = 40


def main():
    root = pathlib.Path(sys.argv[1])
    sample = (root / SAMPLE).read_text(encoding="utf-8")
    readme = (root / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```c\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    count = len(sample.splitlines())
    if count > MOST_LINES:
        print(f"{SAMPLE} has {count} lines; the most is {MOST_LINES}.")
        return 1
    if sample not in blocks:
        print(f"README.md holds no block that is {SAMPLE} word for word.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
