# SPDX-License-Identifier: Apache-2.0
"""What derive_instruction_set.py cannot learn of an architecture from its neighbour and from LLVM:
where the fields of encodings lie that differ. Each difference is tried on LLVM's disassembler."""

# LLVM's name: AMD's.
GFX9_NAMES = {
    "V_ACCVGPR_READ_B32": "V_ACCVGPR_READ", "V_ACCVGPR_WRITE_B32": "V_ACCVGPR_WRITE",
    "V_FMA_MIX_F32": "V_MAD_MIX_F32", "V_FMA_MIXLO_F16": "V_MAD_MIXLO_F16",
    "V_FMA_MIXHI_F16": "V_MAD_MIXHI_F16",
}

# Fields that another name, or none, has: {encoding: {name of the neighbour: name or None}}.
CDNA2_FIELDS = {
    "ENC_MUBUF": {"SC0": "GLC", "SC1": "SCC", "NT": "SLC"},
    "ENC_MTBUF": {"SC0": "GLC", "SC1": "SCC", "NT": "SLC"},
    "ENC_FLAT": {"SC0": "GLC", "SC1": "SCC", "NT": "SLC", "SVE": None, "SADDR": None},
    "ENC_FLAT_GLBL": {"SC0": "GLC", "SC1": "SCC", "NT": "SLC", "SVE": "LDS"},
    "ENC_FLAT_SCRATCH": {"SC0": "GLC", "SC1": "SCC", "NT": "SLC", "SVE": "LDS"},
}
GFX908_FIELDS = {
    "ENC_MUBUF": {"SC0": "GLC", "SC1": None, "NT": "SLC", "ACC": "TFE"},
    "ENC_MTBUF": {"SC0": "GLC", "SC1": None, "NT": "SLC", "ACC": "TFE"},
    "ENC_FLAT": {"SC0": "GLC", "SC1": None, "NT": "SLC", "ACC": "NV", "SVE": None,
                 "SADDR": None},
    "ENC_FLAT_GLBL": {"SC0": "GLC", "SC1": None, "NT": "SLC", "ACC": "NV", "SVE": "LDS"},
    "ENC_FLAT_SCRATCH": {"SC0": "GLC", "SC1": None, "NT": "SLC", "ACC": "NV", "SVE": "LDS"},
    "ENC_DS": {"ACC": None},
    "VOP3P_MFMA": {"ACC_CD": None},
}
# What matrix instructions add to lies in accumulation registers only.
GFX908_ACCUMULATORS = {"VDST": "OPR_ACCVGPR", "SRC2": "OPR_SRC_ACCVGPR_OR_CONST"}


def encoding(name, bits, first_dword, fields, order=100):
    """An encoding that no neighbour has. `fields` are (name, offset, count) and, where the value has
    zeros below, how many."""
    entries = []
    for field_name, offset, count, *padding in fields:
        entry = {"name": field_name, "bits": [[offset, count]]}
        if padding:
            entry["padding"] = [padding[0], 0]
        entries.append(entry)
    mask = 0
    for entry in entries:
        if entry["name"] in ("ENCODING", "OP", "OPM", "SEG"):
            for offset, count in entry["bits"]:
                mask |= ((1 << count) - 1) << offset if offset < 32 else 0
    names = [e["name"] for e in entries]
    opcodes = [[n for n in ("OP", "OPM") if n in names]] if "OP" in names else []
    return {"name": name, "order": order, "bits": bits, "mask": f"0x{mask:08x}",
            "identifiers": {"base": f"0x{first_dword:08x}", "shift": 0, "values": [0]},
            "fields": sorted(entries, key=lambda e: e["name"]), "opcodes": opcodes,
            "conditions": [["default", "1"]]}


GFX90A_MIMG = encoding("ENC_MIMG", 64, 0xF0000000, [
    ("ENCODING", 26, 6), ("DMASK", 8, 4), ("UNORM", 12, 1), ("GLC", 13, 1), ("DA", 14, 1),
    ("A16", 15, 1), ("LWE", 17, 1), ("OP", 18, 7), ("SLC", 25, 1), ("VADDR", 32, 8),
    ("VDATA", 40, 8), ("SRSRC", 48, 5, 2), ("SSAMP", 53, 5, 2), ("D16", 63, 1)])
