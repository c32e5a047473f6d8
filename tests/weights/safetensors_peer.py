#!/usr/bin/env python3
"""Holds stg's reader and writer of safetensors to the reference library: files of all its types, copied by stg equal to the bit, and
crafted files, which both refuse or both take.

usage: safetensors_peer.py SAFETENSORS_COPY    needs PyPI's safetensors and NumPy
"""
import json
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import safetensors

ROOT = Path(__file__).resolve().parent.parent.parent
BITS = {"BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8, "F8_E4M3FNUZ": 8,
        "F8_E5M2FNUZ": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64, "I64": 64, "U64": 64}
# What the reference takes and stg refuses, and why: a name that is given twice has two meanings.
REFUSED_BY_STG_ALONE = "twice"


def described(name, kind, shape, begin, end):
    return json.dumps(name) + f':{{"dtype":"{kind}","shape":{json.dumps(shape, separators=(",", ":"))},"data_offsets":[{begin},{end}]}}'


def with_length(header, data):
    header = header if isinstance(header, bytes) else header.encode()
    return struct.pack("<Q", len(header)) + header + data


def by_reference(tensors, metadata):
    """The reference's own bytes: its reader's view of a plain file, given to its writer."""
    import ctypes
    kept = {name: ctypes.create_string_buffer(data, max(len(data), 1)) for name, (_, _, data) in tensors.items()}
    names = {"BOOL": "bool", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64", "C64": "complex64",
             "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E8M0": "float8_e8m0fnu", "F8_E4M3FNUZ": "float8_e4m3fnuz",
             "F8_E5M2FNUZ": "float8_e5m2fnuz", "F4": "float4_e2m1fn_x2"}
    spec = {}
    for name, (kind, shape, data) in tensors.items():
        dtype = names.get(kind) or re.sub("^([IU])", lambda m: {"I": "int", "U": "uint"}[m[1]], kind)
        spec[name] = safetensors.TensorSpec(dtype=dtype, shape=shape, data_ptr=ctypes.addressof(kept[name]), data_len=len(data))
    return bytes(safetensors.serialize(spec, metadata=metadata))


def files_of_types(draw):
    """Files by name: each type alone, all that the reference writes together, and many shapes."""
    def drawn(kind, shape):
        count = 1
        for extent in shape:
            count *= extent
        data = draw.randbytes(count * BITS[kind] // 8)
        return bytes(b & 1 for b in data) if kind == "BOOL" else data

    files, unwritten = {}, []
    for kind in BITS:
        for at, shape in enumerate([(8,), (), (0, 3), (2, 3, 4), (1, 2, 1, 2, 1, 2)]):
            if BITS[kind] % 8 and at == 1:
                continue
            tensors = {f"{kind} {at}": (kind, shape, drawn(kind, shape))}
            try:
                files[f"{kind}_{at}"] = by_reference(tensors, {"format": "pt"})
            except Exception:  # a type that its writer takes of no array: by its own layout
                data = tensors[f"{kind} {at}"][2]
                header = "{" + described(f"{kind} {at}", kind, list(shape), 0, len(data)) + "}"
                files[f"{kind}_{at}"] = with_length(header + " " * (-len(header) % 8), data)
                unwritten.append(kind)
    for at in range(50):
        tensors = {}
        for _ in range(draw.randint(0, 12)):
            kind = draw.choice([k for k in BITS if k not in unwritten and BITS[k] % 8 == 0])
            shape = tuple(draw.randint(0, 4) for _ in range(draw.randint(0, 5)))
            name = "".join(draw.choice("abW.0/\"\\\n\té€😀") for _ in range(draw.randint(0, 8)))
            tensors[name] = (kind, shape, drawn(kind, shape))
        files[f"mixed_{at}"] = by_reference(tensors, draw.choice([None, {"epoch": "12\n\"é"}]))
    return files, sorted(set(unwritten))


def crafted():
    """Headers of the C++ test, cuts and changes of a good file."""
    text = (ROOT / "tests/run/safetensors_test.cpp").read_text(encoding="utf-8")
    table = text[text.index("hostile_files[]"):text.index("TEST(safetensors, that_break_a_rule")]
    files = {}
    for at, row in enumerate(re.finditer(r'\{(?:R"\((.*?)\)"|"((?:\\.|[^"\\])*)"),\s*(\d+),\s*"', table, flags=re.S)):
        header = row[1].encode() if row[1] is not None else row[2].encode().decode("unicode_escape").encode("latin-1")
        files[f"row_{at:02}"] = with_length(header, bytes(int(row[3])))
    good = with_length('{"__metadata__":{"a":"b"},' + described("x", "F32", [2], 0, 8) + "," + described("y", "U8", [3], 8, 11) + "}", bytes(11))
    for cut in range(len(good)):
        files[f"cut_{cut:03}"] = good[:cut]
    draw = random.Random(2)
    for at in range(2000):
        changed = bytearray(good)
        for _ in range(draw.randint(1, 3)):
            changed[draw.randrange(len(good))] = draw.choice(b'{}[]",:0123459-.eE \\\n\x00\xffuUIF"')
        files[f"changed_{at:04}"] = bytes(changed)
    return files


def copies(tool, files, said_of):
    """Files through stg: said_of[name] is its line, and the copies are returned."""
    with tempfile.TemporaryDirectory() as folder:
        there, back = Path(folder, "there"), Path(folder, "back")
        there.mkdir()
        back.mkdir()
        for name, data in files.items():
            (there / name).write_bytes(data)
        lines = subprocess.run([tool, there, back], check=True, capture_output=True).stdout.decode("utf-8", "replace")
        said_of.update(line.split("\t", 1) for line in lines.splitlines() if "\t" in line)
        return {file.name: file.read_bytes() for file in back.iterdir()}


def main():
    tool = sys.argv[1]
    files, unwritten = files_of_types(random.Random(1))
    said, wrong = {}, 0
    copied = copies(tool, files, said)
    for name, data in files.items():
        if copied.get(name) != data:
            wrong += 1
            print(f"{name}: {said.get(name)}; {data[:200]} became {copied.get(name, b'')[:200]}")
    print(f"safetensors {safetensors.__version__}: {len(files)} files of {len(BITS)} types copied, {len(files) - wrong} equal to the bit"
          + (f"; no writer of the reference takes {', '.join(unwritten)}" if unwritten else ""))

    files, said = crafted(), {}
    copies(tool, files, said)
    both = taken = alone = 0
    for name, data in files.items():
        try:
            safetensors.deserialize(data)
            reference = True
        except Exception:
            reference = False
        mine = said[name] == "copied"
        if mine and not reference or reference and not mine and REFUSED_BY_STG_ALONE not in said[name]:
            wrong += 1
            print(f"{name}: {'taken' if reference else 'refused'} by the reference; stg: {said[name]}; {data[:200]}")
        alone += reference and not mine
        both += not mine and not reference
        taken += mine and reference
    rows = sum(name.startswith("row_") for name in files)
    print(f"{len(files)} crafted files, {rows} of them of the table: {both} refused by both, {taken} taken by both, "
          f"{alone} with a name twice refused by stg alone; {wrong} findings in all")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
