# SPDX-License-Identifier: Apache-2.0
"""Instruction sets and corrections follow their JSON schemas, which refuse what is wrong; the tool
that derives tables assembles what it means to."""

import copy
import json
import pathlib
import sys
import unittest

import jsonschema

ROOT = pathlib.Path(sys.argv.pop(1))
DATA = ROOT / "capability-descriptors/data/amd"
SCHEMAS = ROOT / "capability-descriptors/schema"
sys.path.insert(0, str(ROOT / "tools/instruction_tables"))
import derived_architectures  # noqa: E402
import encoding_bits  # noqa: E402
import llvm_decode  # noqa: E402
from instruction_table import Table  # noqa: E402


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def validator(name):
    return jsonschema.Draft202012Validator(load(SCHEMAS / f"{name}.schema.json"))


class Documents(unittest.TestCase):
    def test_schemas_are_valid(self):
        for name in ("instruction_set", "isa_corrections"):
            jsonschema.Draft202012Validator.check_schema(load(SCHEMAS / f"{name}.schema.json"))

    def test_tables_follow_theirs(self):
        paths = sorted(DATA.glob("*.instruction_set.json"))
        self.assertEqual(9, len(paths))
        check = validator("instruction_set")
        for path in paths:
            with self.subTest(path.name):
                self.assertEqual([], [f"{e.json_path}: {e.message}"
                                      for e in check.iter_errors(load(path))])

    def test_corrections_follow_theirs(self):
        check = validator("isa_corrections")
        self.assertEqual([], [f"{e.json_path}: {e.message}"
                              for e in check.iter_errors(load(DATA / "corrections.json"))])

    def test_faults_are_refused(self):
        def refused(name, document, change):
            changed = copy.deepcopy(document)
            change(changed)
            return bool(list(validator(name).iter_errors(changed)))

        small = load(DATA / "cdna4.instruction_set.json")
        small["instructions"] = small["instructions"][:2]
        small["operands"] = small["operands"][:2]
        small["encodings"] = small["encodings"][:2]
        self.assertFalse(refused("instruction_set", small, lambda d: None))
        for change in (
                lambda d: d.update(basis="guessed"),
                lambda d: d.pop("encodings"),
                lambda d: d["encodings"][0].update(mask="ff"),
                lambda d: d["encodings"][0]["fields"][0].update(bits=[]),
                lambda d: d["instructions"][0].update(speed=1),
                lambda d: d["instructions"][0]["forms"].append(["ENC_DS", 1]),
                lambda d: d["operands"][0].append(1)):
            self.assertTrue(refused("instruction_set", small, change))
        corrections = load(DATA / "corrections.json")
        for change in (
                lambda d: d["corrections"][0].pop("source"),
                lambda d: d["corrections"][0].update(operations=[]),
                lambda d: d["corrections"][0]["operations"].append({"do": "wish"})):
            self.assertTrue(refused("isa_corrections", corrections, change))


class Derivation(unittest.TestCase):
    def encoding(self, table, name):
        return Table.load(DATA / f"{table}.instruction_set.json").encodings[name]

    def test_instructions_are_assembled(self):
        vop2 = self.encoding("rdna3_5", "ENC_VOP2")
        self.assertEqual([["OP"]], encoding_bits.opcode_fields(vop2))
        # v_add_f32 v2, v0, v3
        self.assertEqual([0x06040700], encoding_bits.assemble(
            vop2, [(["OP"], 3)], {"VDST": 2, "SRC0": 256, "VSRC1": 3}))
        literal = self.encoding("rdna3_5", "VOP2_INST_LITERAL")
        self.assertEqual([0x060406FF, 0x12345678], encoding_bits.assemble(
            literal, [(["OP"], 3)], {"VDST": 2, "SRC0": 255, "VSRC1": 3}))

    def test_conditions_are_met_by_few_values(self):
        literal = self.encoding("rdna3_5", "VOP3_INST_LITERAL")
        conditions = dict(literal["conditions"])
        self.assertEqual({"SRC1": 255},
                         encoding_bits.values_for(literal, conditions["has_lit_1"]))
        self.assertEqual({}, encoding_bits.values_for(literal, "1"))
        self.assertIsNone(encoding_bits.values_for(literal, "SRC1 == 7 && SRC1 == 255"))

    def test_opcode_may_have_two_fields(self):
        image = next(e for e in derived_architectures.GFX10_ENCODINGS if e["name"] == "ENC_MIMG")
        self.assertEqual([["OP", "OPM"]], encoding_bits.opcode_fields(image))
        dwords = encoding_bits.assemble(image, [(["OP", "OPM"], 0x80 | 5)], {"DMASK": 0})
        self.assertEqual(0xF0000000 | 5 << 18 | 1, dwords[0])

    def test_names_lose_the_suffix_of_the_encoding(self):
        for text, name in (("v_add_f32_e64_dpp v0, v1, v2", "V_ADD_F32"), ("s_nop 0", "S_NOP"),
                           ("v_mov_b32_sdwa v0, v1 dst_sel:DWORD", "V_MOV_B32")):
            self.assertEqual(name, llvm_decode.name_of(text))

    def test_tables_say_what_they_are(self):
        for name, architecture in derived_architectures.ARCHITECTURES.items():
            document = load(DATA / f"{name}.instruction_set.json")
            self.assertEqual("derived", document["basis"])
            self.assertIn(f"LLVM 19 on {architecture['target']} confirms each of the "
                          f"{self.forms(document)} forms of {len(document['instructions'])} "
                          "instructions", document["note"])

    @staticmethod
    def forms(document):
        return sum((len(f) - 3) // 2 for i in document["instructions"] for f in i["forms"])


if __name__ == "__main__":
    unittest.main()
