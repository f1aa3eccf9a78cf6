# SPDX-License-Identifier: Apache-2.0
"""descriptor import and check."""

import json
import lzma
import os
import pathlib
import random
import resource
import signal
import subprocess
import time
import unittest
import zipfile

import command_fixture

# Of the README beside the reconstructed files.
COUNTS = {
    "amd/rdna3_5": {"encodings": 47, "instructions": 1228, "instruction_encodings": 5078,
                    "data_formats": 46, "operand_types": 31},
    "amd/rdna4": {"encodings": 46, "instructions": 1269, "instruction_encodings": 5042,
                  "data_formats": 66, "operand_types": 36},
    "amd/cdna4": {"encodings": 33, "instructions": 1248, "instruction_encodings": 2576,
                  "data_formats": 73, "operand_types": 31},
}
SMALL_XML = """<Spec>
  <Document><ReleaseDate>2026-01-02</ReleaseDate><SchemaVersion>1.1.1</SchemaVersion></Document>
  <ISA>
    <Architecture><ArchitectureName>AMD RDNA 4</ArchitectureName></Architecture>
    <Encodings>
      <Encoding Order="1">
        <EncodingName>ENC_SOPP</EncodingName>
        <BitCount>32</BitCount>
        <EncodingIdentifierMask Radix="2">11111111111111110000000000000000</EncodingIdentifierMask>
        <EncodingIdentifiers>
          <EncodingIdentifier Radix="2">10111111100000000000000000000000</EncodingIdentifier>
        </EncodingIdentifiers>
        <EncodingConditions/>
        <MicrocodeFormat><BitMap>
          <Field IsConditional="false"><FieldName>OP</FieldName><BitLayout RangeCount="1">
            <Range Order="0"><BitCount>7</BitCount><BitOffset>16</BitOffset></Range>
          </BitLayout></Field>
        </BitMap></MicrocodeFormat>
      </Encoding>
    </Encodings>
    <Instructions>
      <Instruction>
        <InstructionName>NAME</InstructionName>
        <InstructionEncodings><InstructionEncoding>
          <EncodingName>ENC_SOPP</EncodingName><EncodingCondition>default</EncodingCondition>
          <Opcode Radix="10">0</Opcode><Operands/>
        </InstructionEncoding></InstructionEncodings>
      </Instruction>
    </Instructions>
    <DataFormats/><OperandTypes/>
  </ISA>
</Spec>
"""


def test_data():
    folder = os.environ.get("HALYARD_TEST_DATA")
    return pathlib.Path(folder) / "isa-xml" / "reconstructed" if folder else None


class ImportTest(command_fixture.CommandTest):
    def imported(self):
        """The files below the folder of imports, without the lock."""
        folder = self.folder / ".local/share/halyard/descriptors"
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*")
                      if path.is_file() and path.name != ".lock")

    def import_file(self, path):
        return self.expect_json("halyard.descriptor_import/1", "descriptor", "import", path)

    def stored(self, name):
        return json.loads(self.expect(0, "descriptor", "show", name, "--json").stdout)


