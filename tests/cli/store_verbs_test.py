# SPDX-License-Identifier: Apache-2.0
"""Kernels enter and leave a store, and it is looked after; without a verification."""

import json
import pathlib
import shutil
import unittest

from command_fixture import CommandTest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_cpu"
TARGET = ["--target", "x86_64-v3"]


class StoreVerbs(CommandTest):
    def package(self, version="9.9.9"):
        """A kernel that is not bundled: one of ours with another version."""
        folder = self.folder / f"package-{version}"
        shutil.copytree(PACKAGE, folder)
        record = json.loads((folder / "kernel.json").read_text(encoding="utf-8"))
        record["version"] = version
        (folder / "kernel.json").write_text(json.dumps(record), encoding="utf-8")
        return str(folder)

    def imported(self, *arguments, version="9.9.9"):
        """Its id."""
        self.expect(0, "store", "import", self.package(version), *arguments)
        kernels = self.expect_json("halyard.kernels/1", "store", "list", "rms_norm",
                                   *arguments)["kernels"]
        return next(k["id"] for k in kernels if k["version"] == version)

    def test_package_becomes_a_candidate(self):
        report = self.expect_json("halyard.exchange/1", "store", "import", self.package())
        self.assertEqual(report["added"]["kernels"], 1)
        self.assertGreater(report["added"]["states"], 0)
        again = self.expect(0, "store", "import", str(self.folder / "package-9.9.9")).stdout
        self.assertTrue(again.startswith("Added nothing of 1 kernel"), again)

    def test_package_that_is_none_is_refused(self):
        self.write("bad/kernel.json", "{")
        self.expect_sentence(1, "kernel.json:1:2", "store", "import", str(self.folder / "bad"))
        self.expect_sentence(1, "nowhere", "store", "import", str(self.folder / "nowhere"))

    def test_states_and_their_history(self):
        kernel = self.imported()
        change = self.expect_json("halyard.state-change/1", "store", "quarantine", kernel, *TARGET,
                                  "--why", "it is slow")
        self.assertTrue(change["changed"])
        self.assertIsNone(change["approval"])
        again = self.expect(0, "store", "quarantine", kernel[:12], *TARGET).stdout
        self.assertIn("was already quarantined on x86_64-v3", again)
        self.expect_sentence(1, "a quarantine ends with new evidence", "store", "rollback", kernel,
                             *TARGET)
        self.expect(0, "store", "retire", kernel, *TARGET)
        self.expect(0, "store", "rollback", kernel, *TARGET, "--why", "too early")
        history = self.expect_json("halyard.history/1", "store", "history", kernel, *TARGET)
        self.assertEqual([(e["state"], e["in_effect"]) for e in history["entries"]],
                         [("candidate", True), ("quarantined", True), ("retired", False),
                          ("quarantined", False)])
        self.assertEqual(history["entries"][1]["why"], "it is slow")
        self.assertTrue(all(e["who"] for e in history["entries"]))
        text = self.expect(0, "store", "history", kernel).stdout
        self.assertIn("(taken back)", text)
        shown = self.expect(0, "store", "show", kernel).stdout
        self.assertIn("quarantined", shown)

    def test_texts_of_strangers_reach_no_terminal(self):
        kernel = self.imported()
        why = "\x1b[2Jgone\x07\x7f\u009b31m\u202e\nno 9"
        self.expect(0, "store", "quarantine", kernel, *TARGET, "--why", why)
        texts = [self.expect(0, "store", verb, kernel).stdout for verb in ("history", "show")]
        texts.append(self.expect_sentence(1, "\\u001b[2Jgone", "store", "show", why))
        for text in texts:
            self.assertIn("\\u001b[2Jgone\\u0007\\u007f\\u009b31m\\u202e\\u000ano 9", text)
            self.assertNotRegex(text.replace("\n", ""), "[\x00-\x1f\x7f-\x9f\u202e]")
        history = self.expect_json("halyard.history/1", "store", "history", kernel, *TARGET)
        self.assertEqual(history["entries"][-1]["why"], why)

    def test_promotion_takes_evidence(self):
        kernel = self.imported()
        self.expect_sentence(1, ["has no evidence", "a promotion takes hardware evidence"],
                             "store", "promote", kernel, *TARGET)
        self.expect_sentence(2, "0123", "store", "promote", kernel, *TARGET, "--evidence", "0123")
        self.expect_sentence(1, "0123456789ab", "store", "promote", kernel, *TARGET, "--evidence",
                             "0123456789ab")

    def test_wrong_use_of_states(self):
        kernel = self.imported()
        self.expect_sentence(2, ["vax-11", "x86_64-v3"], "store", "retire", kernel, "--target",
                             "vax-11")
        self.expect_sentence(2, "--target", "store", "retire", kernel)
        self.expect_sentence(2, "--share", "store", "promote", kernel, *TARGET, "--share", "0")
        self.expect_sentence(2, "before it begins", "store", "retire", kernel, *TARGET,
                             "--drivers", "cpu 10..cpu 9")
        self.expect_sentence(1, "no_such", "store", "retire", "no_such", *TARGET)
        self.expect_sentence(2, "names 2 kernels", "store", "retire", "rms_norm_cpu", *TARGET)
        for verb in ("promote", "quarantine", "retire", "rollback", "history", "verify", "gc",
                     "import", "export", "sync"):
            self.assertIn("Usage", self.expect(0, "store", verb, "--help").stdout)

    def test_drivers_of_a_state(self):
        kernel = self.imported()
        change = self.expect_json("halyard.state-change/1", "store", "quarantine", kernel, *TARGET,
                                  "--drivers", "cpu 1..")
        self.assertEqual((change["first_driver"], change["last_driver"]), ("cpu 1", ""))

    def test_export_and_import_elsewhere(self):
        kernel = self.imported()
        for name in ("kernels", "kernels.tar.gz"):
            path = str(self.folder / name)
            report = self.expect_json("halyard.export-report/1", "store", "export", path,
                                      "--kernel", kernel)
            self.assertEqual(report["written"]["kernels"], 1)
            self.expect_sentence(1, name, "store", "export", path)
            other = str(self.folder / (name + ".sqlite"))
            taken = self.expect_json("halyard.exchange/1", "store", "import", path, "--store",
                                     other)
            self.assertEqual(taken["added"]["kernels"], 1)
            listed = self.expect_json("halyard.kernels/1", "store", "list", "--store", other)
            self.assertIn(kernel, [k["id"] for k in listed["kernels"]])

    def test_sync_goes_both_ways_or_one(self):
        mine = self.imported(version="9.9.1")
        other = str(self.folder / "other.sqlite")
        theirs = self.imported("--store", other, version="9.9.2")

        def kernels(*store):
            document = self.expect_json("halyard.kernels/1", "store", "list", "rms_norm", *store)
            return [k["id"] for k in document["kernels"]]

        pulled = self.expect_json("halyard.sync/1", "store", "sync", other, "--pull")
        self.assertIsNone(pulled["pushed"])
        self.assertEqual(pulled["pulled"]["added"]["kernels"], 1)
        self.assertIn(theirs, kernels())
        self.assertNotIn(mine, kernels("--store", other))
        both = self.expect_json("halyard.sync/1", "store", "sync", other)
        self.assertEqual(both["pushed"]["added"]["kernels"], 1)
        self.assertIn(mine, kernels("--store", other))
        self.expect_sentence(2, "gopher", "store", "sync", "gopher://x")

    def test_verify_and_gc(self):
        self.imported()
        report = self.expect_json("halyard.store-verification/1", "store", "verify")
        self.assertEqual(report["damaged"], [])
        self.assertGreater(report["records"], 0)
        self.assertIn("none damaged", self.expect(0, "store", "verify").stdout)
        removed = self.expect_json("halyard.collection/1", "store", "gc", "--keep-bytes", "0",
                                   "--older-than", "0")
        self.assertEqual(removed["builds"], 0)
        self.assertIn("Removed 0 builds", self.expect(0, "store", "gc").stdout)
        self.expect_sentence(2, "--keep-bytes", "store", "gc", "--keep-bytes", "-1")

    def test_store_that_cannot_be_written_says_so(self):
        kernel = self.imported()
        done = self.run_command("store", "retire", kernel, *TARGET, "--store", "/proc/no/store")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("halyard: ", done.stderr)


