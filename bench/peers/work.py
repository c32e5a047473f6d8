"""What the three peers share: reading inputs, a timed call with its gradient, and an epoch of a model."""
import numpy as np
import torch
import torch.nn.functional as F

DEVICE = "cpu"  # where arrays are brought; bench/gpu/peer.py says another


def load(folder, name):
    return torch.from_numpy(np.load(folder / f"{name}.npy")).to(DEVICE)


def edges(folder):
    """Sources and destinations, int64, in the order of the edge list, which ascends by source and then by destination."""
    return load(folder, "src").long(), load(folder, "dst").long()


def sparse_rows(x, layout):
    """Dense features as a sparse matrix, row-wise ("csr") or as coordinates ("coo")."""
    coo = x.to_sparse_coo().coalesce()
    return coo.to_sparse_csr() if layout == "csr" else coo


def drop_sparse(x, p):
    """Dropout of a sparse matrix: of its stored values, which is dropout of the dense one."""
    if x.layout == torch.sparse_csr:
        return torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), F.dropout(x.values(), p), x.shape)
    values = F.dropout(x.values(), p)
    return torch.sparse_coo_tensor(x.indices(), values, x.shape, is_coalesced=True)


def drop(x, p, training):
    if p == 0 or not training:
        return x
    return drop_sparse(x, p) if x.layout != torch.strided else F.dropout(x, p)


def loss_of_kinds(layers, x, y):
    """Cross entropy of all kinds after some layers, relu between them. A layer is (own, told): what a kind's rows become by
    themselves, and what relations tell each kind, of the rows of all by kind."""
    h = x
    for k, (own, told) in enumerate(layers):
        by_relations = told(h)
        h = {kind: own(rows) + by_relations[kind] for kind, rows in h.items()}
        if k + 1 < len(layers):
            h = {kind: F.relu(rows) for kind, rows in h.items()}
    return F.cross_entropy(torch.cat(list(h.values())), y)


class Layer:
    """forward(*inputs) alone, or with the gradient of the named inputs for one cotangent."""

    def __init__(self, forward, inputs, cotangent=None):
        self.forward, self.inputs, self.cotangent = forward, inputs, cotangent
        if cotangent is not None:
            for t in inputs.values():
                t.requires_grad_(True)

    def run(self):
        if self.cotangent is None:
            with torch.no_grad():
                return self.forward(*self.inputs.values()), ()
        out = self.forward(*self.inputs.values())
        return out, torch.autograd.grad(out, list(self.inputs.values()), self.cotangent)

    def results(self):
        out, gradients = self.run()
        shaped = zip(self.inputs.items(), gradients)
        return {"out": out, **{f"gradient_{name}": g.reshape(t.shape) for (name, t), g in shaped}}


class Epoch:
    """Epochs of a model: forward, loss, gradient and one step of Adam. `model(x)` gives logits; `parameters` names its
    tensors as stg does, with a function that brings a gradient into stg's shape."""

    def __init__(self, model, parameters, folder, x):
        self.model, self.named, self.x = model, parameters, x
        self.label, known = load(folder, "label").long(), load(folder, "known")
        self.known = None if bool(known.all()) else known.nonzero().squeeze(1)
        self.optimizer = torch.optim.Adam([p for p, _ in parameters.values()], lr=0.01)
        self.initial = [p.detach().clone() for p, _ in parameters.values()]

    def gradient(self):
        self.optimizer.zero_grad(set_to_none=True)
        logits = self.model(self.x, True)
        if self.known is None:
            loss = F.cross_entropy(logits, self.label)
        else:
            loss = F.cross_entropy(logits[self.known], self.label[self.known])
        loss.backward()

    def run(self):
        self.gradient()
        self.optimizer.step()

    def results(self):
        with torch.no_grad():
            for (p, _), start in zip(self.named.values(), self.initial):
                p.copy_(start)
            logits = self.model(self.x, False)
        self.gradient()
        return {"logits": logits, **{f"gradient_{n}": shaped(p.grad) for n, (p, shaped) in self.named.items()}}


def start_again(tensors, initial):
    with torch.no_grad():
        for tensor, start in zip(tensors, initial):
            tensor.copy_(start)


def fill(named, folder):
    """Puts stg's initial parameters into a model's: shaped() of the model's tensor is stg's shape."""
    with torch.no_grad():
        for name, (tensor, shaped) in named.items():
            shaped(tensor).copy_(load(folder, name))


class Steps:
    """A step of Adam for each batch. `loss(batch)` is a scalar; `named` as in Epoch, filled here. The same tensor may have
    several names, each for a part. Batches are a list, or drawn anew whenever they are gone through."""

    def __init__(self, loss, named, batches, folder):
        self.loss, self.named, self.batches = loss, named, batches
        fill(named, folder)
        self.tensors = list({id(t): t for t, _ in named.values()}.values())
        self.initial = [t.detach().clone() for t in self.tensors]
        self.optimizer = torch.optim.Adam(self.tensors, lr=0.01)

    def gradient(self, batch):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(batch)
        loss.backward()
        return loss

    def run(self):
        for batch in self.batches:
            self.gradient(batch)
            self.optimizer.step()

    def results(self):
        """Of the first batch."""
        start_again(self.tensors, self.initial)
        loss = self.gradient(next(iter(self.batches)))
        return {"loss": loss.reshape(1), **{f"gradient_{n}": shaped(t.grad) for n, (t, shaped) in self.named.items()}}


class Foretold(Steps):
    """The same where batches are random: what is compared is what `logits()` gives from the initial parameters."""

    def __init__(self, loss, named, batches, folder, logits):
        super().__init__(loss, named, batches, folder)
        self.logits = logits

    def results(self):
        start_again(self.tensors, self.initial)
        with torch.no_grad():
            return {"logits": self.logits()}


class Drawing:
    """Batches of an epoch and nothing done with them. `take(batch)` gives sources and destinations of the edges that were
    drawn, by their ids in the graph, the seeds, and how many neighbours each of them got."""

    def __init__(self, batches, count, take, src, dst, vertices):
        self.batches, self.count, self.take, self.vertices = batches, count, take, vertices
        self.known = (dst * vertices + src).sort().values
        self.edges = 0

    def run(self):
        self.edges = sum(self.count(batch) for batch in self.batches)

    def results(self):
        order, taken, foreign = [], [], 0
        for batch in self.batches:
            src, dst, seeds, of_seeds = self.take(batch)
            keys = dst.long() * self.vertices + src.long()
            at = torch.searchsorted(self.known, keys).clamp(max=len(self.known) - 1)
            foreign += int((self.known[at] != keys).sum())
            order.append(seeds)
            taken.append(of_seeds.float())
        return {"taken": torch.cat(taken)[torch.cat(order).argsort()],  # workers may have parts of the seeds each
                "foreign": torch.tensor([float(foreign)])}