GFX9_ENCODINGS = [
    encoding("ENC_MIMG", 64, 0xF0000000, [
        ("ENCODING", 26, 6), ("DMASK", 8, 4), ("UNORM", 12, 1), ("GLC", 13, 1), ("DA", 14, 1),
        ("A16", 15, 1), ("TFE", 16, 1), ("LWE", 17, 1), ("OP", 18, 7), ("SLC", 25, 1),
        ("VADDR", 32, 8), ("VDATA", 40, 8), ("SRSRC", 48, 5, 2), ("SSAMP", 53, 5, 2),
        ("D16", 63, 1)]),
    encoding("ENC_EXP", 64, 0xC4000000, [
        ("ENCODING", 26, 6), ("EN", 0, 4), ("TGT", 4, 6), ("COMPR", 10, 1), ("DONE", 11, 1),
        ("VM", 12, 1), ("VSRC0", 32, 8), ("VSRC1", 40, 8), ("VSRC2", 48, 8), ("VSRC3", 56, 8)]),
]


def gfx10_flat(name, segment):
    fields = [
        ("ENCODING", 26, 6), ("OFFSET", 0, 12), ("DLC", 12, 1), ("SEG", 14, 2), ("GLC", 16, 1),
        ("SLC", 17, 1), ("OP", 18, 7), ("ADDR", 32, 8), ("DATA", 40, 8), ("SADDR", 48, 7),
        ("VDST", 56, 8)]
    if segment != 0:
        fields.append(("LDS", 13, 1))
    return encoding(name, 64, 0xDC000000 | segment << 14, fields)


GFX10_ENCODINGS = [
    gfx10_flat("ENC_FLAT", 0), gfx10_flat("ENC_FLAT_SCRATCH", 1), gfx10_flat("ENC_FLAT_GLBL", 2),
    encoding("ENC_SMEM", 64, 0xF4000000, [
        ("ENCODING", 26, 6), ("SBASE", 0, 6, 1), ("SDATA", 6, 7), ("DLC", 14, 1), ("GLC", 16, 1),
        ("OP", 18, 8), ("OFFSET", 32, 21), ("SOFFSET", 57, 7)]),
    encoding("ENC_MUBUF", 64, 0xE0000000, [
        ("ENCODING", 26, 6), ("OFFSET", 0, 12), ("OFFEN", 12, 1), ("IDXEN", 13, 1), ("GLC", 14, 1),
        ("DLC", 15, 1), ("LDS", 16, 1), ("OP", 18, 7), ("OPM", 25, 1), ("VADDR", 32, 8),
        ("VDATA", 40, 8), ("SRSRC", 48, 5, 2), ("SLC", 54, 1), ("TFE", 55, 1), ("SOFFSET", 56, 8)]),
    encoding("ENC_MTBUF", 64, 0xE8000000, [
        ("ENCODING", 26, 6), ("OFFSET", 0, 12), ("OFFEN", 12, 1), ("IDXEN", 13, 1), ("GLC", 14, 1),
        ("DLC", 15, 1), ("OP", 16, 3), ("FORMAT", 19, 7), ("VADDR", 32, 8), ("VDATA", 40, 8),
        ("SRSRC", 48, 5, 2), ("OPM", 53, 1), ("SLC", 54, 1), ("TFE", 55, 1), ("SOFFSET", 56, 8)]),
    encoding("ENC_EXP", 64, 0xF8000000, [
        ("ENCODING", 26, 6), ("EN", 0, 4), ("TGT", 4, 6), ("COMPR", 10, 1), ("DONE", 11, 1),
        ("VM", 12, 1), ("VSRC0", 32, 8), ("VSRC1", 40, 8), ("VSRC2", 48, 8), ("VSRC3", 56, 8)]),
]


