#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the instruction table of an architecture from that of a neighbour.

  derive_instruction_set.py --names ISA_JSON --writer PROGRAM [--llvm-mc PROGRAM] [NAME ...]

ISA_JSON is data/isa.json of github.com/boopdotpng/amdgpu-lsp at 457b7e1a (or the same as .xz): which
names each architecture has. PROGRAM of --writer is halyard_instruction_tables. The neighbours are
the reconstructed tables in capability-descriptors/data/amd/, where the new ones are written.

LLVM's disassembler, version 19, is asked for every opcode of every encoding, with fields that make
each condition true. An instruction that it names gets that opcode, and the operands that the
neighbour's form has. What it does not name, or what no table gives operands for, is left out and
listed in the member "unresolved"."""

import argparse
import collections
import copy
import json
import lzma
import pathlib
import re
import subprocess
import sys
import tempfile

import encoding_bits
import llvm_decode
from derived_architectures import ALIKE, ARCHITECTURES, MODES, NOT_SHOWN, SHOWN
from instruction_table import Form, Table, write

DATA = pathlib.Path(__file__).resolve().parents[2] / "capability-descriptors/data/amd"
SAME_ENCODING = {"ENC_FLAT_GLBL": "ENC_FLAT_GLOBAL", "MIMG_NSA1": "ENC_MIMG",
                 "MIMG_NSA2": "ENC_MIMG", "MIMG_NSA3": "ENC_MIMG"}


def read_names(path, key):
    text = lzma.open(path).read() if path.suffix == ".xz" else path.read_bytes()
    return {r["name"] for r in json.loads(text) if key in r["architectures"]}


def make_encodings(base, others, architecture):
    """The neighbour's encodings with what differs."""
    own = {e["name"]: copy.deepcopy(e) for e in architecture.get("encodings", [])}
    made = []
    for encoding in base.document["encodings"]:
        if encoding["name"] in architecture.get("without", []):
            continue
        made.append(own.pop(encoding["name"], None) or copy.deepcopy(encoding))
    made += [copy.deepcopy(others[t].encodings[e]) for t, e in architecture.get("take", [])]
    made += own.values()
    for encoding in made:
        renamed = architecture.get("fields", {}).get(encoding["name"], {})
        encoding["fields"] = [f | {"name": renamed.get(f["name"], f["name"])}
                              for f in encoding["fields"]
                              if renamed.get(f["name"], f["name"]) is not None]
        changed = architecture.get("conditions", {}).get(encoding["name"], {})
        encoding["conditions"] = [[n, changed.get(n, e)] for n, e in encoding["conditions"]]
    return {e["name"]: e for e in made}


class Probe:
    """Asks LLVM for the instructions of encodings."""

    def __init__(self, decoder, known):
        self.decoder = decoder
        self.known = known  # from LLVM's name to ours, or None

    def opcodes(self, encoding, expression):
        """{(part, opcode): (name, dwords, text)} for one condition of an encoding."""
        values = encoding_bits.values_for(encoding, expression)
        if values is None:
            return {}
        parts = encoding_bits.opcode_fields(encoding)
        fields = {f["name"] for f in encoding["fields"]}
        usual = {n: encoding_bits.USUAL.get(n, 0) for n in fields}
        found = {}
        for part, names in enumerate(parts):
            wanted = list(range(1 << encoding_bits.width(encoding, names)))
            asked = []
            for other in encoding_bits.OTHERS:
                tried = {k: v for k, v in (other | values).items() if k in fields}
                full = usual | tried
                if full in asked or not encoding_bits.condition_holds(expression, full):
                    continue
                asked.append(full)
                wanted = self._ask(encoding, parts, part, tried, wanted, found)
        return found

    def _ask(self, encoding, parts, part, values, wanted, found):
        candidates = []
        for opcode in wanted:
            # The other half of a pair is V_DUAL_ADD_F32.
            opcodes = [(names, opcode if i == part else 4) for i, names in enumerate(parts)]
            candidates.append(encoding_bits.assemble(encoding, opcodes, values))
        missing = []
        for opcode, dwords, text in zip(wanted, candidates, self.decoder.decode(candidates)):
            halves = (text or "").split("::")
            name = self.known(llvm_decode.name_of(halves[part])) if len(halves) == len(
                parts) and text else None
            if name is None:
                missing.append(opcode)
            else:
                found[part, opcode] = (name, dwords, text)
        return missing


