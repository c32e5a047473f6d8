#!/usr/bin/env python3
"""The program stg: answers as text and JSON, files there and back, models beside their calls in C++, wrong lines, odd files.

usage: command_line_test.py STG PAGE PEER_FILES MODELS...    MODELS: the command that saves the page's models where it is run
"""
import ast
import gzip
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import page

STG, PAGE, PEER_FILES, MODELS = "", "", "", []
TYPES = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|b1": "?", "|u1": "B"}


def read_npy(data):
    """(type, shape, numbers) of the bytes of an .npy file."""
    length = struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:10 + length].decode())
    body = data[10 + length:]
    return head["descr"], head["shape"], [v[0] for v in struct.iter_unpack("<" + TYPES[head["descr"]], body)]


def npy(kind, shape, numbers):
    """The bytes of an .npy file."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(numbers)}{TYPES[kind]}", *numbers)


EDGE_PROGRAM = """stg program 1
%0 = input w         edge   f32 ()
%1 = input by        graph  f32 ()
%2 = mul (%0, %1)    edge   f32 ()
%3 = sum_edges in (%2)  vertex f32 ()
output %2 scaled
output %3 total
"""
KINDS_PROGRAM = """stg program 1
set author
set paper
relation writes author -> paper
%0 = input share        edge   writes f32 ()
%1 = sum_edges in (%0)  vertex paper  f32 ()
output %1 total
output %0 same
"""
MASK_PROGRAM = """stg program 1
%0 = input known     vertex bool ()
%1 = input x         vertex f64  (F)
%2 = constant 0      graph  f64  ()
%3 = select (%0, %1, %2)  vertex f64 (F)
output %3
"""
SPARSE_PROGRAM = """stg program 1
%0 = input x sparse    vertex f32 (F)
%1 = input W trainable graph  f32 (F, 2)
%2 = constant 1           graph  f32 ()
%3 = sparse_matmul (%0, %1, %2)   vertex f32 (2)
output %3
"""


class case(unittest.TestCase):
    """A folder with a blank in its name, and the tool in it."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name) / "a folder"
        cls.folder.mkdir()
        cls.environment = {**os.environ, "PATH": f"{Path(STG).parent}:{os.environ['PATH']}", "HOME": str(cls.folder),
                           "STG_DATA_DIR": str(cls.folder / "sets"), "LC_ALL": "C.UTF-8"}
        cls.environment.pop("XDG_CACHE_HOME", None)
        subprocess.run(MODELS, cwd=cls.folder, env=cls.environment, check=True, capture_output=True)
        for name, text in (("edge.stg", EDGE_PROGRAM), ("kinds.stg", KINDS_PROGRAM), ("mask.stg", MASK_PROGRAM),
                           ("sparse.stg", SPARSE_PROGRAM), ("g.txt", "1 0 2\n0 1 3\n2 0 5\n"),
                           ("crlf.csv", "0,1,0.5\r\n\r\n1,2,2\r\n"), ("words.txt", "ann bob\nbob \"Lee\n")):
            cls.file(name, text)
        academia = cls.folder / "academia"
        (academia / "writes").mkdir(parents=True)
        cls.file("academia/graph.json", '{"vertex_sets": {"author": 3, "paper": 2}, "relations": {"writes": ["author", "paper"]}}')
        cls.file("academia/writes/edges.npy", npy("<i8", (2, 3), [2, 0, 1, 0, 1, 0]))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def file(cls, name, content):
        path = cls.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def call(self, *words, code=0, **more):
        """What the tool prints; its error where a code is due."""
        germany = {**self.environment, "LC_ALL": "de_DE.UTF-8"}  # where a comma stands in numbers
        done = subprocess.run([STG, *map(str, words)], cwd=self.folder, env=germany, capture_output=True, timeout=60, **more)
        self.assertEqual(done.returncode, code, (words, done.stdout, done.stderr))
        if code == 0:
            self.assertEqual(done.stderr, b"", words)
            return done.stdout.decode()
        self.assertEqual(done.stdout, b"", words)
        return done.stderr.decode()

    def facts(self, *words):
        return json.loads(self.call(*words, "--json"))

    def numbers(self, name):
        return read_npy((self.folder / name).read_bytes())


