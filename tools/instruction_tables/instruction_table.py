# SPDX-License-Identifier: Apache-2.0
"""Instruction sets as derive_instruction_set.py sees them: forms with names in place of indices."""

import collections
import json

# `operands` are (field, data format, operand type, bits, flags), as in the document.
Form = collections.namedtuple("Form", "encoding condition opcode part operands")


class Table:
    """A "halyard.instruction_set/1" document."""

    def __init__(self, document):
        self.document = document
        self.encodings = {e["name"]: e for e in document["encodings"]}
        self.instructions = {i["name"]: i for i in document["instructions"]}
        self.forms = {name: list(self._forms(i)) for name, i in self.instructions.items()}

    @classmethod
    def load(cls, path):
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def _forms(self, instruction):
        operands = self.document["operands"]
        lists = [tuple(tuple(operands[o]) for o in entry) for entry in instruction["operands"]]
        for encoding, opcode, part, *pairs in instruction["forms"]:
            conditions = self.encodings[encoding]["conditions"]
            for condition, entry in zip(pairs[::2], pairs[1::2]):
                # CDNA 4 names a default that some encodings do not list.
                name = "default" if condition is None else conditions[condition][0]
                yield Form(encoding, name, opcode, part, lists[entry])


def write(path, heading, tables, instructions):
    """Writes a document; `instructions` are (heading, forms) and `tables` its other members."""
    operands = {}
    conditions = {e["name"]: [c[0] for c in e["conditions"]] for e in tables["encodings"]}
    written = []
    for instruction, forms in instructions:
        lists = {}
        entries = []
        for form in forms:
            entry = tuple(operands.setdefault(o, len(operands)) for o in form.operands)
            known = conditions[form.encoding]
            condition = known.index(form.condition) if form.condition in known else None
            entries.append([form.encoding, form.opcode, form.part, condition,
                            lists.setdefault(entry, len(lists))])
        keep = ("name", "assembly_name", "aliases", "group", "subgroups", "flags", "unknown_flags")
        written.append({k: instruction[k] for k in keep if k in instruction} |
                       {"operands": [list(entry) for entry in lists], "forms": entries})
    document = heading | tables | {"operands": [list(o) for o in operands],
                                   "instructions": written}
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
