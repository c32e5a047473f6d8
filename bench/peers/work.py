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
