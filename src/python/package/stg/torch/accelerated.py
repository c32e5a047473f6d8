"""Replaces PyTorch Geometric's layers in a model that exists, and holds them to the layers they replace."""
import sys
import warnings
from dataclasses import dataclass, field

import torch

from stg.torch.layer import Error, Unsupported

KEPT = "_stg"  # attribute of a replaced layer


@dataclass
class Replaced:
    """What is known of a layer that was replaced: it stays the object that it was, with another class."""

    name: str
    tolerance: float
    on_difference: str
    outputs_agree: bool = False
    gradients_agree: bool = False
    given_back: str = ""  # why PyTorch Geometric's own computes again
    said: set = field(default_factory=set)

    def label(self, layer):
        return f"{type(layer).__name__} '{self.name}'" if self.name else type(layer).__name__


@dataclass
class Report:
    """Which layers compute by stg, and why others do not."""

    replaced: list  # of (name, layer)
    left: list  # of (name, layer, sentence)

    def __str__(self):
        lines = [f"stg computes {len(self.replaced)} of {len(self.replaced) + len(self.left)} layers"]
        for name, layer in self.replaced:
            kept = layer.__dict__.get(KEPT)
            why = kept.given_back if kept is not None else "restored"
            lines.append(f"  {name or '(the model)'}: {type(layer).__name__}, " + (f"not any more: {why}" if why else "by stg"))
        lines += [f"  {name or '(the model)'}: {type(layer).__name__}, as before: {why}" for name, layer, why in self.left]
        return "\n".join(lines)


def accelerate(model, tolerance=1e-4, on_difference="warn"):
    """Lets stg compute the layers of PyTorch Geometric in a model, and returns a Report of which, and why not others.

    A layer stays the object that it was: its parameters, their names, optimisers and hooks are untouched, `restore(model)`
    undoes it. Its first call computes both ways, and its first call with gradients both gradients; where results differ
    by more than `tolerance` of the largest, the layer computes as before, with a warning that names it, or, with
    on_difference="raise", an stg.Error. A call that stg's layer does not take is made as before, with a warning.
    """
    if on_difference not in ("warn", "raise"):
        raise Error(f"stg: accelerate takes on_difference='warn' or 'raise', not {on_difference!r}")
    classes = accelerated_classes()
    message_passing = sys.modules["torch_geometric.nn"].MessagePassing
    report = Report([], [])
    for name, layer in model.named_modules():
        kind = type(layer)
        if KEPT in layer.__dict__:
            report.replaced.append((name, layer))
        elif kind in classes:
            why = reason_against(layer)
            if why:
                report.left.append((name, layer, why))
                continue
            layer.__dict__[KEPT] = Replaced(name, tolerance, on_difference)
            layer.__class__ = classes[kind]
            report.replaced.append((name, layer))
        elif isinstance(layer, message_passing):
            known = next((c.__name__ for c in kind.__mro__ if c in classes), None)
            why = (f"a class derived from {known}, whose methods may be others" if known
                   else "stg.torch has no layer of this class")
            report.left.append((name, layer, why))
    return report


def restore(model):
    """Undoes accelerate."""
    for layer in model.modules():
        if layer.__dict__.pop(KEPT, None) is not None:
            layer.__class__ = type(layer).__mro__[1]
            layer.__dict__.pop("_stg_cached", None)


def reason_against(layer):
    """Why a layer of a known class is left as it is."""
    hooks = [n for n in vars(layer) if n.endswith("_hooks") and n.split("_")[1] in ("propagate", "message", "aggregate", "edge")]
    if any(vars(layer)[n] for n in hooks):
        return "it has hooks on its messages"
    if any(isinstance(p, torch.nn.parameter.UninitializedParameter) for p in layer.parameters()):
        return "its parameters have no shape before the first batch; call the model once, then accelerate"
    if any(p.dtype not in (torch.float32, torch.float64) for p in layer.parameters()):
        return "its parameters are neither float32 nor float64"
    return ""


def accelerated_classes():
    """Of each class of PyTorch Geometric that stg.torch knows, the class derived from it that computes by stg."""
    import torch_geometric.nn as theirs

    import stg.torch as ours

    if not _classes:
        for name in ours.__all__:
            layer = getattr(ours, name)
            if isinstance(layer, type) and issubclass(layer, torch.nn.Module) and hasattr(theirs, name):
                _classes[getattr(theirs, name)] = derived(getattr(theirs, name), layer)
    return _classes


_classes = {}


def __getattr__(name):
    """The derived classes by name, for pickle."""
    for kind in accelerated_classes().values() if name[:1].isupper() else ():
        if kind.__name__ == name:
            return kind
    raise AttributeError(name)


