# SPDX-License-Identifier: Apache-2.0
"""A worker verifies what a store asks for, and gives back what it must leave."""

import json
import pathlib
import re
import signal
import socket
import subprocess
import unittest
import urllib.request

from command_fixture import COMMAND, CommandTest, TIMEOUT_S

SOURCE = pathlib.Path(__file__).resolve().parents[2]
HONEST = SOURCE / "kernel-store" / "kernels" / "rms_norm" / "rms_norm_cpu"
LOOKS_RIGHT = SOURCE / "samples" / "looks_right"
CPU = {"HALYARD_BACKENDS": "cpu"}


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class WorkerTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.store = str(self.folder / "fleet.sqlite")

    def ask(self, package):
        """The id of a new request to verify `package`, and that of its kernel."""
        said = self.expect(0, "store", "import", str(package), "--store", self.store, **CPU).stdout
        kernel = re.search(r"\b[0-9a-f]{64}\b", said)[0]
        path = self.write("request.json", json.dumps(
            {"format": "halyard.verification-request/1", "kernel": kernel}))
        made = self.expect_json("halyard.request-detail/1", "request", "put", path, "--kind",
                                "verification", "--store", self.store)
        return made["id"], kernel

    def request(self, request):
        return self.expect_json("halyard.request-detail/1", "request", "show", request, "--store",
                                self.store)

    def history(self, kernel):
        done = self.expect(0, "store", "history", kernel, "--store", self.store, "--json")
        return done.stdout

    def work(self, *arguments):
        return self.expect(0, "worker", "--store", self.store, "--once", "--no-timing", *arguments,
                           **CPU)

    def test_honest_kernel_is_verified(self):
        request, kernel = self.ask(HONEST)
        said = self.work().stderr
        self.assertIn("are taken for cpu:0", said)
        self.assertIn("is done: accept", said)
        found = self.request(request)
        self.assertEqual((found["status"], found["outcome"]), ("done", "accept"))
        self.assertIn("verified", self.history(kernel))

    def test_kernel_that_looks_right_is_quarantined(self):
        request, kernel = self.ask(LOOKS_RIGHT)
        self.work()
        found = self.request(request)
        self.assertEqual(found["status"], "done")
        self.assertTrue(found["outcome"].startswith("numeric: "), found["outcome"])
        self.assertIn("quarantined", self.history(kernel))

    def test_stopped_worker_gives_its_claim_back(self):
        request, kernel = self.ask(HONEST)
        port = free_port()
        with subprocess.Popen([COMMAND, "worker", "--store", self.store, "--metrics", str(port)],
                              stderr=subprocess.PIPE, text=True,
                              env=self.environment(CPU)) as worker:
            for line in worker.stderr:
                if "is worked on by cpu:0" in line:
                    break
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
                metrics = answer.read().decode()
            worker.send_signal(signal.SIGTERM)
            rest = worker.stderr.read()
            self.assertEqual(worker.wait(TIMEOUT_S), 0, rest)
        self.assertIn("halyard_worker_requests_done_total 0\n", metrics)
        self.assertIn("halyard_worker_busy 1\n", metrics)
        self.assertIn("is given back: the worker ends.", rest)
        self.assertEqual(self.request(request)["status"], "open")
        self.assertNotIn("verified", self.history(kernel))

    def test_wrong_use_is_said(self):
        self.expect_sentence(1, "/proc/nowhere", "worker", "--store", "/proc/nowhere/store.sqlite",
                             "--once", **CPU)
        self.assertEqual(self.run_command("worker").returncode, 2)
        self.expect_sentence(2, "is not \"postgresql://", "worker", "--store",
                             "postgresql://me:swordfish@[::1/db", **CPU)


if __name__ == "__main__":
    unittest.main()
