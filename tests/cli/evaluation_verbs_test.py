# SPDX-License-Identifier: Apache-2.0
"""run and measure: outputs that were computed, checked and timed."""

import json
import unittest

import command_fixture

CPU = {"HALYARD_BACKENDS": "cpu"}
RUN = ["run", "rms_norm", "--device", "cpu:0", "--axis", "batch=3", "--axis", "hidden=64"]
WORKLOAD = {
    "format": "halyard.workload/1", "name": "two-steps", "summary": "A norm and a product",
    "axes": [{"name": "batch", "default": 1, "min": 1, "max": 64}],
    "operations": [
        {"name": "norm", "contract": "rms_norm", "types": {"T": "f32"}, "attributes": {},
         "axes": {"batch": "batch", "hidden": 64},
         "tensors": {"x": "x", "weight": "norm_weight", "y": "normed"}},
        {"name": "up", "contract": "gemm", "types": {"T": "f32"}, "attributes": {},
         "axes": {"M": "batch", "N": 48, "K": 64},
         "tensors": {"A": "normed", "B": "up_weight", "C": "up"}}]}


class EvaluationVerbs(command_fixture.CommandTest):
    def test_run_says_kernel_state_reason_error_and_time(self):
        text = self.expect(0, *RUN, "--type", "bf16", "--check", **CPU).stdout
        for word in ["kernel", "x86_64", "self-tested", "why", "of the tolerance", "clock", "GB/s",
                     "GFLOP/s"]:
            self.assertIn(word, text)

    def test_run_without_check_says_so(self):
        self.assertIn("not checked", self.expect(0, *RUN, **CPU).stdout)

    def test_run_as_json(self):
        document = self.expect_json("halyard.results/1", *RUN, "--check", **CPU)
        operation = document["operations"][0]
        self.assertEqual(operation["axes"], {"batch": 3, "hidden": 64})
        self.assertLessEqual(operation["error_ratio"], 1)
        self.assertTrue(operation["samples_ns"])

    def test_run_takes_an_empty_axis(self):
        self.expect(0, "run", "rms_norm", "--axis", "batch=0", "--axis", "hidden=64", "--check",
                    **CPU)

    def test_run_each_contract(self):
        shapes = {
            "add_rms_norm": "batch=2 hidden=64", "argmax": "batch=2 vocab=64",
            "attention_decode_paged": "batch=2 num_pages=8 num_indices=4 kv_length=20 q_heads=4 "
                                      "kv_heads=2 head_dim=64 page_size=16",
            "cast": "n=64", "copy_strided": "d0=1 d1=2 d2=3 d3=4",
            "embedding": "tokens=2 vocab=16 hidden=64", "gemm": "M=2 N=32 K=64",
            "kv_append_paged": "tokens=2 num_pages=8 kv_heads=2 head_dim=64 page_size=16",
            "rope": "tokens=2 max_positions=64 q_heads=4 kv_heads=2 head_dim=64 rotary_dim=64",
            "silu_mul": "tokens=2 hidden=64", "softmax": "batch=2 columns=64"}
        for contract, shape in shapes.items():
            axes = [word for axis in shape.split() for word in ("--axis", axis)]
            with self.subTest(contract):
                self.expect(0, "run", contract, "--device", "cpu:0", *axes, "--check", **CPU)

    def test_run_takes_attributes_and_a_kernel(self):
        explained = self.expect_json("halyard.explanation/1", "explain", *RUN[1:], **CPU)
        kernel = explained["chosen"]["kernel"]
        text = self.expect(0, *RUN, "--kernel", kernel, "--attribute", "epsilon=0.01", **CPU).stdout
        self.assertIn(kernel, text)

    def test_run_gemm_with_bias(self):
        self.expect(0, "run", "gemm", "--axis", "M=2", "--axis", "N=32", "--axis", "K=64",
                    "--attribute", "bias=1", "--check", **CPU)

    def test_measure_writes_its_results(self):
        suite = self.write("two-steps.json", json.dumps(WORKLOAD))
        out = self.folder / "two.halyard.json"
        done = self.expect(0, "measure", suite, "--device", "cpu:0", "--axis", "batch=2", "--out",
                           str(out), **CPU)
        for word in ["norm", "up", "Whole step:", "steps per second", "Ceilings"]:
            self.assertIn(word, done.stdout)
        self.assertIn(str(out), done.stderr)
        document = json.loads(out.read_text(encoding="utf-8"))
        self.assertEqual(document["format"], "halyard.results/1")
        self.assertEqual([file.name for file in self.folder.glob("two.*")], ["two.halyard.json"])

    def test_measure_as_json_and_without_check(self):
        suite = self.write("two-steps.json", json.dumps(WORKLOAD))
        document = self.expect_json("halyard.results/1", "measure", suite, "--no-check", **CPU)
        self.assertEqual([entry["error_ratio"] for entry in document["operations"]], [None, None])

    def test_measure_gives_performance_per_currency_where_there_is_a_price(self):
        suite = self.write("two-steps.json", json.dumps(WORKLOAD))
        entry = {"device": "cpu", "amount": "5600.00", "currency": "PHP", "date": "2026-01-01",
                 "source": "an example"}
        for device, words in [("cpu", ["steps per second per PHP", "5600.00", "2026-01-01"]),
                              ("toaster", ["No figure", "because"])]:
            entry["device"] = device
            prices = self.write("prices.json", json.dumps(
                {"format": "halyard.prices/1", "prices": [entry]}))
            text = self.expect(0, "measure", suite, "--prices", prices, "--no-check", **CPU).stdout
            for word in words:
                self.assertIn(word, text)

    def test_measure_refuses_an_axis_that_the_workload_does_not_have(self):
        suite = self.write("two-steps.json", json.dumps(WORKLOAD))
        out = self.folder / "two.halyard.json"
        self.expect_sentence(2, "batsh", "measure", suite, "--axis", "batsh=2", "--out", str(out),
                             **CPU)
        self.assertEqual(list(self.folder.glob("two.*")), [])


if __name__ == "__main__":
    unittest.main()
