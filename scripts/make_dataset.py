#!/usr/bin/env python3
"""Makes the folder that stg reads of a data set's published files; docs/datasets.md says where those are.

usage: make_dataset.py planetoid FOLDER NAME OUT     ind.NAME.x and its seven neighbours: Cora, CiteSeer, PubMed
       make_dataset.py linqs CONTENT CITES OUT       NAME.content and NAME.cites
       make_dataset.py npz FILE OUT                  amazon_electronics_photo.npz, ms_academic_cs.npz and their like
       make_dataset.py ogb FOLDER OUT                an unpacked ogbn data set: raw/ and split/
       make_dataset.py tu FOLDER OUT                 an unpacked TU data set: NAME_A.txt and its neighbours
       make_dataset.py pygt FILE OUT                 a JSON file of PyTorch Geometric Temporal
       make_dataset.py snap FILE OUT [--undirected]  an edge list of SNAP, `src dst` in a line
       make_dataset.py snap FILE OUT --events        the same with a time: `src dst time`
A file may be compressed by gzip. Standard library only. What a file has wrong is said with its name and line.
"""
import argparse
import ast
import gzip
import io
import json
import pickle
import struct
import sys
import zipfile
from array import array
from pathlib import Path

TYPES = {"<i4": "i", "<i8": "q", "<i2": "h", "|i1": "b", "|u1": "B", "<u2": "H", "<f4": "f", "<f8": "d", "|b1": "B"}
FLOATS = ("<f4", "<f8")


class Mistake(Exception):
    """What is wrong with a file, in a sentence."""


# ---- NumPy's files ----

def write_npy(path, values, descr, shape):
    """values: numbers in row-major order. NPY 1.0, little-endian, as stg::read_npy reads it."""
    data = array(TYPES[descr], values)
    if sys.byteorder == "big":
        data.byteswap()
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    head += " " * ((64 - (10 + len(head) + 1) % 64) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode("ascii") + data.tobytes())


def read_npy(data, name):
    """(shape, array) of the bytes of a file; of no objects."""
    if data[:6] != b"\x93NUMPY":
        raise Mistake(f"{name} is no .npy array")
    wide = data[6] > 1
    length = struct.unpack_from("<I" if wide else "<H", data, 8)[0]
    start = 12 if wide else 10
    head = ast.literal_eval(data[start:start + length].decode("latin1"))
    if head["descr"] not in TYPES or head["fortran_order"]:
        raise Mistake(f"{name} holds {head['descr']}, which is not read")
    values = array(TYPES[head["descr"]])
    values.frombytes(data[start + length:])
    if sys.byteorder == "big":
        values.byteswap()
    return head["shape"], values


# ---- text ----

