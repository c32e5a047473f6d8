"""Convolutions that aggregate neighbours' rows: SAGE, GraphConv, GIN, GINE, ResGatedGraphConv."""
import torch
from torch.nn import Parameter, functional

from stg import _programs as programs
from stg.torch.edges import edges_of
from stg.torch.layer import (Layer, aggregated, aggregated_once, aggregated_product, listed, multiplied, no_sizes, of_type, one_width, product,
                             real, refuse, zeros)


class SAGEConv(Layer):
    """torch_geometric.nn.SAGEConv. Hamilton et al., NeurIPS 2017."""

    def __init__(self, in_channels, out_channels, aggr="mean", normalize=False, root_weight=True, project=False, bias=True,
                 **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.in_channels, self.out_channels = one_width(self, in_channels), out_channels
        self.normalize, self.root_weight, self.project = normalize, root_weight, project
        if project:
            self.lin = torch.nn.Linear(in_channels, in_channels)
        self.lin_l = torch.nn.Linear(in_channels, out_channels, bias=bias)
        if root_weight:
            self.lin_r = torch.nn.Linear(in_channels, out_channels, bias=False)

    def forward(self, x, edge_index, size=None):
        real(self, "x", x, 2)
        no_sizes(self, size)
        edges = edges_of(listed(self, edge_index), x.size(0), self.flow)
        out = aggregated_product(self, edges, self.lin(x).relu() if self.project else x, self.lin_l)
        if self.root_weight:
            out = out + multiplied(edges, x, self.lin_r)
        return functional.normalize(out, p=2.0, dim=-1) if self.normalize else out

    def __repr__(self):
        return f"SAGEConv({self.in_channels}, {self.out_channels}, aggr={self.aggr})"


class GraphConv(Layer):
    """torch_geometric.nn.GraphConv. Morris et al., AAAI 2019."""

    def __init__(self, in_channels, out_channels, aggr="add", bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        self.in_channels, self.out_channels = one_width(self, in_channels), out_channels
        self.lin_rel = torch.nn.Linear(in_channels, out_channels, bias=bias)
        self.lin_root = torch.nn.Linear(in_channels, out_channels, bias=False)

    def forward(self, x, edge_index, edge_weight=None, size=None):
        real(self, "x", x, 2)
        no_sizes(self, size)
        edges = edges_of(listed(self, edge_index), x.size(0), self.flow)
        return aggregated_product(self, edges, x, self.lin_rel, edge_weight) + multiplied(edges, x, self.lin_root)


def first_product(layer, network):
    """The first matrix of a perceptron where nobody listens to it, so that it may be multiplied before an aggregate."""
    if layer.aggr not in ("add", "sum", "mean") or type(network) is not torch.nn.Sequential or len(network) == 0:
        return None
    if network._forward_hooks or network._forward_pre_hooks or network._backward_hooks or network._backward_pre_hooks:
        return None
    first = network[0]
    is_product = type(first).__name__ == "Linear" and isinstance(getattr(first, "weight", None), Parameter)
    if not is_product or first._forward_hooks or first._forward_pre_hooks or first._backward_hooks or first._backward_pre_hooks:
        return None
    return first if first.weight.size(0) < first.weight.size(1) else None


class GINConv(Layer):
    """torch_geometric.nn.GINConv. Xu et al., ICLR 2019."""

    def __init__(self, nn, eps=0.0, train_eps=False, **kwargs):
        super().__init__(**kwargs)
        self.nn, self.initial_eps = nn, eps
        if train_eps:
            self.eps = Parameter(torch.empty(1))
        else:
            self.register_buffer("eps", torch.empty(1))
        self.eps.data.fill_(eps)

    def forward(self, x, edge_index, size=None):
        real(self, "x", x, 2)
        no_sizes(self, size)
        edges = edges_of(listed(self, edge_index), x.size(0), self.flow)
        first = first_product(self, self.nn)
        if first is None:
            return self.nn(aggregated_once(self, edges, x) + (1 + self.eps) * x)
        x = product(edges, x, first.weight)
        out = aggregated(self, edges, x) + (1 + self.eps) * x
        return self.nn[1:](out if first.bias is None else out + first.bias)

    def __repr__(self):
        return f"GINConv(nn={self.nn})"


class GINEConv(Layer):
    """torch_geometric.nn.GINEConv. Hu et al., ICLR 2020."""

    def __init__(self, nn, eps=0.0, train_eps=False, edge_dim=None, **kwargs):
        super().__init__(**kwargs)
        self.nn, self.initial_eps = nn, eps
        if train_eps:
            self.eps = Parameter(torch.empty(1))
        else:
            self.register_buffer("eps", torch.empty(1))
        self.eps.data.fill_(eps)
        self.lin = None
        if edge_dim is not None:
            first = nn[0] if isinstance(nn, torch.nn.Sequential) else nn
            width = getattr(first, "in_features", getattr(first, "in_channels", None))
            if width is None:
                raise ValueError("GINEConv with edge_dim reads the width of x from the first layer of nn, which has none")
            self.lin = torch.nn.Linear(edge_dim, width)

    def forward(self, x, edge_index, edge_attr=None, size=None):
        real(self, "x", x, 2)
        no_sizes(self, size)
        if self.aggr not in ("add", "sum"):
            refuse(self, f"takes aggr='add', not {self.aggr!r}")
        real(self, "edge_attr", edge_attr, 2)
        along = edge_attr if self.lin is None else self.lin(edge_attr)
        if along.size(1) != x.size(1):
            raise ValueError("GINEConv adds features of edges to those of vertices, and their widths differ; give edge_dim")
        edges = edges_of(listed(self, edge_index), x.size(0), self.flow)
        near = of_type(programs.rectified_total, x)(edges.graph, x=x.contiguous(), u=along.contiguous())
        return self.nn(near + (1 + self.eps) * x)

    def __repr__(self):
        return f"GINEConv(nn={self.nn})"


class ResGatedGraphConv(Layer):
    """torch_geometric.nn.ResGatedGraphConv. Bresson and Laurent, 2017."""

    def __init__(self, in_channels, out_channels, act=None, edge_dim=None, root_weight=True, bias=True, **kwargs):
        super().__init__(**kwargs)
        self.in_channels, self.out_channels = one_width(self, in_channels), out_channels
        self.act, self.edge_dim, self.root_weight = torch.nn.Sigmoid() if act is None else act, edge_dim, root_weight
        ResGatedGraphConv.refuse_others(self)
        self.lin_key = torch.nn.Linear(in_channels, out_channels)
        self.lin_query = torch.nn.Linear(in_channels, out_channels)
        self.lin_value = torch.nn.Linear(in_channels, out_channels)
        if root_weight:
            self.lin_skip = torch.nn.Linear(in_channels, out_channels, bias=False)
        else:
            self.register_parameter("lin_skip", None)
        self.register_parameter("bias", Parameter(torch.empty(out_channels)) if bias else None)
        zeros(self.bias)

    def reset_parameters(self):
        super().reset_parameters()
        zeros(self.bias)

    def refuse_others(self):
        if type(self.act) is not torch.nn.Sigmoid:
            refuse(self, f"takes act=Sigmoid(), not {self.act!r}")
        if self.edge_dim is not None:
            refuse(self, "takes no edge_dim")
        if self.aggr not in ("add", "sum"):
            refuse(self, f"takes aggr='add', not {self.aggr!r}")

    def forward(self, x, edge_index, edge_attr=None):
        real(self, "x", x, 2)
        ResGatedGraphConv.refuse_others(self)
        if edge_attr is not None:
            refuse(self, "takes no edge_attr")
        edges = edges_of(listed(self, edge_index), x.size(0), self.flow)
        gated = of_type(programs.gated_total, x)
        out = gated(edges.graph, key=multiplied(edges, x, self.lin_key), query=multiplied(edges, x, self.lin_query),
                    value=multiplied(edges, x, self.lin_value))
        if self.root_weight:
            out = out + multiplied(edges, x, self.lin_skip)
        return out if self.bias is None else out + self.bias
