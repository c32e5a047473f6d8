"""What layers share: checks of what they are given, aggregates, and products before or behind them."""
import math

import torch
from torch.nn import functional

from stg import _programs as programs
from stg._programs import Error, Sparse
from stg.torch.edges import remembered

AGGREGATES = {"add": programs.total, "sum": programs.total, "mean": programs.average,
              "max": programs.largest, "min": programs.smallest}


def of_type(program, tensor):
    """A program for a tensor's type: of float64 it is planned at run time, and a draft."""
    return program.in_float64 if tensor.dtype == torch.float64 else program


class Unsupported(Error):
    """An argument or a call that PyTorch Geometric's layer takes and stg's does not; the sentence says which."""


def refuse(layer, sentence):
    raise Unsupported(f"stg: {type(layer).__name__} {sentence}")


class Layer(torch.nn.Module):
    """Takes PyTorch Geometric's arguments of every MessagePassing, as far as they leave the layer as it is."""

    def __init__(self, aggr="add", flow="source_to_target", **others):
        super().__init__()
        self.aggr, self.flow = aggr, flow
        if not isinstance(aggr, str) or aggr not in AGGREGATES:
            refuse(self, f"takes aggr of {', '.join(AGGREGATES)}, not {aggr!r}")
        if flow not in ("source_to_target", "target_to_source"):
            refuse(self, f"takes flow='source_to_target' or 'target_to_source', not {flow!r}")
        plain = {"node_dim": (-2, 0), "decomposed_layers": (1,), "aggr_kwargs": (None, {})}
        for name, value in others.items():
            if name not in plain:
                raise TypeError(f"{type(self).__name__} got an unexpected argument {name!r}")
            if value not in plain[name]:
                refuse(self, f"takes {name}={plain[name][0]!r}, not {value!r}")

    def reset_parameters(self):
        for part in self.children():
            if hasattr(part, "reset_parameters"):
                part.reset_parameters()

    def __repr__(self):
        return f"{type(self).__name__}({self.in_channels}, {self.out_channels})"


def one_width(layer, channels):
    """The number of input features, which PyTorch Geometric also takes as a pair or as -1."""
    if not isinstance(channels, int):
        refuse(layer, f"takes one number of in_channels, not the pair {tuple(channels)} of two vertex sets")
    if channels < 0:
        refuse(layer, "takes in_channels as a number, not -1, which stands for that of the first batch")
    return channels


class Linear(torch.nn.Linear):
    """PyTorch's, begun as PyTorch Geometric begins the matrices of convolutions."""

    def reset_parameters(self):
        glorot(self.weight)
        if self.bias is not None:
            uniform(self.in_features, self.bias)


def glorot(tensor):
    if tensor is not None:
        bound = math.sqrt(6.0 / (tensor.size(-2) + tensor.size(-1)))
        torch.nn.init.uniform_(tensor, -bound, bound)


def uniform(size, tensor):
    bound = 1.0 / math.sqrt(size)
    torch.nn.init.uniform_(tensor, -bound, bound)


def zeros(tensor):
    if tensor is not None:
        torch.nn.init.zeros_(tensor)


def real(layer, name, tensor, dims=None):
    """A tensor that programs can read: of float32 or float64, on the host, row after row."""
    if not isinstance(tensor, torch.Tensor):
        refuse(layer, f"takes {name} as one tensor of one vertex set, not as a {type(tensor).__name__}")
    if tensor.device.type != "cpu":
        refuse(layer, f"computes on the host; {name} lies on {tensor.device}")
    if tensor.layout != torch.strided:
        refuse(layer, f"takes a dense {name}, not one of layout {tensor.layout}")
    if tensor.dtype not in (torch.float32, torch.float64):
        refuse(layer, f"takes {name} of float32 or float64, not {tensor.dtype}")
    if dims is not None and tensor.dim() != dims:
        refuse(layer, f"takes {name} with {dims} axes, not {tensor.dim()}")
    return tensor


def listed(layer, edge_index):
    """The edge list, (2, edges) integers."""
    if not isinstance(edge_index, torch.Tensor) or edge_index.layout != torch.strided:
        refuse(layer, f"takes edge_index as (2, edges) integers, not as a {type(edge_index).__name__} of another layout")
    if hasattr(edge_index, "as_tensor"):  # torch_geometric.EdgeIndex
        return edge_index.as_tensor()
    if edge_index.dim() != 2 or edge_index.size(0) != 2 or edge_index.dtype not in (torch.int64, torch.int32):
        refuse(layer, f"takes edge_index as (2, edges) int64, not {tuple(edge_index.shape)} {edge_index.dtype}")
    if edge_index.device.type != "cpu":
        refuse(layer, f"computes on the host; edge_index lies on {edge_index.device}")
    return edge_index


def no_sizes(layer, size):
    if size is not None and size[0] != size[1]:
        refuse(layer, f"takes one vertex set, not size={tuple(size)} of two")


