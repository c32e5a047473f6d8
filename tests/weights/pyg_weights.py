#!/usr/bin/env python3
"""Layers of PyTorch Geometric and PyTorch Geometric Temporal with drawn weights, and what they give: one file of safetensors.

usage: pyg_weights.py write FILE    weights under each case's name, inputs as in/…, results as CASE/out
       pyg_weights.py train FILE    a GCN of two layers, trained on Zachary's karate club: what docs/interop.md reads
       pyg_weights.py read FILE RETURNED    the weights that stg wrote from these are loaded and give the same results

Needs PyTorch, PyTorch Geometric 2.8, and PyTorch Geometric Temporal, whose cells are taken from their own files.
"""
import importlib.metadata
import importlib.util
import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")
import torch  # noqa: E402
import torch_geometric.nn as pyg  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from torch.nn import GRU, LSTM, Linear, ReLU, Sequential  # noqa: E402

N, IN, OUT, HEADS, EDGE_IN, RELATIONS = 9, 4, 6, 2, 3, 3
TOLERANCE = 1e-5
KINDS = (["a", "p"], [("a", "writes", "p"), ("p", "cites", "p")])


def cell(module, name):
    """A cell from its own file: the package as a whole needs torch_sparse."""
    folder = Path(importlib.util.find_spec("torch_geometric_temporal").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location(module, folder / "nn" / "recurrent" / f"{module}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return getattr(loaded, name)


def drawn_inputs():
    torch.manual_seed(1)
    pairs = [(i, j) for i in range(N) for j in range(N) if i != j]
    chosen = torch.randperm(len(pairs))[:24].tolist()
    edges = torch.tensor([pairs[k] for k in sorted(chosen) if pairs[k][1] != 4]).t().contiguous()  # vertex 4 has no in-edge
    count = edges.shape[1]
    both = torch.cat([edges, edges.flip(0)], 1).unique(dim=1).contiguous()  # ChebConv counts out-edges: the same where all go both ways
    return {"edge_index": edges, "both": both, "x": torch.randn(N, IN), "w": torch.rand(count) + 0.1, "u": torch.randn(count, EDGE_IN),
            "relation": torch.randint(RELATIONS, (count,)).int(), "h": torch.randn(N, OUT), "c": torch.randn(N, OUT),
            "writes": torch.tensor([[0, 1, 2, 3, 0], [1, 1, 0, 3, 2]]), "xa": torch.randn(4, IN), "xp": torch.randn(5, IN),
            "ha": torch.randn(4, 8), "hp": torch.randn(5, 8), "cites": torch.tensor([[0, 1, 2, 4], [1, 2, 0, 3]])}


def mlp(first, last):
    return Sequential(Linear(first, 5), ReLU(), Linear(5, last))


def cases():
    """Name, module, and a function from it and the inputs to a result or several."""
    def conv(m, i):
        return m(i["x"], i["edge_index"])

    def of_edges(m, i):
        return m(i["x"], i["edge_index"], i["u"])

    def of_relations(m, i):
        return m(i["x"], i["edge_index"], i["relation"].long())

    def of_kinds(prefix):
        def call(m, i):
            given = {"a": i[prefix + "a"], "p": i[prefix + "p"]}
            return m(given, {KINDS[1][0]: i["writes"], KINDS[1][1]: i["cites"]})["p"]
        return call

    def recurrent(m, i):
        return m(i["x"], i["both"], None, i["h"])

    def with_memory(m, i):
        return m(i["x"], i["both"], None, i["h"], i["c"])

    degrees = torch.bincount(torch.bincount(drawn_inputs()["edge_index"][1], minlength=N))
    aggregators, scalers = ["mean", "std", "max", "min"], ["identity", "amplification", "attenuation"]
    weighted = lambda m, i: m(i["x"], i["edge_index"], i["w"])  # noqa: E731
    yield "gcn_conv", pyg.GCNConv(IN, OUT), conv
    yield "gcn_conv_weighted", pyg.GCNConv(IN, OUT, add_self_loops=False), weighted
    yield "cheb_conv", pyg.ChebConv(IN, OUT, 3), lambda m, i: m(i["x"], i["both"])
    yield "tag_conv", pyg.TAGConv(IN, OUT, 2), conv
    yield "sgc", pyg.SGConv(IN, OUT, 2), conv
    yield "arma_conv", pyg.ARMAConv(IN, OUT, 2, 2), conv
    yield "gat_conv", pyg.GATConv(IN, OUT, HEADS), conv
    yield "gat_conv_edges", pyg.GATConv(IN, OUT, HEADS, edge_dim=EDGE_IN, add_self_loops=False), of_edges
    yield "gatv2_conv", pyg.GATv2Conv(IN, OUT, HEADS), conv
    yield "gatv2_conv_edges", pyg.GATv2Conv(IN, OUT, HEADS, edge_dim=EDGE_IN, add_self_loops=False), of_edges
    yield "transformer_conv", pyg.TransformerConv(IN, OUT, HEADS), conv
    yield "transformer_conv_edges", pyg.TransformerConv(IN, OUT, HEADS, edge_dim=EDGE_IN, beta=True), of_edges
    yield "sage_conv", pyg.SAGEConv(IN, OUT), conv
    yield "sage_conv_max", pyg.SAGEConv(IN, OUT, aggr="max", project=True), conv
    yield "graph_conv", pyg.GraphConv(IN, OUT), weighted
    yield "gin_conv", pyg.GINConv(mlp(IN, OUT), train_eps=True), conv
    yield "gine_conv", pyg.GINEConv(mlp(IN, OUT), train_eps=True, edge_dim=EDGE_IN), of_edges
    yield "edge_conv", pyg.EdgeConv(mlp(2 * IN, OUT)), conv
    yield "pna_conv", pyg.PNAConv(IN, OUT, aggregators, scalers, degrees), conv
    yield "pna_conv_edges", pyg.PNAConv(IN, OUT, aggregators, scalers, degrees, edge_dim=EDGE_IN, towers=2), of_edges
    yield "res_gated_conv", pyg.ResGatedGraphConv(IN, OUT), conv
    yield "res_gated_conv_edges", pyg.ResGatedGraphConv(IN, OUT, edge_dim=EDGE_IN), of_edges
    yield "film_conv", pyg.FiLMConv(IN, OUT), conv
    yield "rgcn_conv", pyg.RGCNConv(IN, OUT, RELATIONS, num_bases=2), of_relations
    yield "rgcn_conv_whole", pyg.RGCNConv(IN, OUT, RELATIONS), of_relations
    yield "han_conv", pyg.HANConv({"a": IN, "p": IN}, 8, KINDS, heads=HEADS), of_kinds("x")
    yield "hgt_conv", pyg.HGTConv({"a": 8, "p": 8}, 8, KINDS, heads=HEADS), of_kinds("h")
    yield "gated_graph", pyg.GatedGraphConv(OUT, 2), conv
    yield "layer_norm", pyg.LayerNorm(IN, mode="node"), lambda m, i: m(i["x"])
    yield "layer_norm_graph", pyg.LayerNorm(IN), lambda m, i: m(i["x"])
    yield "graph_norm", pyg.GraphNorm(IN), lambda m, i: m(i["x"])
    yield "batch_norm", pyg.BatchNorm(IN).eval(), lambda m, i: m(i["x"])
    yield "global_attention_pool", pyg.AttentionalAggregation(Linear(IN, 1), Linear(IN, OUT)), lambda m, i: m(i["x"], torch.zeros(N).long())
    yield "set2set", pyg.Set2Set(IN, 3), lambda m, i: m(i["x"], torch.zeros(N).long(), dim_size=1)
    yield "jumping_knowledge_lstm", pyg.JumpingKnowledge("lstm", OUT, 3), lambda m, i: m([i["h"], i["c"], i["h"] * i["c"]])
    yield "gru", GRU(IN, OUT), lambda m, i: m(i["x"][None], i["h"][None])[1][0]
    yield "lstm", LSTM(IN, OUT), lambda m, i: tuple(s[0] for s in m(i["x"][None], (i["h"][None], i["c"][None]))[1])
    yield "tgcn", cell("temporalgcn", "TGCN")(IN, OUT), recurrent
    yield "gconv_gru", cell("gconv_gru", "GConvGRU")(IN, OUT, 2), recurrent
    yield "gconv_lstm", cell("gconv_lstm", "GConvLSTM")(IN, OUT, 2), with_memory
    yield "gc_lstm", cell("gc_lstm", "GCLSTM")(IN, OUT, 2), with_memory
    yield "lrgcn", cell("lrgcn", "LRGCN")(IN, OUT, RELATIONS, 2), lambda m, i: m(i["x"], i["edge_index"], i["relation"].long(), i["h"], i["c"])
    yield "dygr_encoder", cell("dygrae", "DyGrEncoder")(OUT, 2, "add", OUT, 1), lambda m, i: m(
        i["h"], i["edge_index"], i["w"], i["h"], i["c"])[1:]
    yield "mpnn_lstm", cell("mpnn_lstm", "MPNNLSTM")(IN, OUT, N, 1, 0.0).eval(), lambda m, i: m(i["x"], i["edge_index"], None)[:, :2 * OUT]


def drawn(name, module):
    """The module with all of its numbers drawn, those that begin with 0 or 1 as well."""
    generator = torch.Generator().manual_seed(sum(map(ord, name)))
    with torch.no_grad():
        for key, p in list(module.named_parameters()) + list(module.named_buffers()):
            if p.is_floating_point() and "avg_deg" not in key:
                p.copy_(torch.rand(p.shape, generator=generator) * (1.0 if "running_var" in key else 1.4) + (0.5 if "running_var" in key else -0.7))
    return module


def results(module, call, inputs):
    with torch.no_grad():
        given = call(module, inputs)
    given = given if isinstance(given, (tuple, list)) else (given,)
    return [r.reshape(r.shape[-2:]).contiguous() for r in given]


def write(path):
    inputs = drawn_inputs()
    tensors = {f"in/{name}": t for name, t in inputs.items()}
    tensors["in/edge_index"] = inputs["edge_index"].int()
    for name in ("both", "writes", "cites"):
        tensors[f"in/{name}"] = inputs[name].int()
    for name, module, call in cases():
        module = drawn(name, module)
        tensors |= {f"{name}.{key}": t.clone().contiguous() for key, t in module.state_dict().items()}
        tensors |= {f"{name}/out{k}": r.clone() for k, r in enumerate(results(module, call, inputs))}
    versions = {name: importlib.metadata.version(name) for name in ("torch", "torch_geometric", "torch_geometric_temporal")}
    save_file(tensors, path, metadata={"versions": ", ".join(f"{name} {v}" for name, v in versions.items())})
    return 0


def read(path, returned):
    inputs, tensors, back = drawn_inputs(), load_file(path), load_file(returned)
    wrong = 0
    for name, module, call in cases():
        module.load_state_dict({key[len(name) + 1:]: t for key, t in back.items() if key.startswith(name + ".")}, strict=True)
        worst = 0.0
        for k, r in enumerate(results(module, call, inputs)):
            expected = tensors[f"{name}/out{k}"]
            worst = max(worst, float((r - expected).abs().max() / expected.abs().max()))
        wrong += not worst <= TOLERANCE
        print(f"{name}\t{worst:.1e}{'' if worst <= TOLERANCE else '  differs'}")
    return 1 if wrong else 0


def train(path):
    from torch_geometric.datasets import KarateClub
    torch.manual_seed(1)
    data = KarateClub()[0]

    class GCN(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2 = pyg.GCNConv(34, 16), pyg.GCNConv(16, 4)

        def forward(self, x, edge_index):
            return self.conv2(self.conv1(x, edge_index).relu(), edge_index)

    model = GCN()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=5e-4)
    for _ in range(100):
        optimizer.zero_grad()
        out = model(data.x, data.edge_index)
        torch.nn.functional.cross_entropy(out[data.train_mask], data.y[data.train_mask]).backward()
        optimizer.step()
    out = model(data.x, data.edge_index).detach()
    print(f"accuracy {float((out.argmax(1) == data.y).float().mean()):.4f}")
    save_file({**model.state_dict(), "logits": out}, path)
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "train":
        sys.exit(train(sys.argv[2]))
    sys.exit(write(sys.argv[2]) if sys.argv[1] == "write" else read(sys.argv[2], sys.argv[3]))