class answers(case):
    def test_data_set(self):
        found = self.facts("info", "karate")
        self.assertEqual((found["vertices"], found["edges"], found["classes"], found["symmetric"]), (34, 156, 4, True))
        self.assertEqual((found["train"], found["val"], found["test"]), (4, 0, 30))

    def test_graph_is_counted(self):
        self.file("counted.txt", "# five\n0 0\n0 1\n0 1\n3 0\n")
        found = self.facts("info", "counted.txt", "--vertices", 6)
        self.assertEqual([found[k] for k in ("vertices", "edges", "self_loops", "parallel_edges", "isolated_vertices", "symmetric")],
                         [6, 4, 1, 1, 3, False])
        self.assertEqual((found["least_in_degree"], found["most_in_degree"], found["most_out_degree"]), (0, 2, 3))
        changed = self.facts("info", "counted.txt", "--coalesce", "--no-self-loops", "--undirected")
        self.assertEqual([changed[k] for k in ("edges", "self_loops", "parallel_edges", "symmetric")], [4, 0, 0, True])
        self.assertEqual(self.facts("info", "counted.txt", "--self-loops")["self_loops"], 4)

    def test_words_and_gaps(self):
        self.assertEqual(self.facts("info", "words.txt", "--from", "named-edges")["first_ids"], ["ann", "bob", '"Lee'])
        self.file("gaps.txt", "4000000007 12\n12 99\n")
        found = self.facts("info", "gaps.txt", "--renumber")
        self.assertEqual((found["vertices"], found["first_ids"]), (3, ["12", "99", "4000000007"]))

    def test_kinds(self):
        found = self.facts("info", "academia")
        self.assertEqual(found["vertex_sets"], [{"name": "author", "vertices": 3}, {"name": "paper", "vertices": 2}])
        self.assertEqual(found["relations"], [{"name": "writes", "source": "author", "destination": "paper", "edges": 3}])

    def test_model_says_what_it_takes(self):
        found = self.facts("info", "net")
        self.assertEqual([(v["name"], v["shape"]) for v in found["inputs"]], [("x", "f32 (vertices, F)")])
        self.assertEqual([(v["name"], v["stored_shape"], v["bytes"]) for v in found["parameters"]],
                         [("W1", [34, 8], 1088), ("b1", [8], 32), ("W2", [8, 4], 128)])
        self.assertEqual((found["numbers"], found["bytes"], found["statements"]), (312, 1248, 21))
        self.assertIn("parameter       W: f32 (F, 2), trained, no file", self.call("info", "sparse.stg"))

    def test_files_of_arrays(self):
        found = self.facts("info", "net.safetensors")
        self.assertEqual({t["name"]: (t["type"], t["shape"]) for t in found["tensors"]},
                         {"W1": ("F32", [34, 8]), "b1": ("F32", [8]), "W2": ("F32", [8, 4])})
        self.assertEqual((self.facts("info", "y.npy")["type"], self.facts("info", "y.npy")["shape"]), ("<f4", [34, 4]))
        arrays = self.facts("info", f"{PEER_FILES}/stored.npz")["arrays"]
        self.assertTrue(all(set(a) == {"name", "type", "shape"} for a in arrays) and arrays)

    def test_files_of_hdf5(self):
        path = f"{PEER_FILES}/metr_la.h5"
        if "without HDF5" in subprocess.run([STG, "info", path], capture_output=True, text=True).stderr:
            self.skipTest("stg was built without HDF5")
        found = {d["path"]: d for d in self.facts("info", path)["datasets"]}
        self.assertEqual(found["df/block0_values"], {"path": "df/block0_values", "type": "float64", "shape": [6, 3]})
        self.assertIn("of text", found["df/axis0"]["why"])
        self.assertIn(" df/block0_values: float64 (6, 3)\n", self.call("info", path))
        self.file("known.npy", npy("|u1", (6,), [1, 1, 0, 1, 1, 1]))
        self.call("run", "mask.stg", "-g", "g.txt", "--vertices", 6, "-i", f"x={path}:df/block0_values", "-i", "known=known.npy", "-o", "m.npy")
        self.assertEqual(self.numbers("m.npy"), ("<f8", (6, 3), [0 if r == 2 else 10 * r + c + 0.25 for r in range(6) for c in range(3)]))

    def test_peers_files(self):
        found = self.facts("info", f"{PEER_FILES}/node_link.json")
        self.assertEqual((found["first_ids"], found["features"], found["features_not_0"]), (["7", "seven"], 1, 2))
        self.assertEqual(self.facts("info", f"{PEER_FILES}/matrix.mtx")["format"], "mtx")
        self.assertGreater(self.facts("info", f"{PEER_FILES}/edges.csv.gz")["edges"], 0)
        self.assertGreater(self.facts("info", f"{PEER_FILES}/ogb_one")["edges"], 0)
        self.assertGreater(self.facts("info", f"{PEER_FILES}/benchmark.npz")["classes"], 1)

    def test_data_sets_are_found_and_listed(self):
        self.call("convert", "karate", "sets/club", "--to", "dataset")
        self.assertEqual(self.call("info", "--data-sets"), "club\nkarate\n")
        self.assertEqual(self.facts("info", "club")["edges"], 156)
        shutil.rmtree(self.folder / "sets")

    def test_help_and_version(self):
        for command in ("info", "convert", "partition", "draw", "run", "trace", "bench", "completion"):
            self.assertIn("Usage:", self.call(command, "--help"))
            self.assertIn(f"  {command} ", self.call("--help"))
        self.assertRegex(self.call("--version"), r"^stg \d+\.\d+\.\d+\n$")


