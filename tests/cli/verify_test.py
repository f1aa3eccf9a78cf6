# SPDX-License-Identifier: Apache-2.0
"""A package that looks right is refused, with a launch that shows it; an honest one is accepted."""

import json
import pathlib
import re
import shlex
import shutil
import unittest

import jsonschema
from command_fixture import CommandTest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LOOKS_RIGHT = SOURCE / "samples" / "looks_right"
SCHEMA = SOURCE / "kernel-store" / "schema" / "verdict.schema.json"
CPU = {"HALYARD_BACKENDS": "cpu"}


class VerifyTest(CommandTest):
    def verdict(self, code, directory, *arguments):
        done = self.expect(code, "verify", str(directory), "--no-timing", "--json", *arguments,
                           **CPU)
        verdict = json.loads(done.stdout)
        jsonschema.validate(verdict, json.loads(SCHEMA.read_text(encoding="utf-8")))
        return verdict

    def test_kernel_that_looks_right_is_refused_and_shown_again(self):
        verdict = self.verdict(1, LOOKS_RIGHT)
        self.assertEqual(verdict["class"], "numeric")
        self.assertIn(verdict["isolation"], ("full", "reduced"))
        finding = verdict["finding"]
        example = finding["counter_example"]
        self.assertEqual(set(example["axes"]), {"batch", "hidden"})
        self.assertLessEqual(max(example["axes"].values()), 8)
        again = shlex.split(finding["reproduce"])
        self.assertEqual(again[:2], ["halyard", "verify"])
        second = self.verdict(1, again[2], *again[3:])
        self.assertEqual(second["class"], "numeric")
        self.assertEqual(second["finding"]["counter_example"]["got"], example["got"])

    def test_honest_kernel_is_accepted_and_kept(self):
        honest = self.folder / "honest"
        shutil.copytree(SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_cpu", honest)
        verdict = self.verdict(0, honest, "--keep")
        self.assertEqual(verdict["class"], "accept")
        self.assertEqual([s["result"] for s in verdict["stages"]],
                         ["passed"] * len(verdict["stages"]))
        listed = self.expect_json("halyard.kernel-detail/1", "store", "show",
                                  verdict["kernel"]["id"][:16])
        self.assertIn("verified", json.dumps(listed))

    def test_package_for_other_devices_is_told_so(self):
        foreign = self.folder / "foreign"
        shutil.copytree(SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_glsl", foreign)
        finding = self.verdict(1, foreign)["finding"]
        self.assertEqual(finding["stage"], "build")
        self.assertIn("its targets are spirv-1.5", finding["sentence"])

    def test_verdict_that_cannot_be_kept_is_said_before_the_work(self):
        done = self.expect(1, "verify", str(LOOKS_RIGHT), "--no-timing", "--keep",
                           XDG_DATA_HOME="/proc/nowhere", **CPU)
        self.assertEqual(done.stdout, "")
        self.assertIn("halyard: The verdict cannot be kept: ", done.stderr)

    def test_text_names_class_launch_and_command(self):
        text = self.expect(1, "verify", str(LOOKS_RIGHT), "--no-timing", **CPU).stdout
        for word in ("verdict   numeric", "smallest  ", "again     halyard verify ", "isolation "):
            self.assertIn(word, text)

    def test_folder_without_a_package_is_a_static_verdict(self):
        verdict = self.verdict(1, self.folder)
        self.assertEqual(verdict["class"], "static")
        self.assertEqual(verdict["finding"]["stage"], "manifest")

    def test_launch_without_end_hangs_past_the_patience(self):
        hanging = self.folder / "hanging"
        shutil.copytree(SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_cpu", hanging)
        source = hanging / json.loads((hanging / "kernel.json").read_text())["source"]
        text, count = re.subn(r"(HALYARD_ENTRY\(\w+\) \{)",
                              r"\1\n  volatile bool goes_on = true;\n  while (goes_on) {}",
                              source.read_text(encoding="utf-8"))
        self.assertGreater(count, 0)
        source.write_text(text, encoding="utf-8")
        verdict = self.verdict(1, hanging, "--patience", "100")
        self.assertEqual(verdict["class"], "hang")
        self.assertIn("does not end within 100 ms", verdict["finding"]["sentence"])

    def test_limits_of_nothing_are_wrong_use(self):
        for option in ("--budget", "--patience"):
            self.expect_sentence(2, option, "verify", str(LOOKS_RIGHT), option, "0", **CPU)

    def test_counter_example_that_is_none_is_refused(self):
        self.expect_sentence(1, "counter-example", "verify", str(LOOKS_RIGHT),
                             "--counter-example", "{", **CPU)

    def test_doctor_says_the_level(self):
        level = self.expect_json("halyard.doctor/1", "doctor", **CPU)["isolation"]["level"]
        self.assertIn(level, ("full", "reduced", "none"))
        self.assertIn("Isolation " + level, self.expect(0, "doctor", **CPU).stdout)


if __name__ == "__main__":
    unittest.main()