def open_text(path):
    """A text file, unpacked where gzip has packed it."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return io.TextIOWrapper(gzip.open(path) if packed else path.open("rb"), encoding="utf-8")


def rows_of(path, of=float, separator=None):
    """Numbers of each line that is not empty and no comment."""
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            try:
                yield [of(word) for word in line.split(separator)]
            except ValueError:
                raise Mistake(f"{path}:{number}: '{line.strip()[:60]}' is not a list of numbers") from None


def either(folder, *names):
    """The first of these files that is there."""
    for name in names:
        if (folder / name).exists():
            return folder / name
    raise Mistake(f"{folder / names[0]} is missing")


# ---- what is written ----

def offsets(rows):
    at = array("i", [0])
    for row in rows:
        at.append(at[-1] + len(row))
    return at


def write_edges(out, vertices, pairs, undirected):
    """Edges as rows by source, ascending: without loops and doubles where they are undirected, else as they are."""
    rows = [[] for _ in range(vertices)]
    for source, destination in pairs:
        rows[source].append(destination)
        if undirected:
            rows[destination].append(source)
    if undirected:
        rows = [sorted(set(row) - {source}) for source, row in enumerate(rows)]
    else:
        rows = [sorted(row) for row in rows]
    at = offsets(rows)
    write_npy(out / "adj_indptr.npy", at, "<i4", [vertices + 1])
    write_npy(out / "adj_indices.npy", (d for row in rows for d in row), "<i4", [at[-1]])
    print(f"{vertices} vertices, {at[-1]} edges")


def write_features(out, rows, values=None):
    """rows: columns of the numbers that are not 0, ascending; values likewise, or none where all of them are 1."""
    at = offsets(rows)
    if max((row[-1] for row in rows if len(row)), default=0) > 65535:
        raise Mistake("there are more than 65,536 features, which stg does not read")
    write_npy(out / "feat_indptr.npy", at, "<i4", [len(rows) + 1])
    write_npy(out / "feat_indices.npy", (c for row in rows for c in row), "<u2", [at[-1]])
    if values is not None and any(v != 1 for row in values for v in row):
        write_npy(out / "feat_values.npy", (v for row in values for v in row), "<f4", [at[-1]])


def write_ids(out, name, ids):
    write_npy(out / f"{name}.npy", sorted(ids), "<i4", [len(ids)])


def write_labels(out, labels):
    write_npy(out / "labels.npy", labels, "<i4", [len(labels)])


# ---- Planetoid: pickles of Python 2, which hold NumPy's and SciPy's arrays ----

class Dtype:
    """What NumPy's pickles say of a type: `i4` in a constructor, and its byte order in a state."""

    def __init__(self, name, *_):
        self.name = name

    def __setstate__(self, state):
        order = "|" if self.name[1:] == "1" else state[1]
        self.name = ("<" if order in "<=" else order) + self.name


class Array:
    """A pickled ndarray: its shape and its numbers."""

    def __setstate__(self, state):
        _, self.shape, kind, by_column, raw = state
        if kind.name not in TYPES or by_column and len(self.shape) > 1:
            raise Mistake(f"an array of {kind.name} in columns is not read")
        self.values = array(TYPES[kind.name])
        self.values.frombytes(raw.encode("latin1") if isinstance(raw, str) else raw)


class Matrix:
    """A pickled sparse matrix in rows: data, indices, indptr and shape, as SciPy names them."""

    def rows(self):
        shape = self.__dict__.get("_shape", self.__dict__.get("shape"))
        at, columns, numbers = self.indptr.values, self.indices.values, self.data.values
        for row in range(shape[0]):
            entries = sorted((columns[k], numbers[k]) for k in range(at[row], at[row + 1]) if numbers[k] != 0)
            yield [c for c, _ in entries], [v for _, v in entries]


class Unpickler(pickle.Unpickler):
    """Knows the few classes of Planetoid's files, and makes nothing else: a pickle may name any function."""

    KNOWN = {"_reconstruct": lambda *_: Array(), "ndarray": Array, "dtype": Dtype, "csr_matrix": Matrix}

    def find_class(self, module, name):
        if module.split(".")[0] in ("numpy", "scipy") and name in self.KNOWN:
            return self.KNOWN[name]
        if (module, name) == ("collections", "defaultdict"):
            return lambda *_: {}
        if (module, name) in (("__builtin__", "list"), ("builtins", "list")):
            return list
        if (module, name) == ("_codecs", "encode"):
            return lambda text, _="latin1": text.encode("latin1")
        raise pickle.UnpicklingError(f"a pickle of Planetoid names no {module}.{name}")