def aggregated(layer, edges, x, weight=None):
    """Neighbours' rows, times the weights of edges where there are any, by the layer's aggregate."""
    x = x.contiguous()
    if not isinstance(layer.aggr, str) or layer.aggr not in AGGREGATES:
        refuse(layer, f"takes aggr of {', '.join(AGGREGATES)}, not {layer.aggr!r}")
    if weight is None:
        return of_type(AGGREGATES[layer.aggr], x)(edges.graph, x=x)
    if layer.aggr not in ("add", "sum"):
        refuse(layer, f"takes edge_weight with aggr='add', not {layer.aggr!r}")
    weight = real(layer, "edge_weight", weight).reshape(-1).contiguous()
    weight = weight.double() if x.dtype == torch.float64 else weight  # as PyTorch multiplies the two
    program = programs.weighted_total_both if wants_gradient(weight) else programs.weighted_total
    return of_type(program, x)(edges.graph, x=x, w=weight)


def wants_gradient(tensor):
    return tensor.requires_grad and torch.is_grad_enabled()


CALLS_BEFORE = 3  # of one tensor of features, before its numbers are counted, or what is made of them is kept
FEW = 1 / 16  # of the numbers, so that a product of those that are not 0 is the faster one
LEAST = 1 << 18  # numbers of a tensor that is worth it


class KeptRows:
    """What a graph makes of features that many calls read: kept from one call on, as long as nobody writes to it."""

    def __init__(self):
        self.calls, self.rows, self.version = 0, None, 0

    def of(self, make):
        self.calls += 1
        if self.rows is not None and self.rows._version == self.version:
            return self.rows
        made = make()
        if self.calls >= CALLS_BEFORE and not made.is_inference():
            self.rows, self.version = made, made._version
        return made


def kept_rows(edges, x, name, make):
    """make(), of the edges and x; where x is a constant that calls share, the rows that an earlier call has made.

    They are not the layer's result itself, which its caller may write to.
    """
    if x.requires_grad or x.is_inference():
        return make()
    return edges.rows((x,), (name,), KeptRows).of(make)


def aggregated_once(layer, edges, x, weight=None):
    """aggregated, computed once of features that stay."""
    if weight is not None:
        return aggregated(layer, edges, x, weight)
    return kept_rows(edges, x, layer.aggr, lambda: aggregated(layer, edges, x))


class SparseRows:
    """Whether features that many products read, such as words that occur in a paper, are nearly all 0."""

    def __init__(self):
        self.calls, self.entries = 0, None

    def of(self, x):
        self.calls += 1
        if self.calls == CALLS_BEFORE and int(x.count_nonzero()) <= FEW * x.numel():
            rows, columns = x.nonzero(as_tuple=True)
            offsets = torch.zeros(x.size(0) + 1, dtype=torch.int64)
            offsets[1:] = torch.bincount(rows, minlength=x.size(0)).cumsum(0)
            self.entries = Sparse.from_scipy(Compressed(offsets, columns, x.detach()[rows, columns], tuple(x.shape)))
        return self.entries


class Compressed:
    """Rows as SciPy names them."""

    def __init__(self, indptr, indices, data, shape):
        self.indptr, self.indices, self.data, self.shape = indptr, indices, data, shape

    def tocsr(self):
        return self


def sparse_rows(x):
    """The numbers of x that are not 0, where it is a constant that calls share and few of them are; else None."""
    if x.requires_grad or x.numel() < LEAST or x.is_inference():
        return None
    return remembered((x,), ("sparse",), SparseRows).of(x)


def product(edges, x, weight, bias=None):
    """x times the transposed weight, (vertices, out)."""
    rows = sparse_rows(x)
    if rows is None:
        return functional.linear(x, weight, bias)
    out = of_type(programs.sparse_product, weight)(edges.graph, x=rows, w=weight.t().contiguous())
    return out if bias is None else out + bias


def multiplied(edges, x, linear):
    """linear(x), for a layer of PyTorch or of PyTorch Geometric; where somebody listens to it, its own call."""
    listened = linear._forward_hooks or linear._forward_pre_hooks or linear._backward_hooks or linear._backward_pre_hooks
    return linear(x) if listened else product(edges, x, linear.weight, linear.bias)


def is_narrowing(layer, linear):
    """Whether rows are fewer numbers behind the product, which then goes before an aggregate that is linear."""
    return layer.aggr in ("add", "sum", "mean") and linear.weight.size(0) < linear.weight.size(1)


def aggregated_product(layer, edges, x, linear, weight=None):
    """linear(aggregate(x)); the product moves before the aggregate where that leaves narrower rows."""
    if not is_narrowing(layer, linear):
        return linear(aggregated_once(layer, edges, x, weight))
    rows = aggregated(layer, edges, product(edges, x, linear.weight), weight)
    return rows if linear.bias is None else rows + linear.bias
