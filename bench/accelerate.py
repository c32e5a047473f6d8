#!/usr/bin/env python3
"""Trains six models of PyTorch Geometric as they are, and with one line more, `stg.torch.accelerate(model)`.

usage: accelerate.py [--data FOLDER] [--epochs N] [--only MODEL[:GRAPH]] [--table FILE] [--vertices N]
Needs the package stg, PyTorch and PyTorch Geometric. Both ways take turns, from the same weights and random numbers, and are held to
the same losses; a time is that of the whole training: the first batch, on which accelerate compares, included.
"""
import argparse
import platform
import statistics
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import torch
import torch_geometric
import torch_geometric.nn as pyg
from torch.nn import Linear, ReLU, Sequential, functional

import stg
import stg.torch

RELATIONS = 4


class Net(torch.nn.Module):
    """Two layers, with dropout between them."""

    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x, edge_index, *of_edges):
        x = functional.elu(self.first(x, edge_index, *of_edges))
        return self.second(functional.dropout(x, p=0.5, training=self.training), edge_index, *of_edges)


def perceptron(width, out):
    return Sequential(Linear(width, out), ReLU(), Linear(out, out))


MODELS = {  # of the widths of x, of the hidden rows and of the classes
    "GCN": lambda f, h, c: Net(pyg.GCNConv(f, h), pyg.GCNConv(h, c)),
    "GAT": lambda f, h, c: Net(pyg.GATConv(f, h // 8, heads=8, dropout=0.5), pyg.GATConv(h, c, dropout=0.5)),
    "SAGE": lambda f, h, c: Net(pyg.SAGEConv(f, h), pyg.SAGEConv(h, c)),
    "GIN": lambda f, h, c: Net(pyg.GINConv(perceptron(f, h)), pyg.GINConv(perceptron(h, c))),
    "RGCN": lambda f, h, c: Net(pyg.RGCNConv(f, h, RELATIONS), pyg.RGCNConv(h, c, RELATIONS)),
    "TransformerConv": lambda f, h, c: Net(pyg.TransformerConv(f, h // 8, heads=8), pyg.TransformerConv(h, c)),
}


def cora(folder):
    """PyTorch Geometric's Planetoid Cora, rows of x adding up to 1."""
    at = Path(folder) / "cora"
    first, columns = np.load(at / "feat_indptr.npy"), np.load(at / "feat_indices.npy").astype(np.int64)
    x = torch.zeros(len(first) - 1, int(columns.max()) + 1)
    rows = np.repeat(np.arange(len(first) - 1), np.diff(first))
    x[torch.from_numpy(rows), torch.from_numpy(columns)] = 1.0
    labels = torch.from_numpy(np.load(at / "labels.npy").astype(np.int64))
    train = torch.from_numpy(np.load(at / "train.npy").astype(np.int64))
    edge_index = torch.from_numpy(np.load(at / "edges.npy").astype(np.int64))
    return x / x.sum(1, keepdim=True).clamp(min=1), edge_index, labels, train, 64


def like_arxiv(vertices):
    """A drawn graph of ogbn-arxiv's size, or of fewer vertices: in-degrees of a power law, 128 features, 40 classes."""
    g = torch.Generator().manual_seed(0)
    edges = round(vertices * 1_166_243 / 169_343)
    src = torch.randint(vertices, (edges,), generator=g)
    dst = (vertices * torch.rand(edges, generator=g) ** 3).long()
    x = torch.randn(vertices, 128, generator=g)
    labels = torch.randint(40, (vertices,), generator=g)
    return x, torch.stack([src, dst]), labels, torch.randperm(vertices, generator=g)[: vertices // 2], 128


def trained(make, graph, epochs, accelerates):
    """Losses of a script, and its seconds by the clock and of processors."""
    x, edge_index, labels, train, hidden = graph
    torch.manual_seed(1)
    model = make(x.size(1), hidden, int(labels.max()) + 1)
    of_edges = ()
    if isinstance(model.first, pyg.RGCNConv):
        of_edges = (torch.randint(RELATIONS, (edge_index.size(1),), generator=torch.Generator().manual_seed(2)),)
    stg.torch.forget_graphs()
    begun = time.perf_counter(), time.process_time()
    if accelerates:
        stg.torch.accelerate(model, on_difference="raise")
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    losses = []
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = functional.cross_entropy(model(x, edge_index, *of_edges)[train], labels[train])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, (time.perf_counter() - begun[0], time.process_time() - begun[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", default="")
    parser.add_argument("--vertices", type=int, default=169_343)
    given = parser.parse_args()
    warnings.simplefilter("error", UserWarning)  # what is not stg's would be timed as if it were
    model, _, graph = given.only.partition(":")
    graphs = {"Cora": lambda: cora(given.data), "like arxiv": lambda: like_arxiv(given.vertices)}
    lines = [f"PyTorch {torch.__version__}, PyTorch Geometric {torch_geometric.__version__}, stg {stg.__version__}, Python {platform.python_version()}, "
             f"threads: {torch.get_num_threads()}; {given.epochs} epochs, the whole training, medians of {given.repetitions} by turns, in seconds", "",
             "| graph | model | PyTorch Geometric | with accelerate | times | processors' time | with accelerate | times | largest difference of a loss |",
             "|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines))
    wrong = []
    for graph_name, make_graph in graphs.items():
        if graph and graph != graph_name:
            continue
        data = make_graph()
        for name, make in MODELS.items():
            if model and model != name:
                continue
            times, losses = {False: [], True: []}, {}
            for _ in range(given.repetitions):
                for accelerates in (False, True):
                    losses[accelerates], seconds = trained(make, data, given.epochs, accelerates)
                    times[accelerates].append(seconds)
            off = max(abs(a - b) for a, b in zip(losses[False], losses[True]))
            line = f"| {graph_name} | {name} |"
            for of in range(2):
                before, after = (statistics.median(t[of] for t in times[a]) for a in (False, True))
                line += f" {before:.2f} | {after:.2f} | {before / after:.1f} |"
            lines.append(f"{line} {off:.1e} |")
            print(lines[-1], flush=True)
            if not off <= 1e-5:
                wrong.append(f"{name} on {graph_name}: {off:.1e}")
    if given.table:
        Path(given.table).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if wrong:
        sys.exit("losses differ by more than 1e-5: " + "; ".join(wrong))


if __name__ == "__main__":
    main()