def gfx10_mimg(name, extra_dwords):
    fields = [
        ("ENCODING", 26, 6), ("OPM", 0, 1), ("NSA", 1, 2), ("DIM", 3, 3), ("DLC", 7, 1),
        ("DMASK", 8, 4), ("UNORM", 12, 1), ("GLC", 13, 1), ("R128", 15, 1), ("TFE", 16, 1),
        ("LWE", 17, 1), ("OP", 18, 7), ("SLC", 25, 1), ("VADDR", 32, 8), ("VDATA", 40, 8),
        ("SRSRC", 48, 5, 2), ("SSAMP", 53, 5, 2), ("A16", 62, 1), ("D16", 63, 1)]
    fields += [(f"ADDR{i + 1}", 64 + 8 * i, 8) for i in range(4 * extra_dwords)]
    made = encoding(name, 64 + 32 * extra_dwords, 0xF0000000, fields)
    condition = f"has_nsa{extra_dwords}" if extra_dwords else "default"
    made["conditions"] = [[condition, f"NSA == {extra_dwords}"]]
    return made


GFX10_ENCODINGS += [gfx10_mimg("ENC_MIMG", 0)] + [gfx10_mimg(f"MIMG_NSA{i}", i) for i in (1, 2, 3)]

# Operand types that gfx9 distinguishes and gfx10 does not.
GFX10_OPERAND_TYPES = {
    "OPR_SRC_NOLIT": "OPR_SRC", "OPR_SRC_SIMPLE": "OPR_SRC", "OPR_SRC_NOLDS": "OPR_SRC",
    "OPR_SSRC_NOLIT": "OPR_SSRC", "OPR_SREG_NOVCC": "OPR_SREG", "OPR_VGPR_OR_LDS": "OPR_VGPR",
    "OPR_VGPR_OR_ACCVGPR": "OPR_VGPR", "OPR_SRC_VGPR_OR_ACCVGPR": "OPR_SRC_VGPR",
}

# Immediates that gfx10 divides as gfx9 does, but for more bits: (field, ranges of bits).
GFX10_OPERAND_FIELDS = {
    "OPR_WAITCNT": [("EXP", [[4, 3]]), ("LGKM", [[8, 6]]), ("VM", [[0, 4], [14, 2]])],
}

# base: the neighbour; others: tables that give operands where the neighbour has no such form;
# names: the key of amdgpu-lsp, which may be that of another architecture; without: encodings of the
# neighbour that do not exist; take: (table, encoding) that exist in no neighbour; conditions: of
# encodings, where they differ; operand_fields: of operand types, where they differ; cmpx_type: what
# V_CMPX writes.
ARCHITECTURES = {
    "rdna3": dict(architecture="AMD RDNA 3", architecture_id=8, base="rdna3_5", others=[],
                  target="gfx1100", names="rdna3"),
    "cdna3": dict(architecture="AMD CDNA 3", base="cdna4", others=[], target="gfx942",
                  names="cdna3", renamed=GFX9_NAMES, without=["ENC_VOP3PX2"]),
    "cdna2": dict(architecture="AMD CDNA 2", base="cdna4", others=["rdna3_5"], target="gfx90a",
                  names="cdna2", renamed=GFX9_NAMES, without=["ENC_VOP3PX2"], fields=CDNA2_FIELDS,
                  encodings=[GFX90A_MIMG]),
    "cdna1": dict(architecture="AMD CDNA 1", base="cdna4", others=["rdna3_5"], target="gfx908",
                  names="cdna1", renamed=GFX9_NAMES, without=["ENC_VOP3PX2"], fields=GFX908_FIELDS,
                  encodings=GFX9_ENCODINGS, accumulators=GFX908_ACCUMULATORS),
    "gcn5_1": dict(architecture="AMD GCN 5.1", base="cdna4", others=["rdna3_5"], target="gfx906",
                   names="cdna1", names_of_another=True, renamed=GFX9_NAMES,
                   without=["ENC_VOP3PX2", "VOP3P_MFMA"], fields=GFX908_FIELDS, encodings=GFX9_ENCODINGS),
    "rdna2": dict(
        architecture="AMD RDNA 2", base="rdna3_5", others=["cdna4"], target="gfx1030",
        names="rdna2",
        without=["ENC_VINTERP", "ENC_LDSDIR", "VOPDXY", "VOPDXY_INST_LITERAL", "ENC_FLAT_GLOBAL",
                 "VOP3_VOP_DPP8", "VOP3_VOP_DPP16", "VOP3_SDST_ENC_VOP_DPP8",
                 "VOP3_SDST_ENC_VOP_DPP16", "VOP3P_VOP_DPP8", "VOP3P_VOP_DPP16"],
        take=[("cdna4", "VOP1_VOP_SDWA"), ("cdna4", "VOP2_VOP_SDWA"),
              ("cdna4", "VOP2_VOP_SDWA_SDST_ENC"), ("cdna4", "VOPC_VOP_SDWA_SDST_ENC")],
        encodings=GFX10_ENCODINGS, operand_types=GFX10_OPERAND_TYPES,
        operand_fields=GFX10_OPERAND_FIELDS, cmpx_type="OPR_EXEC", swap_null_and_m0=True,
        conditions={name: {"default": "SRC0 != 250 && SRC0 != 233 && SRC0 != 234 && SRC0 != 249 "
                                      "&& SRC0 != 255"}
                    for name in ("ENC_VOP1", "ENC_VOP2", "ENC_VOPC")}),
}

