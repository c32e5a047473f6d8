"""Convolutions that weigh neighbours by attention: GAT, GATv2, the graph transformer."""
import math

import torch
from torch.nn import Parameter, functional

from stg import _programs as programs
from stg.torch.edges import edges_of, looped_edges_of
from stg.torch.layer import Layer, Linear, glorot, listed, multiplied, no_sizes, of_type, one_width, real, refuse, zeros

FILLS = {"mean", "add", "sum"}


class Attention(Layer):
    def __repr__(self):
        return f"{type(self).__name__}({self.in_channels}, {self.out_channels}, heads={self.heads})"

    def reset_parameters(self):
        super().reset_parameters()
        for name, parameter in self.named_parameters(recurse=False):
            zeros(parameter) if name == "bias" else glorot(parameter)


def own_parameters(layer, in_channels, bias, residual, concat):
    """The bias and the residual product of GATConv and GATv2Conv."""
    width = layer.out_channels * (layer.heads if concat else 1)
    if residual:
        layer.res = Linear(in_channels, width, bias=False)
    else:
        layer.register_parameter("res", None)
    layer.register_parameter("bias", Parameter(torch.empty(width)) if bias else None)


def plain_call(layer, x, size, return_attention_weights):
    real(layer, "x", x, 2)
    no_sizes(layer, size)
    if return_attention_weights is not None and return_attention_weights is not False:
        refuse(layer, "keeps no attention weights, which return_attention_weights asks for")
    if layer.aggr not in ("add", "sum"):
        refuse(layer, f"takes aggr='add', not {layer.aggr!r}")


def edges_for(layer, edge_index, num_nodes):
    edge_index = listed(layer, edge_index)
    made = looped_edges_of if getattr(layer, "add_self_loops", False) else edges_of
    return made(edge_index, num_nodes, layer.flow)


def with_loops(layer, edges, along):
    """Rows of edges with rows for the loops that were added, as fill_value says: of the edges into their vertex."""
    fill = layer.fill_value

    def of_loops(kept):
        row_1 = edges.index[1 if layer.flow == "source_to_target" else 0]  # of edge_index, whatever the flow
        dst = row_1[:kept.size(0)]
        total = torch.zeros(edges.num_nodes, *kept.shape[1:], dtype=kept.dtype).index_add(0, dst, kept)
        if fill != "mean":
            return total
        count = torch.bincount(dst, minlength=edges.num_nodes).clamp_(min=1)
        return total / count.view(-1, *[1] * (kept.dim() - 1))

    return edges.values(along, of_loops)


def edge_rows(layer, edges, edge_attr, product):
    """product(edge_attr), a linear function of rows, with the rows of loops."""
    edge_attr = edge_attr.view(-1, 1) if edge_attr.dim() == 1 else edge_attr
    real(layer, "edge_attr", edge_attr, 2)
    if edges.kept is None or (isinstance(layer.fill_value, str) and layer.fill_value in FILLS):
        return with_loops(layer, edges, product(edge_attr)).contiguous()
    if isinstance(layer.fill_value, str):
        refuse(layer, f"takes fill_value of {', '.join(sorted(FILLS))}, a number or a tensor, not {layer.fill_value!r}")
    fill = layer.fill_value
    row = fill.view(1, -1) if isinstance(fill, torch.Tensor) else torch.full((1, edge_attr.size(1)), float(fill), dtype=edge_attr.dtype)
    whole = edges.values(edge_attr, lambda _: row.expand(edges.num_nodes, -1).to(edge_attr.dtype))
    return product(whole).contiguous()


def attended(layer, name, edges, **inputs):
    """A program of attention, with PyTorch's masks of dropout where it drops."""
    if "along" in inputs:
        name += "_edges"
    rows = next(iter(inputs.values()))
    if layer.dropout > 0 and layer.training:
        ones = torch.ones(edges.count, layer.heads, dtype=rows.dtype)
        inputs["mask"] = functional.dropout(ones, p=layer.dropout).unsqueeze(-1)
        name += "_masked"
    return of_type(getattr(programs, name), rows)(edges.graph, **inputs)


def joined(layer, out):
    return out.reshape(-1, layer.heads * layer.out_channels) if layer.concat else out.mean(dim=1)


class GATConv(Attention):
    """torch_geometric.nn.GATConv. Veličković et al., ICLR 2018."""

    def __init__(self, in_channels, out_channels, heads=1, concat=True, negative_slope=0.2, dropout=0.0,
                 add_self_loops=True, edge_dim=None, fill_value="mean", bias=True, residual=False, **kwargs):
        super().__init__(**kwargs)
        self.in_channels, self.out_channels, self.heads, self.concat = one_width(self, in_channels), out_channels, heads, concat
        self.negative_slope, self.dropout, self.add_self_loops = negative_slope, dropout, add_self_loops
        self.edge_dim, self.fill_value, self.residual = edge_dim, fill_value, residual
        self.lin = Linear(in_channels, heads * out_channels, bias=False)
        self.att_src = Parameter(torch.empty(1, heads, out_channels))
        self.att_dst = Parameter(torch.empty(1, heads, out_channels))
        self.lin_edge = None if edge_dim is None else Linear(edge_dim, heads * out_channels, bias=False)
        self.register_parameter("att_edge", None if edge_dim is None else Parameter(torch.empty(1, heads, out_channels)))
        own_parameters(self, in_channels, bias, residual, concat)
        self.reset_parameters()

    def forward(self, x, edge_index, edge_attr=None, size=None, return_attention_weights=None):
        plain_call(self, x, size, return_attention_weights)
        if self.lin is None:
            refuse(self, "takes one vertex set, not in_channels of two")
        edges = edges_for(self, edge_index, x.size(0))
        heads = (self.heads, self.out_channels)
        inputs = {"h": multiplied(edges, x, self.lin).view(-1, *heads), "att_src": self.att_src[0], "att_dst": self.att_dst[0],
                  "slope": float(self.negative_slope)}
        if edge_attr is not None and self.lin_edge is not None:
            folded = (self.lin_edge.weight.view(*heads, -1) * self.att_edge[0].unsqueeze(-1)).sum(1)  # (heads, edge_dim)
            along = edge_rows(self, edges, edge_attr, lambda u: functional.linear(u, folded))
            inputs["along"] = along.unsqueeze(-1)
        out = joined(self, attended(self, "gat", edges, **inputs))
        if self.res is not None:
            out = out + multiplied(edges, x, self.res)
        return out if self.bias is None else out + self.bias


