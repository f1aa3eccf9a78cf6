# SPDX-License-Identifier: Apache-2.0
"""What happens before anything is asked of a device."""

import os
import re
import shutil
import unittest

import command_fixture

DRIVERS = ["libvulkan", "libcuda", "libamdhip64", "libhsa-runtime64"]


class Startup(command_fixture.CommandTest):
    def opened(self, *arguments):
        """The files that the command opened, found or not."""
        log = self.folder / "opened"
        done = self.run_command(*arguments, prefix=["strace", "-f", "-qq", "-e", "trace=openat",
                                                    "-o", str(log)])
        self.assertEqual(done.returncode, 0, done.stderr)
        return re.findall(r'openat\([^"]*"([^"]*)"', log.read_text(encoding="utf-8"))

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_no_driver_is_opened_before_a_device_is_asked_for(self):
        # `contracts` creates an instance.
        for verb in ["version", "contracts"]:
            files = self.opened(verb)
            self.assertTrue([file for file in files if "libhalyard" in file])
            self.assertEqual([file for file in files if any(name in file for name in DRIVERS)], [])

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_a_device_of_the_cpu_opens_no_other_driver(self):
        files = self.opened("explain", "rms_norm", "--device", "cpu:0", "--axis", "batch=1",
                            "--axis", "hidden=64")
        self.assertEqual([file for file in files if any(name in file for name in DRIVERS)], [])

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_version_opens_no_file_of_the_user(self):
        self.assertEqual([f for f in self.opened("version") if f.startswith(str(self.folder))], [])


if __name__ == "__main__":
    unittest.main()
