"""PyTorch Geometric: message passing along an edge index, and its sparse path; the layers are those that it ships."""
import torch
import torch.nn.functional as F
import torch_geometric
from torch_geometric.nn import GATConv, GCNConv, MessagePassing
from torch_geometric.utils import softmax

import pyg_batches
import pyg_kinds
from cases import TEMPORAL
from work import Epoch, Layer, drop, edges, load, sparse_rows

VERSIONS = {"torch_geometric": torch_geometric.__version__}
try:
    import torch_scatter
    import torch_sparse

    VERSIONS.update(torch_scatter=torch_scatter.__version__, torch_sparse=torch_sparse.__version__)
except ImportError:
    torch_sparse = None  # then the sparse path runs on PyTorch's own CSR matrices


def variants(case):
    kind, graph, _, when = case
    if kind in TEMPORAL:  # pyg_temporal_peer.py
        return []
    for other in (pyg_batches, pyg_kinds):
        if kind in other.KINDS:
            return other.variants(kind, when, torch_sparse is not None)
    sparse = ["sparse", "edge_index"]
    if kind == "attention" and torch_sparse is None:
        return ["edge_index"]
    if kind == "gcn":
        sparse.append("edge_index_uncached" if graph != "cora" else "sparse_sparse_x")
    if kind in ("gcn", "gat") and graph == "cora":
        sparse.append("edge_index_sparse_x")
    return sparse


class WeightedSum(MessagePassing):
    """As GCNConv passes messages: weight times source row, or one sparse product where the adjacency is a matrix."""

    def forward(self, x, edge_index, weight=None):
        return self.propagate(edge_index, x=x, edge_weight=weight, size=None)

    def message(self, x_j, edge_weight):
        return x_j if edge_weight is None else edge_weight.view(-1, 1) * x_j

    def message_and_aggregate(self, adj_t, x):
        return torch_geometric.utils.spmm(adj_t, x, reduce="sum")


class Attention(MessagePassing):
    """As GATConv passes messages, from scores that are given."""

    def __init__(self):
        super().__init__(node_dim=0)

    def forward(self, h, el, er, edge_index):
        alpha = self.edge_updater(edge_index, alpha=(el.squeeze(-1), er.squeeze(-1)), size=None)
        return self.propagate(edge_index, x=h, alpha=alpha, size=None)

    def edge_update(self, alpha_j, alpha_i, index, ptr, size_i):
        return softmax(F.leaky_relu(alpha_j + alpha_i, 0.2), index, ptr, size_i)

    def message(self, x_j, alpha):
        return alpha.unsqueeze(-1) * x_j


def adjacency(src, dst, vertices, values, sparse):
    """What the layers take: a transposed adjacency matrix (row = destination), or the pair of id lists."""
    if not sparse:
        return torch.stack([src, dst])
    if torch_sparse is not None:
        return torch_sparse.SparseTensor(row=dst, col=src, value=values, sparse_sizes=(vertices, vertices))
    values = torch.ones(len(src)) if values is None else values
    return torch.sparse_coo_tensor(torch.stack([dst, src]), values, (vertices, vertices)).coalesce().to_sparse_csr()


def transposed(gradient):
    return gradient.t()


def prepare(case, variant, folder):
    kind, graph, _, when = case
    for other in (pyg_batches, pyg_kinds):
        if kind in other.KINDS:
            return other.prepare(kind, variant, when, folder)
    sparse = variant.startswith("sparse")
    src, dst = edges(folder)
    cotangent = load(folder, "cotangent") if when == "both" else None
    if kind == "sum":
        x, w = load(folder, "x"), load(folder, "w")
        layer, a = WeightedSum(), adjacency(src, dst, len(x), w, sparse)
        return Layer(lambda rows: layer(rows, a, None if sparse else w), {"x": x}, cotangent)
    if kind == "attention":
        h = load(folder, "h")
        layer, a = Attention(), adjacency(src, dst, len(h), None, sparse)
        inputs = {"h": h, "el": load(folder, "el"), "er": load(folder, "er")}
        return Layer(lambda h, el, er: layer(h, el, er, a), inputs, cotangent)
    x = load(folder, "x")
    a = adjacency(src, dst, len(x), None, sparse)
    given = {n: load(folder, n) for n in (["W1", "b1", "W2", "b2"] if kind == "gcn" else GAT_PARAMETERS)}
    model, named = (gcn if kind == "gcn" else gat)(given, a, graph, not variant.endswith("uncached"))
    if variant.endswith("_sparse_x"):
        x = sparse_rows(x, "csr")
    return Epoch(model, named, folder, x)


def gcn(given, a, graph, cached):
    rate = 0.5 if graph == "cora" else 0.0
    first, second = (
        GCNConv(*given[w].shape, cached=cached, add_self_loops=False) for w in ("W1", "W2"))  # loops are in the graph
    named = {"W1": (first.lin.weight, transposed), "b1": (first.bias, lambda g: g),
             "W2": (second.lin.weight, transposed), "b2": (second.bias, lambda g: g)}
    fill(named, given)

    def model(x, training):
        h = F.relu(first(drop(x, rate, training), a))
        return second(drop(h, rate, training), a)

    return model, named


GAT_PARAMETERS = ["W1", "a_src1", "a_dst1", "b1", "W2", "a_src2", "a_dst2", "b2"]


def gat(given, a, graph, _):
    rate = 0.6 if graph == "cora" else 0.0
    first = GATConv(given["W1"].shape[0], 8, heads=8, dropout=rate, add_self_loops=False)
    second = GATConv(64, given["W2"].shape[1], heads=1, concat=False, dropout=rate, add_self_loops=False)
    named = {}
    for k, layer in (("1", first), ("2", second)):
        linear = layer.lin if getattr(layer, "lin", None) is not None else layer.lin_src
        named |= {"W" + k: (linear.weight, transposed), "b" + k: (layer.bias, lambda g: g),
                  "a_src" + k: (layer.att_src, lambda g: g[0]), "a_dst" + k: (layer.att_dst, lambda g: g[0])}
    fill(named, given)

    def model(x, training):
        for layer in (first, second):
            layer.train(training)
        h = F.elu(first(drop(x, rate, training), a))
        return second(drop(h, rate, training), a)

    return model, named


def fill(named, given):
    """Puts stg's initial parameters into the layers: shaped() of the layer's tensor is stg's shape."""
    with torch.no_grad():
        for name, (tensor, shaped) in named.items():
            shaped(tensor).copy_(given[name])