class conversions(case):
    def edges(self, name, *options):
        """(source, destination[, weight]) in the order of the list, by way of .mtx."""
        self.call("convert", name, "seen.mtx", *options)
        lines = (self.folder / "seen.mtx").read_text().splitlines()[2:]
        return [tuple(map(float, line.split())) for line in lines]

    def test_weights_there_and_back(self):
        first = self.edges("g.txt")
        self.assertEqual(first, [(2, 1, 2), (1, 2, 3), (3, 1, 5)])
        for name in ("w.csv", "w.tsv", "w.edges.gz", "w.mtx.gz", "w.json", "w.json.gz", "w.npz"):
            self.call("convert", "g.txt", name)
            self.assertEqual(self.edges(name), first, name)
        self.assertEqual((self.folder / "w.csv").read_text(), "1,0,2\n0,1,3\n2,0,5\n")
        self.assertEqual(gzip.decompress((self.folder / "w.edges.gz").read_bytes()).decode(), "1 0 2\n0 1 3\n2 0 5\n")

    def test_data_set_there_and_back(self):
        whole = {k: v for k, v in self.facts("info", "karate").items() if k not in ("name", "format", "place")}
        self.call("convert", "karate", "club.npz", "--deflate")
        self.call("convert", "club.npz", "club", "--to", "dataset")
        self.call("convert", "club", "again.npz")
        for name in ("club.npz", "club", "again.npz"):
            found = self.facts("info", name)
            self.assertEqual({k: found[k] for k in whole}, whole, name)
        self.assertEqual(self.edges("again.npz"), self.edges("karate"))

    def test_pairs_alone(self):
        said = self.call("convert", "g.txt", "pairs.npy")
        self.assertIn("left behind, for which the format has no place: weights", said)
        self.assertEqual(self.numbers("pairs.npy"), ("<i8", (2, 3), [1, 0, 2, 0, 1, 0]))
        self.assertEqual(self.edges("pairs.npy", "--from", "npy"), [(2, 1), (1, 2), (3, 1)])

    def test_last_vertices_are_kept_or_missed(self):
        self.assertEqual(self.facts("convert", "g.txt", "more.txt", "--vertices", 9)["left_behind"], "vertices behind the last edge's")
        for name in ("more.mtx", "more.json", "more.npz"):
            self.assertNotIn("left_behind", self.facts("convert", "g.txt", name, "--vertices", 9))
            self.assertEqual(self.facts("info", name)["vertices"], 9)

    def test_changes_take_weights_along(self):
        self.assertEqual(self.edges("g.txt", "--undirected"), [(1, 2, 2.5), (1, 3, 5), (2, 1, 2.5), (3, 1, 5)])
        self.assertEqual(self.edges("g.txt", "--self-loops")[3:], [(1, 1, 1), (2, 2, 1), (3, 3, 1)])

    def test_crlf(self):
        self.assertEqual(self.edges("crlf.csv"), [(1, 2, 0.5), (2, 3, 2)])

    def test_parts(self):
        found = self.facts("partition", "karate", "parts", "--parts", 3)
        self.assertEqual((sum(found["part_vertices"]), sum(found["part_edges"]), len(found["part_vertices"])), (34, 156, 3))
        self.assertTrue(0 < found["cut_edges"] < 1 <= found["largest_work"])
        self.assertEqual(self.facts("info", "parts")["parts"], 3)
        self.assertTrue((self.folder / "parts" / "part_2" / "in_neighbours.npy").exists())
        self.file("own.npy", npy("<i4", (3,), [0, 1, 0]))
        self.assertEqual(self.facts("partition", "g.txt", "own", "--by", "own.npy")["part_vertices"], [2, 1])


