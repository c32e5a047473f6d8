#!/usr/bin/env python3
"""Writes the small files that tests of readers read: write.py FOLDER. Run by hand where NumPy and SciPy are; versions.txt
says which wrote the files that lie here."""
import gzip
import io
import json
import struct
import sys
import zipfile
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import scipy
import scipy.io
import scipy.sparse as sp

ALL = {
    "f2": np.array([0.5, -2, 65504, np.inf], "<f2"),
    "f4": np.arange(6, dtype="<f4").reshape(2, 3) / 4,
    "f8": np.array(1e300),
    "i1": np.array([-128, 127], "i1"),
    "i2": np.array([-32768, 32767], "<i2"),
    "i4": np.array([[1], [-2]], "<i4"),
    "i8": np.array([2**62, -(2**63)], "<i8"),
    "u1": np.array([0, 255], "u1"),
    "u2": np.array([0, 65535], "<u2"),
    "u4": np.array([0, 2**32 - 1], "<u4"),
    "u8": np.array([7, 2**63 - 1], "<u8"),
    "b1": np.array([True, False, True]),
    "transposed": np.arange(6, dtype="<i8").reshape(3, 2).T,
    "empty": np.zeros((0, 4), "<f4"),
}


def numpy_files(folder):
    np.savez(folder / "stored.npz", **ALL)
    np.savez_compressed(folder / "deflated.npz", **ALL)
    np.savez(folder / "unnamed.npz", np.arange(3), np.ones(2, "<f4"))
    np.savez(folder / "beyond.npz", u8=np.array([1, 2**63], "<u8"), objects=np.array([None, 1], dtype=object),
             words=np.array(["a"]))
    np.save(folder / "cube.npy", np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4)))
    text = io.BytesIO()
    np.savez(text, a=np.arange(4))
    with zipfile.ZipFile(folder / "lzma.npz", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.npy", zipfile.ZipFile(text).read("a.npy"))
    longer_than_it_says(folder / "longer.npz", zipfile.ZipFile(text).read("a.npy"))


def longer_than_it_says(path, array):
    """An entry that unpacks to four bytes more than both of its sizes say, which is the array."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a.npy"), array + b"more", zipfile.ZIP_DEFLATED)
    said, meant = (struct.pack("<I", len(array) + more) for more in (4, 0))
    path.write_bytes(path.read_bytes().replace(said, meant))


def packed_texts(folder):
    def pack(text):
        return gzip.compress(text.encode(), mtime=0)
    (folder / "edges.csv.gz").write_bytes(pack("0,1\n2,") + pack("1\n1,0\n"))
    (folder / "events.txt.gz").write_bytes(pack("0 1 5\n1 2 6\n"))
    (folder / "signal.json.gz").write_bytes(pack('{"edges": [[0, 1]], "X": [[1, 2], [3, 4]]}'))
    (folder / "many.txt.gz").write_bytes(pack("".join(f"{e % 1000} {3 * e % 1000}\n" for e in range(200_000))))


def pyg_files(folder):
    """The layouts of gnn-benchmark (Amazon, Coauthor, CitationFull) and of the heterophilous graphs."""
    adj = sp.csr_matrix(np.array([[0, 1, 0], [0, 1, 1], [1, 0, 0]], "<f4"))
    attr = sp.csr_matrix(np.array([[0, 2.5, 0, 1], [0, 0, 0, 0], [-1, 0, 3, 0]], "<f4"))
    parts = {f"{name}_{part}": getattr(m, part) for name, m in (("adj", adj), ("attr", attr))
             for part in ("data", "indices", "indptr", "shape")}
    np.savez_compressed(folder / "benchmark.npz", **parts, labels=np.array([1, 0, 2]), node_names=np.array(["a", "b", "c"]))
    masks = np.eye(4, dtype=bool)
    np.savez_compressed(folder / "heterophilous.npz", node_features=np.arange(8, dtype="<f4").reshape(4, 2),
                        node_labels=np.array([0, 1, 1, 0]), edges=np.array([[0, 1], [2, 3], [1, 2]]),
                        train_masks=masks[:2], val_masks=masks[1:3], test_masks=masks[2:])


def ogb_folders(folder):
    """OGB's layouts, as its ogb/io/read_graph_raw.py reads them."""
    def table(path, rows, header=False):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = pd.DataFrame(rows).to_csv(header=header, index=False)
        path.write_bytes(gzip.compress(text.encode(), mtime=0))

    one = folder / "ogb_one"
    for name, rows in {"edge": [[0, 1], [2, 0]], "num-node-list": [3], "num-edge-list": [2], "node-feat": [[0.5, 1], [-2, 3], [4, 5]],
                       "edge-feat": [[7], [8]], "node-label": [[1], [0], [4]], "node_year": [[2001], [2002], [2003]]}.items():
        table(one / "raw" / f"{name}.csv.gz", rows)
    for name, rows in {"train": [0], "valid": [2], "test": [1]}.items():
        table(one / "split" / "time" / f"{name}.csv.gz", rows)
    many = folder / "ogb_many"
    for name, rows in {"edge": [[0, 1], [1, 2], [1, 0]], "num-node-list": [3, 2], "num-edge-list": [2, 1],
                       "graph-label": [[1, np.nan], [0, 1]]}.items():
        table(many / "raw" / f"{name}.csv.gz", rows)
    kinds = folder / "ogb_kinds"
    table(kinds / "raw/num-node-dict.csv.gz", {"author": [2], "paper": [3]}, header=True)
    table(kinds / "raw/triplet-type-list.csv.gz", [["author", "writes", "paper"], ["paper", "cites", "paper"]])
    table(kinds / "raw/relations/author___writes___paper/edge.csv.gz", [[0, 2], [1, 0]])
    table(kinds / "raw/relations/author___writes___paper/num-edge-list.csv.gz", [2])
    table(kinds / "raw/relations/author___writes___paper/edge_reltype.csv.gz", [[5], [6]])
    table(kinds / "raw/relations/paper___cites___paper/edge.csv.gz", [[2, 1]])
    table(kinds / "raw/relations/paper___cites___paper/num-edge-list.csv.gz", [1])
    table(kinds / "raw/node-feat/paper/node-feat.csv.gz", [[1.5], [2.5], [3.5]])
    table(kinds / "raw/node-label/paper/node-label.csv.gz", [[0], [2], [1]])
    for name, rows in {"train": [0, 1], "valid": [2], "test": []}.items():
        table(kinds / "split" / "time" / "paper" / f"{name}.csv.gz", rows)
    binary = folder / "ogb_binary"
    (binary / "raw").mkdir(parents=True, exist_ok=True)
    np.savez(binary / "raw/data.npz", edge_index=np.array([[0, 2], [1, 0]]), num_nodes_list=np.array([3]),
             num_edges_list=np.array([2]), node_feat=np.arange(6, dtype="<f2").reshape(3, 2), node_year=np.array([1, 2, 3]))
    np.savez(binary / "raw/node-label.npz", node_label=np.array([[0.0], [np.nan], [2.0]], "<f4"))


def graph_files(folder):
    g = nx.Graph()
    g.add_node(7, x=0.5)
    g.add_node("seven", x=2)
    g.add_edge(7, "seven", w=1.5)
    g.add_edge(7, 7, w=3)
    (folder / "node_link.json").write_text(json.dumps(nx.node_link_data(g)))
    m = nx.MultiDiGraph([(0, 1), (0, 1), (2, 0)])
    (folder / "node_link_multi.json").write_text(json.dumps(nx.node_link_data(m, edges="links")))
    scipy.io.mmwrite(folder / "matrix.mtx", sp.coo_array(([0.5, -2.0], ([0, 2], [1, 0])), shape=(4, 4)))


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    numpy_files(folder)
    packed_texts(folder)
    pyg_files(folder)
    ogb_folders(folder)
    graph_files(folder)
    (folder / "versions.txt").write_text(f"NumPy {np.__version__}, SciPy {scipy.__version__}, pandas {pd.__version__}, networkx {nx.__version__}\n")


main()