def mfma_operands(base, name, text):
    """Of a matrix instruction that no table has: the widths are those of LLVM's text."""
    match = re.fullmatch(r"V_MFMA_([FI]\d+)_\d+X\d+X\d+(?:_\d+B_)?(B?[FI]\d+)(?:_1K)?", name)
    registers = re.findall(r"[av](?:\[(\d+):(\d+)\]|\d+)", text.split(" ", 1)[1])[:4]
    if match is None or len(registers) < 3:
        return None
    bits = [32 * (int(last) - int(first) + 1) if first else 32 for first, last in registers]
    bits += bits[:1] * (4 - len(bits))
    formats = {f["name"] for f in base.document["data_formats"]}

    def operand(field, kind, bits, number_type, flags):
        count = bits // int(number_type.lstrip("BFI"))
        packed = f"FMT_NUM_{number_type}" if count == 1 else f"FMT_NUM_PK{count}_{number_type}"
        return (field, packed if packed in formats else "FMT_ANY", kind, bits, flags)
    return (operand("VDST", "OPR_VGPR_OR_ACCVGPR", bits[0], match[1], "om"),
            operand("SRC0", "OPR_SRC_VGPR_OR_ACCVGPR", bits[1], match[2], "im"),
            operand("SRC1", "OPR_SRC_VGPR_OR_ACCVGPR", bits[2], match[2], "im"),
            operand("SRC2", "OPR_SRC_VGPR_OR_ACCVGPR_OR_CONST", bits[3], match[1], "im"))


def alike(name):
    """The name of an instruction with the same operands, or the name itself."""
    for pattern, replacement in ALIKE:
        match = re.fullmatch(pattern, name)
        if match:
            return match.expand(replacement)
    return name


class Donors:
    """Gives the operands of forms."""

    def __init__(self, base, others, encodings, architecture):
        self.base = base
        self.others = others
        self.encodings = encodings
        self.operand_types = architecture.get("operand_types", {})
        self.renamed = architecture.get("fields", {})
        self.accumulators = architecture.get("accumulators", {})
        self.cmpx_type = architecture.get("cmpx_type")

    def forms(self, name, encoding, condition, part):
        """(table, form) of the first table that has some; of an instruction alike, else."""
        given = self._forms_of(name, encoding, condition, part)
        return given or self._forms_of(alike(name), encoding, condition, part)

    def _forms_of(self, name, encoding, condition, part):
        wanted = [(encoding, condition)]
        if encoding in SAME_ENCODING:
            wanted.append((SAME_ENCODING[encoding], "default"))
        for table in [self.base, *self.others.values()]:
            for place in wanted:
                forms = [f for f in table.forms.get(name, [])
                         if (f.encoding, f.condition) == place and self._is_part(f, part)]
                if forms:
                    return [(table, f) for f in forms]
        return self._literal_forms(name, encoding, condition)

    @staticmethod
    def _is_part(form, part):
        second = {"VDSTY", "SRCY0", "VSRCY1"} & {o[0] for o in form.operands}
        return bool(second) == bool(part) or not form.encoding.startswith("VOPD")

    def _literal_forms(self, name, encoding, condition):
        """Made from the form without literal: the sources that are 255 are the literal."""
        if not encoding.endswith("_INST_LITERAL") or condition == "default":
            return []
        plain = next((e for e in self.encodings
                      if e in ("ENC_" + encoding[:-13], encoding[:-13])), None)
        # Where the neighbour has the plain form, it has all there are.
        if plain is None or any(f.encoding == plain for f in self.base.forms.get(name, [])):
            return []
        expression = dict(self.encodings[encoding]["conditions"])[condition]
        values = encoding_bits.values_for(self.encodings[encoding], expression)
        literal = {k for k, v in values.items() if v == 255}
        return [(t, f._replace(operands=tuple(("LITERAL", *o[1:]) if o[0] in literal else o
                                              for o in f.operands)))
                for t, f in self._forms_of(name, plain, "default", 0)]

    def operands(self, name, form, encoding):
        """The operands of a form for one of our encodings, or None where it lacks a field."""
        fields = {f["name"] for f in self.encodings[encoding]["fields"]}
        renamed = self.renamed.get(encoding, {})
        operands = []
        for field, data_format, kind, bits, flags in form.operands:
            field = renamed.get(field, field)
            if field is not None and field not in fields:
                return None
            kind = self.operand_types.get(kind, kind)
            if name.startswith("V_CMPX") and flags.startswith("o") and "EXEC" not in kind:
                kind = self.cmpx_type or kind
            if encoding == "VOP3P_MFMA":
                kind = self.accumulators.get(field, kind)
            operands.append((field, data_format, kind, bits, flags))
        return tuple(operands)


