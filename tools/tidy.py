# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on the files below ROOT that the compile commands of BUILD name.

    python3 tools/tidy.py ROOT BUILD

Headers take longer to read than the files do, so the files of a folder are joined and read as one.
What is found in the joined text counts when it is also found in the file by itself. A folder that
has passed is read again when its text, its headers or the rules have changed.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

CLANG = "clang-14"
# The analyzer gives up on a function after as many steps, which bounds its way through the string
# library; each function is an entry of its own, so that what is joined hides nothing from it.
CLANG_TIDY = ["clang-tidy-14", "--quiet", "--extra-arg=-Xclang",
              "--extra-arg=-analyzer-inlining-mode=all", "--extra-arg=-Xclang",
              "--extra-arg=-analyzer-config", "--extra-arg=-Xclang", "--extra-arg=max-nodes=10000"]
REFUSED = re.compile(r"^(.+?):\d+:\d+: (?:fatal )?error: ", re.MULTILINE)
FINDING = re.compile(r"^(?=\S.*:\d+:\d+: (?:error|warning): )", re.MULTILINE)
USING = re.compile(r"^\s*using (?:\w+::)+(\w+);", re.MULTILINE)


class Folder:
    """The files of one folder and language, and the options that they are compiled with."""

    def __init__(self, root, build, name, options):
        self.root, self.build, self.name, self.options = root, build, name, options
        self.texts = {}

    def add(self, path):
        self.texts[path] = pathlib.Path(path).read_text(encoding="utf-8")

    def size(self):
        return sum(len(text) for text in self.texts.values())

    def run(self, *command):
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)

    def join(self, files):
        path = self.build / "joined" / f"{self.name}{pathlib.Path(files[0]).suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f'#line 1 "{file}"\n{self.texts[file]}' for file in files),
                        encoding="utf-8")
        return path

    def file_at(self, files, line):
        """The file that stands at a line of the joined text."""
        for file in files:
            line -= 1 + self.texts[file].count("\n")
            if line <= 0:
                return file
        return files[-1]

    def digest(self):
        """Changes with whatever may change the findings; None when a file is refused."""
        ran = self.run(CLANG, *self.options, "-w", "-E", "-C", "-dD", self.join(list(self.texts)))
        if ran.returncode != 0:
            return None
        rules = [(self.root / ".clang-tidy").read_text(), pathlib.Path(__file__).read_text(),
                 self.run(CLANG_TIDY[0], "--version").stdout, " ".join(self.options)]
        return hashlib.sha256("\0".join([ran.stdout, *rules]).encode()).hexdigest()

    def hides_finding(self, file):
        """A name that another file uses is no unused one in the joined text."""
        text = self.texts[file]
        return any(len(re.findall(rf"\b{name}\b", text)) == 1 for name in USING.findall(text))

    def refused(self, files):
        ran = self.run(CLANG, *self.options, "-w", "-ferror-limit=0", "-fsyntax-only",
                       self.join(files))
        return set(REFUSED.findall(ran.stderr))

    def batches(self):
        """The files in lists whose names do not clash."""
        left = [file for file in self.texts if not self.hides_finding(file)]
        yield from ([file] for file in self.texts if file not in left)
        while left:
            together = left
            while len(together) > 1 and (refused := self.refused(together)):
                together = [file for file in together[1:] if file not in refused]
                together.insert(0, left[0])
            yield together
            left = [file for file in left if file not in together]
            if len(together) < 3:  # A further search would cost more than it saves.
                yield from ([file] for file in left)
                return

    def lint(self, source):
        """The findings, each with its excerpt; a failure without findings is one."""
        ran = self.run(*CLANG_TIDY, source, "--", *self.options)
        found = FINDING.split(ran.stdout)[1:]
        if ran.returncode != 0 and not found:
            found = [f"{source}: clang-tidy ends with status {ran.returncode}.\n{ran.stderr}"]
        return found

    def lint_joined(self, files):
        joined = str(self.join(files))
        suspects, found = set(), []
        for finding in self.lint(joined):
            at = re.match(re.escape(joined) + r":(\d+):", finding)
            if at:
                suspects.add(self.file_at(files, int(at[1])))
            else:
                found.append(finding)
        for file in suspects:
            found += self.lint(file)
        return found

    def findings(self):
        digest = self.digest()
        passed = self.build / "passed" / f"{digest}"
        if digest and passed.exists():
            return []
        found = []
        for files in self.batches():
            found += self.lint_joined(files) if len(files) > 1 else self.lint(files[0])
        if digest and not found:
            passed.parent.mkdir(exist_ok=True)
            passed.touch()
        return found


def read_folders(root, build):
    """The folders, the largest first."""
    folders = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["file"])
        if root not in path.parents or build in path.parents:
            continue
        name = f"{path.parent.relative_to(root).as_posix()}/{path.suffix[1:]}"
        if name not in folders:
            options = shlex.split(entry["command"])
            folders[name] = Folder(root, build, name, options[1:options.index("-o")])
        folders[name].add(str(path))
    return sorted(folders.values(), key=Folder.size, reverse=True)


def main():
    root, build = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
    folders = read_folders(root, build)
    if not folders:
        print(f"{build} names no source file below {root}.", file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # A header that several folders read is named once.
        found = dict.fromkeys(f for each in pool.map(Folder.findings, folders) for f in each)
    print("".join(found), end="")
    count = sum(len(folder.texts) for folder in folders)
    print(f"clang-tidy has read {count} files and found {len(found)} faults.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