class models(case):
    def test_bits_are_those_of_cpp(self):
        self.call("run", "net", "-g", "karate", "--self-loops", "-i", "x=@features", "-o", "out.npy")
        due = (self.folder / "y.npy").read_bytes()
        self.assertEqual((self.folder / "out.npy").read_bytes(), due)
        for threads in (1, 3):
            self.call("run", "net", "-g", "karate", "--self-loops", "-i", "x=@features", "-o", "out.npy", "--threads", threads)
            self.assertEqual((self.folder / "out.npy").read_bytes(), due)
        self.call("run", "net/program.stg", "-g", "karate", "--self-loops", "-i", "x=@features", "-o", "output=named.npy",
                  "--parameters", "net.safetensors")
        self.assertEqual((self.folder / "named.npy").read_bytes(), due)

    def test_edges_are_in_the_order_of_their_list(self):
        call = ("run", "edge.stg", "-g", "g.txt", "-i", "by=0.5", "-o", "scaled=s.npy", "-o", "total=t.npy")
        self.file("w.npy", npy("<f8", (3,), [2, 3, 5]))
        for given in ("w=@weights", "w=w.npy"):
            self.call(*call, "-i", given)
            self.assertEqual(self.numbers("s.npy"), ("<f4", (3,), [1, 1.5, 2.5]))
            self.assertEqual(self.numbers("t.npy"), ("<f4", (3,), [3.5, 1.5, 0]))
        found = self.facts(*call[:-4], "-i", "w=@weights", "-o", "both.npz")
        self.assertEqual([(o["name"], o["shape"], o["file"], o["not_finite"]) for o in found["outputs"]],
                         [("scaled", [3], "both.npz", 0), ("total", [3], "both.npz", 0)])
        self.assertIn("scaled: f32 (3,)\n[1.  1.5 2.5]\n", self.call(*call[:-4], "-i", "w=@weights"))
        self.call(*call[:-4], "-i", "w=both.npz:scaled", "-o", "total=t.npy")
        self.assertEqual(self.numbers("t.npy")[2], [1.75, 0.75, 0])

    def test_several_kinds(self):
        self.file("share.npy", npy("<f4", (3,), [1, 2, 4]))
        self.call("run", "kinds.stg", "-g", "academia", "-i", "share=share.npy", "-o", "total=t.npy", "-o", "same=s.npy")
        self.assertEqual(self.numbers("t.npy")[2], [5, 2])  # edges 2 -> 0, 0 -> 1, 1 -> 0
        self.assertEqual(self.numbers("s.npy")[2], [1, 2, 4])

    def test_types(self):
        self.file("x.npy", npy("<i4", (3, 2), [1, 2, 3, 4, 5, 6]))
        self.file("known.npy", npy("|u1", (3,), [1, 0, 1]))
        self.call("run", "mask.stg", "-g", "g.txt", "-i", "x=x.npy", "-i", "known=known.npy", "-o", "m.npy")
        self.assertEqual(self.numbers("m.npy"), ("<f8", (3, 2), [1, 2, 0, 0, 5, 6]))

    def test_sparse(self):
        self.file("x.npy", npy("<f4", (3, 2), [1, 0, 0, 2, 0, 0]))
        (self.folder / "of_sparse").mkdir(exist_ok=True)
        self.file("of_sparse/W.npy", npy("<f4", (2, 2), [1, 2, 3, 4]))
        self.call("run", "sparse.stg", "-g", "g.txt", "-i", "x=x.npy", "--parameters", "of_sparse", "-o", "p.npy")
        self.assertEqual(self.numbers("p.npy")[2], [1, 2, 6, 8, 0, 0])
        self.call("run", "sparse.stg", "-g", "g.txt", "-i", "x=x.npy", "-i", "W=of_sparse/W.npy", "-o", "p.npy")
        self.assertEqual(self.numbers("p.npy")[2], [1, 2, 6, 8, 0, 0])

    def test_numbers_that_are_not_finite_are_counted(self):
        self.file("w.npy", npy("<f4", (3,), [float("nan"), 1, float("inf")]))
        found = self.facts("run", "edge.stg", "-g", "g.txt", "-i", "by=1", "-i", "w=w.npy", "-o", "all.npz")
        self.assertEqual([o["not_finite"] for o in found["outputs"]], [2, 1])

    def test_trace(self):
        found = self.facts("trace", "net", "-g", "karate", "--random", "-o", "trace.json", "--runs", 2)
        self.assertTrue(found["units"] and all(u["runs"] == 2 for u in found["units"]))
        events = json.loads((self.folder / "trace.json").read_text())["traceEvents"]
        self.assertEqual(sum(e["ph"] == "X" for e in events), 2 * len(found["units"]))
        step = self.facts("trace", "net_loss", "-g", "karate", "--training", "-i", "x=@features", "-i", "label=@labels", "-i", "known=@train")
        self.assertEqual({u["program"] for u in step["units"]}, {1, 2})  # forward and gradient

    def test_bench(self):
        found = self.facts("bench", "net", "-g", "karate", "-i", "x=random", "--runs", 4)
        rows = {row["aggregate_name"]: row for row in found["benchmarks"]}
        self.assertEqual(set(rows), {"mean", "median", "stddev"})
        self.assertTrue(rows["median"]["real_time"] > 0 and rows["median"]["bytes_per_second"] > 0 and rows["median"]["of_floor"] > 0)
        self.assertEqual((rows["median"]["iterations"], rows["median"]["time_unit"]), (4, "ms"))

    def test_random_inputs_follow_the_seed(self):
        def drawn(seed):
            self.call("run", "edge.stg", "-g", "g.txt", "-i", "by=1", "-i", "w=random", "--seed", seed, "-o", "scaled=r.npy")
            return self.numbers("r.npy")[2]
        self.assertEqual(drawn(1), drawn(1))
        self.assertNotEqual(drawn(1), drawn(2))
        self.assertTrue(all(-1 <= v < 1 for v in drawn(1)))

    def test_drawings(self):
        self.assertTrue(self.call("draw", "net").startswith("digraph program {"))
        self.call("draw", "net", "-o", "net.svg", "--units", "--planned")
        self.assertIn("unit 0", (self.folder / "net.svg").read_text())
        self.call("draw", "net", "-o", "net.html")
        text = (self.folder / "net.html").read_text()
        self.assertTrue("<svg" in text and "matmul" in text and text.rstrip().endswith("</html>"))
        self.assertEqual(self.call("draw", "net", "--to", "text"), (self.folder / "net" / "program.stg").read_text())

    def test_options_in_a_file(self):
        self.file("o.toml", '[info]\njson = true\nundirected = true\n')
        self.assertEqual(json.loads(self.call("--config", "o.toml", "info", "g.txt"))["edges"], 4)


