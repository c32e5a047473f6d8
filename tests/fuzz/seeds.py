#!/usr/bin/env python3
"""Writes the files that fuzzing starts from: seeds.py FOLDER makes FOLDER/npy, FOLDER/edge_list and a folder for each
other reader."""
import gzip
import io
import struct
import sys
import zipfile
from pathlib import Path

TYPES = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "<u2": "H", "|u1": "B", "|i1": "b", "|b1": "?"}


def npy(descr, shape, data):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


NPY = {descr.strip("<|"): npy(descr, "(2,)", struct.pack("<2" + code, 0, 1)) for descr, code in TYPES.items()}
NPY |= {
    "two_axes": npy("<f4", "(1, 2)", struct.pack("<2f", 0.5, float("nan"))),
    "scalar": npy("<f8", "()", struct.pack("<d", 1e300)),
    "empty": npy("<i4", "(0, 3)", b""),
    "lying": npy("<f8", "(576460752303423488,)", b"1234"),
    "overflow": npy("<f4", "(4294967296, 4294967296)", b"1234"),
    "negative": npy("<f4", "(-1,)", b""),
    "other_order": b"\x93NUMPY\x01\x00" + b"\x36\x00" + b"{\"shape\": (1,), 'fortran_order':False,'descr':'<f8'}    \n" + bytes(8),
}
EDGES = {"plain": b"# a\n0 1\n1 2\n\n", "weighted": b"0,1,0.5\n2\t0\t-3e2\r\n", "large": b"4294967296 1\n",
         "negative": b"0 -1\n", "beyond": b"0 99999999999999999999\n", "mixed": b"0 1 2\n1 0\n", "word": b"% x\n1 y\n",
         "mark": b"\xef\xbb\xbf0 1\r\n", "return": b"0\r1\n", "foreign": b"0 \x1b[2J\xe4\n", "tiny": b"+0 +1 -1e-400\n",
         "counts": b"3 5\n0 1\n1 2\n2 0\n0 2\n2 1\n", "metis": b"4 4\n2 4\n1 3\n2 4\n1 3\n", "sizes": b"3 3 2\n2 1 0.5\n3 3 4\n"}
EDGES |= {
    "matrix_" + name: b"%%MatrixMarket matrix " + rest for name, rest in {
        "general": b"coordinate real general\n% c\n3 3 2\n1 2 0.5\n3 1 -2e3\n",
        "symmetric": b"coordinate integer symmetric\r\n3 3 2\r\n2 1 7\r\n3 3 1\r\n",
        "skew": b"coordinate real skew-symmetric\n2 2 1\n2 1 3\n",
        "pattern": b"coordinate pattern symmetric\n4 4 2\n2 1\n4 4\n",
        "array": b"array real general\n2 2\n1\n2\n3\n4\n",
        "complex": b"coordinate complex hermitian\n2 2 1\n2 1 3 4\n",
        "many": b"coordinate real general\n9223372036854775807 9223372036854775807 9223372036854775807\n1 1 1\n"}.items()}

TABLES = {
    "plain": b"\x0dfrom,to,weight\na,b,0.5\r\nb,c,-2e3\n", "found": b"\x05a;b\n1;2\n", "header": b"\x08from,to\n1,2\n",
    "quotes": b"\x00\"a \"\"b\"\",\r\nc\",1\n\"\",2\n", "blanks": b"\x13# a\n 1  2\t3 \n4 5 6\n", "tabs": b"\x02a\t\t1\nb\t\t2",
    "decimal": b"\x211,5;\"2\"\n+3;nan\n", "mark": b"\x08\xef\xbb\xbfa,b\n\n1,2\n", "ragged": b"\x001,2\n1\n",
    "unended": b"\x001,\"2\n3", "behind": b"\x00\"1\"2,3\n", "within": b"\x001\"2,3\n", "return": b"\x001\r2\n", "wide": b"\x08\xff\xfea\0",
    "nothing": b"\x08", "blank_lines": b"\x482\n\n1e-400\n\r\n+7", "foreign": b"\x00\x1b[2J,\xc3\xa4\xff\n",
}

NAMES = ["adj_indptr", "adj_indices", "feat_indptr", "feat_indices", "feat_values", "feat_bits", "labels", "train", "val", "test"]


def record(name, values, kind=0, code="i", axes=1, names=NAMES):
    return bytes([names.index(name), kind + 8 * (axes - 1), len(values)]) + struct.pack(f"<{len(values)}{code}", *values)


GRAPH = record("adj_indptr", [0, 2, 2, 3]) + record("adj_indices", [1, 2, 0], 1, "B") + record("labels", [1, 0, 1], 3, "q")
DATASET = {
    "graph": GRAPH,
    "features": GRAPH + record("feat_indptr", [0, 1, 1, 3]) + record("feat_indices", [4, 0, 1], 2, "H"),
    "values": GRAPH + record("feat_indptr", [0, 1, 1, 3]) + record("feat_indices", [4, 0, 1]) + record("feat_values", [0.5, 2, 3], 4, "f"),
    "bits": GRAPH + record("feat_bits", [1, 0, 0, 0, 2, 4], 0, "i", 2),
    "splits": GRAPH + record("train", [0]) + record("val", [1]) + record("test", [0, 2]),
    "nothing": record("adj_indptr", [0]) + record("adj_indices", []) + record("labels", []),
    "descending": record("adj_indptr", [0, 2, 1, 3]) + record("adj_indices", [1, 2, 0]) + record("labels", [1, 0, 1]),
}

