# SPDX-License-Identifier: Apache-2.0
"""Keys are made, trusted and removed; a passphrase never comes from the command line."""

import os
import stat
import subprocess
import unittest

import command_fixture
from command_fixture import CommandTest


class TrustVerbs(CommandTest):
    def make_key(self, name="key", *arguments):
        path = str(self.folder / name)
        return path, self.expect_json("halyard.key/1", "trust", "create-key", path,
                                      *(arguments or ["--no-passphrase"]))

    def run_with_passphrase(self, passphrase, *arguments):
        reading, writing = os.pipe()
        os.write(writing, passphrase.encode() + b"\nmore")
        os.close(writing)
        try:
            return subprocess.run(
                [command_fixture.COMMAND, *arguments, "--passphrase-fd", str(reading)],
                capture_output=True, text=True, timeout=command_fixture.TIMEOUT_S, check=False,
                env=self.environment({}), pass_fds=[reading], start_new_session=True)
        finally:
            os.close(reading)

    def test_key_is_trusted_listed_and_removed(self):
        path, key = self.make_key()
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assertRegex(key["key"], "^ed25519:[0-9a-f]{64}$")
        self.assertIn("No keys are trusted", self.expect(0, "trust", "list").stdout)
        self.expect(0, "trust", "add", "ana", key["key"], "--may", "verified", "--may", "promoted",
                    "--local", "--days", "30")
        listed = self.expect_json("halyard.trust-list/1", "trust", "list")
        self.assertEqual(len(listed["keys"]), 1)
        entry = listed["keys"][0]
        self.assertEqual((entry["label"], entry["key"], entry["local"], entry["may_say"]),
                         ("ana", key["key"], True, ["verified", "promoted"]))
        self.assertGreater(entry["expires_ms"], 0)
        self.assertEqual(listed["path"], str(self.folder / ".config/halyard/trust.json"))
        self.assertIn(key["fingerprint"], self.expect(0, "trust", "list").stdout)
        self.assertIn("1 key", self.expect(0, "doctor", HALYARD_BACKENDS="cpu").stdout)
        self.expect_sentence(2, "ana", "trust", "add", "ana", key["key"])
        self.expect(0, "trust", "remove", "ana")
        self.expect_sentence(1, "ana", "trust", "remove", "ana")

    def test_another_trust_file(self):
        _, key = self.make_key()
        other = str(self.folder / "other.json")
        self.expect(0, "trust", "add", "bo", key["key"], "--file", other)
        listed = self.expect_json("halyard.trust-list/1", "trust", "list", "--file", other)
        self.assertEqual(listed["keys"][0]["label"], "bo")
        self.assertEqual(self.expect_json("halyard.trust-list/1", "trust", "list")["keys"], [])
        by_variable = self.expect_json("halyard.trust-list/1", "trust", "list",
                                       HALYARD_TRUST=other)
        self.assertEqual(by_variable["keys"][0]["label"], "bo")

    def test_wrong_keys_are_refused(self):
        self.expect_sentence(2, "ed25519", "trust", "add", "ana", "ssh-rsa AAAA")
        self.expect_sentence(2, "--may", "trust", "add", "ana", "ed25519:" + "0" * 64, "--may",
                             "dance")
        path, _ = self.make_key()
        self.expect_sentence(1, "key", "trust", "create-key", path, "--no-passphrase")

    def test_empty_passphrase_leaves_no_key_open(self):
        path = str(self.folder / "my.key")
        done = self.run_with_passphrase("", "trust", "create-key", path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("is empty; --no-passphrase leaves", done.stderr)
        self.assertFalse(os.path.exists(path))

    def test_key_with_a_passphrase_signs_with_it_only(self):
        path = str(self.folder / "sealed")
        done = self.run_with_passphrase("open sesame", "trust", "create-key", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        archive = str(self.folder / "out")
        wrong = self.run_with_passphrase("open barley", "store", "export", archive, "--key", path)
        self.assertEqual(wrong.returncode, 1, wrong.stderr)
        self.assertIn("passphrase", wrong.stderr)
        self.assertFalse(os.path.exists(archive))
        right = self.run_with_passphrase("open sesame", "store", "export", archive, "--key", path)
        self.assertEqual(right.returncode, 0, right.stderr)
        self.assertTrue(os.path.exists(archive))

    def test_without_terminal_or_descriptor_nothing_is_asked(self):
        path = str(self.folder / "sealed")
        done = subprocess.run([command_fixture.COMMAND, "trust", "create-key", path],
                              capture_output=True, text=True, timeout=60, check=False,
                              stdin=subprocess.DEVNULL, env=self.environment({}),
                              start_new_session=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("neither a terminal nor --passphrase-fd", done.stderr)
        self.assertFalse(os.path.exists(path))

    def test_trust_file_that_others_can_write_is_refused(self):
        _, key = self.make_key()
        self.expect(0, "trust", "add", "ana", key["key"])
        path = self.folder / ".config/halyard/trust.json"
        path.chmod(0o666)
        self.expect_sentence(1, "trust.json", "trust", "list")
        self.expect_sentence(1, "trust.json", "trust", "remove", "ana")


if __name__ == "__main__":
    unittest.main()
