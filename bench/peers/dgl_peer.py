"""DGL: its generalised sparse products, edge softmax, and the layers that it ships."""
import os

os.environ.setdefault("DGLBACKEND", "pytorch")
import dgl
import torch
import torch.nn.functional as F
from dgl.nn.pytorch import GATConv, GraphConv

import dgl_batches
from cases import TEMPORAL
from work import Epoch, Layer, drop, edges, load, sparse_rows

VERSIONS = {"dgl": dgl.__version__}


def variants(case):
    kind, graph, _, when = case
    if kind in TEMPORAL or kind == "gin":
        return []
    if kind in dgl_batches.KINDS:
        return dgl_batches.variants(kind, when)
    if kind == "sum":
        return ["u_mul_e_sum"]
    if kind == "attention":
        return ["edge_softmax"]
    plain = ["GraphConv" if kind == "gcn" else "GATConv"]
    return plain + [plain[0] + "_sparse_x"] if graph == "cora" else plain


def prepare(case, variant, folder):
    kind, graph, _, when = case
    if kind in dgl_batches.KINDS:
        return dgl_batches.prepare(kind, variant, when, folder)
    src, dst = edges(folder)
    x = load(folder, "h" if kind == "attention" else "x")
    g = dgl.graph((src.int(), dst.int()), num_nodes=len(x))  # 32-bit ids: the faster kernels
    g.create_formats_()
    cotangent = load(folder, "cotangent") if when == "both" else None
    if kind == "sum":
        w = load(folder, "w").unsqueeze(1)
        return Layer(lambda rows: dgl.ops.u_mul_e_sum(g, rows, w), {"x": x}, cotangent)
    if kind == "attention":
        inputs = {"h": x, "el": load(folder, "el"), "er": load(folder, "er")}
        return Layer(lambda h, el, er: attention(g, h, el, er), inputs, cotangent)
    model, named = gcn(g, folder, graph) if kind == "gcn" else gat(g, folder, graph)
    if variant.endswith("_sparse_x"):
        x = sparse_rows(x, "coo")
    return Epoch(model, named, folder, x)


def attention(g, h, el, er):
    alpha = dgl.ops.edge_softmax(g, F.leaky_relu(dgl.ops.u_add_v(g, el, er), 0.2))
    return dgl.ops.u_mul_e_sum(g, h, alpha)


def same(gradient):
    return gradient


def fill(named, folder):
    with torch.no_grad():
        for name, (tensor, shaped) in named.items():
            given = load(folder, name)
            shaped(tensor).copy_(given)


def gcn(g, folder, graph):
    rate = 0.5 if graph == "cora" else 0.0
    first, second = (GraphConv(*load(folder, w).shape, norm="both") for w in ("W1", "W2"))
    named = {"W1": (first.weight, same), "b1": (first.bias, same), "W2": (second.weight, same), "b2": (second.bias, same)}
    fill(named, folder)

    def model(x, training):
        h = F.relu(first(g, drop(x, rate, training)))
        return second(g, drop(h, rate, training))

    return model, named


def gat(g, folder, graph):
    rate = 0.6 if graph == "cora" else 0.0
    inputs, classes = load(folder, "W1").shape[0], load(folder, "W2").shape[1]
    first, second = GATConv(inputs, 8, 8, attn_drop=rate), GATConv(64, classes, 1, attn_drop=rate)
    named = {}
    for k, layer in (("1", first), ("2", second)):
        shape = layer.attn_l.shape[1:]
        named |= {"W" + k: (layer.fc.weight, lambda g: g.t()), "b" + k: (layer.bias, same),
                  "a_src" + k: (layer.attn_l, lambda g, s=shape: g.view(s)),
                  "a_dst" + k: (layer.attn_r, lambda g, s=shape: g.view(s))}
    fill(named, folder)

    def model(x, training):
        for layer in (first, second):
            layer.train(training)
        h = F.elu(first(g, drop(x, rate, training)).flatten(1))
        return second(g, drop(h, rate, training)).mean(1)

    return model, named