def derived(theirs, ours):
    def forward(self, *args, **kwargs):
        kept = self.__dict__[KEPT]
        if kept.given_back:
            return theirs.forward(self, *args, **kwargs)
        try:
            if getattr(self, "_explain", None):
                raise Unsupported(f"stg: {kept.label(self)} is being explained, for which messages are needed one by one")
            needed = not kept.outputs_agree or (torch.is_grad_enabled() and not kept.gradients_agree)
            if needed:
                compare(self, kept, theirs, ours, args, kwargs)
                if kept.given_back:
                    return theirs.forward(self, *args, **kwargs)
            return ours.forward(self, *args, **kwargs)
        except Unsupported as refusal:
            warn_once(kept, f"{refusal}; this call of {kept.label(self)} is PyTorch Geometric's")
            return theirs.forward(self, *args, **kwargs)

    return type(theirs.__name__, (theirs,), {"forward": forward, "__module__": __name__, "__doc__": ours.__doc__})


def warn_once(kept, sentence):
    if sentence not in kept.said:
        kept.said.add(sentence)
        warnings.warn(sentence, stacklevel=4)


def compare(layer, kept, theirs, ours, args, kwargs):
    """Both ways on copies of one batch: the same random numbers, and buffers as they were."""
    random = torch.get_rng_state()
    buffers = {name: b.clone() for name, b in layer.named_buffers()}

    def back():
        torch.set_rng_state(random)
        with torch.no_grad():
            for name, b in layer.named_buffers():
                b.copy_(buffers[name])

    leaves = []
    args, kwargs = leaf_copies(args, leaves), leaf_copies(kwargs, leaves)
    leaves += [p for p in layer.parameters() if p.requires_grad]
    results = []
    for kind in (theirs, ours):
        try:
            out = kind.forward(layer, *args, **kwargs)
            results.append((out, gradients_of(out, leaves)))
        finally:
            back()
    (expected, expected_gradients), (found, found_gradients) = results
    off = distance(found, expected)
    sentence = f"stg: {kept.label(layer)} differs from PyTorch Geometric's by {off:.1e} of the largest output"
    if off <= kept.tolerance:
        largest = max((largest_of(g) for g in expected_gradients), default=0.0)  # of all: some are 0 but for rounding
        pairs = zip(found_gradients, expected_gradients)
        off = max((distance(a, b, largest) for a, b in pairs), default=0.0)
        sentence = f"stg: {kept.label(layer)} differs from PyTorch Geometric's by {off:.1e} of the largest gradient"
    if not off <= kept.tolerance:  # NaN is none that agrees
        if kept.on_difference == "raise":
            raise Error(sentence)
        kept.given_back = sentence
        warnings.warn(sentence + "; it computes as before", stacklevel=4)
        return
    kept.outputs_agree = True
    kept.gradients_agree = kept.gradients_agree or torch.is_grad_enabled()


def leaf_copies(given, leaves):
    """The same arguments, with tensors that require gradients as leaves of their own."""
    if isinstance(given, torch.Tensor):
        if not given.requires_grad:
            return given
        leaves.append(given.detach().requires_grad_(True))
        return leaves[-1]
    if isinstance(given, dict):
        return {k: leaf_copies(v, leaves) for k, v in given.items()}
    if type(given) in (tuple, list):
        return type(given)(leaf_copies(v, leaves) for v in given)
    return given


def gradients_of(out, leaves):
    """Of a sum of the outputs with drawn factors; none where nothing asks for them."""
    if not isinstance(out, torch.Tensor) or not out.requires_grad or not leaves:
        return []
    factors = torch.randn(out.shape, generator=torch.Generator().manual_seed(0), dtype=out.dtype)
    return [torch.zeros_like(leaf) if g is None else g
            for leaf, g in zip(leaves, torch.autograd.grad(out, leaves, factors, allow_unused=True))]


def largest_of(tensor):
    """The largest finite element, without its sign."""
    finite = tensor.detach()[tensor.isfinite()]
    return finite.abs().max().item() if finite.numel() > 0 else 0.0


def distance(a, b, largest=None):
    """The largest difference over the largest element of b, or over `largest`; infinite for other shapes and other NaNs."""
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor) or a.shape != b.shape:
        return float("inf")
    a, b = a.detach(), b.detach()
    differs = ~((a == b) | (a.isnan() & b.isnan()))
    if not bool(differs.any()):
        return 0.0
    off = (a - b)[differs].abs().max().item()
    largest = largest_of(b) if largest is None else largest
    return float("inf") if off != off else off / largest if largest > 0 else off