class GATv2Conv(Attention):
    """torch_geometric.nn.GATv2Conv. Brody et al., ICLR 2022."""

    def __init__(self, in_channels, out_channels, heads=1, concat=True, negative_slope=0.2, dropout=0.0,
                 add_self_loops=True, edge_dim=None, fill_value="mean", bias=True, share_weights=False, residual=False,
                 **kwargs):
        super().__init__(**kwargs)
        self.in_channels, self.out_channels, self.heads, self.concat = one_width(self, in_channels), out_channels, heads, concat
        self.negative_slope, self.dropout, self.add_self_loops = negative_slope, dropout, add_self_loops
        self.edge_dim, self.fill_value, self.residual, self.share_weights = edge_dim, fill_value, residual, share_weights
        self.lin_l = Linear(in_channels, heads * out_channels, bias=bias)
        self.lin_r = self.lin_l if share_weights else Linear(in_channels, heads * out_channels, bias=bias)
        self.att = Parameter(torch.empty(1, heads, out_channels))
        self.lin_edge = None if edge_dim is None else Linear(edge_dim, heads * out_channels, bias=False)
        own_parameters(self, in_channels, bias, residual, concat)
        self.reset_parameters()

    def forward(self, x, edge_index, edge_attr=None, return_attention_weights=None):
        plain_call(self, x, None, return_attention_weights)
        edges = edges_for(self, edge_index, x.size(0))
        heads = (self.heads, self.out_channels)
        source = multiplied(edges, x, self.lin_l).view(-1, *heads)
        destination = source if self.share_weights else multiplied(edges, x, self.lin_r).view(-1, *heads)
        inputs = {"source": source, "destination": destination, "att": self.att[0], "slope": float(self.negative_slope)}
        if edge_attr is not None:
            if self.lin_edge is None:
                refuse(self, "was made without edge_dim and takes no edge_attr")
            inputs["along"] = edge_rows(self, edges, edge_attr, self.lin_edge).view(-1, *heads)
        out = joined(self, attended(self, "gatv2", edges, **inputs))
        if self.res is not None:
            out = out + multiplied(edges, x, self.res)
        return out if self.bias is None else out + self.bias


class TransformerConv(Attention):
    """torch_geometric.nn.TransformerConv. Shi et al., IJCAI 2021."""

    def __init__(self, in_channels, out_channels, heads=1, concat=True, beta=False, dropout=0.0, edge_dim=None, bias=True,
                 root_weight=True, **kwargs):
        super().__init__(**kwargs)
        self.in_channels, self.out_channels, self.heads, self.concat = one_width(self, in_channels), out_channels, heads, concat
        self.beta, self.root_weight, self.dropout, self.edge_dim = beta and root_weight, root_weight, dropout, edge_dim
        whole = heads * out_channels
        self.lin_key = torch.nn.Linear(in_channels, whole, bias=bias)
        self.lin_query = torch.nn.Linear(in_channels, whole, bias=bias)
        self.lin_value = torch.nn.Linear(in_channels, whole, bias=bias)
        width = whole if concat else out_channels
        self.lin_edge = None if edge_dim is None else torch.nn.Linear(edge_dim, whole, bias=False)
        self.lin_skip = torch.nn.Linear(in_channels, width, bias=bias)
        self.lin_beta = torch.nn.Linear(3 * width, 1, bias=False) if self.beta else None

    def forward(self, x, edge_index, edge_attr=None, return_attention_weights=None):
        plain_call(self, x, None, return_attention_weights)
        edges = edges_for(self, edge_index, x.size(0))
        heads = (self.heads, self.out_channels)
        inputs = {"query": multiplied(edges, x, self.lin_query).view(-1, *heads) / math.sqrt(self.out_channels),
                  "key": multiplied(edges, x, self.lin_key).view(-1, *heads), "value": multiplied(edges, x, self.lin_value).view(-1, *heads)}
        if (edge_attr is None) != (self.lin_edge is None):
            refuse(self, "takes edge_attr where it was made with edge_dim, and only there")
        if edge_attr is not None:
            inputs["along"] = self.lin_edge(real(self, "edge_attr", edge_attr, 2)).view(-1, *heads)
        out = joined(self, attended(self, "transformer", edges, **inputs))
        if not self.root_weight:
            return out
        own = multiplied(edges, x, self.lin_skip)
        if self.lin_beta is None:
            return out + own
        beta = self.lin_beta(torch.cat([out, own, out - own], dim=-1)).sigmoid()
        return beta * own + (1 - beta) * out
