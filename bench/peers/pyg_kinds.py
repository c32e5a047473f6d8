"""PyTorch Geometric: an RGCN over several kinds of vertices, and a GIN over many small graphs."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, HeteroConv, RGCNConv, SAGEConv, global_add_pool

from cases import KINDS as SIZES
from cases import RELATIONS, SMALL_EDGES, SMALL_GRAPHS, SMALL_VERTICES
from work import Steps, load, loss_of_kinds

KINDS = ("rgcn", "gin")
FIRST = [sum(SIZES[:k]) for k in range(len(SIZES))]  # vertex of each kind where all are numbered as one


def variants(kind, when, has_sparse):
    """`RGCNConv` sees one graph whose edges have types; `hetero` has a SAGEConv for each relation."""
    if kind == "rgcn":
        return ["RGCNConv", "hetero"] + (["hetero_sparse"] if has_sparse else [])
    return ["edge_index"] + (["sparse"] if has_sparse and when == "step" else [])


def relations(folder):
    """Sources and destinations of each relation, within their kinds."""
    return [tuple(load(folder, f"{end}_{r}").long() for end in ("src", "dst")) for r in range(len(RELATIONS))]


def as_one(folder):
    """All kinds as one: features, labels, sources, destinations and types of edges."""
    x, y = (torch.cat([load(folder, f"{name}{k}") for k in range(len(SIZES))]) for name in "xy")
    src, dst, types = [], [], []
    for r, (s, d) in enumerate(relations(folder)):
        src.append(s + FIRST[RELATIONS[r][0]])
        dst.append(d + FIRST[RELATIONS[r][1]])
        types.append(torch.full_like(s, r))
    return x, y.long(), torch.cat(src), torch.cat(dst), torch.cat(types)


def prepare(kind, variant, when, folder):
    if kind == "gin":
        return gin(variant, when, folder)
    return of_one(folder) if variant == "RGCNConv" else of_kinds(folder, variant.endswith("sparse"))


def same(t):
    return t


def transposed(t):
    return t.t()


def of_one(folder):
    x, y, src, dst, types = as_one(folder)
    layers = [RGCNConv(*load(folder, f"U{k}").shape, num_relations=len(RELATIONS)) for k in (1, 2)]
    named = {}
    for k, layer in enumerate(layers, 1):
        named |= {f"U{k}": (layer.root, same), f"b{k}": (layer.bias, same)}
        named |= {f"W{k}{r}": (layer.weight, lambda w, r=r: w[r]) for r in range(len(RELATIONS))}
    edge_index = torch.stack([src, dst])

    def loss(_):
        h = F.relu(layers[0](x, edge_index, types))
        return F.cross_entropy(layers[1](h, edge_index, types), y)
    return Steps(loss, named, [None], folder)


def of_kinds(folder, is_sparse):
    x = {f"k{k}": load(folder, f"x{k}") for k in range(len(SIZES))}
    y = torch.cat([load(folder, f"y{k}") for k in range(len(SIZES))]).long()
    types = [(f"k{a}", f"r{r}", f"k{b}") for r, (a, b) in enumerate(RELATIONS)]
    adjacency = dict(zip(types, (torch.stack(ends) for ends in relations(folder))))
    if is_sparse:
        from torch_sparse import SparseTensor
        adjacency = {t: SparseTensor(row=dst, col=src, sparse_sizes=(len(x[t[2]]), len(x[t[0]])))
                     for t, (src, dst) in adjacency.items()}
    named, layers = {}, []
    for k in (1, 2):
        own = torch.nn.Linear(*load(folder, f"U{k}").shape)
        along = HeteroConv({t: SAGEConv(tuple(own.weight.shape[1:]) * 2, own.weight.shape[0], root_weight=False, bias=False)
                            for t in types}, aggr="sum")
        layers.append((own, lambda h, along=along: along(h, adjacency)))
        named |= {f"U{k}": (own.weight, transposed), f"b{k}": (own.bias, same)}
        named |= {f"W{k}{r}": (along.convs[t].lin_l.weight, transposed) for r, t in enumerate(types)}

    return Steps(lambda _: loss_of_kinds(layers, x, y), named, [None], folder)


def gin(variant, when, folder):
    x, y = load(folder, "x"), load(folder, "y").long()
    src, dst = (load(folder, end).long().view(SMALL_GRAPHS, SMALL_EDGES) for end in ("src", "dst"))
    layers, named = [], {}
    for k in range(1, 6):
        first, second = (torch.nn.Linear(*load(folder, f"{name}{k}").shape) for name in "AB")
        layers.append(GINConv(torch.nn.Sequential(first, torch.nn.ReLU(), second)))
        named |= {f"A{k}": (first.weight, transposed), f"a{k}": (first.bias, same), f"B{k}": (second.weight, transposed),
                  f"c{k}": (second.bias, same)}
    head = torch.nn.Linear(64, 2)
    named |= {"R": (head.weight, transposed), "r": (head.bias, same)}

    def loss(batch):
        h = batch.x
        for layer in layers:
            h = F.relu(layer(h, batch.edge_index))
        return F.cross_entropy(head(global_add_pool(h, batch.batch, size=SMALL_GRAPHS)), batch.y)

    if when == "epoch":
        each = [Data(x=x[i * SMALL_VERTICES:(i + 1) * SMALL_VERTICES], edge_index=torch.stack([src[i], dst[i]]), y=y[i:i + 1])
                for i in range(SMALL_GRAPHS)]
        return Steps(loss, named, DataLoader(each, batch_size=SMALL_GRAPHS), folder)
    first = torch.arange(SMALL_GRAPHS).unsqueeze(1) * SMALL_VERTICES
    adjacency = torch.stack([(src + first).flatten(), (dst + first).flatten()])
    if variant == "sparse":
        from torch_sparse import SparseTensor
        adjacency = SparseTensor(row=adjacency[1], col=adjacency[0], sparse_sizes=(len(x), len(x)))
    batch = Data(x=x, edge_index=adjacency, y=y, batch=torch.arange(SMALL_GRAPHS).repeat_interleave(SMALL_VERTICES))
    return Steps(loss, named, [batch], folder)
