# SPDX-License-Identifier: Apache-2.0
"""Bad input: one sentence on stderr, nothing on stdout, exit code 2 (wrong use) or 1 (failed)."""

import unittest

import command_fixture

CPU = {"HALYARD_BACKENDS": "cpu"}
BATCH = ["--axis", "batch=2"]
HIDDEN = ["--axis", "hidden=64"]


class WrongUse(command_fixture.CommandTest):
    def test_no_verb_and_unknown_verb(self):
        self.expect_sentence(2, "A subcommand is required")
        self.expect_sentence(2, "frobnicate", "frobnicate")

    def test_unknown_option_and_missing_value(self):
        self.expect_sentence(2, "--frob", "devices", "--frob")
        self.expect_sentence(2, "--device", "run", "rms_norm", "--device")
        self.expect_sentence(2, "--axis", "run", "rms_norm", "--axis")
        self.expect_sentence(2, "CONTRACT", "run")
        self.expect_sentence(2, "SUITE", "measure")
        self.expect_sentence(2, "subcommand is required", "store")

    def test_unknown_contract_gets_the_nearest_name(self):
        for verb in ["run", "explain"]:
            self.expect_sentence(1, ["rms_nrom", "rms_norm"], verb, "rms_nrom", **CPU)
        self.expect_sentence(1, ["gem", "gemm"], "contracts", "show", "gem")
        self.expect_sentence(1, ["gem", "gemm"], "store", "list", "gem")

    def test_unknown_kernel(self):
        self.expect_sentence(1, "no_such_kernel", "store", "show", "no_such_kernel")
        self.expect_sentence(1, "no_such_kernel", "run", "rms_norm", *BATCH, *HIDDEN, "--kernel",
                             "no_such_kernel", **CPU)

    def test_unknown_device_says_what_there_is(self):
        for verb in ["run", "explain"]:
            self.expect_sentence(1, ["cpu:9", "cpu:0"], verb, "rms_norm", *BATCH, *HIDDEN,
                                 "--device", "cpu:9", **CPU)
            self.expect_sentence(1, "toaster", verb, "rms_norm", *BATCH, *HIDDEN, "--device",
                                 "toaster", **CPU)

    def test_values_of_axes_that_are_no_integers(self):
        big = "99999999999999999999"
        for verb in ["run", "explain"]:
            self.expect_sentence(2, ["M", big, "64 bits"], verb, "gemm", "--axis", f"M={big}")
            self.expect_sentence(2, ["M", "1.5"], verb, "gemm", "--axis", "M=1.5")
            self.expect_sentence(2, "NAME=VALUE", verb, "gemm", "--axis", "M=")
            self.expect_sentence(2, "NAME=VALUE", verb, "gemm", "--axis", "M")
            self.expect_sentence(2, "NAME=VALUE", verb, "gemm", "--axis", "=4")
            self.expect_sentence(2, "twice", verb, "gemm", "--axis", "M=1", "--axis", "M=2")
        self.expect_sentence(2, "64 bits", "measure", "suite", "--axis", f"batch={big}")

    def test_axes_outside_of_the_contract(self):
        for verb in ["run", "explain"]:
            self.expect_sentence(2, ["hidden", "-4"], verb, "rms_norm", *BATCH, "--axis",
                                 "hidden=-4", **CPU)
            self.expect_sentence(2, ["vocab", "0"], verb, "argmax", *BATCH, "--axis", "vocab=0",
                                 **CPU)
            self.expect_sentence(2, "9223372036854775807", verb, "rms_norm", *BATCH, "--axis",
                                 "hidden=9223372036854775807", **CPU)
            self.expect_sentence(2, "hiden", verb, "rms_norm", *BATCH, "--axis", "hiden=64", **CPU)
            self.expect_sentence(2, "hidden", verb, "rms_norm", *BATCH, **CPU)

    def test_wrong_types(self):
        for verb in ["run", "explain"]:
            shape = [verb, "rms_norm", *BATCH, *HIDDEN, "--type"]
            self.expect_sentence(2, ["bf17", "bf16"], *shape, "bf17", **CPU)
            self.expect_sentence(2, "i32", *shape, "T=i32", **CPU)
            self.expect_sentence(2, "Q", *shape, "Q=f32", **CPU)
            self.expect_sentence(2, "2 type variables", verb, "cast", "--axis", "n=8", "--type",
                                 "f16", **CPU)

    def test_wrong_attributes(self):
        shape = ["explain", "rms_norm", *BATCH, *HIDDEN, "--attribute"]
        self.expect_sentence(2, "epsilon", *shape, "epsilon=small", **CPU)
        self.expect_sentence(2, "epsilom", *shape, "epsilom=1", **CPU)
        self.expect_sentence(2, "NAME=VALUE", *shape, "epsilon", **CPU)

    def test_unknown_suite(self):
        self.expect_sentence(2, "no-such-suite", "measure", "no-such-suite", **CPU)
        self.expect_sentence(1, "none.json", "measure", "./none.json", **CPU)

    def test_bad_documents(self):
        texts = {"empty.json": "", "half.json": '{"format":', "list.json": "[]",
                 "deep.json": "[" * 100000,
                 "twice.json": '{"format":"halyard.workload/1","format":"halyard.workload/1"}',
                 "other.json": '{"format":"halyard.results/1"}'}
        for name, text in texts.items():
            path = self.write(name, text)
            done = self.run_command("measure", path, **CPU)
            self.assertIn(done.returncode, [1, 2], name)
            self.assertEqual(done.stdout, "")
            self.assertIn("halyard: ", done.stderr)

    def test_bad_prices(self):
        self.expect_sentence(1, "none.json", "measure", "suite", "--prices", "none.json", **CPU)
        for text, word in [("{\n  broken", "line 2"), ("{} 1", "not JSON"),
                           ("{}", "halyard.prices/1"),
                           ('{"format":"halyard.prices/1","prices":[{"device":"cpu"}]}', "amount"),
                           ('{"format":"halyard.prices/1","prices":[{"device":"cpu","amount":"0",'
                            '"currency":"PHP","date":"2026-01-01","source":"me"}]}', "above zero")]:
            path = self.write("prices.json", text)
            self.expect_sentence(1, word, "measure", "suite", "--prices", path, **CPU)

    def test_place_that_cannot_be_written_is_found_at_once(self):
        for path in ["/no/such/folder/x.halyard.json", str(self.folder), "/proc/x.halyard.json"]:
            self.expect_sentence(1, path, "measure", "suite", "--out", path, **CPU)


if __name__ == "__main__":
    unittest.main()