class SmallImports(ImportTest):
    def small(self, name, instruction="S_NOP"):
        return self.write(name, SMALL_XML.replace("NAME", instruction))

    def names(self):
        return [one["name"] for one in self.stored("amd/rdna4")["instructions"]]

    def test_import_stands_over_what_is_shipped(self):
        shipped = self.expect_json("halyard.descriptor_list/1", "descriptor", "list")
        document = self.import_file(self.small("rdna4.xml"))
        self.assertEqual(document["documents"][0]["id"], "amd/rdna4")
        self.assertFalse(document["documents"][0]["replaced"])
        self.assertEqual(self.imported(), ["amd/rdna4.instruction_set.json"])
        listed = self.expect_json("halyard.descriptor_list/1", "descriptor", "list")
        self.assertEqual(len(listed["instruction_sets"]), len(shipped["instruction_sets"]))
        entry = {one["id"]: one for one in listed["instruction_sets"]}["amd/rdna4"]
        self.assertEqual((entry["origin"], entry["basis"]), ("imported", "imported"))
        self.assertIn("S_NOP", self.names())

    def test_check_stores_nothing(self):
        path = self.small("rdna4.xml")
        document = self.expect_json("halyard.descriptor_check/1", "descriptor", "check", path)
        self.assertEqual(document["documents"][0]["counts"]["instructions"], 1)
        self.assertEqual(self.imported(), [])
        text = self.expect(0, "descriptor", "check", path).stdout
        self.assertIn("1 instructions", text)
        self.assertIn("amd/rdna4", text)

    def test_zip_replaces_all_or_nothing(self):
        path = str(self.folder / "isa.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("isa/amdgpu_isa_rdna4.xml", SMALL_XML.replace("NAME", "S_NOP"))
            archive.writestr("isa/amdgpu_isa_rdna3.xml", SMALL_XML.replace("RDNA 4", "RDNA 3"))
        ids = [one["id"] for one in self.import_file(path)["documents"]]
        self.assertEqual(sorted(ids), ["amd/rdna3", "amd/rdna4"])
        before = self.imported()
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("amdgpu_isa_rdna4.xml", SMALL_XML.replace("NAME", "S_OTHER"))
            archive.writestr("amdgpu_isa_rdna3.xml", SMALL_XML[:500])
        self.expect_sentence(1, "amdgpu_isa_rdna3.xml", "descriptor", "import", path)
        self.assertEqual(self.imported(), before)
        self.assertNotIn("S_OTHER", self.names())

    def test_file_that_cannot_be_read_leaves_the_earlier_import(self):
        self.import_file(self.small("rdna4.xml"))
        for name, text in {"half.xml": SMALL_XML[:700], "empty.xml": "", "x.json": "{}",
                           "list.json": "[1]", "doctype.xml": "<!DOCTYPE x>" + SMALL_XML,
                           "deep.xml": "<a>" * 1000000, "binary": "\x01\x02\x03"}.items():
            path = self.write(name, text)
            for verb in ["import", "check"]:
                self.expect_sentence(1, name, "descriptor", verb, path)
            self.assertEqual(self.imported(), ["amd/rdna4.instruction_set.json"])
        self.assertIn("S_NOP", self.names())
        self.expect_sentence(1, "none.xml", "descriptor", "import", "none.xml")
        self.expect_sentence(1, str(self.folder), "descriptor", "import", str(self.folder))

    def test_full_disk_leaves_the_earlier_import(self):
        self.import_file(self.small("rdna4.xml"))
        path = self.small("other.xml", "S_OTHER")

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

        done = subprocess.run([command_fixture.COMMAND, "descriptor", "import", path],
                              capture_output=True, text=True, check=False, preexec_fn=no_room,
                              restore_signals=False, timeout=command_fixture.TIMEOUT_S,
                              env=self.environment({}))
        self.assertEqual(done.returncode, 1)
        self.assertIn("File too large", done.stderr)
        self.assertEqual(self.imported(), ["amd/rdna4.instruction_set.json"])
        self.assertIn("S_NOP", self.names())

    def test_two_imports_at_once_both_succeed(self):
        paths = [self.small("a.xml", "S_ONE"), self.small("b.xml", "S_TWO")]
        running = [subprocess.Popen([command_fixture.COMMAND, "descriptor", "import", path],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                    env=self.environment({})) for path in paths * 4]
        for process in running:
            self.assertEqual(process.wait(command_fixture.TIMEOUT_S), 0, process.stderr.read())
            process.stderr.close()
        self.assertEqual(self.imported(), ["amd/rdna4.instruction_set.json"])
        self.assertTrue({"S_ONE", "S_TWO"} & set(self.names()))

    def test_document_of_ours_is_imported_and_checked(self):
        document = self.stored("amd/gfx1100")
        document["name"] = "Mine"
        self.import_file(self.write("mine.json", json.dumps(document)))
        self.assertEqual(self.stored("gfx1100")["name"], "Mine")
        document["capabilities"]["no.such.key"] = {"value": 1, "unit": "x", "origin": "documented"}
        path = self.write("wrong.json", json.dumps(document))
        self.expect_sentence(1, "no.such.key", "descriptor", "import", path)
        self.assertEqual(self.stored("gfx1100")["name"], "Mine")

    def test_without_a_home_import_says_why(self):
        self.expect_sentence(1, "XDG_DATA_HOME", "descriptor", "import", self.small("rdna4.xml"),
                             HOME=None)


class ReconstructedFiles(ImportTest):
    """The large files that were rebuilt from tables; without them, the small ones above are all."""

    def setUp(self):
        super().setUp()
        self.data = test_data()
        if self.data is None:
            print("[ LEFT OUT ] Large instruction sets are not imported. "
                  "(HALYARD_TEST_DATA is not set.)")
            self.skipTest("HALYARD_TEST_DATA is not set")

    def unpack(self, name):
        packed = self.data / f"amdgpu_isa_{name}.xml.xz"
        return lzma.decompress(packed.read_bytes())

    def make_zip(self):
        path = self.folder / "AMD_GPU_MR_ISA_XML.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in ["rdna3_5", "rdna4", "cdna4"]:
                archive.writestr(f"amdgpu_isa_{name}.xml", self.unpack(name))
        return str(path)

    def test_zip_is_imported_with_the_known_counts(self):
        path = self.make_zip()
        for verb, form in [("check", "check"), ("import", "import")]:
            document = self.expect_json(f"halyard.descriptor_{form}/1", "descriptor", verb, path)
            counts = {one["id"]: one["counts"] for one in document["documents"]}
            self.assertEqual(counts, COUNTS)
            self.assertEqual({one["basis"] for one in document["documents"]}, {"reconstructed"})
        listed = self.expect_json("halyard.descriptor_list/1", "descriptor", "list")
        entries = {one["id"]: one for one in listed["instruction_sets"]}
        for name in COUNTS:
            self.assertEqual((entries[name]["origin"], entries[name]["basis"]),
                             ("imported", "reconstructed"))
        both = self.expect_json("halyard.descriptor_diff/1", "descriptor", "diff", "rdna3_5",
                                "rdna4")
        self.assertIn("S_WAIT_LOADCNT", both["only_right"])
        self.assertIn("S_WAITCNT_VSCNT", both["only_left"])
        self.assertTrue(both["opcodes"])
        text = self.expect(0, "descriptor", "show", "amd/gfx1201", "--for-model", "--contract",
                           "gemm").stdout
        self.assertIn("From amd/rdna4 (reconstructed).", text)

    def test_truncated_file_leaves_the_earlier_import(self):
        whole = self.unpack("rdna4")
        path = self.folder / "amdgpu_isa_rdna4.xml"
        path.write_bytes(whole)
        self.import_file(str(path))
        before = self.stored("amd/rdna4")
        for part in [len(whole) - 10, len(whole) // 2, 1000]:
            path.write_bytes(whole[:part])
            self.expect_sentence(1, "amdgpu_isa_rdna4.xml", "descriptor", "import", str(path))
        self.assertEqual(self.stored("amd/rdna4"), before)

    def test_killed_import_leaves_the_old_or_the_new(self):
        whole = self.unpack("rdna4")
        paths = []
        for name, found in [("a", b"S_NOP"), ("b", b"S_NEW")]:
            paths.append(self.folder / name / "amdgpu_isa_rdna4.xml")
            paths[-1].parent.mkdir()
            paths[-1].write_bytes(whole.replace(b"<InstructionName>S_NOP<",
                                                b"<InstructionName>" + found + b"<"))
        documents = []
        for path in reversed(paths):
            started = time.monotonic()
            self.import_file(str(path))
            needed = time.monotonic() - started
            documents.insert(0, self.stored("amd/rdna4"))
        self.assertNotEqual(*documents)
        chance = random.Random(1)
        current = 0
        replaced = 0
        for _ in range(20):
            process = subprocess.Popen(
                [command_fixture.COMMAND, "descriptor", "import", str(paths[1 - current])],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment({}))
            time.sleep(chance.uniform(0.5, 1.1) * needed)
            process.kill()
            process.wait()
            found = self.stored("amd/rdna4")
            self.assertIn(found, documents)
            replaced += found != documents[current]
            current = documents.index(found)
        self.import_file(str(paths[0]))
        self.assertEqual(self.imported(), ["amd/rdna4.instruction_set.json"])
        print(f"Of 20 imports that were killed, {replaced} had taken place.")


if __name__ == "__main__":
    unittest.main()