def planetoid(args):
    """The graph, features and public split as PyTorch Geometric's Planetoid has them."""
    def part(name):
        file = args.folder / f"ind.{args.name}.{name}"
        try:
            with file.open("rb") as opened:
                return Unpickler(opened, encoding="latin1").load()
        except OSError as error:
            raise Mistake(f"{file}: {error.strerror}") from None
        except (pickle.UnpicklingError, EOFError, AttributeError, TypeError) as error:
            raise Mistake(f"{file} is no file of Planetoid: {error}") from None

    tested = [int(row[0]) for row in rows_of(args.folder / f"ind.{args.name}.test.index")]
    graph = part("graph")
    known = list(part("allx").rows())
    vertices = max([len(known), *(v + 1 for v in tested)])
    columns, values = [row for row, _ in known], [row for _, row in known]
    labels = classes_of(part("ally"))
    if len(labels) != len(known):
        raise Mistake(f"ind.{args.name}.ally has {len(labels)} rows, allx {len(known)}")
    for rows in (columns, values):
        rows.extend([] for _ in range(vertices - len(known)))  # CiteSeer: of some nothing is known
    labels.extend([0] * (vertices - len(labels)))
    for vertex, (row, numbers), label in zip(tested, part("tx").rows(), classes_of(part("ty"))):
        columns[vertex], values[vertex], labels[vertex] = row, numbers, label
    trained = len(classes_of(part("y")))
    write_edges(args.out, vertices, ((s, d) for s, row in graph.items() for d in row), True)
    write_coordinates(args.out)
    write_features(args.out, columns, values)
    write_labels(args.out, labels)
    write_ids(args.out, "train", range(trained))
    write_ids(args.out, "val", range(trained, trained + 500) if len(known) >= trained + 500 else range(trained, len(known)))
    write_ids(args.out, "test", tested)


def classes_of(one_hot):
    """The class of each row of an array of zeros and a one; 0 where there is none."""
    width = one_hot.shape[1]
    return [max(range(width), key=one_hot.values[width * k:width * (k + 1)].__getitem__) for k in range(one_hot.shape[0])]


def write_coordinates(out):
    """edges.npy, (2, edges), of the rows that were written."""
    _, at = read_npy((out / "adj_indptr.npy").read_bytes(), "adj_indptr.npy")
    _, to = read_npy((out / "adj_indices.npy").read_bytes(), "adj_indices.npy")
    sources = array("i")
    for vertex in range(len(at) - 1):
        sources.extend([vertex] * (at[vertex + 1] - at[vertex]))
    write_npy(out / "edges.npy", sources + to, "<i4", [2, len(to)])


# ---- the others ----

def linqs(args):
    """Vertices in the order of the file of contents, classes in the order of their names. There is no public split."""
    ids, columns, values, names = {}, [], [], []
    with open_text(args.content) as file:
        for number, line in enumerate(file, 1):
            words = line.split()
            if len(words) < 2:
                raise Mistake(f"{args.content}:{number}: a paper, its words and its class are expected")
            ids[words[0]] = len(ids)
            row = [(c, float(v)) for c, v in enumerate(words[1:-1]) if float(v) != 0]
            columns.append([c for c, _ in row]), values.append([v for _, v in row]), names.append(words[-1])
    with open_text(args.cites) as file:
        cites = [line.split()[:2] for line in file if line.strip()]
    pairs = [(ids[citing], ids[cited]) for cited, citing in cites if cited in ids and citing in ids]
    if len(pairs) < len(cites):
        print(f"{len(cites) - len(pairs)} citations of papers that have no contents are left out")
    write_edges(args.out, len(ids), pairs, True)
    write_features(args.out, columns, values)
    classes = sorted(set(names))
    write_labels(args.out, [classes.index(name) for name in names])


def npz(args):
    """Undirected, without loops. There is no public split: stg::random_split draws one."""
    with zipfile.ZipFile(args.file) as packed:
        def part(name):
            try:
                return read_npy(packed.read(f"{name}.npy"), f"{args.file}: {name}.npy")[1]
            except KeyError:
                raise Mistake(f"{args.file} has no {name}.npy") from None

        at, to = part("adj_indptr"), part("adj_indices")
        vertices = len(at) - 1
        write_edges(args.out, vertices, ((s, to[k]) for s in range(vertices) for k in range(at[s], at[s + 1])), True)
        at, columns, numbers = part("attr_indptr"), part("attr_indices"), part("attr_data")
        rows = [sorted((columns[k], numbers[k]) for k in range(at[v], at[v + 1]) if numbers[k] != 0) for v in range(vertices)]
        write_features(args.out, [[c for c, _ in row] for row in rows], [[v for _, v in row] for row in rows])
        write_labels(args.out, part("labels"))