SIGNAL = {
    "rows": b'{"edges": [[0, 1], [1, 1]], "node_ids": {"A": 0}, "FX": [[1, -2.5], [3e-1, 4], [5, 6], [7, 8]]}',
    "features": b'{"edges": [[0, 1.0]], "weights": [0.5], "X": [[[1, 2], [3, 4]]]}',
    "fields": b'{"edges": [[0, 0]], "time_periods": 3, "0": [1], "1": [2], "2": [3]}',
    "objects": b'\xef\xbb\xbf{"edges": [], "time_periods": 1, "0": {"y": [1, 2]}}',
    "node_link": b'{"nodes": [{"id": 5, "y": [1, 2]}, {"id": "5", "y": [3, 4]}], "links": [{"source": 5, "target": "5", "weight": 2}]}',
    "mapping": b'{"edge_mapping": {"edge_index": {"0": [[0, 1]], "1": []}, "edge_weight": {"0": [2], "1": []}}, "time_periods": 2, "y": [[1, 2], [3, 4]]}',
    "changing": b'{"time_periods": 2, "0": {"edges": [[0, 1], [0, 1]], "weights": [1, 2], "y": [1, 2], "X": [[1, 2], [3, 4]]},'
                b' "1": {"edges": [[0, 1]], "weights": [2], "y": [1, 2], "X": [[1, 2], [3, 4]]}}',
    "not_a_number": b'{"edges": [], "X": [[NaN]]}', "cut": b'{"edges": [[0', "twice": b'{"edges": [], "edges": []}',
    "deep": b"[" * 300, "compressed": b"\x1f\x8b\x08\x00", "large": b'{"edges": [[0, 18446744073709551615]], "X": [[1e308]]}',
    "foreign": b'{"\xff": "\x1b[2J", "edges": []}', "escapes": b'{"\\u0065dges": [], "X": [[1], [2], [3]]}', "nothing": b"",
}

FILES = ["edges", "weights", "signal", "features", "snap_ptr", "target", "adj_mat", "speed"]


def part(name, values, kind=0, code="i", axes=0):
    return record(name, values, kind, code, axes + 1, FILES)


PAIRS = part("edges", [0, 1, 1, 1, 1, 0], axes=2)
SIGNAL_FOLDER = {
    "network": PAIRS + part("weights", [1, 2, 3], 4, "f"),
    "speed": PAIRS + part("speed", [1, 2, 3, 4, 5, 6], 4, "f", 1),
    "matrix": part("adj_mat", [1, 0, 0.5, 0], 4, "f", 1) + part("signal", [1, 2, 3, 4, 5, 6, 7, 8], 4, "f", 3),
    "snapshots": PAIRS + part("signal", [1, 2, 3, 4], 4, "f", 1) + part("snap_ptr", [0, 1, 3]) + part("target", [1, 2, 3, 4], 4, "f", 1),
    "features": PAIRS + part("features", [1, 2, 3, 4, 5, 6, 7, 8], 4, "f", 3) + part("snap_ptr", [0, 3, 3]),
    "descending": PAIRS + part("signal", [1, 2, 3, 4], 4, "f", 1) + part("snap_ptr", [0, 3, 1]),
    "outside": part("edges", [0, 9], axes=2) + part("speed", [1, 2], 4, "f", 1), "nothing": b"",
}

EVENTS = {
    "plain": b"\x00# a\n3 1 50\n1 2 10\n2 3 20\n1 2 30\n", "merged": b"\x041 2 1\n1 2 2\n1 2 3\n2 1 9\n",
    "values": b"\x03a,b,at,is\n6,2,7.5,4\n1,6,3,-10\n", "negative": b"\x000 -1 3\n", "not_a_number": b"\x000 1 nan\n",
    "far": b"\x009223372036854775807 0 1e300\n0 0 -1e300\n", "array": b"\x00" + npy("<i4", "(2, 3)", struct.pack("<6i", 3, 1, 9, 0, 1, 8)),
    "array_of_values": b"\x00" + npy("<f8", "(2, 4)", struct.pack("<8d", 3, 1, 9, -2.5, 0, 1, 8, 1)), "nothing": b"\x00",
}

