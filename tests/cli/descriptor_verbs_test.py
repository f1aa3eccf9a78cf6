# SPDX-License-Identifier: Apache-2.0
"""The verbs over descriptors that only read."""

import json
import unittest

import command_fixture

CPU = {"HALYARD_BACKENDS": "cpu"}
SUB_VERBS = ["list", "show", "import", "query", "check", "diff"]


class DescriptorVerbs(command_fixture.CommandTest):
    def query(self, name, key):
        return self.expect(0, "descriptor", "query", name, key).stdout.strip()

    def test_help_of_each_sub_verb_goes_to_stdout(self):
        for verb in SUB_VERBS:
            done = self.expect(0, "descriptor", verb, "--help")
            self.assertIn("Usage:", done.stdout)
            self.assertEqual(done.stderr, "")
            self.assertIn(verb, self.expect(0, "descriptor", "--help").stdout)

    def test_list_has_every_vendor_with_origin(self):
        document = self.expect_json("halyard.descriptor_list/1", "descriptor", "list")
        entries = {entry["id"]: entry for entry in document["descriptors"]}
        for name in ["amd/gfx906", "amd/gfx942", "amd/gfx1100", "amd/gfx1201", "nvidia/sm_90"]:
            self.assertEqual(entries[name]["origin"], "shipped")
            self.assertNotIn("error", entries[name])
        self.assertEqual(entries["amd/gfx1100"]["instruction_set"], "amd/rdna3")
        for entry in document["instruction_sets"]:
            self.assertNotIn("error", entry)
            self.assertIn(entry["basis"], ["derived", "reconstructed", "imported"])
        text = self.expect(0, "descriptor", "list").stdout
        rows = [line.split()[0] for line in text.splitlines() if "/" in line.split(" ")[0]]
        self.assertEqual(rows, [*entries, *[one["id"] for one in document["instruction_sets"]]])

    def test_query_prints_the_value_alone(self):
        for name, key, value in [("amd/gfx942", "lds.bytes_per_workgroup", "65536"),
                                 ("amd/gfx950", "lds.bytes_per_workgroup", "163840"),
                                 ("amd/gfx1100", "vgpr.per_simd", "1536"),
                                 ("amd/gfx1102", "vgpr.per_simd", "1024"),
                                 ("gfx1100", "matrix.f16", "true")]:
            self.assertEqual(self.query(name, key), value)
        document = self.expect_json("halyard.descriptor_value/1", "descriptor", "query",
                                    "amd/gfx1100", "vgpr.per_simd")
        self.assertEqual((document["known"], document["value"], document["unit"]),
                         (True, 1536, "register"))
        self.assertTrue(document["source"])

    def test_unknown_value_is_no_failure(self):
        self.assertEqual(self.query("amd/gfx1100", "vulkan.api_version"), "unknown")
        document = self.expect_json("halyard.descriptor_value/1", "descriptor", "query",
                                    "amd/gfx1100", "vulkan.api_version")
        self.assertEqual((document["known"], document["value"]), (False, None))

    def test_part_of_a_name_gets_the_names_that_hold_it(self):
        self.expect_sentence(1, ["RX 7900 XTX", "radeon-rx-7900-xtx"], "descriptor", "show",
                             "RX 7900 XTX")

    def test_facts_for_a_model_are_of_descriptors(self):
        self.expect_sentence(2, ["--for-model", "cpu:0"], "descriptor", "show", "cpu:0",
                             "--for-model")

    def test_unknown_names_are_failures_with_the_nearest(self):
        self.expect_sentence(1, ["vgpr.per_smid", "vgpr.per_simd"], "descriptor", "query",
                             "amd/gfx1100", "vgpr.per_smid")
        for verb in [["show"], ["query"], ["diff", "amd/gfx1100"]]:
            key = ["vgpr.per_simd"] if verb == ["query"] else []
            self.expect_sentence(1, ["amd/gfx1109", "amd/gfx1100"], "descriptor", *verb,
                                 "amd/gfx1109", *key)
        self.expect_sentence(1, ["gem", "gemm"], "descriptor", "show", "amd/gfx1100",
                             "--for-model", "--contract", "gem")

    def test_wrong_use(self):
        self.expect_sentence(2, "subcommand is required", "descriptor")
        self.expect_sentence(2, "ID", "descriptor", "show")
        self.expect_sentence(2, "KEY", "descriptor", "query", "amd/gfx1100")
        self.expect_sentence(2, "--for-model", "descriptor", "show", "amd/gfx1100", "--contract",
                             "gemm")
        for budget in ["0", "-1", "many"]:
            self.expect_sentence(2, ["--budget-tokens", f"{budget} not in range 1 to 4294967295"],
                                 "descriptor", "show", "amd/gfx1100", "--for-model",
                                 "--budget-tokens", budget)

    def test_instruction_sets_are_corrected_where_they_are_used(self):
        document = self.expect_json("halyard.instruction_set/1", "descriptor", "show", "amd/rdna4")
        self.assertIn("gfx12-s-waitcnt", document["corrections"])

    def test_show_has_the_document_and_a_table(self):
        document = self.expect_json("halyard.descriptor/1", "descriptor", "show", "gfx1100")
        self.assertEqual(document["id"], "amd/gfx1100")
        text = self.expect(0, "descriptor", "show", "gfx1100").stdout
        for key in document["capabilities"]:
            self.assertIn(f"\n{key} ", text)
        for product in document["products"]:
            self.assertIn(product["name"], text)
        self.assertIn("V_WMMA_F32_16X16X16_F16", text)

    def test_product_stands_over_its_architecture(self):
        architecture = self.expect_json("halyard.descriptor/1", "descriptor", "show", "gfx1100")
        name = architecture["products"][0]["name"]
        product = self.expect_json("halyard.descriptor/1", "descriptor", "show", name)
        self.assertEqual((product["kind"], product["name"]), ("product", name))
        self.assertIn("compute.units", product["capabilities"])

    def test_instruction_set_is_shown(self):
        document = self.expect_json("halyard.instruction_set/1", "descriptor", "show", "rdna4")
        self.assertEqual(document["id"], "amd/rdna4")
        text = self.expect(0, "descriptor", "show", "amd/rdna4").stdout
        self.assertIn("instructions", text)
        self.expect_sentence(2, ["amd/rdna4", "amd/gfx1201"], "descriptor", "query", "amd/rdna4",
                             "vgpr.per_simd")

    def test_diff_of_descriptors_and_of_instruction_sets(self):
        document = self.expect_json("halyard.descriptor_diff/1", "descriptor", "diff",
                                    "amd/gfx1100", "amd/gfx1102")
        differences = {one["key"]: one for one in document["capabilities"]}
        self.assertEqual((differences["vgpr.per_simd"]["left"],
                          differences["vgpr.per_simd"]["right"]), (1536, 1024))
        text = self.expect(0, "descriptor", "diff", "amd/gfx1100", "amd/gfx1102").stdout
        self.assertRegex(text, r"vgpr\.per_simd +1536 +1024 +register")
        sets = self.expect_json("halyard.descriptor_diff/1", "descriptor", "diff", "rdna3_5",
                                "rdna4")
        self.assertIn("S_WAIT_LOADCNT", sets["only_right"])
        text = self.expect(0, "descriptor", "diff", "rdna3_5", "rdna4").stdout
        self.assertIn("instructions of amd/rdna4 only", text)
        same = self.expect(0, "descriptor", "diff", "rdna4", "rdna4").stdout
        self.assertEqual(same, "amd/rdna4 and amd/rdna4 say the same.\n")

    def test_device_is_shown_as_a_live_descriptor(self):
        document = self.expect_json("halyard.descriptor/1", "descriptor", "show", "cpu:0", **CPU)
        self.assertEqual((document["kind"], document["id"]), ("live", "live/cpu-0"))
        self.assertGreater(document["capabilities"]["compute.units"]["value"], 0)
        text = self.expect(0, "descriptor", "show", "cpu:0", **CPU).stdout
        self.assertIn("compute.units", text)
        units = self.expect(0, "descriptor", "query", "cpu:0", "compute.units", **CPU).stdout
        self.assertEqual(int(units), document["capabilities"]["compute.units"]["value"])
        self.expect_sentence(1, "cpu:9", "descriptor", "show", "cpu:9", **CPU)
        self.expect_sentence(1, "compute.unit", "descriptor", "query", "cpu:0", "compute.unit",
                             **CPU)

    def test_live_descriptor_is_one_that_can_be_imported(self):
        text = self.expect(0, "descriptor", "show", "cpu:0", "--json", **CPU).stdout
        path = self.write("live.json", text)
        document = self.expect_json("halyard.descriptor_check/1", "descriptor", "check", path)
        self.assertEqual(document["documents"][0]["id"], "live/cpu-0")


