"""Convolutions of graphs whose edges have types: RGCN."""
import torch
from torch.nn import Parameter

from stg.torch.edges import edges_by_type
from stg.torch.layer import Layer, aggregated, glorot, kept_rows, listed, one_width, product, real, refuse, zeros


class RGCNConv(Layer):
    """torch_geometric.nn.RGCNConv. Schlichtkrull et al., ESWC 2018."""

    def __init__(self, in_channels, out_channels, num_relations, num_bases=None, num_blocks=None, aggr="mean",
                 root_weight=True, is_sorted=False, bias=True, **kwargs):
        super().__init__(aggr=aggr, **kwargs)
        if num_bases is not None and num_blocks is not None:
            raise ValueError("RGCNConv takes num_bases or num_blocks, not both")
        self.in_channels, self.out_channels = one_width(self, in_channels), out_channels
        self.in_channels_l = in_channels
        self.num_relations, self.num_bases, self.num_blocks = num_relations, num_bases, num_blocks
        self.is_sorted = is_sorted  # edges are sorted by their graph
        if num_bases is not None:
            self.weight = Parameter(torch.empty(num_bases, in_channels, out_channels))
        elif num_blocks is not None:
            if in_channels % num_blocks or out_channels % num_blocks:
                raise ValueError("RGCNConv takes num_blocks that divides in_channels and out_channels")
            self.weight = Parameter(torch.empty(num_relations, num_blocks, in_channels // num_blocks, out_channels // num_blocks))
        else:
            self.weight = Parameter(torch.empty(num_relations, in_channels, out_channels))
        self.register_parameter("comp", None if num_bases is None else Parameter(torch.empty(num_relations, num_bases)))
        self.register_parameter("root", Parameter(torch.empty(in_channels, out_channels)) if root_weight else None)
        self.register_parameter("bias", Parameter(torch.empty(out_channels)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        super().reset_parameters()
        for parameter in (self.weight, self.comp, self.root):
            glorot(parameter)
        zeros(self.bias)

    def forward(self, x, edge_index, edge_type=None):
        x = torch.arange(self.in_channels_l) if x is None else x
        is_number = isinstance(x, torch.Tensor) and not x.is_floating_point()  # of a row of the weights
        if not is_number:
            real(self, "x", x, 2)
        elif self.num_blocks is not None:
            raise ValueError("RGCNConv with num_blocks takes features of vertices, not their numbers")
        if not isinstance(edge_type, torch.Tensor):
            refuse(self, "takes edge_type as one integer for each edge")
        of_types = edges_by_type(listed(self, edge_index), edge_type, x.size(0), self.num_relations, self.flow)
        weight = self.weight
        if self.num_bases is not None:
            weight = (self.comp @ weight.view(self.num_bases, -1)).view(self.num_relations, self.in_channels_l, self.out_channels)
        if not is_number and self.num_blocks is None and any(edges is not None for edges in of_types):
            if self.aggr in ("add", "sum", "mean") and weight.size(2) < weight.size(1):
                return aggregates_of_product(self, of_types, x, weight)
            if not x.requires_grad and not x.is_inference():
                return product_of_aggregates(self, of_types, x, weight)
        out = None
        for edges, of_type in zip(of_types, weight):
            if edges is None:
                continue
            term = term_of_type(self, edges, x, of_type, is_number)
            out = term if out is None else out + term
        if out is None:
            out = torch.zeros(x.size(0), self.out_channels, dtype=weight.dtype)
        if self.root is not None:
            out = out + (self.root[x] if is_number else x @ self.root)
        return out if self.bias is None else out + self.bias

    def __repr__(self):
        return f"RGCNConv({self.in_channels}, {self.out_channels}, num_relations={self.num_relations})"


def aggregates_of_product(layer, of_types, x, weight):
    """One product by the matrices of all types side by side, whose rows are narrower than x, then an aggregate of each."""
    types = [t for t, edges in enumerate(of_types) if edges is not None]
    matrices = [weight[t] for t in types] + ([] if layer.root is None else [layer.root])
    parts = product(of_types[types[0]], x, torch.cat(matrices, dim=1).t()).split(layer.out_channels, dim=1)
    out = None if layer.root is None else parts[-1]
    for t, part in zip(types, parts):
        term = aggregated(layer, of_types[t], part)
        out = term if out is None else out + term
    return out if layer.bias is None else out + layer.bias


def product_of_aggregates(layer, of_types, x, weight):
    """One product of the aggregates of all types side by side, which are kept as long as x and the graph stay."""
    types = [t for t, edges in enumerate(of_types) if edges is not None]
    matrices = [weight[t] for t in types] + ([] if layer.root is None else [layer.root])

    def rows():
        near = [aggregated(layer, of_types[t], x) for t in types]
        return torch.cat(near if layer.root is None else [*near, x], dim=1)

    kept = kept_rows(of_types[types[0]], x, ("types", layer.aggr, layer.root is None), rows)
    out = kept @ torch.cat(matrices)
    return out if layer.bias is None else out + layer.bias


def term_of_type(layer, edges, x, weight, is_number):
    """What the edges of one type bring."""
    if is_number:
        return aggregated(layer, edges, weight[x])
    near = aggregated(layer, edges, x)
    if layer.num_blocks is None:
        return near @ weight
    return torch.einsum("abc,bcd->abd", near.view(-1, weight.size(0), weight.size(1)), weight).reshape(-1, layer.out_channels)
