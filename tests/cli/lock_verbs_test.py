# SPDX-License-Identifier: Apache-2.0
"""A lock file pins kernels; what it pins runs, and what it misses is said."""

import json
import pathlib
import unittest

import jsonschema
from command_fixture import CommandTest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = SOURCE / "kernel-store" / "schema" / "lock.schema.json"
RUN = ["rms_norm", "--axis", "batch=2", "--axis", "hidden=64", "--type", "T=f32"]
CPU = {"HALYARD_BACKENDS": "cpu"}


class LockVerbs(CommandTest):
    def written(self, *arguments):
        path = str(self.folder / "halyard.lock")
        self.expect(0, "lock", "write", path, *arguments)
        lock = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        jsonschema.validate(lock, json.loads(SCHEMA.read_text(encoding="utf-8")))
        return path, lock

    def rewritten(self, path, lock):
        pathlib.Path(path).write_text(json.dumps(lock), encoding="utf-8")

    def test_bundled_kernels_are_pinned_and_present(self):
        path, lock = self.written()
        self.assertGreater(len(lock["pins"]), 10)
        document = self.expect_json("halyard.lock-check/1", "lock", "check", path)
        self.assertEqual({p["standing"] for p in document["pins"]}, {"present"})
        self.assertIn("present as they were", self.expect(0, "lock", "check", path).stdout)
        self.assertIn("halyard.lock/1",
                      self.expect(0, "lock", "write", path, "--json").stdout)

    def test_scope_of_a_lock(self):
        _, lock = self.written("--contract", "rms_norm", "--target", "x86_64-v3")
        self.assertEqual({(p["contract"], p["target"]) for p in lock["pins"]},
                         {("rms_norm", "x86_64-v3")})
        self.expect_sentence(1, "no_such", "lock", "write", str(self.folder / "x"), "--contract",
                             "no_such")

    def test_what_is_missing_changed_or_refused_is_broken(self):
        path, lock = self.written("--contract", "rms_norm")
        lock["pins"] = [p for p in lock["pins"] if p["target"] == "x86_64-v3"][:2]
        lock["pins"][0]["kernel"] = "0" * 64
        lock["pins"][1]["build_sha256"] = "1" * 64
        self.rewritten(path, lock)
        done = self.expect(1, "lock", "check", path, "--json")
        standings = {p["standing"] for p in json.loads(done.stdout)["pins"]}
        self.assertEqual(standings, {"missing", "changed"})
        text = self.expect(1, "lock", "check", path).stdout
        self.assertIn("Neither the store nor the bundle has the kernel.", text)

    def test_quarantine_is_seen(self):
        path, lock = self.written("--contract", "rms_norm", "--target", "x86_64-v3")
        self.expect(0, "store", "quarantine", lock["pins"][0]["kernel"], "--target", "x86_64-v3",
                    "--why", "it is wrong")
        done = self.expect(1, "lock", "check", path)
        self.assertIn("It is quarantined: it is wrong", done.stdout)

    def test_selection_honours_the_lock(self):
        path, lock = self.written("--contract", "rms_norm", "--target", "x86_64-v2")
        explained = self.expect_json("halyard.explanation/1", "explain", *RUN, "--device", "cpu:0",
                                     HALYARD_LOCK=path, **CPU)
        self.assertEqual(explained["chosen"]["target"], "x86_64-v2")
        for pin in lock["pins"]:
            pin["kernel"] = "0" * 64
        self.rewritten(path, lock)
        self.expect_sentence(1, [path, "which neither the store nor the bundle has"], "run", *RUN,
                             "--device", "cpu:0", HALYARD_LOCK=path, **CPU)
        self.expect_sentence(1, "halyard.lock", "run", *RUN, "--device", "cpu:0",
                             HALYARD_LOCK=str(self.folder / "no/halyard.lock"), **CPU)

    def test_lock_that_is_none_is_refused(self):
        path = self.write("bad.lock", '{"format": "halyard.lock/2", "pins": []}')
        self.expect_sentence(1, "/format", "lock", "check", path)


if __name__ == "__main__":
    unittest.main()
