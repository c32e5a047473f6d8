#!/usr/bin/env python3
"""Measures programs of the module bench_layers in Python: calls of a tiny graph, and attention inside PyTorch beside PyTorch Geometric.

usage: python_door.py FOLDER_OF_THE_MODULE    needs NumPy; with PyTorch and PyTorch Geometric the comparison, too
"""
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, sys.argv[1])
import bench_layers as layers  # noqa: E402


def microseconds(call, calls=20000):
    """The fastest of seven rounds."""
    best = float("inf")
    for _ in range(7):
        begun = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - begun) / calls)
    return best * 1e6


def calls():
    graph = layers.Graph.from_edge_index(np.array([[0, 1], [1, 0]]), 2)
    inputs = {"h": np.ones((2, 8, 16), np.float32), "el": np.ones((2, 8, 1), np.float32), "er": np.ones((2, 8, 1), np.float32)}
    out = np.zeros((2, 8, 16), np.float32)
    bound = layers.gat.bound(graph, out, **inputs)
    print(f"a call of two vertices: bound {microseconds(bound):.1f} us, into given memory "
          f"{microseconds(lambda: layers.gat.into(out, graph, **inputs)):.1f} us, with a new array "
          f"{microseconds(lambda: layers.gat(graph, **inputs)):.1f} us")


def beside_pyg(vertices=25_000, edges=250_000):
    import torch
    from torch_geometric import __version__ as version
    from torch_geometric.nn import GATConv
    from torch_geometric.utils import softmax

    torch.manual_seed(0)
    edge_index = torch.randint(vertices, (2, edges))
    src, dst = edge_index
    graph = layers.Graph.from_edge_index(edge_index, vertices)
    h, el, er = (torch.randn(vertices, 8, n, requires_grad=True) for n in (16, 1, 1))
    x = torch.randn(vertices, 128, requires_grad=True)
    weight = torch.randn(vertices, 8, 16)
    conv = GATConv(128, 16, heads=8, add_self_loops=False, bias=False)

    def of_stg():
        return layers.gat(graph, h=h, el=el, er=er)

    def of_operations():
        a = softmax(torch.nn.functional.leaky_relu(el[src, :, 0] + er[dst, :, 0], 0.2), dst, num_nodes=vertices)
        return torch.zeros(vertices, 8, 16).index_add_(0, dst, a.unsqueeze(-1) * h[src])

    def of_layer():
        return conv(x, edge_index).view(vertices, 8, 16)

    def layer_with_stg():
        n = conv.lin(x).view(vertices, 8, 16)
        return layers.gat(graph, h=n, el=(n * conv.att_src).sum(-1, keepdim=True), er=(n * conv.att_dst).sum(-1, keepdim=True))

    def step(f, inputs):
        return torch.autograd.grad((f() * weight).sum(), inputs)

    ways = {"stg": (of_stg, (h, el, er)), "softmax and index_add": (of_operations, (h, el, er)),
            "GATConv": (of_layer, (x, *conv.parameters())), "GATConv's weights with stg": (layer_with_stg, (x, *conv.parameters()))}
    for a, b in (("stg", "softmax and index_add"), ("GATConv's weights with stg", "GATConv")):
        mine, theirs = (step(*ways[n]) for n in (a, b))
        off = max(((p - q).abs().max() / q.abs().max()).item() for p, q in zip(mine, theirs))
        print(f"gradients, {a} against {b}: {off:.1e} of the largest")
    times = {name: [] for name in ways}
    for _ in range(9):
        for name, way in ways.items():
            begun = time.perf_counter()
            step(*way)
            times[name].append(1e3 * (time.perf_counter() - begun))
    print(f"forward and backward, PyTorch {torch.__version__}, PyTorch Geometric {version}, {torch.get_num_threads()} threads, medians of 9 by turns:")
    for name, all_of_it in times.items():
        print(f"  {name:28} {statistics.median(all_of_it):8.1f} ms")


if __name__ == "__main__":
    calls()
    try:
        import torch_geometric  # noqa: F401
    except ImportError:
        print("PyTorch Geometric is not installed: no comparison")
    else:
        beside_pyg()