def ogb(args):
    """An ogbn data set of one kind of vertices: edges as they are published, the split of the first folder in split/."""
    def table(name, of=float):
        return rows_of(either(args.folder, f"raw/{name}.csv.gz", f"raw/{name}.csv"), of, ",")

    vertices = int(next(table("num-node-list"))[0])
    write_edges(args.out, vertices, ((s, d) for s, d in table("edge", int)), False)
    columns, values = [], []
    for row in table("node-feat"):
        columns.append(array("H", range(len(row)))), values.append(array("f", row))
    write_features(args.out, columns, values)
    write_labels(args.out, [int(row[0]) for row in table("node-label")])
    splits = sorted(folder for folder in (args.folder / "split").iterdir() if folder.is_dir())
    for name, ours in ("train", "train"), ("valid", "val"), ("test", "test"):
        write_ids(args.out, ours, [row[0] for row in rows_of(either(splits[0], f"{name}.csv.gz", f"{name}.csv"), int, ",")])


def tu(args):
    """Small graphs as sets of vertices, as stg::read_graphs reads it: "vertex", "graph", "joins" and "part of"."""
    files = sorted(args.folder.glob("*_graph_indicator.txt"))
    if not files:
        raise Mistake(f"{args.folder} has no NAME_graph_indicator.txt")
    name = files[0].name[:-len("_graph_indicator.txt")]

    def has(what):
        return (args.folder / f"{name}_{what}.txt").exists()

    def table(what, of=int):
        return list(rows_of(args.folder / f"{name}_{what}.txt", of, ","))

    def write(owner, what, rows, descr):
        folder = args.out / owner
        folder.mkdir(parents=True, exist_ok=True)
        width = len(rows[0]) if rows else 1
        write_npy(folder / f"{what}.npy", (v for row in rows for v in row), descr, [len(rows)] + [width] * (width > 1))

    def from_zero(rows):
        """Labels as numbers from 0 on, in the order of what they are."""
        order = sorted({row[0] for row in rows})
        return [[order.index(row[0])] for row in rows]

    graph_of = [row[0] - 1 for row in table("graph_indicator")]
    edges = table("A")
    graphs, vertices = max(graph_of) + 1, len(graph_of)
    sizes = {"vertex_sets": {"vertex": vertices, "graph": graphs},
             "relations": {"joins": ["vertex", "vertex"], "part of": ["vertex", "graph"]}}
    (args.out / "graph.json").write_text(json.dumps(sizes))
    for owner, ends in ("joins", [[s - 1 for s, _ in edges], [d - 1 for _, d in edges]]), ("part of", [list(range(vertices)), graph_of]):
        write(owner, "edges", ends, "<i4")
    write("graph", "labels", from_zero(table("graph_labels")), "<i4")
    for owner, what in ("vertex", "node"), ("joins", "edge"):
        if has(f"{what}_labels"):
            write(owner, "labels", from_zero(table(f"{what}_labels")), "<i4")
        if has(f"{what}_attributes"):
            write(owner, "x", table(f"{what}_attributes", float), "<f4")
    print(f"{graphs} graphs, {vertices} vertices, {len(edges)} edges")


