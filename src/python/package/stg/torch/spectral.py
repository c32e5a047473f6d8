"""Convolutions that are polynomials of the normalised adjacency: GCN, TAG, SGC, APPNP, LightGCN, GCNII."""
import math

import torch
from torch.nn import Parameter, functional

from stg import _programs as programs
from stg.torch import edges as graphs
from stg.torch.layer import Layer, Linear, aggregated, glorot, kept_rows, listed, multiplied, of_type, one_width, product, real, refuse, zeros


def normalised(layer, edge_index, weight, x, add_self_loops, loop_weight=1.0, explicit=False):
    """The edges and their weights w_ji / √(d_i d_j); None for weights that the graph's degrees say."""
    edge_index, num_nodes = listed(layer, edge_index), x.size(0)
    if not isinstance(layer.aggr, str) or layer.aggr not in ("add", "sum"):
        refuse(layer, f"takes aggr='add', not {layer.aggr!r}")
    made = graphs.looped_edges_of if add_self_loops else graphs.edges_of
    edges = made(edge_index, num_nodes, layer.flow)
    if weight is None and not explicit:
        return edges, None
    loop_weight = loop_weight if weight is not None else 1.0  # as PyTorch Geometric has it

    def make():
        w = torch.ones(edge_index.size(1), dtype=x.dtype) if weight is None else real(layer, "edge_weight", weight).reshape(-1)
        ends = graphs.directed(edge_index, layer.flow)

        def of_loops(_):  # a loop that is there keeps its weight
            return torch.full((num_nodes,), loop_weight, dtype=w.dtype).index_put((ends[0][~edges.kept],), w[~edges.kept])

        w = edges.values(w, of_loops)
        src, dst = ends if edges.index is None else edges.index
        scale = torch.zeros(num_nodes, dtype=w.dtype).index_add(0, dst, w).pow(-0.5)
        scale = scale.masked_fill(scale == float("inf"), 0.0)
        return scale[src] * w * scale[dst]

    if weight is not None and weight.requires_grad:
        return edges, make()
    given = (edge_index,) if weight is None else (edge_index, weight)
    return edges, graphs.remembered(given, (num_nodes, add_self_loops, loop_weight, layer.flow, x.dtype, "normalised"), make)


def propagated(layer, edges, x, weight):
    if weight is None:
        return of_type(programs.propagated, x)(edges.graph, x=x.contiguous())
    return aggregated(layer, edges, x, weight)


def first_or_new(layer, make):
    """What a layer with cached=True made in its first call."""
    if not getattr(layer, "cached", False):
        return make()
    kept = layer.__dict__.get("_stg_cached")
    if kept is None:
        kept = layer.__dict__["_stg_cached"] = make()
    return kept


class Spectral(Layer):
    def reset_parameters(self):
        super().reset_parameters()
        zeros(getattr(self, "bias", None))
        self.__dict__.pop("_stg_cached", None)


class GCNConv(Spectral):
    """torch_geometric.nn.GCNConv. Kipf and Welling, ICLR 2017."""

    def __init__(self, in_channels, out_channels, improved=False, cached=False, add_self_loops=None, normalize=True,
                 bias=True, **kwargs):
        super().__init__(**kwargs)
        add_self_loops = normalize if add_self_loops is None else add_self_loops
        if add_self_loops and not normalize:
            raise ValueError("GCNConv adds loops only where it normalises; add_self_loops=False belongs to normalize=False")
        self.in_channels, self.out_channels = one_width(self, in_channels), out_channels
        self.improved, self.cached, self.add_self_loops, self.normalize = improved, cached, add_self_loops, normalize
        self.lin = Linear(in_channels, out_channels, bias=False)
        self.register_parameter("bias", Parameter(torch.empty(out_channels)) if bias else None)
        self.reset_parameters()

    def forward(self, x, edge_index, edge_weight=None):
        real(self, "x", x, 2)
        if self.normalize:
            loop_weight = 2.0 if self.improved else 1.0
            edges, weight = first_or_new(self, lambda: normalised(self, edge_index, edge_weight, x,
                                                                  self.add_self_loops, loop_weight))
        else:
            edges, weight = graphs.edges_of(listed(self, edge_index), x.size(0), self.flow), edge_weight

        def along(rows):
            return propagated(self, edges, rows, weight) if self.normalize else aggregated(self, edges, rows, weight)

        out_width, in_width = self.lin.weight.shape
        stays = weight is None and not x.requires_grad  # so that its neighbours' rows are added once
        if self.aggr in ("add", "sum") and (out_width > in_width or out_width == in_width and stays):
            out = self.lin(kept_rows(edges, x, f"normalize={self.normalize}", lambda: along(x)) if stays else along(x))
        else:
            out = along(multiplied(edges, x, self.lin))
        return out if self.bias is None else out + self.bias