# A line, its exit code, and what its sentence says.
WRONG = [
    ((), 2, "stg: a command is missing; it has info, convert, partition, draw, run, trace, bench, completion"),
    (("inof",), 2, 'stg has no command "inof"; is it info?'),
    (("dance",), 2, 'stg has no command "dance"; it has info, convert'),
    (("--frob",), 2, 'stg has no option "--frob"; stg --help says what there is'),
    (("info",), 2, "stg: info needs a name; stg info --data-sets lists data sets"),
    (("info", "karate", "more"), 2, 'stg info takes no further word "more"'),
    (("info", "karate", "--jsn"), 2, 'stg info has no option "--jsn"; is it --json?'),
    (("info", "karate", "--from", "xls"), 2, "stg info: --from xls not in {edges,csv,named-edges,mtx,json,npz,npy,dataset,graphs,tu,ogb}"),
    (("info", "g.txt", "--vertices", "many"), 2, 'stg info: --vertices takes a whole number from 0 to 2147483647, not "many"'),
    (("info", "g.txt", "--vertices", "99999999999999999999"), 2, "--vertices takes a whole number from 0 to 2147483647"),
    (("info", "g.txt", "--vertices", "010x"), 2, '--vertices takes a whole number from 0 to 2147483647, not "010x"'),
    (("info", "g.txt", "--vertices"), 2, "stg info: --vertices needs a value"),
    (("info", "g.txt", "--vertices", "1"), 1, "stg: --vertices 1 is too few; an edge has vertex 2"),
    (("info", "kartae"), 1, 'stg: no file, folder or data set is called "kartae"; data sets are karate'),
    (("info", ""), 2, "stg: info needs a name"),
    (("info", "../no/such"), 1, 'stg: no file, folder or data set is called "../no/such"'),
    (("info", "empty_folder"), 1, "stg: folder empty_folder holds no graph that stg reads; write --from and one of edges, csv"),
    (("info", "odd.bin"), 1, "stg: file odd.bin has an end that says no format; write --from and one of edges, csv"),
    (("info", "empty.json"), 1, "stg: json empty.json"),
    (("info", "empty.npz"), 1, "stg: npz empty.npz"),
    (("info", "empty.npy"), 1, "stg: npy empty.npy"),
    (("info", "empty.safetensors"), 1, "stg: safetensors empty.safetensors"),
    (("info", "empty.stg"), 1, "stg: model empty.stg has no output; expected the text of a program"),
    (("info", "missing.stg"), 1, "stg: model missing.stg"),
    (("info", "odd.txt"), 1, "stg: edge list odd.txt"),
    (("info", "odd.gz", "--from", "edges"), 1, "stg: edge list odd.gz"),
    (("info", "far.txt"), 1, "stg: a graph of 100000000000 vertices and 1 edges has numbers with gaps; write --renumber"),
    (("info", "far.txt", "--vertices", "2147483647"), 1, "stg: --vertices 2147483647 is too few; an edge has vertex 99999999999"),
    (("info", "academia", "--undirected"), 2, "stg: edges of several kinds stay as they are"),
    (("info", "words.txt"), 1, "stg: edge list words.txt"),
    (("convert", "karate"), 2, "stg convert needs path"),
    (("convert", "karate", "x.xyz"), 2, "stg: the end of x.xyz says no format; write --to and one of edges, csv, mtx, json, npz, npy, dataset"),
    (("convert", "karate", "no/such/x.mtx"), 1, "stg: matrix no/such/x.mtx cannot be written"),
    (("convert", "karate", "empty_folder.mtx"), 1, "stg: matrix empty_folder.mtx cannot be written"),
    (("convert", "g.txt", "x", "--to", "dataset"), 1, "stg: graph g.txt has no features and labels"),
    (("convert", "academia", "x.npz"), 1, "stg: graph academia has several kinds; stg convert writes graphs of one kind"),
    (("convert", "nan.txt", "x.json"), 1, "not finite"),
    (("partition", "karate", "p"), 2, "stg: partition needs --parts, the number of parts"),
    (("partition", "karate", "p", "--parts", "65"), 2, 'stg partition: --parts takes a whole number from 1 to 64, not "65"'),
    (("partition", "karate", "p", "--by", "none.npy"), 1, "stg: npy none.npy is missing"),
    (("partition", "academia", "p", "--parts", "2"), 1, "stg: graph academia has several kinds"),
    (("run", "net"), 2, "stg run needs --graph"),
    (("run", "nowhere", "-g", "karate"), 1, "stg: model nowhere/program.stg is missing"),
    (("run", "net", "-g", "karate"), 1, "stg: input 'x' is not given: f32 (vertices, F); write --input x=FILE.npy, or x=@features"),
    (("run", "edge.stg", "-g", "g.txt", "-i", "w=@weights"), 1, "stg: input 'by' is not given: f32 (); write --input by=NUMBER"),
    (("run", "sparse.stg", "-g", "g.txt", "-i", "x=y.npy"), 1, "stg: parameter 'W' is not given: f32 (F, 2), trained; name its file, --parameters FILE"),
    (("run", "net", "-g", "karate", "-i", "x"), 2, 'stg: --input takes NAME=VALUE, not "x"'),
    (("run", "net", "-g", "karate", "-i", "z=y.npy"), 1, 'stg: model net has no input "z"; it reads x, W1, b1, W2'),
    (("run", "net", "-g", "karate", "-i", "x=@features", "-i", "x=@features"), 1, "stg: input 'x' is given twice; give it once"),
    (("run", "net", "-g", "karate", "-i", "x=@faetures"), 2, "stg: a data set has @features, @labels, @train"),
    (("run", "net", "-g", "g.txt", "-i", "x=@features"), 1, "stg: graph g.txt is no data set and has no features; give a file of them"),
    (("run", "edge.stg", "-g", "karate", "-i", "w=@weights"), 1, "stg: graph karate has no weights of edges; give a file of them"),
    (("run", "net", "-g", "karate", "-i", "x=7"), 1, "stg: input 'x' is f32 (vertices, F) and no single number; give a file of it"),
    (("run", "net", "-g", "karate", "-i", "x=x.csv"), 1, "stg: input 'x': x.csv is no array; give a .npy, .npz, .safetensors or .h5 file"),
    (("run", "net", "-g", "karate", "-i", "x=y.npy"), 1, "stg: extent 'F' is 4 in 'x' axis 0 and 34 in 'W1' axis 0"),
    (("run", "net", "-g", "g.txt", "-i", "x=y.npy"), 1, "stg: input 'x' has 34 rows; the graph has 3 vertices"),
    (("run", "net", "-g", "karate", "-i", "x=net.safetensors"), 1, 'stg: file net.safetensors has no array "x"; name one'),
    (("run", "net", "-g", "karate", "-i", "x=net.safetensors:q"), 1, "has no tensor"),
    (("run", "net", "-g", "karate", "-i", "x=none.h5:q"), 1, "stg: hdf5 none.h5"),
    (("run", "net", "-g", "karate", "-i", "x=@features", "-o", "y.csv"), 2, "stg: --output takes FILE.npy, NAME=FILE.npy or FILE.npz"),
    (("run", "edge.stg", "-g", "g.txt", "-i", "by=1", "-i", "w=@weights", "-o", "y.npy"), 2, "stg: the model has several outputs, scaled, total"),
    (("run", "edge.stg", "-g", "g.txt", "-i", "by=1", "-i", "w=@weights", "-o", "q=y.npy"), 1, "stg: the model has no output 'q'; it gives scaled, total"),
    (("run", "net", "-g", "karate", "-i", "x=@features", "--parameters", "g.txt"), 1, "stg: parameters g.txt are in a file of another kind"),
    (("run", "net", "-g", "academia", "-i", "x=random"), 1, "stg: "),
    (("run", "kinds.stg", "-g", "g.txt", "-i", "share=random"), 1, "stg: the model reads relation 'writes'; give a folder of a graph of several kinds"),
    (("run", "mask.stg", "-g", "g.txt", "-i", "x=random", "-i", "known=random"), 1, "stg: input 'x' is to be drawn and its extent 'F' has no size; write --extent F=16"),
    (("run", "mask.stg", "-g", "g.txt", "-i", "x=random", "--extent", "F=-1"), 2, "stg: --extent F takes a whole number from 1 on"),
    (("run", "net", "-g", "karate", "--threads", "0"), 2, 'stg run: --threads takes a whole number from 1 to 4096, not "0"'),
    (("run", "net", "-g", "karate", "-g", "karate"), 2, "stg run: --graph is given several times; give it once"),
    (("trace", "net", "-g", "karate", "--random", "-o", "no/such/t.json"), 1, "no/such/t.json"),
    (("trace", "net", "-g", "karate", "--random", "--training"), 1, "stg: a program that is trained has a loss as its first output"),
    (("bench", "net", "-g", "karate", "--random", "--runs", "0"), 2, "stg bench: --runs takes a whole number from 1 to 1000000"),
    (("draw", "net", "-o", "net.pdf"), 2, "stg: the end of net.pdf says no drawing; give .svg, .dot, .html or .stg"),
    (("draw", "net", "--to", "html"), 2, "stg: a page is a file; write --output NAME.html"),
    (("draw", "net", "-o", "no/such/g.svg"), 1, "no/such/g.svg"),
    (("completion", "tcsh"), 2, "stg completion: shell: tcsh not in {bash,zsh,fish}"),
    (("--config", "none.toml", "info", "karate"), 2, "none.toml"),
]