def pygt(args):
    """A signal over one graph, or over one that changes, as stg::read_graph_signal_folder and
    stg::read_changing_graph_signal_folder read it."""
    with open_text(args.file) as file:
        data = json.load(file)

    def write_ends(pairs):
        write_npy(args.out / "edges.npy", [s for s, _ in pairs] + [d for _, d in pairs], "<i4", [2, len(pairs)])

    def write_weights(weights):
        if weights:
            write_npy(args.out / "weights.npy", weights, "<f8", [len(weights)])

    def write_signal(rows, name="signal"):
        shape = [len(rows), len(rows[0])]
        flat = [v for row in rows for v in row]
        if flat and isinstance(flat[0], list):
            shape.append(len(flat[0]))
            flat = [v for row in flat for v in row]
        write_npy(args.out / f"{name}.npy", flat, "<f8", shape)
        print(f"{shape[1]} vertices, {shape[0]} steps")

    def write_snapshots(edges, weights):
        """edges and weights of each step."""
        write_npy(args.out / "snap_ptr.npy", offsets(edges), "<i4", [len(edges) + 1])
        write_ends([pair for step in edges for pair in step])
        write_weights([w for step in weights for w in step])

    rows = next((data[key] for key in ("FX", "X", "block") if isinstance(data.get(key), list)), None)
    steps = [str(t) for t in range(data.get("time_periods", 0))]
    if rows is not None:
        write_ends(data["edges"]), write_weights(data.get("weights")), write_signal(rows)
    elif "edge_mapping" in data:
        edges, weights = data["edge_mapping"]["edge_index"], data["edge_mapping"].get("edge_weight", {})
        write_snapshots([edges[t] for t in steps], [weights[t] for t in steps if t in weights]), write_signal(data["y"])
    elif "links" in data and "nodes" in data:
        place = {node["id"]: k for k, node in enumerate(data["nodes"])}
        write_ends([(place[link["source"]], place[link["target"]]) for link in data["links"]])
        write_weights([link["weight"] for link in data["links"] if "weight" in link])
        write_signal(list(zip(*(node["y"] for node in data["nodes"]))))
    elif steps and isinstance(data.get("0"), dict) and "edges" in data["0"]:
        write_snapshots([data[t]["edges"] for t in steps], [data[t].get("weights", []) for t in steps])
        write_signal([data[t]["X"] for t in steps], "features"), write_signal([data[t]["y"] for t in steps], "target")
    elif steps and "edges" in data:
        write_ends(data["edges"]), write_weights(data.get("weights"))
        write_signal([data[t]["y"] if isinstance(data[t], dict) else data[t] for t in steps if t in data])
    else:
        raise Mistake(f"{args.file} is none of the forms of PyTorch Geometric Temporal; its fields are {', '.join(data)}")


def snap(args):
    """Vertices are numbered without gaps, ascending; node_ids.npy says which each was, where that is another number."""
    rows = list(rows_of(args.file, int))
    width = 3 if args.events else 2
    if any(len(row) < width for row in rows):
        raise Mistake(f"{args.file} has lines of less than {width} numbers")
    ids = sorted({v for row in rows for v in row[:2]})
    number = {v: k for k, v in enumerate(ids)}
    if ids != list(range(len(ids))):
        write_npy(args.out / "node_ids.npy", ids, "<i4", [len(ids)])
    if args.events:
        events = sorted(rows, key=lambda row: row[2])
        write_npy(args.out / "events.npy", (v for s, d, t in events for v in (number[s], number[d], t)), "<i4", [len(events), 3])
        print(f"{len(ids)} vertices, {len(events)} events")
    else:
        write_edges(args.out, len(ids), ((number[row[0]], number[row[1]]) for row in rows), args.undirected)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    forms = parser.add_subparsers(dest="form", required=True)
    for form, names in (planetoid, ["folder", "name"]), (linqs, ["content", "cites"]), (npz, ["file"]), (ogb, ["folder"]), \
            (tu, ["folder"]), (pygt, ["file"]), (snap, ["file"]):
        of = forms.add_parser(form.__name__, description=form.__doc__)
        of.set_defaults(make=form)
        for name in [*names, "out"]:
            of.add_argument(name, type=str if name == "name" else Path)
        if form is snap:
            of.add_argument("--undirected", action="store_true", help="each line is an edge both ways; loops and doubles go")
            of.add_argument("--events", action="store_true", help="a third number in a line is a time")
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    try:
        args.make(args)
    except (Mistake, OSError) as error:
        sys.exit(f"make_dataset: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