class Derivation:
    def __init__(self, key, names, llvm_mc):
        self.key = key
        self.architecture = ARCHITECTURES[key]
        self.base = Table.load(DATA / f"{self.architecture['base']}.instruction_set.json")
        self.others = {t: Table.load(DATA / f"{t}.instruction_set.json")
                       for t in self.architecture["others"]}
        # The neighbour's own names count too, where LLVM has them on the target.
        self.listed = names
        self.names = names | set(self.base.instructions)
        self.encodings = make_encodings(self.base, self.others, self.architecture)
        self.donors = Donors(self.base, self.others, self.encodings, self.architecture)
        self.probe = Probe(llvm_decode.Decoder(llvm_mc, self.architecture["target"]), self.known)
        self.forms = collections.defaultdict(list)
        self.shown = {}        # encoding: {name: dwords} of some instruction
        self.confirmed = 0     # forms with the neighbour's opcode
        self.moved = 0         # forms with another opcode
        self.without_operands = collections.defaultdict(list)

    def known(self, name):
        name = self.architecture.get("renamed", {}).get(name, name)
        return name if name in self.names else None

    def run(self):
        for encoding in self.encodings.values():
            if not encoding.get("identifiers"):
                continue
            for condition, expression in encoding["conditions"] or [["default", "1"]]:
                found = self.probe.opcodes(encoding, expression)
                self.shown.setdefault(encoding["name"], {}).update(
                    {text: dwords for _, dwords, text in found.values()})
                for (part, opcode), (name, _, text) in sorted(found.items()):
                    self._take(encoding["name"], condition, part, opcode, (name, text))
        self._identify()

    def _take(self, encoding, condition, part, opcode, named):
        name, text = named
        given = self.donors.forms(name, encoding, condition, part)
        if not given and encoding == "VOP3P_MFMA":
            operands = mfma_operands(self.base, name, text)
            given = [(None, Form(encoding, condition, opcode, 0, operands))] if operands else []
        for table, form in given:
            operands = self.donors.operands(name, form, encoding)
            if operands is None:
                given = []
                break
            same = table is self.base and form.opcode == opcode and form.encoding == encoding
            self.confirmed += same
            self.moved += not same
            self.forms[name].append(Form(encoding, condition, opcode, 0, operands))
        if not given:
            self.without_operands[name].append(f"{encoding} {opcode}")

    def _identify(self):
        """Leaves out encodings that no instruction has, and lists the opcodes of the others."""
        opcodes = collections.defaultdict(set)
        for forms in self.forms.values():
            for form in forms:
                parts = encoding_bits.opcode_fields(self.encodings[form.encoding])
                second = any(o[0] in ("VDSTY", "SRCY0", "VSRCY1") for o in form.operands)
                opcodes[form.encoding].add((tuple(parts[len(parts) - 1 if second else 0]),
                                            form.opcode))
        for name, encoding in list(self.encodings.items()):
            if name not in opcodes:
                del self.encodings[name]
                continue
            encoding["identifiers"] = encoding_bits.identifiers_of(encoding, opcodes[name])

    def fields_not_shown(self):
        """Fields of encodings that differ from the neighbour's, of which LLVM shows no trace."""
        changed = set(self.architecture.get("fields", {}))
        changed |= {e["name"] for e in self.architecture.get("encodings", [])}
        missing = []
        for name in sorted(changed & set(self.encodings)):
            encoding = self.encodings[name]
            for field in encoding["fields"]:
                place = f"{name}.{field['name']}"
                if place not in NOT_SHOWN and not self._is_shown(encoding, field):
                    missing.append(place)
        return missing

    def _is_shown(self, encoding, field):
        if field["name"] in SHOWN:
            value, pattern = 1, rf"\b{SHOWN[field['name']]}\b"
        elif re.fullmatch(r"(V?ADDR\d*|VDATA|V?DATA\d?|VDST|VSRC\d?)", field["name"]):
            value, pattern = 20, r"\b[va](?:20\b|\[20:)"
        elif field["name"] in ("SADDR", "SOFFSET", "SDATA", "SBASE", "SRSRC", "SSAMP"):
            value = 20 >> field.get("padding", [0])[0]
            pattern = r"\bs(?:20\b|\[20:)"
        else:
            return True  # ENCODING, OP and numbers
        tried = []
        for first in self.shown[encoding["name"]].values():
            for mode in MODES:
                dwords = list(first)
                for name, setting in (mode | {field["name"]: value}).items():
                    entry = encoding_bits.field(encoding, name)
                    if entry is not None:
                        encoding_bits.put(dwords, entry, setting)
                tried.append(dwords)
        return any(re.search(pattern, text or "") for text in self.probe.decoder.decode(tried))

    def left_out(self):
        """(name, sentence) for each name of the architecture that the table lacks."""
        for name in sorted(self.listed - set(self.forms)):
            if name in self.without_operands:
                yield name, (f"LLVM 19 has it on {self.architecture['target']} as "
                             f"{', '.join(self.without_operands[name][:3])}; no table gives its "
                             "operands, and it is left out.")
            elif not self.architecture.get("names_of_another"):
                yield name, (f"LLVM 19 has no such instruction on {self.architecture['target']} in "
                             "the encodings of this table; it is left out.")

    def operand_types(self):
        """Those that the operands name, from the first table that has them."""
        named = {o[2] for forms in self.forms.values() for f in forms for o in f.operands}
        types = {}
        for table in [self.base, *self.others.values()]:
            for entry in table.document["operand_types"]:
                if entry["name"] in named:
                    types.setdefault(entry["name"], copy.deepcopy(entry))
        accumulator = self.architecture.get("accumulators", {}).get("SRC2")
        if accumulator:
            types[accumulator] = self._accumulator_type(accumulator)
        for name, fields in self.architecture.get("operand_fields", {}).items():
            types[name]["fields"] = [{"name": n, "bits": bits} for n, bits in fields]
        if self.architecture.get("swap_null_and_m0"):
            swapped = {"null": 125, "m0": 124}
            for entry in types.values():
                if entry.get("values"):
                    entry["values"] = [[n, swapped.get(n, v)] for n, v in entry["values"]]
        return list(types.values())

    def _accumulator_type(self, name):
        """Of a source that is an accumulation register or a constant."""
        of_either = next(t for t in self.base.document["operand_types"]
                         if t["name"] == "OPR_SRC_VGPR_OR_ACCVGPR_OR_CONST")
        return {"name": name, "registers": [["acc", 0, 256, 256]], "values": of_either["values"]}

    def data_formats(self):
        named = {o[1] for forms in self.forms.values() for f in forms for o in f.operands}
        formats = {}
        for table in [self.base, *self.others.values()]:
            for entry in table.document["data_formats"]:
                if entry["name"] in named:
                    formats.setdefault(entry["name"], entry)
        return list(formats.values())

    def instructions(self):
        """(heading, forms), in the order of the neighbour, then by name."""
        headings = {}
        for table in [self.base, *self.others.values()]:
            for name, entry in table.instructions.items():
                headings.setdefault(name, entry)
        order = {name: i for i, name in enumerate(self.base.instructions)}
        for name in sorted(self.forms, key=lambda n: (order.get(n, len(order)), n)):
            matrix = {"group": "VALU", "subgroups": ["MFMA"]}
            heading = headings.get(name) or headings.get(alike(name), matrix) | {"name": name}
            yield heading, self.forms[name]

    def write(self, path):
        base = self.base.document
        left_out = list(self.left_out())
        forms = sum(len(f) for f in self.forms.values())
        heading = {
            "format": base["format"], "id": f"amd/{self.key}",
            "architecture": self.architecture["architecture"], "basis": "derived",
            "note": f"Derived from the reconstructed table of {base['architecture']}, and not AMD's. "
                    f"LLVM 19 on {self.architecture['target']} confirms each of the {forms} forms of "
                    f"{len(self.forms)} instructions, {self.confirmed} with the neighbour's opcode "
                    f"and {self.moved} with one of their own; operands are the neighbour's. "
                    f"{len(left_out)} names that amdgpu-lsp lists are left out, "
                    f"{len(set(self.forms) - self.listed)} that it does not list are in. Import "
                    "AMD's own file to replace it.",
            "sources": base["sources"] + [
                {"title": "amdgpu-lsp 457b7e1a, data/isa.json", "licence": "MIT"},
                {"title": f"LLVM 19.1.7, llvm-mc -mcpu={self.architecture['target']}"}],
            "corrections": [],
        }
        if "architecture_id" in self.architecture:
            heading["architecture_id"] = self.architecture["architecture_id"]
        tables = {"data_formats": self.data_formats(), "operand_types": self.operand_types(),
                  "encodings": list(self.encodings.values()),
                  "unknown_flags": base["unknown_flags"],
                  "unresolved": [[what, f"/instructions/{name}"] for name, what in left_out]}
        write(path, heading, tables, self.instructions())
        return left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=pathlib.Path, required=True)
    parser.add_argument("--writer", required=True)
    parser.add_argument("--llvm-mc", default="llvm-mc-19")
    parser.add_argument("name", nargs="*", metavar="NAME", default=list(ARCHITECTURES))
    options = parser.parse_args()
    for key in options.name:
        names = read_names(options.names, ARCHITECTURES[key]["names"])
        derivation = Derivation(key, names, options.llvm_mc)
        derivation.run()
        missing = derivation.fields_not_shown()
        if missing:
            sys.exit(f"{key}: LLVM shows no trace of {', '.join(missing)}.")
        with tempfile.TemporaryDirectory() as folder:
            rough = pathlib.Path(folder) / "table.json"
            left_out = derivation.write(rough)
            subprocess.run([options.writer, str(rough),
                            str(DATA / f"{key}.instruction_set.json")], check=True)
        print(f"{key}: {len(derivation.forms)} instructions, {derivation.confirmed} forms as the "
              f"neighbour's, {derivation.moved} others, {len(left_out)} names left out")


if __name__ == "__main__":
    main()