class RequestVerbs(CommandTest):
    def test_a_request_is_put_shown_and_cancelled(self):
        path = self.write("ask.json", '{"contract": "rms_norm@1", "goal": "faster"}')
        made = self.expect_json("halyard.request-detail/1", "request", "put", path, "--kind",
                                "kernel", "--target", "x86_64-v3")
        self.assertEqual((made["status"], made["kind"], made["target"]),
                         ("open", "kernel", "x86_64-v3"))
        listed = self.expect_json("halyard.requests/1", "request", "list")
        self.assertEqual([r["id"] for r in listed["requests"]], [made["id"]])
        self.assertIn("rms_norm@1", self.expect(0, "request", "list").stdout)
        self.expect(0, "request", "cancel", made["id"][:12])
        shown = self.expect_json("halyard.request-detail/1", "request", "show", made["id"][:12])
        self.assertEqual(shown["status"], "cancelled")
        self.assertEqual(shown["document"]["goal"], "faster")

    def test_wrong_use(self):
        path = self.write("ask.json", "{")
        self.expect_sentence(1, ":1:2", "request", "put", path, "--kind", "kernel")
        self.expect_sentence(2, "--kind", "request", "put", path, "--kind", "wish")
        self.expect_sentence(1, "feedbeef", "request", "show", "feedbeef")
        self.expect_sentence(1, "feedbeef", "request", "cancel", "feedbeef")


if __name__ == "__main__":
    unittest.main()
