# SPDX-License-Identifier: Apache-2.0
"""The verbs that only read: text for people, JSON for programs."""

import json
import pathlib
import unittest

import command_fixture

VERBS = ["doctor", "devices", "version", "contracts", "run", "explain", "store", "descriptor",
         "disassemble", "measure"]
CPU = {"HALYARD_BACKENDS": "cpu"}
SHAPE = ["--axis", "batch=2", "--axis", "hidden=64"]


class ReadingVerbs(command_fixture.CommandTest):
    def test_help_of_each_verb_goes_to_stdout(self):
        done = self.expect(0, "--help")
        for verb in VERBS:
            self.assertIn(verb, done.stdout)
            text = self.expect(0, verb, "--help")
            self.assertIn("Usage:", text.stdout)
            self.assertEqual(text.stderr, "")

    def test_version(self):
        version = self.expect_json("halyard.version/1", "version")["version"]
        self.assertEqual(self.expect(0, "version").stdout, f"halyard {version}\n")
        self.assertEqual(self.expect(0, "--version").stdout.strip(), version)

    def test_devices_lists_the_cpu(self):
        document = self.expect_json("halyard.devices/1", "devices", **CPU)
        self.assertEqual([device["id"] for device in document["devices"]], ["cpu:0"])
        self.assertEqual(document["devices"][0]["kind"], "CPU")
        self.assertIn(document["devices"][0]["name"], self.expect(0, "devices", **CPU).stdout)

    def test_devices_tell_where_driver_and_descriptor_disagree(self):
        device = self.expect_json("halyard.devices/1", "devices", **CPU)["devices"][0]
        self.assertEqual(device["descriptor"], f"cpu/{device['target']}")
        self.assertEqual(device["disagreements"], [])
        data = self.expect_json("halyard.doctor/1", "doctor", **CPU)["data_directory"]
        name = f"descriptors/{device['descriptor']}.descriptor.json"
        document = json.loads((pathlib.Path(data) / name).read_text(encoding="utf-8"))
        document["capabilities"]["memory.unified"] = {
            "value": False, "origin": "documented", "source": document["sources"][0]["title"]}
        self.write(f".local/share/halyard/{name}", json.dumps(document))
        device = self.expect_json("halyard.devices/1", "devices", **CPU)["devices"][0]
        self.assertEqual(device["disagreements"], [{
            "key": "memory.unified", "unit": "", "live": True, "documented": False,
            "source": document["sources"][0]["title"]}])
        self.assertIn(f"cpu:0: the driver and {device['descriptor']} disagree on memory.unified.",
                      self.expect(0, "devices", **CPU).stdout.splitlines())

    def test_broken_descriptor_is_a_warning(self):
        target = self.expect_json("halyard.devices/1", "devices", **CPU)["devices"][0]["target"]
        path = self.write(f".local/share/halyard/descriptors/cpu/{target}.descriptor.json", "{")
        done = self.expect(0, "devices", "--json", **CPU)
        self.assertEqual(json.loads(done.stdout)["devices"][0]["descriptor"], "")
        self.assertIn(path, done.stderr)

    def test_doctor_names_the_cpu_and_its_machine_code(self):
        document = self.expect_json("halyard.doctor/1", "doctor", **CPU)
        text = self.expect(0, "doctor", **CPU).stdout
        for words in [document["version"], document["data_directory"], document["store"]["url"],
                      document["devices"][0]["name"], document["devices"][0]["target"], "core",
                      "HALYARD_BACKENDS=cpu (environment)"]:
            self.assertIn(words, text)

    def test_doctor_in_brief_has_at_most_six_lines(self):
        lines = self.expect(0, "doctor", "--brief").stdout.splitlines()
        self.assertLessEqual(len(lines), 6)
        self.assertTrue(any(line.startswith("cpu ") for line in lines))

    def test_contracts_lists_and_shows(self):
        listed = self.expect_json("halyard.contracts/1", "contracts")["contracts"]
        self.assertIn("rms_norm", [contract["name"] for contract in listed])
        self.assertIn("rms_norm", self.expect(0, "contracts").stdout)
        for contract in listed:
            shown = self.expect_json("halyard.contract/1", "contracts", "show", contract["name"])
            self.assertEqual(shown["version"], contract["version"])
            text = self.expect(0, "contracts", "show", contract["name"]).stdout
            for axis in shown["axes"]:
                self.assertIn(axis["name"], text)

    def test_store_lists_and_shows(self):
        kernels = self.expect_json("halyard.kernels/1", "store", "list", "rms_norm")["kernels"]
        self.assertTrue(kernels)
        name, digits = kernels[0]["name"], kernels[0]["id"][:12]
        self.assertIn(name, self.expect(0, "store", "list").stdout)
        self.assertIn(kernels[0]["id"], self.expect(0, "store", "show", name).stdout)
        detail = self.expect_json("halyard.kernel-detail/1", "store", "show", digits)
        self.assertEqual(detail["id"], kernels[0]["id"])

    def test_explain_gives_each_candidate_a_verdict(self):
        asked = ["explain", "rms_norm", "--device", "cpu:0", *SHAPE, "--type", "bf16"]
        document = self.expect_json("halyard.explanation/1", *asked, **CPU)
        self.assertTrue(document["candidates"])
        self.assertEqual(document["types"], {"T": "bf16"})
        text = self.expect(0, *asked, **CPU).stdout
        for candidate in document["candidates"]:
            self.assertIn(candidate["kernel"], text)
            self.assertIn(candidate["verdict"], text)

    def test_explain_takes_the_first_types_of_the_contract(self):
        document = self.expect_json("halyard.explanation/1", "explain", "cast", "--axis", "n=8",
                                    "--type", "T=f16", **CPU)
        self.assertEqual(document["types"], {"S": "f32", "T": "f16"})

    def test_explain_of_a_kernel_that_is_not_there_says_so(self):
        done = self.expect(0, "explain", "rms_norm", *SHAPE, "--kernel", "no_such_kernel", **CPU)
        self.assertIn("no kernel", done.stdout.lower())


if __name__ == "__main__":
    unittest.main()