class TAGConv(Spectral):
    """torch_geometric.nn.TAGConv. Du et al., 2017."""

    def __init__(self, in_channels, out_channels, K=3, bias=True, normalize=True, **kwargs):
        super().__init__(**kwargs)
        self.in_channels, self.out_channels, self.K, self.normalize = one_width(self, in_channels), out_channels, K, normalize
        self.lins = torch.nn.ModuleList(torch.nn.Linear(in_channels, out_channels, bias=False) for _ in range(K + 1))
        self.register_parameter("bias", Parameter(torch.empty(out_channels)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self):
        super().reset_parameters()
        for lin in self.lins:
            lin.reset_parameters()

    def forward(self, x, edge_index, edge_weight=None):
        real(self, "x", x, 2)
        if self.normalize:
            edges, weight = normalised(self, edge_index, edge_weight, x, False)
        else:
            edges, weight = graphs.edges_of(listed(self, edge_index), x.size(0), self.flow), edge_weight

        def along(rows):
            return propagated(self, edges, rows, weight) if self.normalize else aggregated(self, edges, rows, weight)

        if self.out_channels < x.size(1) and self.aggr in ("add", "sum"):  # P (P h_2 + h_1) + h_0, h_k = x W_k
            out = multiplied(edges, x, self.lins[-1])
            for lin in reversed(self.lins[:-1]):
                out = along(out) + multiplied(edges, x, lin)
        else:
            out, hop = self.lins[0](x), x
            for lin in self.lins[1:]:
                hop = along(hop)
                out = out + lin(hop)
        return out if self.bias is None else out + self.bias


class SGConv(Spectral):
    """torch_geometric.nn.SGConv. Wu et al., ICML 2019."""

    def __init__(self, in_channels, out_channels, K=1, cached=False, add_self_loops=True, bias=True, **kwargs):
        super().__init__(**kwargs)
        self.in_channels, self.out_channels, self.K = one_width(self, in_channels), out_channels, K
        self.cached, self.add_self_loops = cached, add_self_loops
        self.lin = torch.nn.Linear(in_channels, out_channels, bias=bias)

    def forward(self, x, edge_index, edge_weight=None):
        real(self, "x", x, 2)

        edges, weight = normalised(self, edge_index, edge_weight, x, self.add_self_loops)

        def along(rows):
            for _ in range(self.K):
                rows = propagated(self, edges, rows, weight)
            return rows

        if self.cached:  # the rows of the first call
            kept = self.__dict__.get("_stg_cached")
            rows = along(x) if kept is None else kept
            self.__dict__["_stg_cached"] = rows.detach()
            return self.lin(rows)
        if self.out_channels >= x.size(1):
            return self.lin(along(x))
        out = along(product(edges, x, self.lin.weight))
        return out if self.lin.bias is None else out + self.lin.bias


class APPNP(Spectral):
    """torch_geometric.nn.APPNP. Klicpera et al., ICLR 2019."""

    def __init__(self, K, alpha, dropout=0.0, cached=False, add_self_loops=True, normalize=True, **kwargs):
        super().__init__(**kwargs)
        self.K, self.alpha, self.dropout = K, alpha, dropout
        self.cached, self.add_self_loops, self.normalize = cached, add_self_loops, normalize

    def forward(self, x, edge_index, edge_weight=None):
        real(self, "x", x, 2)
        drops = self.dropout > 0 and self.training
        if self.normalize:
            edges, weight = first_or_new(self, lambda: normalised(self, edge_index, edge_weight, x,
                                                                  self.add_self_loops, explicit=self.dropout > 0))
        else:
            edges, weight = graphs.edges_of(listed(self, edge_index), x.size(0), self.flow), edge_weight
            if drops and weight is None:
                refuse(self, "drops weights of edges; give edge_weight, or normalize=True")
        z = x
        for _ in range(self.K):
            if drops:
                weight = functional.dropout(weight, p=self.dropout)
            around = propagated(self, edges, z, weight) if self.normalize else aggregated(self, edges, z, weight)
            z = around * (1 - self.alpha) + self.alpha * x
        return z

    def __repr__(self):
        return f"APPNP(K={self.K}, alpha={self.alpha})"


class LGConv(Spectral):
    """torch_geometric.nn.LGConv. He et al., SIGIR 2020."""

    def __init__(self, normalize=True, **kwargs):
        super().__init__(**kwargs)
        self.normalize = normalize

    def forward(self, x, edge_index, edge_weight=None):
        real(self, "x", x, 2)
        if self.normalize:
            edges, weight = normalised(self, edge_index, edge_weight, x, False)
            return propagated(self, edges, x, weight)
        return aggregated(self, graphs.edges_of(listed(self, edge_index), x.size(0), self.flow), x, edge_weight)

    def __repr__(self):
        return "LGConv()"


class GCN2Conv(Spectral):
    """torch_geometric.nn.GCN2Conv. Chen et al., ICML 2020."""

    def __init__(self, channels, alpha, theta=None, layer=None, shared_weights=True, cached=False, add_self_loops=True,
                 normalize=True, **kwargs):
        super().__init__(**kwargs)
        if (theta is None) != (layer is None):
            raise ValueError("GCN2Conv takes theta and layer together, or neither")
        self.channels, self.alpha = one_width(self, channels), alpha
        self.beta = 1.0 if theta is None else math.log(theta / layer + 1)
        self.cached, self.add_self_loops, self.normalize = cached, add_self_loops, normalize
        self.weight1 = Parameter(torch.empty(channels, channels))
        self.register_parameter("weight2", None if shared_weights else Parameter(torch.empty(channels, channels)))
        self.reset_parameters()

    def reset_parameters(self):
        super().reset_parameters()
        glorot(self.weight1)
        glorot(self.weight2)

    def forward(self, x, x_0, edge_index, edge_weight=None):
        real(self, "x", x, 2)
        if self.normalize:
            edges, weight = first_or_new(self, lambda: normalised(self, edge_index, edge_weight, x,
                                                                  self.add_self_loops))
            near = propagated(self, edges, x, weight)
        else:
            near = aggregated(self, graphs.edges_of(listed(self, edge_index), x.size(0), self.flow), x, edge_weight)
        near, first = near * (1 - self.alpha), self.alpha * x_0[:x.size(0)]

        def mixed(rows, weight):
            return torch.addmm(rows, rows, weight, beta=1.0 - self.beta, alpha=self.beta)

        if self.weight2 is None:
            return mixed(near + first, self.weight1)
        return mixed(near, self.weight1) + mixed(first, self.weight2)

    def __repr__(self):
        return f"GCN2Conv({self.channels}, alpha={self.alpha}, beta={self.beta})"
