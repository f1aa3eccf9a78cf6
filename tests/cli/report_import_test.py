# SPDX-License-Identifier: Apache-2.0
"""descriptor import of Vulkan reports, profiles and the SPIR-V grammar, and questions about them."""

import json
import os
import pathlib
import unittest

import command_fixture

FIXTURES = (pathlib.Path(__file__).resolve().parents[1] /
            "unit/capability-descriptors/fixtures/vulkan")
GRAMMAR = pathlib.Path("/usr/include/spirv/unified1/spirv.core.grammar.json")


class ReportImport(command_fixture.CommandTest):
    def import_file(self, path):
        return self.expect_json("halyard.descriptor_import/1", "descriptor", "import",
                                str(path))["documents"][0]

    def query(self, name, key):
        return self.expect(0, "descriptor", "query", name, key).stdout.strip()

    def test_report_answers_by_id_number_and_pci_id(self):
        imported = self.import_file(FIXTURES / "acme.gpuinfo-7.json")
        self.assertEqual(imported["missing"], [])
        for name in [imported["id"], "gpuinfo-7", "1ed5:0201"]:
            self.assertEqual(self.query(name, "memory.total_bytes"), str(0x3fb000000))
        text = self.expect(0, "descriptor", "show", "gpuinfo-7").stdout
        for word in ["CC BY 4.0", "clock.timestamp_period_ns", "acmevk"]:
            self.assertIn(word, text)
        self.assertNotIn("\nversion", text)  # A report has no date.

    def test_report_without_timestamps_says_so(self):
        report = json.loads((FIXTURES / "acme.gpuinfo-7.json").read_text(encoding="utf-8"))
        report["properties"]["limits"]["timestampPeriod"] = 0
        name = self.import_file(self.write("r.json", json.dumps(report)))["id"]
        self.assertEqual(self.query(name, "clock.timestamps"), "false")
        self.assertEqual(self.query(name, "clock.timestamp_period_ns"), "0")
        self.assertIn("Device timestamps are unsupported.",
                      self.expect(0, "descriptor", "show", name).stdout)

    def test_profile_names_what_it_does_not_say(self):
        imported = self.import_file(FIXTURES / "acme_profile.json")
        self.assertEqual(imported["missing"],
                         ["compute.units", "memory.total_bytes", "memory.unified"])
        self.assertEqual(self.query(imported["id"], "memory.total_bytes"), "unknown")

    def test_two_reports_are_compared(self):
        names = [self.import_file(FIXTURES / file)["id"]
                 for file in ("acme.gpuinfo-7.json", "acme_profile.json")]
        text = self.expect(0, "descriptor", "diff", *names).stdout
        self.assertIn("subgroup.size", text)

    def test_grammar_is_imported(self):
        if not GRAMMAR.exists():
            self.assertNotIn("CI", os.environ, f"{GRAMMAR} is not there")
            self.skipTest("spirv-headers is not installed")
        imported = self.import_file(GRAMMAR)
        self.assertEqual(imported["id"], "khronos/spirv1_6")
        self.assertGreaterEqual(imported["counts"]["instructions"], 703)
        self.assertEqual(imported["unresolved"], [])

    def test_real_reports_are_imported(self):
        data = os.environ.get("HALYARD_TEST_DATA")
        if not data:
            print("[ LEFT OUT ] 15 real Vulkan reports (HALYARD_TEST_DATA is not set.)")
            return
        paths = sorted((pathlib.Path(data) / "vulkan-reports").glob("*.json"))
        self.assertEqual(len(paths), 15)
        ids = {path.name.split(".")[0]: self.import_file(path)["id"] for path in paths}
        self.assertEqual(len(set(ids.values())), 15)
        self.assertEqual(self.query(ids["moorethreads-mtt-s80-ubuntu"], "clock.timestamps"),
                         "false")
        self.assertEqual(self.query("10de:2b85", "compute.units"), "170")


if __name__ == "__main__":
    unittest.main()