class wrong_lines(case):
    def test_each_has_its_sentence(self):
        (self.folder / "empty_folder").mkdir()
        (self.folder / "empty_folder.mtx").mkdir()
        for name in ("json", "npz", "npy", "safetensors", "stg"):
            self.file(f"empty.{name}", b"")
        self.file("odd.bin", bytes(range(256)))
        self.file("odd.txt", bytes(range(256)))
        self.file("odd.gz", b"\x1f\x8b\x08\x00broken")
        self.file("far.txt", "0 99999999999\n")
        self.file("nan.txt", "0 1 nan\n")
        for words, code, due in WRONG:
            with self.subTest(words=words):
                said = self.call(*words, code=code)
                self.assertIn(due, said)
                self.assertTrue(said.startswith("stg") and said.endswith("\n") and said.count("\n") == 1, said)
        self.assertGreaterEqual(len(WRONG), 25)

    def test_unreadable_and_special_files(self):
        unreadable = self.file("secret.txt", "0 1\n")
        unreadable.chmod(0)
        if not os.access(unreadable, os.R_OK):  # of root all files are readable
            self.assertIn("stg: edge list secret.txt cannot be opened", self.call("info", "secret.txt", code=1))
        self.assertIn("is a device, a pipe or a socket", self.call("info", "/dev/null", "--from", "edges", code=1))
        pipe = self.folder / "pipe.txt"
        os.mkfifo(pipe)
        self.assertIn("is a device, a pipe or a socket", self.call("info", "pipe.txt", code=1))
        with socket.socket(socket.AF_UNIX) as listening:
            if len(str(self.folder / "s.txt")) < 100:
                listening.bind(str(self.folder / "s.txt"))
                self.assertIn("is a device, a pipe or a socket", self.call("info", "s.txt", code=1))
        (self.folder / "loop.txt").symlink_to("loop.txt")
        self.call("info", "loop.txt", code=1)

    def test_full_disk_and_gone_readers(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([STG, "info", "karate"], env=self.environment, stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"stg: what is printed cannot be written: No space left on device", done.stderr)
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([STG, "draw", "net"], cwd=self.folder, env=self.environment, stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        self.assertEqual((done.returncode, done.stderr), (1, b""))

    def test_nothing_is_written_for_a_wrong_line(self):
        self.call("run", "net", "-g", "karate", "-i", "x=@features", "-o", "y.npy", "-o", "none.csv", code=2)
        self.assertFalse((self.folder / "none.csv").exists())


class completion(case):
    def offered(self, *words):
        """What bash offers in the place of the last word."""
        script = ('source <("$1" completion bash); shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
                  '_stg; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", STG, STG, *words], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, check=True)
        self.assertEqual(done.stderr, "")
        return [line for line in done.stdout.split("\n") if line]

    def test_bash(self):
        self.assertEqual(self.offered("co"), ["convert", "completion"])
        self.assertEqual(self.offered("info", "--j"), ["--json"])
        self.assertEqual(self.offered("convert", "g.txt", "x", "--to", "np"), ["npz", "npy"])
        self.assertEqual(self.offered("run", "net", "--graph", "kar"), ["karate"])
        self.assertEqual(self.offered("run", "net", "-g", "g."), ["g.txt"])
        self.assertEqual(self.offered("info", "cr"), ["crlf.csv"])
        self.assertEqual(self.offered("completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(self.offered("partition", "karate", "p", "--by", "ran"), ["ranges"])
        self.assertIn("--undirected", self.offered("bench", "--"))

    def test_every_option_is_offered(self):
        for command in ("info", "convert", "partition", "draw", "run", "trace", "bench"):
            shown = {word for line in self.call(command, "--help").splitlines() if line.startswith("  -")
                     for word in line.split()[0].split(",")}
            self.assertEqual(shown - set(self.offered(command, "-")), set(), command)

    def test_other_shells(self):
        for shell in ("zsh", "fish"):
            text = self.call("completion", shell)
            self.assertIn("undirected", text)
            if shutil.which(shell):
                self.file(f"stg.{shell}", text)
                subprocess.run([shell, "-n", f"stg.{shell}"], cwd=self.folder, check=True)


class pages(case):
    def test_page_is_what_comes_out(self):
        self.assertEqual(page.run(PAGE, self.folder, self.environment), [])


if __name__ == "__main__":
    STG, PAGE, PEER_FILES, *MODELS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