# Bytes that name "a", "b", "r", "s", "t", "u", "no" and "": 0 to 7. Steps: 0 adds vertices, 1 edges, 2 changes a relation (+ 6 each: coalesced, a
# loop more, remaining loops, none, undirected), 3 adds a reverse, 4 replaces edges, 5 goes on with another graph.
SETS = bytes([0, 0, 3, 0, 1, 2])
R = bytes([1, 2, 0, 1, 3, 0, 2, 2, 1, 0, 1])
S = bytes([1, 3, 0, 0, 4, 0, 0, 1, 2, 0, 1, 1, 2])
KINDS = {
    "relations": SETS + R + S, "changed": SETS + S + bytes([2, 3, 8, 3, 14, 3, 20, 3, 26, 3]), "reversed": SETS + R + bytes([3, 4, 2, 3, 5, 4]),
    "replaced": SETS + R + S + bytes([3, 4, 2, 3, 5, 4, 4, 2, 5, 4, 3, 2]), "united": SETS + R + S + bytes([5, 0, 2, 3, 5, 0]),
    "beyond": SETS + bytes([1, 2, 0, 1, 1, 3, 0, 1, 2, 0, 1, 1, 0, 255]), "lengths": SETS + bytes([7, 2, 0, 1, 2, 0, 1, 0, 1, 0]),
    "taken": SETS + SETS + R + R + bytes([0, 7, 1, 0, 5, 255]), "nothing": b"",
}
KIND_FILES = ["a/x", "b/x", "a/y", "r/edges", "r/w", "s/edges", "s/w", "t/edges"]


def of_kind(name, values, kind=0, code="i", axes=0):
    return record(name, values, kind, code, axes + 1, KIND_FILES)


GRAPH_JSON = b'{"vertex_sets": {"a": 3, "b": 2}, "relations": {"r": ["a", "b"], "s": ["a", "a"]}}\n'
ENDS = of_kind("r/edges", [0, 2, 2, 1, 0, 1], axes=2) + of_kind("s/edges", [0, 1, 2, 1], 3, "q", 2)
KINDS_FOLDER = {
    "edges": GRAPH_JSON + ENDS, "arrays": GRAPH_JSON + ENDS + of_kind("a/x", [1, 2, 3], 4, "f") + of_kind("r/w", [1, 0, 1], 5, "B"),
    "rows": GRAPH_JSON + ENDS + of_kind("a/x", [1, 2], 4, "f") + of_kind("s/w", [1, 2, 3]), "outside": GRAPH_JSON + of_kind("r/edges", [0, 9], axes=2),
    "shape": GRAPH_JSON + of_kind("r/edges", [0, 1, 1, 0]), "unknown": b'{"vertex_sets": {"a": 3}, "relations": {"r": ["a", "c"]}}\n' + ENDS,
    "twice": b'{"vertex_sets": {"a": 3, "a": 2}, "relations": {}}', "name": b'{"vertex_sets": {"../a": 1}, "relations": {}}',
    "taken": b'{"vertex_sets": {"a": 1}, "relations": {"a": ["a", "a"]}}', "ends": b'{"vertex_sets": {"a": 1}, "relations": {"r": ["a"]}}',
    "huge": b'{"vertex_sets": {"a": 2147483647}, "relations": {}}', "large": b'{"vertex_sets": {"a": 99999, "b": 99999}, "relations": {"r": ["a", "b"]}}\n' + of_kind("r/edges", [0, 9], axes=2),
    "negative": b'{"vertex_sets": {"a": -1}, "relations": {}}', "cut": b'{"vertex_sets": {"a": 1', "nothing": b"",
}
RUN = ["W", "b", "adam/first/W", "adam/first/b", "adam/second/W", "adam/second/b", "adam/numbers", "reduce_on_plateau/numbers",
       "early_stopping/numbers", "early_stopping/best/W", "early_stopping/best/b", ".saved/W", ".saved/adam/numbers"]


def of_run(name, values, kind=4, code="f", axes=0):
    return record(name, values, kind, code, axes + 1, RUN)


def like_parameters(place):
    return of_run(place + "W", [1, 2, 3, 4, 5, 6], axes=2) + of_run(place + "b", [1, 2, 3])


ADAM = like_parameters("adam/first/") + like_parameters("adam/second/")
CHECKPOINT = {
    "parameters": like_parameters(""), "shape": of_run("W", [1, 2, 3, 4], axes=1) + of_run("b", [1, 2, 3]), "type": like_parameters("") + of_run("b", [1, 2, 3], 6, "d"),
    "adam": ADAM + of_run("adam/numbers", [0.5, 3, 0.7, 0.99], 6, "d"), "counts": ADAM + of_run("adam/numbers", [0.5, 2.5, 0.7, 0.99], 6, "d"),
    "rate": ADAM + of_run("adam/numbers", [-1, 2, 0.7, 0.99], 6, "d"), "plateau": of_run("reduce_on_plateau/numbers", [0.5, 1, 2, 0], 6, "d"),
    "stopping": like_parameters("early_stopping/best/") + of_run("early_stopping/numbers", [1, 0.5, 3, 1], 6, "d"),
    "not_a_number": of_run("early_stopping/numbers", [1, float("nan"), 3, 1], 6, "d") + of_run("reduce_on_plateau/numbers", [float("inf"), 1, 2, 0], 6, "d"),
    "cut_short": like_parameters("") + of_run(".saved/W", [7, 7, 7, 7, 7, 7], axes=2) + ADAM + of_run(".saved/adam/numbers", [0.5, 3, 0.7, 0.99], 6, "d"),
    "whole": like_parameters("") + ADAM + of_run("adam/numbers", [0.5, 3, 0.7, 0.99], 6, "d") + of_run("reduce_on_plateau/numbers", [0.5, 1, 2, 0], 6, "d")
             + like_parameters("early_stopping/best/") + of_run("early_stopping/numbers", [1, 0.5, 3, 1], 6, "d"),
    "nothing": b"",
}



