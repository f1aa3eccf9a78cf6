# SPDX-License-Identifier: Apache-2.0
"""Every bundled contract follows its JSON schema, and the schema refuses what is wrong."""

import copy
import json
import pathlib
import sys
import unittest

import jsonschema

ROOT = pathlib.Path(sys.argv.pop(1))
SCHEMA = json.loads((ROOT / "kernel-store/schema/contract.schema.json").read_text())
CONTRACTS = sorted((ROOT / "kernel-store/contracts").glob("*.json"))


class ContractSchema(unittest.TestCase):
    def setUp(self):
        self.validator = jsonschema.Draft202012Validator(SCHEMA)

    def test_schema_is_valid(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_contracts_follow_it(self):
        self.assertEqual(14, len(CONTRACTS))
        for path in CONTRACTS:
            with self.subTest(path.name):
                document = json.loads(path.read_text())
                errors = [f"{e.json_path}: {e.message}" for e in self.validator.iter_errors(document)]
                self.assertEqual([], errors)
                self.assertEqual(path.stem, document["name"])

    def test_faults_are_refused(self):
        good = json.loads((ROOT / "kernel-store/contracts/rms_norm.json").read_text())

        def axis_kind(document):
            document["axes"][0]["kind"] = "lunch"

        def device_axis_without_tensor(document):
            document["axes"][0]["kind"] = "device"

        def missing_rule(document):
            del document["rules"]["masked"]

        def unknown_key(document):
            document["extra"] = 1

        def unknown_type(document):
            document["types"][0]["T"] = "f31"

        for fault in (axis_kind, device_axis_without_tensor, missing_rule, unknown_key, unknown_type):
            with self.subTest(fault.__name__):
                document = copy.deepcopy(good)
                fault(document)
                self.assertFalse(self.validator.is_valid(document))


if __name__ == "__main__":
    unittest.main()
