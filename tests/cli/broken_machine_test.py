# SPDX-License-Identifier: Apache-2.0
"""Machines that lack something: the command says what, and does what it can."""

import glob
import json
import os
import subprocess
import unittest

import command_fixture

LAVAPIPE = glob.glob("/usr/share/vulkan/icd.d/lvp_icd*.json")
CPU = {"HALYARD_BACKENDS": "cpu"}


def backend(document, name):
    return next(entry for entry in document["backends"] if entry["name"] == name)


class BrokenMachine(command_fixture.CommandTest):
    def without_vulkan_drivers(self):
        empty = self.folder / "no-drivers"
        empty.mkdir(exist_ok=True)
        return {"VK_DRIVER_FILES": str(empty), "VK_ICD_FILENAMES": str(empty)}

    def test_doctor_without_any_driver_gives_a_reason(self):
        surroundings = self.without_vulkan_drivers()
        report = self.expect_json("halyard.doctor/1", "doctor", **surroundings)
        vulkan = backend(report, "vulkan")
        self.assertEqual(vulkan["devices"], 0)
        self.assertTrue(vulkan["reason"])
        for arguments in [["doctor"], ["doctor", "--brief"]]:
            text = self.expect(0, *arguments, **surroundings).stdout
            self.assertIn("no device: " + vulkan["reason"], text)
            self.assertIn("cpu:0", text)

    def test_device_of_a_backend_without_driver_is_refused_with_the_reason(self):
        self.expect_sentence(1, "vulkan", "explain", "rms_norm", "--axis", "batch=1", "--axis",
                             "hidden=64", "--device", "vulkan", **self.without_vulkan_drivers())

    def test_only_the_backends_that_the_user_allows_are_used(self):
        report = self.expect_json("halyard.doctor/1", "doctor", **CPU)
        self.assertEqual([device["backend"] for device in report["devices"]], ["cpu"])

    @unittest.skipUnless(LAVAPIPE, "there is no lavapipe here")
    def test_one_broken_driver_file_leaves_the_others(self):
        broken = self.write("broken_icd.json", json.dumps(
            {"file_format_version": "1.0.0",
             "ICD": {"library_path": str(self.folder / "missing.so"), "api_version": "1.3.0"}}))
        malformed = self.write("malformed_icd.json", "{")
        files = ":".join([broken, malformed, LAVAPIPE[0]])
        devices = self.expect_json("halyard.devices/1", "devices", VK_DRIVER_FILES=files,
                                   VK_ICD_FILENAMES=files)["devices"]
        self.assertTrue([device for device in devices if device["backend"] == "vulkan"])

    def test_without_home_the_store_is_in_memory_and_doctor_says_so(self):
        report = self.expect_json("halyard.doctor/1", "doctor", HOME=None, **CPU)
        self.assertEqual(report["store"]["mode"], "memory")
        text = self.expect(0, "doctor", HOME=None, **CPU).stdout
        self.assertIn("(memory)", text)

    def test_folder_of_the_store_that_cannot_be_written(self):
        # Nobody makes folders in /sys, root neither; a file in the folder's place stops everyone.
        for place in ["/sys", self.write("occupied", "")]:
            report = self.expect_json("halyard.doctor/1", "doctor", XDG_DATA_HOME=place, **CPU)
            self.assertEqual(report["store"]["mode"], "memory")
            self.assertIn(place, report["store"]["reason"])
            text = self.expect(0, "doctor", XDG_DATA_HOME=place, **CPU).stdout
            self.assertIn(report["store"]["reason"], text)

    def test_wrong_data_directory_and_wrong_setting(self):
        for verb in ["doctor", "devices", "contracts"]:
            self.expect_sentence(1, "contracts", verb, HALYARD_DATA_DIR=str(self.folder))
            self.expect_sentence(2, "toaster", verb, HALYARD_BACKENDS="toaster")

    def test_closed_stdout_does_not_crash(self):
        for verb in [["doctor"], ["contracts", "--json"], ["store", "list"], ["--help"]]:
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([command_fixture.COMMAND, *verb], stdout=writing,
                                  stderr=subprocess.PIPE, text=True, check=False,
                                  timeout=command_fixture.TIMEOUT_S, env=self.environment(CPU))
            os.close(writing)
            self.assertEqual((done.returncode, done.stderr), (1, ""), verb)

    def test_full_stdout_is_a_failure_with_a_reason(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([command_fixture.COMMAND, "contracts"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False,
                                  timeout=command_fixture.TIMEOUT_S, env=self.environment(CPU))
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    unittest.main()
