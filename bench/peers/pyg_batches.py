"""PyTorch Geometric: neighbours that NeighborLoader draws, and a GraphSAGE of three layers on them."""
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.loader import NeighborLoader
from torch_geometric.nn import SAGEConv
from torch_geometric.utils import trim_to_layer

from cases import FAN_OUTS
from work import Drawing, Foretold, Steps, edges, load

KINDS = ("sampling", "sage")
SEEDS = 1024


def variants(kind, when, has_sparse):
    """Batches are drawn in this process or by one or two others. `trimmed` leaves out of each layer what no seed needs, as the
    library's example does, and `whole` does not; torch_sparse, which draws where there is no pyg_lib, does not say what to
    trim."""
    if kind == "sampling":
        return ["loader", "worker", "workers"]
    if when == "epoch":
        return ["loader", "worker"]
    return ["whole", "trimmed"] + (["sparse_whole", "sparse_trimmed"] if has_sparse else [])


class Sage(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        shapes = [load(folder, f"U{k}").shape for k in (1, 2, 3)]
        self.layers = torch.nn.ModuleList(SAGEConv(*shape, bias=False) for shape in shapes)
        self.named = {}
        for k, layer in enumerate(self.layers, 1):
            self.named |= {f"U{k}": (layer.lin_r.weight, lambda w: w.t()), f"V{k}": (layer.lin_l.weight, lambda w: w.t())}

    def forward(self, x, edge_index, vertices_of_hops=None, edges_of_hops=None):
        for k, layer in enumerate(self.layers):
            if vertices_of_hops is not None:
                x, edge_index, _ = trim_to_layer(k, vertices_of_hops, edges_of_hops, x, edge_index)
            x = layer(x, edge_index)
            if k < 2:
                x = F.relu(x)
        return x


def loader_of(folder, src, dst, workers, **data):
    vertices = int(max(src.max(), dst.max())) + 1
    data = Data(edge_index=torch.stack([src, dst]), num_nodes=vertices, **data)
    workers = {"num_workers": workers, "persistent_workers": True} if workers else {}
    return NeighborLoader(data, list(FAN_OUTS), input_nodes=load(folder, "seeds").long(), batch_size=SEEDS,
                          shuffle="x" in data, **workers)


def prepare(kind, variant, when, folder):
    if kind == "sage" and when == "step":
        return given(variant, folder)
    src, dst = edges(folder)
    workers = {"loader": 0, "worker": 1, "workers": 2}[variant]
    if kind == "sampling":
        def take(batch):
            src, dst = batch.edge_index
            return batch.n_id[src], batch.n_id[dst], batch.n_id[:SEEDS], torch.bincount(dst, minlength=SEEDS)[:SEEDS]
        return Drawing(loader_of(folder, src, dst, workers), lambda batch: batch.edge_index.shape[1], take, src, dst,
                       int(max(src.max(), dst.max())) + 1)
    x, y = load(folder, "x"), load(folder, "label").long()
    model = Sage(folder)

    def loss(batch):
        out = model(batch.x, batch.edge_index)
        return F.cross_entropy(out[:batch.batch_size], batch.y[:batch.batch_size])
    return Foretold(loss, model.named, loader_of(folder, src, dst, workers, x=x, y=y), folder,
                    lambda: model(x, torch.stack([src, dst])))


def given(variant, folder):
    """Steps on batches that stg drew."""
    x, y = load(folder, "x"), load(folder, "label").long()
    model, batches = Sage(folder), []
    for k in range(len(list(folder.glob("vertices_*.npy")))):
        src, dst, vertices = (load(folder, f"{name}_{k}").long() for name in ("src", "dst", "vertices"))
        hops = ()
        if variant.endswith("trimmed"):
            hops = tuple(load(folder, f"{name}_offsets_{k}").diff().tolist() for name in ("vertex", "edge"))
        adjacency = torch.stack([src, dst])
        if variant.startswith("sparse"):
            from torch_sparse import SparseTensor
            adjacency = SparseTensor(row=dst, col=src, sparse_sizes=(len(vertices), len(vertices)))
        batches.append((x[vertices], adjacency, hops, y[vertices[:SEEDS]]))
    return Steps(lambda b: F.cross_entropy(model(b[0], b[1], *b[2])[:SEEDS], b[3]), model.named, batches, folder)
