# SPDX-License-Identifier: Apache-2.0
"""Kernels, builds, evidence and results follow their JSON schemas, which refuse what is wrong."""

import copy
import json
import pathlib
import sys
import unittest

import jsonschema

ROOT = pathlib.Path(sys.argv.pop(1))
AWKWARD = sorted((ROOT / "tests/unit/kernel-store/fixtures/awkward").glob("*.json"))
BUNDLED = sorted((ROOT / "kernel-store/kernels").glob("*/*/kernel.json"))
RECORDS = ROOT / "tests/unit/kernel-store/fixtures/records"
OF_TRUST = ("approval", "trust", "policy", "export")


def load(path):
    return json.loads(path.read_text())


def validator(name):
    return jsonschema.Draft202012Validator(load(ROOT / f"kernel-store/schema/{name}.schema.json"))


class Schemas(unittest.TestCase):
    def errors(self, name, document):
        return [f"{e.json_path}: {e.message}" for e in validator(name).iter_errors(document)]

    def test_schemas_are_valid(self):
        for name in ("kernel", "builds", "evidence", "lock", "results", *OF_TRUST):
            with self.subTest(name):
                jsonschema.Draft202012Validator.check_schema(
                    load(ROOT / f"kernel-store/schema/{name}.schema.json"))

    def test_awkward_kernels_follow_it(self):
        self.assertEqual(12, len(AWKWARD))
        for path in AWKWARD:
            with self.subTest(path.name):
                self.assertEqual([], self.errors("kernel", load(path)))

    def test_bundled_kernels_follow_it(self):
        for path in BUNDLED:
            with self.subTest(str(path.relative_to(ROOT))):
                document = load(path)
                self.assertEqual([], self.errors("kernel", document))
                self.assertEqual(path.parent.name, document["name"])

    def test_records_follow_theirs(self):
        for name in ("builds", "evidence", "results", *OF_TRUST):
            with self.subTest(name):
                self.assertEqual([], self.errors(name, load(RECORDS / f"{name}.json")))

    def test_kernel_faults_are_refused(self):
        def set_(document, *path_and_value):
            *path, last, value = path_and_value
            for key in path:
                document = document[key]
            document[last] = value

        faults = {
            "unknown key": ("extra", 1),
            "unknown language": ("language", "fortran"),
            "file elsewhere": ("source", "../a.cu"),
            "no types": ("types", []),
            "unknown type": ("types", 0, "T", "f31"),
            "grid of two": ("stages", 0, "grid", [1, 1]),
            "unknown cadence": ("stages", 0, "cadence", "often"),
            "two kinds of argument": ("stages", 0, "arguments", 0, "scalar", "s"),
            "no kind of argument": ("stages", 0, "arguments", 0, {"type": "u32"}),
            "value without type": ("stages", 0, "arguments", 0, {"axis": "M"}),
            "constant without id": ("parameters", [
                {"name": "A", "kind": "constant", "domain": [1], "default": 1}]),
            "both provenances": ("provenance", "project", "halyard"),
        }
        good = load(ROOT / "tests/unit/kernel-store/fixtures/awkward/persistent_gemm.json")
        for name, fault in faults.items():
            with self.subTest(name):
                document = copy.deepcopy(good)
                set_(document, *fault)
                self.assertNotEqual([], self.errors("kernel", document))

    def test_result_faults_are_refused(self):
        good = load(RECORDS / "results.json")
        for key in ("date", "suite", "device", "ceilings", "environment"):
            with self.subTest(key):
                document = copy.deepcopy(good)
                del document[key]
                self.assertNotEqual([], self.errors("results", document))
        document = copy.deepcopy(good)
        del document["operations"][0]["clock"]
        self.assertNotEqual([], self.errors("results", document))

    def test_faults_of_trust_are_refused(self):
        faults = [
            ("approval", ["state"], "candidate"),
            ("approval", ["sequence"], 0),
            ("approval", ["origin"], "ed25519:ab"),
            ("approval", ["kernel"], "A" * 64),
            ("trust", ["keys", 0, "label"], " ann"),
            ("trust", ["keys", 0, "may_say"], []),
            ("policy", ["execute", "cpu"], ["root"]),
            ("policy", ["stale"], "ignore"),
            ("export", ["objects"], {"../a": 1}),
            ("export", ["objects"], {"a" * 64: 268435457}),
            ("export", ["format"], "halyard.export/2"),
        ]
        for name, path, value in faults:
            with self.subTest(f"{name} {path}"):
                document = load(RECORDS / f"{name}.json")
                inner = document
                for step in path[:-1]:
                    inner = inner[step]
                inner[path[-1]] = value
                self.assertNotEqual([], self.errors(name, document))


if __name__ == "__main__":
    unittest.main()
