"""Graphs of edge_index tensors, made once and found again as long as the tensor lives and is not written to."""
import threading
import weakref
from collections import OrderedDict

import torch

from stg._programs import Graph

KEPT_GRAPHS = 256  # of the latest tensors; one goes with its tensor, too
KEPT_ROWS = 4  # of the latest features, for each graph


class Edges:
    """A graph. Where loops were added, its edge list as well, and which entries of the given list are in it."""

    def __init__(self, edge_index, num_nodes, kept=None):
        self.graph = Graph.from_edge_index(edge_index.detach(), num_nodes)
        self.num_nodes = num_nodes
        self.kept = kept  # None: all of the given list, and nothing behind them
        self.index = None if kept is None else edge_index  # a given list lives as long as its owner wants
        self.rows = Remembered(KEPT_ROWS)  # what these edges aggregate of features that stay

    @property
    def count(self):
        return self.graph.num_edges

    def values(self, given, of_loops):
        """Values of the given edges, and behind them those of loops, which a function of the kept ones says."""
        if self.kept is None:
            return given
        kept = given if bool(self.kept.all()) else given[self.kept]
        return torch.cat([kept, of_loops(kept)])


class Remembered:
    """What was made of tensors, by the tensors themselves: of at most `most`, while these live and stay unchanged."""

    def __init__(self, most):
        self._most, self._made, self._lock = most, OrderedDict(), threading.Lock()

    def __call__(self, tensors, key, make):
        if any(t.is_inference() for t in tensors):  # which count no changes
            return make()
        place = (*map(id, tensors), *key)
        versions = [t._version for t in tensors]
        with self._lock:
            found = self._made.get(place)
            if found is not None and found[1] == versions and all(r() is t for r, t in zip(found[0], tensors)):
                self._made.move_to_end(place)
                return found[2]
        made = make()
        gone = lambda _: self._made.pop(place, None)  # noqa: E731
        with self._lock:
            self._made[place] = ([weakref.ref(t, gone) for t in tensors], versions, made)
            self._made.move_to_end(place)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return made

    def clear(self):
        self._made.clear()


remembered = Remembered(KEPT_GRAPHS)


def forget_graphs():
    """Frees the graphs that layers have kept for the next call of the same edge_index."""
    remembered.clear()


def edges_of(edge_index, num_nodes, flow="source_to_target"):
    """The edges as they are given, from edge_index[0] to edge_index[1]; the other way for flow='target_to_source'."""
    return remembered((edge_index,), (num_nodes, flow, "given"), lambda: Edges(directed(edge_index, flow), num_nodes))


def looped_edges_of(edge_index, num_nodes, flow="source_to_target"):
    """One loop at every vertex, behind the edges that are none: PyTorch Geometric's add_remaining_self_loops."""

    def make():
        index = directed(edge_index, flow)
        kept = index[0] != index[1]
        loops = torch.arange(num_nodes, dtype=index.dtype).expand(2, -1)
        return Edges(torch.cat([index[:, kept], loops], dim=1), num_nodes, kept)

    return remembered((edge_index,), (num_nodes, flow, "looped"), make)


def edges_by_type(edge_index, edge_type, num_nodes, types, flow="source_to_target"):
    """The edges of each type, or None where a type has none."""

    def make():
        index = directed(edge_index, flow)
        of_types = (index[:, edge_type == t] for t in range(types))
        return [Edges(of_type, num_nodes) if of_type.size(1) > 0 else None for of_type in of_types]

    return remembered((edge_index, edge_type), (num_nodes, types, flow), make)


def directed(edge_index, flow):
    return edge_index if flow == "source_to_target" else edge_index.flip(0)
