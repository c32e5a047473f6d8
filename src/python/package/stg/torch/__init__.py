"""PyTorch Geometric's layers as programs of stg: the same arguments, the same state_dict, outputs and gradients.

    conv = stg.torch.GATConv(16, 8, heads=8)          # in place of torch_geometric.nn.GATConv
    report = stg.torch.accelerate(model)              # the layers of a model that exists, replaced where they stand
"""
from stg.torch.accelerated import Report, accelerate, restore
from stg.torch.attention import GATConv, GATv2Conv, TransformerConv
from stg.torch.edges import forget_graphs
from stg.torch.layer import Unsupported
from stg.torch.relational import RGCNConv
from stg.torch.spatial import GINConv, GINEConv, GraphConv, ResGatedGraphConv, SAGEConv
from stg.torch.spectral import APPNP, GCN2Conv, GCNConv, LGConv, SGConv, TAGConv

__all__ = [
    "APPNP", "GATConv", "GATv2Conv", "GCN2Conv", "GCNConv", "GINConv", "GINEConv", "GraphConv", "LGConv", "RGCNConv",
    "ResGatedGraphConv", "Report", "SAGEConv", "SGConv", "TAGConv", "TransformerConv", "Unsupported", "accelerate",
    "forget_graphs", "restore",
]
