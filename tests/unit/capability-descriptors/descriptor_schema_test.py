# SPDX-License-Identifier: Apache-2.0
"""Descriptors follow their JSON schema, which refuses what is wrong."""

import copy
import json
import pathlib
import sys
import unittest

import jsonschema

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools/descriptors"))
import matrix_operations  # noqa: E402

SCHEMA = ROOT / "capability-descriptors/schema/descriptor.schema.json"
FIXTURES = ROOT / "tests/unit/capability-descriptors/fixtures"
SHIPPED = sorted((ROOT / "capability-descriptors/data").glob("*/*.descriptor.json"))


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


VALIDATOR = jsonschema.Draft202012Validator(load(SCHEMA))


def errors(document):
    return [f"{e.json_path}: {e.message}" for e in VALIDATOR.iter_errors(document)]


class DescriptorSchema(unittest.TestCase):
    def test_schema_is_valid(self):
        jsonschema.Draft202012Validator.check_schema(load(SCHEMA))

    def test_fixtures_follow_it(self):
        paths = sorted(FIXTURES.glob("shipped/*/*.descriptor.json"))
        self.assertEqual(2, len(paths))
        for path in paths:
            with self.subTest(path.name):
                self.assertEqual([], errors(load(path)))

    def test_shipped_descriptors_follow_it(self):
        for path in SHIPPED:
            with self.subTest(str(path.relative_to(ROOT))):
                document = load(path)
                self.assertEqual([], errors(document))
                name = path.name.removesuffix(".descriptor.json")
                self.assertEqual(f"{path.parent.name}/{name}", document["id"])

    def test_table_of_spirv_follows_its_schema(self):
        data = ROOT / "capability-descriptors"
        check = jsonschema.Draft202012Validator(load(data / "schema/instruction_set.schema.json"))
        table = load(data / "data/khronos/spirv1_6.instruction_set.json")
        self.assertEqual([], [f"{e.json_path}: {e.message}" for e in check.iter_errors(table)])

    def test_matrix_operations_of_amd_are_those_of_the_tool(self):
        paths = sorted((ROOT / "capability-descriptors/data/amd").glob("*.descriptor.json"))
        self.assertEqual(14, len(paths))
        for path in paths:
            with self.subTest(path.name):
                target = path.name.removesuffix(".descriptor.json")
                self.assertEqual(matrix_operations.operations_of(target),
                                 load(path).get("matrix_operations", []))

    def test_faults_are_refused(self):
        good = load(FIXTURES / "shipped/acme/a1.descriptor.json")
        shared = good["capabilities"]["limit.shared_bytes"]
        faults = {
            "unknown member": ("extra", 1),
            "other format": ("format", "halyard.descriptor/2"),
            "id without vendor": ("id", "a1"),
            "unknown kind": ("kind", "guess"),
            "no date": ("version", "today"),
            "alias twice": ("aliases", ["a", "a"]),
            "empty target": ("targets", [""]),
            "portable code": ("targets", ["spirv-1.5"]),
            "control character": ("name", "Acme\x1b[2J"),
            "cycles below 0": ("matrix_operations", 0, "cycles", -1),
            "key of one part": ("capabilities", {"bytes": shared}),
            "number without unit": ("capabilities", "limit.shared_bytes",
                                    {"value": 1, "origin": "driver"}),
            "flag with unit": ("capabilities", "matrix.cooperative", "unit", "byte"),
            "null value": ("capabilities", "limit.shared_bytes", "value", None),
            "unknown origin": ("capabilities", "limit.shared_bytes", "origin", "rumour"),
            "no source": ("capabilities", "limit.shared_bytes",
                          {"value": 1, "unit": "byte", "origin": "documented"}),
            "edge of zero": ("matrix_operations", 0, "m", 0),
            "row without column": ("matrix_operations", 0, "a", {"items": 2, "row": "lane"}),
            "operation without source": ("matrix_operations", 0, {
                key: value for key, value in good["matrix_operations"][0].items()
                if key != "source"}),
            "PCI id in capitals": ("products", 0, "pci_ids", ["1ACE:0009"]),
            "product without source": ("products", 0, "capabilities", "compute.units",
                                       {"value": 1, "unit": "count", "origin": "documented"}),
            "note without text": ("notes", 0, {"topic": "launch"}),
        }
        for name, (*path, last, value) in faults.items():
            with self.subTest(name):
                document = copy.deepcopy(good)
                place = document
                for key in path:
                    place = place[key]
                place[last] = value
                self.assertNotEqual([], errors(document))

    def test_report_needs_no_source(self):
        document = load(FIXTURES / "shipped/beta/b2.descriptor.json")
        document["capabilities"]["subgroup.size"]["origin"] = "derived"
        self.assertEqual([], errors(document))

    def test_report_needs_no_date(self):
        document = load(FIXTURES / "shipped/beta/b2.descriptor.json")
        del document["version"]
        self.assertEqual([], errors(document))
        document["kind"] = "product"
        self.assertNotEqual([], errors(document))


if __name__ == "__main__":
    unittest.main()
