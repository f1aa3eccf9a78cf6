# SPDX-License-Identifier: Apache-2.0
"""Kernels for AMD run, and are verified, without a device of AMD."""

import difflib
import json
import pathlib
import shutil
import unittest

from command_fixture import CommandTest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HONEST = SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_gfx1100_amdgcn"
MISSING_WAIT = SOURCE / "samples" / "missing_wait"
DEVICE = "emulator:gfx1100"
BACKENDS = {"HALYARD_BACKENDS": "cpu,emulator"}
NORM = ["rms_norm", "--axis", "batch=3", "--axis", "hidden=257"]


class EmulatorTest(CommandTest):
    def verdict(self, code, directory, *arguments):
        done = self.expect(code, "verify", str(directory), "--device", DEVICE, "--json", *arguments,
                           **BACKENDS)
        return json.loads(done.stdout)

    def test_devices_are_listed_and_never_the_default(self):
        devices = self.expect_json("halyard.devices/1", "devices", **BACKENDS)["devices"]
        emulated = [device for device in devices if device["backend"] == "emulator"]
        self.assertEqual([device["id"] for device in emulated],
                         ["emulator:gfx1100", "emulator:gfx1201", "emulator:gfx942"])
        self.assertEqual({device["kind"] for device in emulated}, {"emulator"})
        self.assertEqual(emulated[0]["descriptor"], "amd/gfx1100")
        self.assertIn("x86_64", self.expect(0, "explain", *NORM, **BACKENDS).stdout)
        self.expect_sentence(1, "no default device", "explain", *NORM, HALYARD_BACKENDS="emulator")

    def test_doctor_says_how_launches_are_executed(self):
        text = self.expect(0, "doctor", HALYARD_EMULATOR_MODE="full", **BACKENDS).stdout
        self.assertIn("Looks for everything, with 1 thread", text)
        self.assertIn("HALYARD_EMULATOR_MODE=full", text)

    def test_kernel_in_assembly_runs_and_is_checked(self):
        for mode in ("bounds", "full"):
            text = self.expect(0, "run", *NORM, "--device", DEVICE, "--type", "T=bf16", "--kernel",
                               "rms_norm_gfx1100_amdgcn", "--check",
                               HALYARD_EMULATOR_MODE=mode, **BACKENDS).stdout
            for words in ("rms_norm_gfx1100_amdgcn", "amdgcn-gfx1100", "of the tolerance",
                          "Nothing is timed"):
                self.assertIn(words, text)

    def test_each_target_has_a_kernel(self):
        for processor in ("gfx1100", "gfx1201", "gfx942"):
            self.expect(0, "run", *NORM, "--device", "emulator:" + processor, "--check", **BACKENDS)

    def test_sample_lacks_one_wait_and_nothing_else(self):
        texts = [(folder / "rms_norm_gfx1100.s").read_text(encoding="utf-8").splitlines()
                 for folder in (HONEST, MISSING_WAIT)]
        changes = [line for line in difflib.ndiff(*texts) if line[0] in "+-"]
        self.assertEqual(changes, ["-   s_waitcnt lgkmcnt(0)"])

    def test_missing_wait_is_caught_at_the_instruction(self):
        verdict = self.verdict(1, MISSING_WAIT)
        self.assertEqual(verdict["class"], "nondet")
        sentence = verdict["finding"]["sentence"]
        self.assertIn("The emulator stops the kernel: missing_wait: ", sentence)
        self.assertIn("v_add_f32", sentence)
        self.assertIn("kernel rms_norm", sentence)

    def test_accepted_package_is_verified_and_not_promoted(self):
        package = self.folder / "package"
        shutil.copytree(HONEST, package)
        record = json.loads((package / "kernel.json").read_text(encoding="utf-8"))
        record["types"] = [{"T": "f32"}]
        (package / "kernel.json").write_text(json.dumps(record), encoding="utf-8")
        verdict = self.verdict(0, package, "--keep")
        self.assertEqual(verdict["class"], "accept")
        counted = verdict["stages"][-1]
        self.assertEqual(counted["stage"], "timing")
        self.assertIn("interpreted and not timed; with batch = ", counted["summary"])
        self.assertIn("Kernel rms_norm: ", counted["summary"])
        self.assertEqual(verdict["timings"], [])
        self.assertEqual(verdict["promotion"]["reason"], "Only evidence from hardware promotes.")
        kernel = verdict["kernel"]["id"][:16]
        self.assertIn("emulated", self.expect(0, "store", "show", kernel, "--json").stdout)
        self.expect_sentence(1, "is of kind emulated; a promotion takes hardware evidence.",
                             "store", "promote", kernel, "--target", "amdgcn-gfx1100")


if __name__ == "__main__":
    unittest.main()
