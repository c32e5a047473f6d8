"""PyTorch Geometric Temporal: recurrent cells over graphs, one step after the other, as its examples run them."""
import importlib.metadata
import importlib.util
from pathlib import Path

import torch

from cases import TEMPORAL
from work import Steps, load

VERSIONS = {"torch_geometric_temporal": importlib.metadata.version("torch_geometric_temporal")}


def cell_of(module, name):
    """A cell from its own file: the package's other layers name modules that PyTorch Geometric has since moved."""
    folder = Path(importlib.util.find_spec("torch_geometric_temporal").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location(module, folder / "nn" / "recurrent" / f"{module}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return getattr(loaded, name)


def variants(case):
    """`losses` adds one step's loss after the other, as the package's examples do; `stacked` has one loss of all steps.
    Windows are an axis of TGCN2, `batched`, or so many graphs side by side, `union`. With `cached` the normalisation of a graph
    that stays is computed once."""
    kind, graph, _, _ = case
    if kind not in TEMPORAL:
        return []
    if graph == "metr_la":
        return ["batched", "batched_cached", "union", "union_cached"]
    return ["losses", "stacked"] if graph.startswith("changing") or kind == "gconv_gru" else ["losses", "stacked", "stacked_cached"]


def transposed(t):
    return t.t()


def as_row(t):
    return t.unsqueeze(0)


GATES = ("r", "z", "n")
SPELLED = {"r": "r", "z": "z", "n": "h"}  # here: there


def tgcn(sizes, cached, name="TGCN", **more):  # TGCN2 takes many windows at once
    features, hidden = sizes
    cell = cell_of("temporalgcn", name)(features, hidden, cached=cached, add_self_loops=False, **more)  # loops are in the graph
    named = {}
    for gate in GATES:
        conv, linear = getattr(cell, f"conv_{SPELLED[gate]}"), getattr(cell, f"linear_{SPELLED[gate]}")
        named |= {f"W_{gate}": (conv.lin.weight, transposed), f"c_{gate}": (conv.bias, as_row),
                  f"I_{gate}": (linear.weight, lambda t: t[:, :hidden].t()), f"l_{gate}": (linear.bias, as_row),
                  f"U_{gate}": (linear.weight, lambda t: t[:, hidden:].t())}
    return cell, named


def gconv_gru(sizes, _):
    features, hidden = sizes
    cell = cell_of("gconv_gru", "GConvGRU")(features, hidden, K=2)
    named = {}
    for gate in GATES:
        of_input, of_state = (getattr(cell, f"conv_{x}_{SPELLED[gate]}") for x in ("x", "h"))
        named |= {f"W_{gate}": (of_input.lins[0].weight, transposed), f"V_{gate}": (of_input.lins[1].weight, transposed),
                  f"I_{gate}": (of_state.lins[0].weight, transposed), f"U_{gate}": (of_state.lins[1].weight, transposed),
                  f"c_{gate}": (of_input.bias, as_row)}
        torch.nn.init.zeros_(of_state.bias)  # a second bias, whose gradient is that of the first
    return cell, named


class Recurrence:
    """Epochs: all steps, their mean squared errors, one gradient and one step of Adam."""

    def __init__(self, case, variant, folder):
        kind, graph, _, _ = case
        self.x, self.y = load(folder, "x"), load(folder, "y")
        src, dst = load(folder, "src").long(), load(folder, "dst").long()
        self.weights = None
        if graph.startswith("changing"):
            self.edges_of_step, self.weights = list(torch.stack([src, dst], 1)), list(load(folder, "w"))
        else:
            self.edges_of_step = [torch.stack([src, dst])] * len(self.x)
        self.stacked = variant.startswith("stacked")
        sizes = load(folder, "W_r").shape
        self.cell, self.named = (tgcn if kind == "tgcn" else gconv_gru)(sizes, variant.endswith("cached"))
        self.head = torch.nn.Linear(sizes[1], 1, bias=False)
        self.named["R"] = (self.head.weight, transposed)
        with torch.no_grad():
            for name, (tensor, shaped) in self.named.items():
                shaped(tensor).copy_(load(folder, name))
        self.tensors = list(dict.fromkeys([*self.cell.parameters(), *self.head.parameters()]))
        self.initial = [t.detach().clone() for t in self.tensors]
        self.optimizer = torch.optim.Adam(self.tensors, lr=0.01)

    def gradient(self):
        self.optimizer.zero_grad(set_to_none=True)
        h, cost, outputs = None, 0, []
        for t, x in enumerate(self.x):
            h = self.cell(x, self.edges_of_step[t], self.weights[t] if self.weights else None, h)
            if self.stacked:
                outputs.append(h)
            else:
                cost = cost + torch.mean((self.head(h).squeeze(-1) - self.y[t]) ** 2)
        if self.stacked:
            loss = torch.mean((self.head(torch.stack(outputs)).squeeze(-1) - self.y) ** 2)
        else:
            loss = cost / len(self.x)
        loss.backward()
        return loss

    def run(self):
        self.gradient()
        self.optimizer.step()

    def results(self):
        with torch.no_grad():
            for t, start in zip(self.tensors, self.initial):
                t.copy_(start)
        loss = self.gradient()
        return {"loss": loss.reshape(1), **{f"gradient_{n}": shaped(t.grad) for n, (t, shaped) in self.named.items()}}


def windows(variant, folder):
    """A step of Adam for each batch of windows, of whose last state the next twelve steps are foretold."""
    x, y = load(folder, "x"), load(folder, "y")  # (batches, steps, vertices, windows, 2), (batches, vertices, windows, 12)
    edge_index = torch.stack([load(folder, "src").long(), load(folder, "dst").long()])
    count, vertices = x.shape[3], x.shape[2]
    x, y = x.transpose(2, 3).contiguous(), y.transpose(1, 2).contiguous()
    if variant.startswith("union"):
        edge_index = torch.cat([edge_index + k * vertices for k in range(count)], 1)
        x, y = x.flatten(2, 3), y.flatten(1, 2)
        cell, named = tgcn(load(folder, "W_r").shape, variant.endswith("cached"))
    else:
        cell, named = tgcn(load(folder, "W_r").shape, variant.endswith("cached"), "TGCN2", batch_size=count)
    head = torch.nn.Linear(*load(folder, "R").shape, bias=False)
    named["R"] = (head.weight, transposed)

    def loss(batch):
        h = None
        for step in batch[0]:
            h = cell(step, edge_index, None, h)
        return torch.mean((head(h) - batch[1]) ** 2)
    return Steps(loss, named, list(zip(x, y)), folder)


def prepare(case, variant, folder):
    if case[1] == "metr_la":
        return windows(variant, folder)
    return Recurrence(case, variant, folder)
