# SPDX-License-Identifier: Apache-2.0
"""Results, suites and the sample prices follow their JSON schemas, which refuse what is wrong."""

import copy
import json
import pathlib
import subprocess
import sys
import unittest

import jsonschema

WRITER = sys.argv.pop(2)
ROOT = pathlib.Path(sys.argv.pop(1))


def load(path):
    return json.loads((ROOT / path).read_text())


def errors(schema, document):
    validator = jsonschema.Draft202012Validator(load(f"kernel-store/schema/{schema}.schema.json"))
    return [f"{e.json_path}: {e.message}" for e in validator.iter_errors(document)]


class Schemas(unittest.TestCase):
    def test_schemas_are_valid(self):
        for name in ("results", "workload", "prices"):
            jsonschema.Draft202012Validator.check_schema(
                load(f"kernel-store/schema/{name}.schema.json"))

    def test_results_follow_theirs(self):
        done = subprocess.run([WRITER], capture_output=True, text=True, check=True)
        document = json.loads(done.stdout)
        self.assertEqual([], errors("results", document))
        norm, product = document["operations"]
        self.assertFalse(document["passed"])
        self.assertEqual(norm["checked"], "sampled")
        self.assertIsNone(norm["error_ratio"])
        self.assertIn("[1, 3]", norm["check"]["failure"])
        self.assertEqual(norm["median_ns"], 2)
        self.assertIn("above the measured ceiling", norm["notes"][0].lower())
        self.assertEqual(product["state"], "reference")
        self.assertEqual(document["reference_operations"], ["product"])
        self.assertEqual(document["step"]["median_ns"], 6)

    def test_suites_follow_theirs(self):
        suites = sorted((ROOT / "kernel-store/suites").glob("*.json"))
        self.assertGreaterEqual(len(suites), 2)
        for suite in suites:
            with self.subTest(suite.name):
                document = json.loads(suite.read_text())
                self.assertEqual([], errors("workload", document))
                self.assertEqual(suite.stem, document["name"])

    def test_faults_of_suites_are_refused(self):
        good = load("kernel-store/suites/smoke.json")
        for member, value in (("format", "halyard.workload/2"), ("operations", []),
                              ("inputs", {"x": {"generator": "normal", "value": 1}})):
            with self.subTest(member):
                document = copy.deepcopy(good)
                document[member] = value
                self.assertNotEqual([], errors("workload", document))

    def test_sample_prices_follow_theirs(self):
        document = load("samples/prices.json")
        self.assertEqual([], errors("prices", document))
        for entry in document["prices"]:
            self.assertEqual(entry["source"], "edit me")

    def test_faults_of_prices_are_refused(self):
        entry = load("samples/prices.json")["prices"][0]
        for member, value in (("amount", 1000), ("amount", "1e3"), ("amount", "0.00"),
                              ("currency", "usd"), ("date", "30 November 2026")):
            with self.subTest(f"{member}: {value}"):
                document = {"format": "halyard.prices/1", "prices": [{**entry, member: value}]}
                self.assertNotEqual([], errors("prices", document))


if __name__ == "__main__":
    unittest.main()