class Facts(command_fixture.CommandTest):
    def facts(self, *arguments):
        return self.expect(0, "descriptor", "show", *arguments, "--for-model").stdout

    def test_gemm_on_a_target_with_matrix_instructions(self):
        text = self.facts("amd/gfx1100", "--contract", "gemm")
        for words in ["amdgcn-gfx1100", "V_WMMA_F32_16X16X16_F16", "row lane % 16",
                      "GLOBAL_LOAD_B128", "S_WAITCNT", "per_simd 1536", "VOP3P: 64 bits"]:
            self.assertIn(words, text)
        self.assertNotIn("IMAGE_SAMPLE", text)
        self.assertIn("not listed, since gemm does not need them", text.splitlines()[-1])
        self.assertEqual(text, self.facts("amd/gfx1100", "--contract", "gemm"))

    def test_norm_gets_other_instructions(self):
        text = self.facts("amd/gfx942", "--contract", "rms_norm")
        for words in ["V_RSQ_F32", "DS_BPERMUTE_B32", "GLOBAL_LOAD_DWORDX4"]:
            self.assertIn(words, text)
        self.assertNotIn("\nV_MFMA", text)

    def test_budget_is_kept(self):
        for tokens in [800, 2000, 5000]:
            text = self.facts("amd/gfx1100", "--contract", "gemm", "--budget-tokens", str(tokens))
            self.assertLessEqual(len(text.encode()), 4 * tokens)
            self.assertIn(f"Left out for the budget of {tokens} tokens", text.splitlines()[-1])
        self.expect_sentence(2, "The budget of 20 tokens", "descriptor", "show", "amd/gfx1100",
                             "--for-model", "--budget-tokens", "20")

    def test_every_shipped_target_has_facts_for_every_contract(self):
        listed = json.loads(self.expect(0, "descriptor", "list", "--json").stdout)
        for entry in listed["descriptors"]:
            for contract in ["gemm", "attention_decode_paged"]:
                text = self.facts(entry["id"], "--contract", contract)
                self.assertIn(entry["id"], text.splitlines()[0])

    def test_json_holds_the_text(self):
        document = self.expect_json("halyard.descriptor_facts/1", "descriptor", "show",
                                    "amd/gfx1201", "--for-model", "--contract", "gemm")
        self.assertEqual(document["text"], self.facts("amd/gfx1201", "--contract", "gemm"))


if __name__ == "__main__":
    unittest.main()