def stored(header, data=b"", length=None):
    """A file as it is, which begins with an even byte."""
    text = header.encode() if isinstance(header, str) else header
    return b"\0" + struct.pack("<Q", len(text) if length is None else length) + text + data


def described(name, kind, shape, begin, end):
    return f'"{name}":{{"dtype":"{kind}","shape":{shape},"data_offsets":[{begin},{end}]}}'


def of_types(*kinds):
    """Eight numbers of each type, one type after another."""
    begin, entries = 0, []
    for kind, bits in kinds:
        entries.append(described(f"of {kind}", kind, [2, 4], begin, begin + bits))
        begin += bits
    return stored("{" + ",".join(entries) + "}", bytes([1, 0] * (begin // 2)) + b"\0" * (begin % 2))


KNOWN_TYPES = [("U64", 64), ("I64", 64), ("F64", 64), ("F32", 32), ("U32", 32), ("I32", 32), ("BF16", 16), ("F16", 16), ("U16", 16),
               ("I16", 16), ("I8", 8), ("U8", 8), ("BOOL", 8)]
OTHER_TYPES = [("C64", 64), ("F8_E5M2FNUZ", 8), ("F8_E4M3FNUZ", 8), ("F8_E8M0", 8), ("F8_E4M3", 8), ("F8_E5M2", 8), ("F6_E3M2", 6),
               ("F6_E2M3", 6), ("F4", 4)]
W_AND_B = described("W", "F32", [2, 3], 0, 24) + "," + described("b", "F32", [3], 24, 36)
STATE = ",".join(described(f"adam/{name}", kind, shape, begin, end) for name, kind, shape, begin, end in [
    ("first/W", "F32", [2, 3], 36, 60), ("first/b", "F32", [3], 60, 72), ("second/W", "F32", [2, 3], 72, 96), ("second/b", "F32", [3], 96, 108),
    ("numbers", "F64", [4], 108, 140)])
RUN_STATE = struct.pack("<27f4d", *range(27), 0.5, 3, 0.7, 0.99)
SAFETENSORS = {
    "known_types": of_types(*KNOWN_TYPES), "other_types": of_types(*OTHER_TYPES),
    "run": stored('{"__metadata__":{"epoch":"12"},' + W_AND_B + "," + STATE + "}", RUN_STATE),
    "parameters": stored("{" + W_AND_B + "}  ", struct.pack("<9f", *range(9))),
    "shape": stored("{" + described("W", "F32", [3, 2], 0, 24) + "," + described("b", "F32", [3], 24, 36) + "}", bytes(36)),
    "rate": stored("{" + W_AND_B + "," + STATE + "}", struct.pack("<27f4d", *range(27), -1, 3, 0.7, 0.99)),
    "measured": b"\1{" + described("a", "U8", [3], 0, 3).encode() + b"}\1\2\3", "empty": stored("{" + described("a", "F32", [0, 5], 0, 0) + "}"),
    "hole": stored("{" + described("a", "U8", [1], 1, 2) + "}", b"12"), "twice": b"\1{\"a\":1,\"a\":2}", "texts": b'\1{"__metadata__":{"\\u0061\\n":"\xc3\xa9"}}',
    "overlap": b"\1{" + (described("a", "U8", [2], 0, 2) + "," + described("b", "U8", [2], 1, 3)).encode() + b"}123",
    "overflow": b"\1{" + described("a", "U8", [4294967296, 4294967296], 0, 0).encode() + b"}", "axes": b"\1{" + described("a", "U8", [1] * 7, 0, 1).encode() + b"}1",
    "lying": stored("{}", b"", 100_000_000), "long": stored("{}", b"", 1 << 63), "cut": stored('{"a', b"", 9), "nothing": b"", "no_bool": b"\1{" + described("a", "BOOL", [1], 0, 1).encode() + b"}2",
}

GRAPH_OF_8 = [8, 12] + [0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 2, 2] + [1, 2, 0, 0, 0, 6, 5, 5, 3, 1, 2, 1]  # vertices, edges, and their ends
SEEDS_OF_8 = [3, 1, 0, 5, 2, 7, 7, 1, 200]  # three that are right, two that are one, and one that is none


def sampled(what, *numbers):
    return bytes([what, *GRAPH_OF_8, *numbers, *SEEDS_OF_8])


SAMPLING = {
    "neighbours": sampled(0, 2, 2, 255), "again": sampled(1, 2, 3, 2), "weighted": sampled(2, *range(12), 2, 3, 2, 1),
    "earlier": sampled(3, *range(12), 2, 3, 2, 0), "layers": sampled(4, 2, 6, 6), "weighted_layers": sampled(5, *range(12), 1, 9),
    "walks": sampled(6, 3, 4), "vertices": sampled(7, 5), "edges": sampled(8, 5, 3), "parts": sampled(9, 0, 8, *range(8)),
    "links": sampled(10, 0, 2, 4, 4, 2), "blocks": sampled(11, 3, 0, 3, 8, 8, *range(8), 8, 200, 4, 4),
    "none": sampled(2, *[255] * 12, 2, 3, 2, 1), "beyond": sampled(128, 1, 1), "nothing": b"",
}

# Graphs as above; then of each of two loaders how it is made, its options, fan-outs and seeds or how many items, and the rows that it is asked for.
GRAPH_OF_3 = [3, 2, 0, 1, 1, 2]


def loaded(first, second, *epochs):
    return bytes([*GRAPH_OF_8, *GRAPH_OF_3, *first, *second, *epochs])


BY_SAMPLER = [0, 1, 2, 1, 0, 1, 2, 4, 0, 1, 2, 3]
LOADING = {
    "rows": loaded([*BY_SAMPLER, 15, 2, 3], [*BY_SAMPLER, 3, 0], 1, 0, 1, 1, 0),
    "threads": loaded([0, 5, 2, 2, 1, 1, 2, 4, 0, 1, 2, 3, 9, 2], [*BY_SAMPLER, 1], 1, 0, 1, 1, 0),
    "others": loaded([1, 1, 2, 1, 0, 3, 15, 2, 3], [1, 1, 2, 1, 0, 3, 8, 0], 1, 0, 1, 1, 0),
    "assigned": loaded([*BY_SAMPLER, 24, 0], [*BY_SAMPLER, 24, 3], 1, 0, 1, 1, 0), "seeds": loaded([3, 1, 2, 1, 0, 3, 1], [*BY_SAMPLER, 2, 4], 0, 0, 0, 0),
    "options": loaded([0, 0, 255, 255, 255, 0, 0, 0], [*BY_SAMPLER, 0], 0, 255), "nothing": b"",
}


# Texts of programs: as they are written, but for blanks.
PROGRAM_TEXT = {
    "attention": b"""%0 = input x vertex f32 (3)
%1 = gather_src (%0) edge f32 (3)
%2 = gather_dst (%0) edge f32 (3)
%3 = add (%1, %2) edge f32 (3)
%4 = leaky_relu slope=0.2 (%3) edge f32 (3)
%5 = reduce_max axis=0 (%4) edge f32 (1)
%6 = reduce_top_share axis=0 (%4) edge f32 (1)
%7 = softmax_axes axis=0 (%4, %5, %6) edge f32 (3)
%8 = mul (%7, %1) edge f32 (3)
%9 = sum_edges in (%8) vertex f32 (3) "score"
output %9
traced
""",
    "wrong": b"""%0 = input x vertex f32 (3)
%1 = exp (%0) vertex f32 (3)
output %1
traced
wrong bounds_exchanged
""",
    "scan": b"""%0 = input x vertex f32 (3)
%1 = input W trainable graph f32 (3, 3)
%2 = arguments graph f32 ()
%3 = bind (%2, %0) graph f32 ()
%4 = bind (%3, %0) graph f32 ()
%5 = bind (%4, %1) graph f32 ()
%6 = scan step=0 carried=1 steps=3 (%5) graph f32 ()
%7 = result 0 (%6) vertex f32 (3)
output %7
traced
step 0:
%0 = input 'carried 0' vertex f32 (3)
%1 = input x vertex f32 (3)
%2 = input W trainable graph f32 (3, 3)
%3 = matmul (%0, %2) vertex f32 (3)
%4 = add (%3, %1) vertex f32 (3)
%5 = tanh (%4) vertex f32 (3)
output %5
traced
""",
    "scan_gradient": b"""%0 = arguments graph f32 ()
%1 = input x vertex f32 (3)
%2 = bind (%0, %1) graph f32 ()
%3 = input W trainable graph f32 (3, 3)
%4 = bind (%2, %3) graph f32 ()
%5 = bind (%4, %1) graph f32 ()
%6 = scan step=0 carried=1 steps=3 (%5) graph f32 ()
%7 = result 0 (%6) vertex f32 (3)
%8 = input 'd(output 0)' vertex f32 (3)
%9 = bind (%0, %8) graph f32 ()
%10 = constant 0 graph f32 ()
%11 = broadcast_to (%10) graph f32 (3, 3)
%12 = bind (%9, %11) graph f32 ()
%13 = broadcast_to (%10) vertex f32 (3)
%14 = bind (%12, %13) graph f32 ()
%15 = result 1 (%6) vertex f32 3 x (3)
%16 = bind (%14, %15) graph f32 ()
%17 = bind (%16, %3) graph f32 ()
%18 = result 2 (%6) vertex f32 3 x (3)
%19 = bind (%17, %18) graph f32 ()
%20 = scan backwards step=1 carried=3 steps=3 (%19) graph f32 ()
%21 = result 0 (%20) vertex f32 (3)
%22 = result 2 (%20) vertex f32 (3)
%23 = add (%21, %22) vertex f32 (3)
%24 = result 1 (%20) graph f32 (3, 3)
output %7
output %23
output %24
step 0:
%0 = input 'carried 0' vertex f32 (3)
%1 = input W trainable graph f32 (3, 3)
%2 = matmul (%0, %1) vertex f32 (3)
%3 = input x vertex f32 (3)
%4 = add (%2, %3) vertex f32 (3)
%5 = tanh (%4) vertex f32 (3)
output %5
output %0
output %5
step 1:
%0 = input #0 vertex f32 (3)
%1 = constant 1 graph f32 ()
%2 = input #5 vertex f32 (3)
%3 = mul (%2, %2) vertex f32 (3)
%4 = sub (%1, %3) vertex f32 (3)
%5 = mul (%0, %4) vertex f32 (3)
%6 = input W trainable entry=4 graph f32 (3, 3)
%7 = matmul transposed (%5, %6) vertex f32 (3)
%8 = input #1 graph f32 (3, 3)
%9 = input 'carried 0' entry=3 vertex f32 (3)
%10 = reduced_matmul (%9, %5) graph f32 (3, 3)
%11 = add (%8, %10) graph f32 (3, 3)
%12 = input #2 vertex f32 (3)
%13 = add (%5, %12) vertex f32 (3)
output %7
output %11
output %13
""",
    "call": b"""%0 = input x vertex f32 (3)
%1 = input W trainable graph f32 (3, 3)
%2 = arguments graph f32 ()
%3 = bind (%2, %0) graph f32 ()
%4 = bind (%3, %1) graph f32 ()
%5 = scan once step=0 (%4) graph f32 ()
%6 = result 0 (%5) vertex f32 (3)
%7 = bind (%2, %6) graph f32 ()
%8 = bind (%7, %1) graph f32 ()
%9 = scan once step=0 site=1 (%8) graph f32 ()
%10 = result 0 (%9) vertex f32 (3)
output %10
traced
step 0:
%0 = input '%0' vertex f32 (3)
%1 = input W trainable graph f32 (3, 3)
%2 = matmul (%0, %1) vertex f32 (3)
%3 = tanh (%2) vertex f32 (3)
%4 = keep_mask p=0.25 site=0 vertex f32 (3)
%5 = mul (%3, %4) vertex f32 (3)
output %5
traced
""",
    "own_gradient": b"""%0 = input x vertex f32 (3)
%1 = mul (%0, %0) vertex f32 (3)
%2 = arguments graph f32 ()
%3 = bind (%2, %1) graph f32 ()
%4 = bind (%3, %0) graph f32 ()
%5 = own_gradient gradient=0 outputs=1 (%4) graph f32 ()
%6 = result 0 (%5) vertex f32 (3)
%7 = constant 2 graph f32 ()
%8 = mul (%6, %7) vertex f32 (3)
output %8
traced
step 0:
%0 = input 'given 0' vertex f32 (3)
%1 = input 'given 1' vertex f32 (3)
%2 = mul (%1, %0) vertex f32 (3)
output %2
traced
""",
    "kinds": b"""%0 = degree in writes vertex paper f32 ()
%1 = input a vertex author f32 (3)
%2 = gather_src (%1) edge writes f32 (3)
%3 = sum_edges in (%2) vertex paper f32 (3)
%4 = div (%3, %0) vertex paper f32 (3)
output %4
traced
set paper
set author
relation writes author -> paper
""",
    "words": b"""%0 = input x vertex f32 (3) one keep:inputs
%1 = exp (%0) vertex f32 (3) one keep:inputs "saved":everything
%2 = concat axis=0 (%0, %1) vertex f32 (6) one keep:inputs
%3 = slice axis=0 from=0 (%2) vertex f32 (2) one keep:inputs #head[0]
%4 = input known vertex bool ()
%5 = input label vertex i32 ()
%6 = input x vertex f32 (3)
%7 = input W trainable graph f32 (3, 3)
%8 = matmul (%6, %7) vertex f32 (3)
%9 = constant 0 graph f32 ()
%10 = select (%4, %8, %9) vertex f32 (3)
%11 = reduce_max axis=0 (%10) vertex f32 (1)
%12 = detach shift (%11) vertex f32 (1)
%13 = reduce_top_share axis=0 (%10) vertex f32 (1)
%14 = log (%13) vertex f32 (1)
%15 = sub (%10, %12) vertex f32 (3)
%16 = add (%15, %14) vertex f32 (3)
%17 = iota graph i32 (3)
%18 = equal (%17, %5) vertex bool (3)
%19 = select (%18, %16, %9) vertex f32 (3)
%20 = reduce_sum axis=0 (%19) vertex f32 (1)
%21 = reshape (%20) vertex f32 ()
%22 = select (%4, %21, %9) vertex f32 ()
%23 = cast (%4) vertex f32 ()
%24 = sum_vertices over_batch (%23) graph f32 ()
%25 = constant 1 graph f32 ()
%26 = max (%24, %25) graph f32 ()
%27 = sum_vertices over_batch (%22) graph f32 ()
%28 = div (%27, %26) graph f32 ()
%29 = negate (%28) graph f32 ()
check %5 in [0, 3) where %4
check %4 names a vertex
output %29
output %3
traced
""",
    "extents": b"""%0 = input x vertex f32 (3)
%1 = input wide vertex f32 (F)
%2 = concat axis=0 (%1, %0) vertex f32 (F+3)
%3 = vertex_count graph f32 ()
%4 = constant 1 graph f32 ()
%5 = max (%3, %4) graph f32 ()
%6 = sum_vertices (%2) graph f32 (F+3)
%7 = div (%6, %5) graph f32 (F+3)
%8 = reduce_sum axis=0 (%1) vertex f32 (1)
output %8
output %7
traced
""",
    "odd": b"""stg program 1\r
%0 = input 'in degree\\x0a' trainable entry=1 vertex f64 ('a b', 2*F*G-3)\r
%1 = constant nan:fff8000000000001 graph f64 ()
%2 = constant -inf graph f64 ()
%3 = input z entry=2 graph f64 (2*F*G-3@2)
output %0 '\xc3\x9f'
forward_outputs 1
splits
keep results
keep scope two inputs
keep %2 everything
few_numbers 1
apart %1 %2
stored %0
unread #0 y sparse
begins %0 uniform -0.5 1e-3
begins #0 constant 5e-324
extents 2*F*G-3, 'a b', 2*F*G-3
scopes one, two
""",
    "order": b"""%0 = input x vertex f32 (4) one two "b" "a":results #%stored #t[rows]
%1 = exp (%0) vertex f32 (4) two "c" #t[0]
output %1
scopes two, one, two
names %1, %0
tags %1, %0
""",
    "version": b"stg program 2\n", "large": b"%2147483648 = input x vertex f32 (99999999999999999999)\n", "nothing": b"",
    "deep": b"".join(b"step 0" + b".0" * k + b":\n" for k in range(40)),
}


def npz(how, **arrays):
    """An archive as numpy.savez writes it, which makes room for ZIP64 in the head of each entry."""
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w", how) as archive:
        for name, array in arrays.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as entry:
                entry.write(array)
    return text.getvalue()


TWO = {"x": NPY["f4"], "y": NPY["two_axes"]}
NPZ = {name: b"\0" + data for name, data in {
    "stored": npz(zipfile.ZIP_STORED, **TWO), "deflated": npz(zipfile.ZIP_DEFLATED, **TWO), "nothing": npz(zipfile.ZIP_STORED),
    "other_method": npz(zipfile.ZIP_BZIP2, x=NPY["i4"]), "zeros": npz(zipfile.ZIP_DEFLATED, x=npy("<f8", "(4000,)", bytes(32000))),
    "pickle": b"\x80\x04K\x01."}.items()}
NPZ |= {"entry_" + name: b"\1" + data for name, data in NPY.items()}
NPZ |= {"entry_turned": b"\1" + npy("<i4", "(2, 3)", bytes(24)).replace(b"False", b"True ")}
GZIP = {name: b"\0" + gzip.compress(data, mtime=0) for name, data in EDGES.items()}
GZIP |= {"text_" + name: b"\1" + data[1:] for name, data in TABLES.items()}
GZIP |= {"twice": GZIP["plain"] + GZIP["weighted"][1:] + bytes(5), "behind": GZIP["plain"] + b"x", "cut": GZIP["plain"][:-5],
         "bomb": b"\0" + gzip.compress(b"0 1\n" * 20000, mtime=0)}


def texts(**parts):
    """Files of a folder: a byte for each and its text, with bytes of 0 between."""
    return b"\0".join(bytes([int(name[1:]) + 48]) + text for name, text in parts.items())


TU = {"plain": texts(f0=b"1, 2\n2, 1\n4, 5\n", f1=b"1\n1\n1\n2\n2\n", f2=b"-1\n1\n", f3=b"0\n1\n2\n0\n1\n", f4=b"0.5, 1\n2, 3\n4, nan\n"),
      "joined": texts(f0=b"1, 2\n", f1=b"1\n2\n"), "skips": texts(f0=b"", f1=b"1\n3\n"), "nothing": b"",
      "beyond": texts(f0=b"1, 9\n", f1=b"1\n"), "ragged": texts(f0=b"1, 2\n1\n", f1=b"1\n1\n", f5=b"1e400\n")}
OGB = {"one": texts(f0=b"0,1\n2,0\n", f1=b"3\n", f2=b"2\n", f3=b"0.5,1\n-2,\n4,5\n", f4=b"7\n8\n", f5=b"1\n\n4\n"),
       "many": texts(f0=b"0,1\n1,2\n1,0\n", f1=b"3\n2\n", f2=b"2\n1\n", f9=b"0\n", f10=b"1\n", f11=b""),
       "kinds": texts(f6=b"a,b\n2,3\n", f7=b"a,r,b\n", f8=b"0,2\n1,0\n"), "nothing": b"",
       "kinds_large": texts(f6=b"a,b\n211111111,3\n", f7=b"a,r,b\n", f8=b"0,2\n"),
       "negative": texts(f0=b"0,1\n", f1=b"-1\n", f2=b"1\n"), "large": texts(f0=b"0,1\n", f1=b"9223372036854775807\n1\n", f2=b"1\n0\n")}

NODE_LINK = {
    "undirected": b'{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"x": 0.5, "id": 7}, {"x": 1, "id": "7"}],'
                  b' "edges": [{"w": 2, "source": 7, "target": "7"}, {"w": 3, "source": 7, "target": 7}]}',
    "links": b'{"directed": true, "nodes": [{"id": 0, "x": [1, 2]}, {"id": 1, "x": [3, 4]}], "links": [{"source": 1, "target": 0}]}',
    "parallel": b'{"directed": true, "multigraph": true, "nodes": [{"id": 0}], "edges": [{"source": 0, "target": 0, "key": 0}, {"source": 0, "target": 0, "key": 1}]}',
    "twice": b'{"nodes": [{"id": 0}, {"id": 0}], "edges": []}', "unknown": b'{"nodes": [], "edges": [{"source": 0, "target": 0}]}',
    "ragged": b'{"nodes": [{"id": 0, "x": [1]}, {"id": 1, "x": 2}], "edges": []}', "nothing": b"{}", "no_object": b"[1]"}
NAMED = {"words": b"# c\nann bob 1\nbob ann 2e3\n", "commas": b"a,b\nb,c\r\n", "one": b"a\n", "four": b"a b 1 2\n", "mixed": b"a b\nb a 1\n",
         "events": b'{"s": "a", "d": 7, "t": 2.5, "v": 1}\n\n{"s": 7, "d": "a", "t": 1, "v": -1}\n', "no_time": b'{"s": 1, "d": 2}\n',
         "cut": b'{"s": 1, "d"', "nothing": b"", "return": b"a\rb\n"}


def arrays(*parts):
    """Records of a name, whether of two columns, a count, and integers."""
    return b"".join(bytes([name, columns == 2, len(numbers)]) + struct.pack(f"{len(numbers)}b", *numbers) for name, columns, numbers in parts)


MATRIX = [(0, 1, [0, 1, 2]), (1, 1, [1, 0]), (2, 1, [2, 2])]
ATTRIBUTES = [(3, 1, [0, 1, 2]), (4, 1, [2, 0]), (5, 1, [2, 3]), (6, 1, [1, 5]), (7, 1, [0, 1])]
MASKS = [(name, 2, [1, 0]) for name in (10, 11, 12)]
DATASET_NPZ = {"benchmark": arrays(*MATRIX, *ATTRIBUTES), "no_labels": arrays(*MATRIX, *ATTRIBUTES[:-1]),
               "descending": arrays((0, 1, [0, 2, 1]), *MATRIX[1:], *ATTRIBUTES), "nothing": b"",
               "heterophilous": arrays((8, 2, [1, 2, 3, 4]), (9, 1, [0, 1]), (13, 2, [0, 1]), *MASKS),
               "beyond": arrays((8, 2, [1, 2, 3, 4]), (9, 1, [0, 1]), (13, 2, [0, 2]), *MASKS)}


def hdf5(*datasets, texts=((0, 0), (1, 2))):
    """Datasets of (path, type, layout, count, elements), then attributes of the group and of axis1."""
    made = b"".join(b"\1" + bytes(head) + elements for *head, elements in datasets)
    return made + b"".join(b"\0" + bytes(text) for text in texts)


COLUMNS = [(path, 13, 0, 2, b"a1b2") for path in (0, 2)]  # texts of two bytes
FRAME = [*COLUMNS, (1, 0, 0, 2, struct.pack("<2q", 0, 300)), (3, 1, 5, 4, struct.pack("<4d", 1, 2, 3, 4))]
HDF5 = {"frame": hdf5(*FRAME), "table": hdf5(*FRAME, texts=((0, 1), (1, 2))), "integers": hdf5(*FRAME, texts=((0, 0), (1, 4))), "nothing": b"",
        "seconds": hdf5(*FRAME[:2], (1, 0, 0, 2, struct.pack("<2q", 0, 2**40)), FRAME[3], texts=((0, 0), (1, 3))),
        "packed": hdf5((5, 3, 4 + 8 + 32, 9, struct.pack(">9f", *range(9)))), "scalar": hdf5((5, 2, 3, 1, b"\xff" * 8), texts=()),
        "unwritten": hdf5(*FRAME[:3], (3, 1, 64 + 5, 4, bytes(32))), "ragged": hdf5(*FRAME[:3], (3, 1, 2, 6, bytes(48))),
        "two_types": hdf5(*FRAME, (4, 1, 0, 1, bytes(8)))}


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    folders = {"npy": NPY, "edge_list": EDGES, "table": TABLES, "dataset": DATASET, "signal": SIGNAL, "signal_folder": SIGNAL_FOLDER,
               "events": EVENTS, "kinds": KINDS, "kinds_folder": KINDS_FOLDER, "checkpoint": CHECKPOINT, "sampling": SAMPLING, "loading": LOADING,
               "program_text": PROGRAM_TEXT, "safetensors": SAFETENSORS, "npz": NPZ, "gzip": GZIP, "tu": TU, "node_link": NODE_LINK, "named_vertices": NAMED, "ogb": OGB, "dataset_npz": DATASET_NPZ, "hdf5": HDF5}
    for folder, seeds in folders.items():
        place = Path(sys.argv[1]) / folder
        place.mkdir(parents=True, exist_ok=True)
        for name, data in seeds.items():
            (place / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
