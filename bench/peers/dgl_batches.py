"""DGL: its neighbour sampler, a GraphSAGE of three layers on what it draws, and an RGCN over several kinds of vertices.

Its sampler draws for each layer anew, for all vertices that the layer after it reads: the first drawn is the last layer's.
"""
import dgl
import torch
import torch.nn.functional as F
from dgl.nn.pytorch import GraphConv, HeteroGraphConv, RelGraphConv, SAGEConv

from cases import FAN_OUTS, RELATIONS
from cases import KINDS as SIZES
from work import Drawing, Foretold, Steps, edges, load, loss_of_kinds

KINDS = ("sampling", "sage", "rgcn")
SEEDS = 1024


def variants(kind, when):
    if kind == "rgcn":
        return ["HeteroGraphConv", "RelGraphConv"]
    if kind == "sage" and when == "step":
        return ["blocks"]
    return ["loader", "worker"] + (["workers"] if kind == "sampling" else [])


def prepare(kind, variant, when, folder):
    if kind == "rgcn":
        return rgcn(variant, folder)
    if kind == "sage" and when == "step":
        return given(folder)
    src, dst = edges(folder)
    vertices = int(max(src.max(), dst.max())) + 1
    g = dgl.graph((src.int(), dst.int()), num_nodes=vertices)
    g.create_formats_()
    workers = {"loader": 0, "worker": 1, "workers": 2}[variant]
    # The fused sampler of 2.1.0 finds fewer vertices with every call.
    batches = dgl.dataloading.DataLoader(
        g, load(folder, "seeds").int(), dgl.dataloading.NeighborSampler(list(FAN_OUTS[::-1]), fused=False), batch_size=SEEDS,
        shuffle=kind == "sage", num_workers=workers, **({"persistent_workers": True} if workers else {}))
    if kind == "sampling":
        def take(batch):
            ends = [(block.srcdata[dgl.NID], block.dstdata[dgl.NID], block.edges()) for block in batch[2]]
            return (torch.cat([src[e[0].long()] for src, _, e in ends]), torch.cat([dst[e[1].long()] for _, dst, e in ends]),
                    batch[1], batch[2][-1].in_degrees())
        return Drawing(batches, lambda batch: sum(block.num_edges() for block in batch[2]), take, src, dst, vertices)
    x, y = load(folder, "x"), load(folder, "label").long()
    model = Sage(folder)
    return Foretold(lambda b: F.cross_entropy(model(b[2], x[b[0].long()]), y[b[1].long()]), model.named, batches, folder,
                    lambda: model([g] * 3, x))


def transposed(t):
    return t.t()


class Sage(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        shapes = [load(folder, f"U{k}").shape for k in (1, 2, 3)]
        self.layers = torch.nn.ModuleList(SAGEConv(*shape, "mean", bias=False) for shape in shapes)
        self.named = {}
        for k, layer in enumerate(self.layers, 1):
            self.named |= {f"U{k}": (layer.fc_self.weight, transposed), f"V{k}": (layer.fc_neigh.weight, transposed)}

    def forward(self, blocks, x):
        for k, layer in enumerate(self.layers):
            x = layer(blocks[k], x)
            if k < 2:
                x = F.relu(x)
        return x


def given(folder):
    """Steps on batches that stg drew, as blocks: of each layer the edges of the hops that the seeds need there."""
    x, y = load(folder, "x"), load(folder, "label").long()
    model, batches = Sage(folder), []
    for k in range(len(list(folder.glob("vertices_*.npy")))):
        src, dst, vertices = (load(folder, f"{name}_{k}") for name in ("src", "dst", "vertices"))
        of_vertices, of_edges = (load(folder, f"{name}_offsets_{k}").tolist() for name in ("vertex", "edge"))
        blocks = [dgl.create_block((src[:of_edges[hops]], dst[:of_edges[hops]]), num_src_nodes=of_vertices[hops + 1],
                                   num_dst_nodes=of_vertices[hops]) for hops in (3, 2, 1)]
        for block in blocks:
            block.create_formats_()
        batches.append((blocks, x[vertices.long()], y[vertices[:SEEDS].long()]))
    return Steps(lambda b: F.cross_entropy(model(b[0], b[1]), b[2]), model.named, batches, folder)


def same(t):
    return t


def rgcn(variant, folder):
    ends = [tuple(load(folder, f"{end}_{r}") for end in ("src", "dst")) for r in range(len(RELATIONS))]
    x = {f"k{k}": load(folder, f"x{k}") for k in range(len(SIZES))}
    y = torch.cat([load(folder, f"y{k}") for k in range(len(SIZES))]).long()
    types = [(f"k{a}", f"r{r}", f"k{b}") for r, (a, b) in enumerate(RELATIONS)]
    g = dgl.heterograph(dict(zip(types, ends)), num_nodes_dict={kind: len(rows) for kind, rows in x.items()})
    if variant == "RelGraphConv":
        return of_one(g, x, y, folder)
    g.create_formats_()
    named, layers = {}, []
    for k in (1, 2):
        shape = load(folder, f"U{k}").shape
        own = torch.nn.Linear(*shape)
        along = HeteroGraphConv({t[1]: GraphConv(*shape, norm="right", bias=False, allow_zero_in_degree=True) for t in types},
                                aggregate="sum")
        layers.append((own, lambda h, along=along: along(g, h)))
        named |= {f"U{k}": (own.weight, transposed), f"b{k}": (own.bias, same)}
        named |= {f"W{k}{r}": (along.mods[t[1]].weight, same) for r, t in enumerate(types)}

    return Steps(lambda _: loss_of_kinds(layers, x, y), named, [None], folder)


def of_one(g, x, y, folder):
    """All kinds as one graph whose edges have types; messages are divided by how many of their type a vertex gets."""
    count = {t: g.in_degrees(etype=t).clamp(min=1).float() for t in g.canonical_etypes}
    for t, in_degree in count.items():
        g.edges[t].data["norm"] = (1 / in_degree)[g.edges(etype=t)[1].long()].unsqueeze(1)
    for r in range(len(RELATIONS)):
        g.edges[f"r{r}"].data["type"] = torch.full((g.num_edges(f"r{r}"),), r)
    one = dgl.to_homogeneous(g, edata=["norm", "type"])
    types, norm, rows = one.edata["type"], one.edata["norm"], torch.cat([x[kind] for kind in g.ntypes])
    one.create_formats_()
    named, layers = {}, []
    for k in (1, 2):
        layer = RelGraphConv(*load(folder, f"U{k}").shape, num_rels=len(RELATIONS))
        layers.append(layer)
        named |= {f"U{k}": (layer.loop_weight, same), f"b{k}": (layer.h_bias, same)}
        named |= {f"W{k}{r}": (layer.linear_r.W, lambda w, r=r: w[r]) for r in range(len(RELATIONS))}
    presorted = bool((types.diff() >= 0).all())

    def loss(_):
        h = F.relu(layers[0](one, rows, types, norm, presorted=presorted))
        return F.cross_entropy(layers[1](one, h, types, norm, presorted=presorted), y)
    return Steps(loss, named, [None], folder)
