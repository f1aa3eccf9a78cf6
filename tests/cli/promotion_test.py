# SPDX-License-Identifier: Apache-2.0
"""A verified kernel is promoted, approved by a key, runs in this process, and is rolled back."""

import json
import pathlib
import shutil
import tempfile
import unittest

import command_fixture
from command_fixture import CommandTest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_cpu"
RUN = ["rms_norm", "--axis", "batch=2", "--axis", "hidden=64", "--type", "T=f32", "--device",
       "cpu:0"]
CPU = {"HALYARD_BACKENDS": "cpu"}


class Promotion(CommandTest):
    store = None  # That holds the verified kernel; each test has a copy.
    kernel = None
    target = None

    def setUp(self):
        super().setUp()
        if Promotion.store is None:
            self.verify_once()
        shutil.copy(Promotion.store, self.folder / "store.sqlite")
        self.on_store = ["--store", str(self.folder / "store.sqlite")]
        self.on_target = [Promotion.kernel, "--target", Promotion.target, *self.on_store]
        self.settings = {"HALYARD_STORE": str(self.folder / "store.sqlite"), **CPU}

    def verify_once(self):
        package = self.folder / "package"
        shutil.copytree(PACKAGE, package)
        record = json.loads((package / "kernel.json").read_text(encoding="utf-8"))
        record["version"] = "9.9.9"
        (package / "kernel.json").write_text(json.dumps(record), encoding="utf-8")
        home = pathlib.Path(tempfile.mkdtemp(prefix="halyard-promotion-"))
        unittest.addModuleCleanup(shutil.rmtree, home, ignore_errors=True)
        store = home / "store.sqlite"
        done = self.expect(0, "verify", str(package), "--no-timing", "--keep", "--json",
                           HALYARD_STORE=str(store), **CPU)
        Promotion.kernel = json.loads(done.stdout)["kernel"]["id"]
        history = self.expect_json("halyard.history/1", "store", "history", Promotion.kernel,
                                   "--store", str(store))
        Promotion.target = history["entries"][0]["target"]
        self.expect(0, "store", "verify", "--store", str(store))
        Promotion.store = store

    def states(self):
        history = self.expect_json("halyard.history/1", "store", "history", *self.on_target)
        return [e["state"] for e in history["entries"] if e["in_effect"]]

    def test_promotion_rests_on_the_evidence_of_this_driver(self):
        change = self.expect_json("halyard.state-change/1", "store", "promote", *self.on_target,
                                  "--share", "10", "--where", "hidden <= 4096")
        self.assertTrue(change["changed"])
        self.assertEqual(change["share_percent"], 10)
        self.assertEqual(change["first_driver"], change["last_driver"])
        self.assertNotEqual(change["first_driver"], "")
        self.assertIn("was already promoted",
                      self.expect(0, "store", "promote", *self.on_target, "--share", "10",
                                  "--where", "hidden <= 4096").stdout)
        self.expect_sentence(1, "takes a rollback first", "store", "promote", *self.on_target,
                             "--share", "5", "--where", "hidden <= 4096")
        self.expect_sentence(2, "wheels", "store", "promote", *self.on_target, "--where",
                             "wheels <= 4")
        self.expect(0, "store", "promote", *self.on_target)
        self.assertEqual(self.states()[-2:], ["promoted", "promoted"])
        back = self.expect_json("halyard.state-change/1", "store", "rollback", *self.on_target)
        self.assertEqual((back["state"], back["share_percent"]), ("promoted", 10))
        back = self.expect_json("halyard.state-change/1", "store", "rollback", *self.on_target)
        self.assertEqual(back["state"], "verified")

    def test_promotion_for_a_driver_without_evidence_is_refused(self):
        self.expect_sentence(1, "is not among driver cpu 0.0", "store", "promote", *self.on_target,
                             "--drivers", "cpu 0.0")

    def test_approved_kernel_runs_inside_this_process(self):
        self.expect(0, "store", "promote", *self.on_target)
        refused = self.expect_json("halyard.explanation/1", "explain", *RUN, **self.settings)
        reasons = {c["id"]: c["reason"] for c in refused["candidates"]
                   if c["target"] == Promotion.target}
        self.assertIn("no trusted key approves it", reasons[Promotion.kernel])

        key_file = str(self.folder / "key")
        key = self.expect_json("halyard.key/1", "trust", "create-key", key_file,
                               "--no-passphrase")["key"]
        change = self.expect_json("halyard.state-change/1", "store", "promote", *self.on_target,
                                  "--key", key_file, "--days", "30")
        self.assertFalse(change["changed"])
        self.assertEqual(change["approval"]["origin"], key)
        self.expect(0, "trust", "add", "mine", key, "--local")
        run = self.expect(0, "explain", *RUN, "--json", **self.settings)
        chosen = {c["id"]: c for c in json.loads(run.stdout)["candidates"]
                  if c["target"] == Promotion.target}[Promotion.kernel]
        self.assertNotEqual(chosen["verdict"], "refused", chosen)
        detail = self.expect_json("halyard.kernel-detail/1", "store", "show", Promotion.kernel,
                                  *self.on_store)
        self.assertEqual(detail, self.expect_json("halyard.kernel-detail/1", "store", "show",
                                                  Promotion.kernel, **self.settings))
        shown = self.expect(0, "store", "show", Promotion.kernel, *self.on_store).stdout
        self.assertRegex(shown, r"promoted +" + Promotion.target + r".* mine .*yes")

        self.expect(0, "trust", "remove", "mine")
        again = self.expect_json("halyard.explanation/1", "explain", *RUN, **self.settings)
        self.assertIn("no trusted key approves it", json.dumps(again))

    def test_signed_export_is_taken_over_where_the_key_is_trusted(self):
        key_file = str(self.folder / "key")
        key = self.expect_json("halyard.key/1", "trust", "create-key", key_file,
                               "--no-passphrase")["key"]
        self.expect(0, "store", "promote", *self.on_target, "--key", key_file)
        path = str(self.folder / "kernels.tar.gz")
        self.expect(0, "store", "export", path, "--key", key_file, *self.on_store)
        stranger = ["--store", str(self.folder / "stranger.sqlite")]
        report = self.expect_json("halyard.exchange/1", "store", "import", path, *stranger)
        self.assertEqual(report["added"]["states"], 0)
        self.assertEqual(report["signer"], "")
        self.expect(0, "trust", "add", "ana", key)
        friend = ["--store", str(self.folder / "friend.sqlite")]
        report = self.expect_json("halyard.exchange/1", "store", "import", path, *friend)
        self.assertEqual(report["signer"], "ana")
        self.assertGreater(report["added"]["states"], 0)
        self.assertGreater(report["added"]["builds"], 0)

    def test_lock_moves_to_what_is_promoted(self):
        path = str(self.folder / "halyard.lock")
        scope = ["--contract", "rms_norm", "--target", Promotion.target]
        before = self.folder / "before.lock"
        self.expect(0, "lock", "write", str(before), *scope, "--store",
                    str(self.folder / "empty.sqlite"))
        self.expect(0, "store", "promote", *self.on_target)
        self.expect(0, "lock", "write", path, *scope, *self.on_store)
        pins = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["pins"]
        self.assertEqual({p["kernel"] for p in pins}, {Promotion.kernel})
        moved = self.expect_json("halyard.lock-check/1", "lock", "check", str(before),
                                 *self.on_store)
        self.assertIn("moved", {p["standing"] for p in moved["pins"]})


if __name__ == "__main__":
    unittest.main()
