#!/usr/bin/env python3
"""Small data sets in the published formats become the folders that stg reads; data sets that are found with their
published files beside them (raw/ in a folder of STG_DATA_DIR) become those folders to the last bit."""
import contextlib
import io
import json
import os
import pickle
import struct
import sys
import tempfile
import types
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import make_dataset  # noqa: E402


def made(*words):
    with contextlib.redirect_stdout(io.StringIO()):
        make_dataset.main([str(word) for word in words])


def numbers(path):
    shape, values = make_dataset.read_npy(path.read_bytes(), path.name)
    return list(shape), list(values)


def npy(descr, values, shape):
    """The bytes of an array, as NumPy writes them."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.npy"
        make_dataset.write_npy(path, values, descr, shape)
        return path.read_bytes()


# ---- pickles of Planetoid: objects whose classes are called as NumPy's and SciPy's are ----

class Reduced:
    """Pickled as a call of a function of another module, with a state."""

    def __init__(self, module, function, arguments, state):
        names = module.split(".")
        for k in range(len(names)):
            sys.modules.setdefault(".".join(names[:k + 1]), types.ModuleType(names[k]))
        self.call = getattr(sys.modules[module], function, None) or types.FunctionType((lambda *_: None).__code__, {}, function)
        self.call.__module__, self.call.__qualname__ = module, function
        setattr(sys.modules[module], function, self.call)
        self.arguments, self.state = arguments, state

    def __reduce__(self):
        return self.call, self.arguments, self.state


def ndarray(kind, code, values, shape):
    dtype = Reduced("numpy", "dtype", (kind, 0, 1), (3, "<", None, None, None, -1, -1, 0))
    return Reduced("numpy.core.multiarray", "_reconstruct", (b"ndarray", (0,), b"b"),
                   (1, tuple(shape), dtype, False, struct.pack(f"<{len(values)}{code}", *values)))


def csr(rows, width):
    """rows: {column: value}."""
    at, columns, values = [0], [], []
    for row in rows:
        columns += sorted(row)
        values += [row[c] for c in sorted(row)]
        at.append(len(columns))
    state = {"_shape": (len(rows), width), "data": ndarray("f4", "f", values, [len(values)]),
             "indices": ndarray("i4", "i", columns, [len(values)]), "indptr": ndarray("i4", "i", at, [len(at)])}
    return Reduced("scipy.sparse.csr", "csr_matrix", (), state)


class Formats(unittest.TestCase):
    def setUp(self):
        kept = dict(sys.modules)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in set(sys.modules) - set(kept)])
        self.root, self.out = Path(folder.name), Path(folder.name) / "made"

    def expect(self, **files):
        for name, (shape, values) in files.items():
            with self.subTest(name):
                self.assertEqual(numbers(self.out / f"{name}.npy"), (shape, values))

    def planetoid_files(self):
        parts = {"allx": csr([{0: 1.0}, {1: 1.0, 2: 1.0}, {}], 3), "tx": csr([{2: 1.0}, {0: 1.0}], 3), "x": csr([{0: 1.0}], 3),
                 "ally": ndarray("i4", "i", [1, 0, 0, 1, 1, 0], [3, 2]), "ty": ndarray("i4", "i", [0, 1, 1, 0], [2, 2]),
                 "y": ndarray("i4", "i", [1, 0], [1, 2]), "graph": {0: [1, 5, 1], 1: [0], 2: [2, 3], 3: [2], 5: [0]}}
        for name, value in parts.items():
            (self.root / f"ind.small.{name}").write_bytes(pickle.dumps(value, protocol=2))
        (self.root / "ind.small.test.index").write_text("5\n3\n")

    def test_planetoid(self):
        """Rows of the test part come in another order, and of vertex 4 nothing is known."""
        self.planetoid_files()
        made("planetoid", self.root, "small", self.out)
        self.expect(adj_indptr=([7], [0, 2, 3, 4, 5, 5, 6]), adj_indices=([6], [1, 5, 0, 3, 2, 0]),
                    edges=([2, 6], [0, 0, 1, 2, 3, 5, 1, 5, 0, 3, 2, 0]), feat_indptr=([7], [0, 1, 3, 3, 4, 4, 5]),
                    feat_indices=([5], [0, 1, 2, 0, 2]), labels=([6], [0, 1, 0, 0, 0, 1]), train=([1], [0]),
                    val=([2], [1, 2]), test=([2], [3, 5]))
        self.assertFalse((self.out / "feat_values.npy").exists())

    def test_a_pickle_that_would_run_something_is_refused(self):
        self.planetoid_files()
        (self.root / "ind.small.graph").write_bytes(b"cos\nsystem\n(S'true'\ntR.")
        with self.assertRaisesRegex(SystemExit, "ind.small.graph is no file of Planetoid: .*no (os|posix).system"):
            made("planetoid", self.root, "small", self.out)

    def test_linqs(self):
        (self.root / "a.content").write_text("p7\t0\t1\tZebra\np3\t1\t0.5\tApe\n")
        (self.root / "a.cites").write_text("p7\tp3\np3\tp3\np9\tp3\n")
        made("linqs", self.root / "a.content", self.root / "a.cites", self.out)
        self.expect(adj_indptr=([3], [0, 1, 2]), adj_indices=([2], [1, 0]), labels=([2], [1, 0]), feat_indptr=([3], [0, 1, 3]),
                    feat_indices=([3], [1, 0, 1]), feat_values=([3], [1.0, 1.0, 0.5]))

    def test_npz(self):
        with zipfile.ZipFile(self.root / "a.npz", "w") as packed:
            for name, data in {"adj_indptr": npy("<i4", [0, 2, 2, 3], [4]), "adj_indices": npy("<i4", [1, 0, 1], [3]),
                               "attr_indptr": npy("<i8", [0, 1, 1, 3], [4]), "attr_indices": npy("<i8", [4, 2, 0], [3]),
                               "attr_data": npy("<f4", [1, 2, 1], [3]), "labels": npy("|i1", [2, 0, 1], [3])}.items():
                packed.writestr(f"{name}.npy", data)
        made("npz", self.root / "a.npz", self.out)
        self.expect(adj_indptr=([4], [0, 1, 3, 4]), adj_indices=([4], [1, 0, 2, 1]), feat_indices=([3], [4, 0, 2]),
                    feat_values=([3], [1.0, 1.0, 2.0]), labels=([3], [2, 0, 1]))

    def test_ogb(self):
        for name, text in {"raw/num-node-list.csv": "3\n", "raw/edge.csv": "2,0\n0,1\n0,1\n", "raw/node-feat.csv": "1,2\n3,4\n0,6\n",
                           "raw/node-label.csv": "1\n0\n2\n", "split/time/train.csv": "2\n0\n", "split/time/valid.csv": "1\n",
                           "split/time/test.csv": ""}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        made("ogb", self.root, self.out)
        self.expect(adj_indptr=([4], [0, 2, 2, 3]), adj_indices=([3], [1, 1, 0]), feat_indices=([6], [0, 1] * 3),
                    feat_values=([6], [1, 2, 3, 4, 0, 6]), labels=([3], [1, 0, 2]), train=([2], [0, 2]), val=([1], [1]), test=([0], []))

    def test_tu(self):
        for name, text in {"A": "1, 2\n2, 1\n3, 3\n", "graph_indicator": "1\n1\n2\n", "graph_labels": "1\n-1\n",
                           "node_labels": "5\n7\n5\n", "node_attributes": "0.5, 1\n2, 3\n4, 5\n"}.items():
            (self.root / f"TOY_{name}.txt").write_text(text)
        made("tu", self.root, self.out)
        self.assertEqual(json.loads((self.out / "graph.json").read_text())["vertex_sets"], {"vertex": 3, "graph": 2})
        self.expect(**{"joins/edges": ([2, 3], [0, 1, 2, 1, 0, 2]), "part of/edges": ([2, 3], [0, 1, 2, 0, 0, 1]),
                       "graph/labels": ([2], [1, 0]), "vertex/labels": ([3], [0, 1, 0]), "vertex/x": ([3, 2], [0.5, 1, 2, 3, 4, 5])})

    def test_pygt(self):
        both = {"edges": [[0, 1], [1, 0]], "weights": [1, 0.5]}
        for name, data, files in (
                ("rows", {**both, "FX": [[1, 2], [3, 4], [5, 6]]}, {"signal": ([3, 2], [1, 2, 3, 4, 5, 6]), "weights": ([2], [1, 0.5])}),
                ("fields", {**both, "time_periods": 2, "0": [1, 2], "1": {"y": [3, 4]}}, {"signal": ([2, 2], [1, 2, 3, 4])}),
                ("links", {"nodes": [{"id": "b", "y": [1, 2]}, {"id": "a", "y": [3, 4]}], "links": [{"source": "a", "target": "b", "weight": 2}]},
                 {"edges": ([2, 1], [1, 0]), "signal": ([2, 2], [1, 3, 2, 4]), "weights": ([1], [2])}),
                ("mapping", {"edge_mapping": {"edge_index": {"0": [[0, 1]], "1": []}, "edge_weight": {"0": [7], "1": []}},
                             "time_periods": 2, "y": [[1, 2], [3, 4]]}, {"snap_ptr": ([3], [0, 1, 1]), "weights": ([1], [7])}),
                ("steps", {"time_periods": 1, "0": {"edges": [[0, 1]], "X": [[1, 2], [3, 4]], "y": [5, 6]}},
                 {"features": ([1, 2, 2], [1, 2, 3, 4]), "target": ([1, 2], [5, 6]), "snap_ptr": ([2], [0, 1])})):
            (self.root / f"{name}.json").write_text(json.dumps(data))
            self.out = self.root / name
            made("pygt", self.root / f"{name}.json", self.out)
            self.expect(**files)
        (self.root / "other.json").write_text('{"vertices": 3}')
        with self.assertRaisesRegex(SystemExit, "other.json is none of the forms .* fields are vertices"):
            made("pygt", self.root / "other.json", self.out)

    def test_snap(self):
        (self.root / "e.txt").write_text("# from to\n5\t2 30\n2\t5 10\n2\t9 20\n")
        made("snap", self.root / "e.txt", self.out, "--events")
        self.expect(events=([3, 3], [0, 1, 10, 0, 2, 20, 1, 0, 30]), node_ids=([3], [2, 5, 9]))
        (self.root / "e.txt").write_text("0 1\n1 0\n1 1\n")
        made("snap", self.root / "e.txt", self.root / "both", "--undirected")
        self.assertEqual(numbers(self.root / "both" / "adj_indices.npy"), ([2], [1, 0]))
        (self.root / "e.txt").write_text("0 1\n0 one\n")
        with self.assertRaisesRegex(SystemExit, "e.txt:2: '0 one' is not a list of numbers"):
            made("snap", self.root / "e.txt", self.out)


class Published(unittest.TestCase):
    """What the published files of a data set become is what lies beside them."""

    def same(self, name, *words):
        root = Path(os.environ.get("STG_DATA_DIR", "no such folder")) / name
        files = [root / "raw" / word for word in words[1:2] if not word.startswith("-")]
        if not (root / "raw").is_dir() or not all(file.exists() for file in files):
            self.skipTest(f"{name} with its published files is not in STG_DATA_DIR")
        with tempfile.TemporaryDirectory() as folder:
            made(words[0], root / "raw" if words[0] == "planetoid" else files[0], *([name] if words[0] == "planetoid" else []),
                 folder, *words[2:])
            for file in sorted(Path(folder).glob("*.npy")):
                with self.subTest(file.name):
                    self.assertEqual(file.read_bytes(), (root / file.name).read_bytes())

    def test_cora(self):
        self.same("cora", "planetoid")

    def test_citeseer(self):
        self.same("citeseer", "planetoid")

    def test_wiki_vote(self):
        self.same("wiki_vote", "snap", "wiki-Vote.txt")

    def test_collegemsg(self):
        self.same("collegemsg", "snap", "CollegeMsg.txt.gz", "--events")

    def test_pedalme(self):
        self.same("pedalme_london", "pygt", "pedalme_london.json")


if __name__ == "__main__":
    unittest.main()