# Instructions that no table has, and others with the same operands: (pattern, replacement).
ALIKE = [
    (r"V_MAD(_LEGACY)?_F32", "V_FMA_F32"), (r"V_FMA_LEGACY_F32", "V_FMA_F32"),
    (r"V_MAC_F32|V_FMAC_LEGACY_F32", "V_FMAC_F32"), (r"V_MAD([AM])K_F32", r"V_FMA\1K_F32"),
    (r"BUFFER_WBINVL1(_VOL)?|BUFFER_INVL2", "BUFFER_WBL2"),
    (r"(BUFFER|GLOBAL|FLAT)_ATOMIC_F(MAX|MIN|CMPSWAP)", r"\1_ATOMIC_\2_F32"),
    (r"(BUFFER|GLOBAL|FLAT)_ATOMIC_FCMPSWAP_X2", r"\1_ATOMIC_CMPSWAP_X2"),
    (r"(BUFFER|GLOBAL|FLAT)_ATOMIC_F(?:MAX|MIN)_X2", r"\1_ATOMIC_SWAP_X2"),
    (r"(BUFFER|GLOBAL)_ATOMIC_CSUB", r"\1_ATOMIC_CSUB_U32"),
    (r"GLOBAL_(LOAD|STORE)_DWORD_ADDTID", r"GLOBAL_\1_ADDTID_B32"),
    (r"IMAGE_ATOMIC_F(?:MAX|MIN)", "IMAGE_ATOMIC_SWAP"),
    (r"IMAGE_ATOMIC_FCMPSWAP", "IMAGE_ATOMIC_CMPSWAP"),
    (r"IMAGE_SAMPLE_(?:C_)?CD.*", "IMAGE_SAMPLE_D"), (r"IMAGE_GATHER4_.*_?O", "IMAGE_GATHER4"),
    (r"S_(AND|OR)N1_SAVEEXEC_B32", r"S_\1_NOT0_SAVEEXEC_B32"),
    (r"S_(AND|OR)N2_SAVEEXEC_B32", r"S_\1_NOT1_SAVEEXEC_B32"),
    (r"S_ANDN1_WREXEC_B32", "S_AND_NOT0_WREXEC_B32"),
    (r"S_ANDN2_WREXEC_B32", "S_AND_NOT1_WREXEC_B32"),
    (r"S_INST_PREFETCH", "S_SET_INST_PREFETCH_DISTANCE"),
]

# No instruction of LLVM's uses these; AMD's documents have them.
NOT_SHOWN = {"ENC_FLAT.SADDR", "ENC_MTBUF.TFE", "MIMG_NSA3.ADDR12"}
# An address or an export is shown in some modes only.
MODES = [{}, {"OFFEN": 1}, {"SADDR": 125}, {"SADDR": 127}, {"EN": 15}, {"DIM": 1}, {"DIM": 2},
         {"DIM": 5}]

# What LLVM prints where the field is 1, to try the fields above.
SHOWN = {"GLC": "glc", "SLC": "slc", "DLC": "dlc", "SCC": "scc", "TFE": "tfe", "LWE": "lwe",
         "LDS": "lds", "OFFEN": "offen", "IDXEN": "idxen", "UNORM": "unorm", "DA": "da",
         "A16": "a16", "D16": "d16", "R128": "r128", "COMPR": "compr", "VM": "vm", "DONE": "done"}
