#!/usr/bin/env python3
"""Holds stg.torch's layers to PyTorch Geometric's, with weights that are loaded from one into the other.

usage: layers_test.py    needs the package stg, PyTorch and PyTorch Geometric; `make test` does without
"""
import copy
import io
import pickle
import unittest
import warnings

import torch
import torch_geometric.nn as pyg
from torch.nn import BatchNorm1d, Dropout, Linear, ReLU, Sequential

import stg
import stg.torch

N, E = 60, 400
IN, OUT = 12, 7


def close(test, found, expected, what, tolerance=1e-5, largest=None):
    test.assertEqual(found.shape, expected.shape, what)
    off = stg.torch.accelerated.distance(found, expected, largest)
    test.assertLessEqual(off, tolerance, what)


class Case:
    """A graph with loops, parallel edges and vertices without edges."""

    def __init__(self, seed=0, width=IN):
        self.g = torch.Generator().manual_seed(seed)
        self.edge_index = torch.randint(N - 5, (2, E), generator=self.g)
        self.x = torch.randn(N, width, generator=self.g)
        self.weight = torch.rand(E, generator=self.g)
        self.attr = torch.randn(E, 3, generator=self.g)
        self.type = torch.randint(4, (E,), generator=self.g)


def perceptron(width=IN, out=OUT):
    return Sequential(Linear(width, 8), ReLU(), Linear(8, out))


# name, positional arguments, keywords, what is given behind x and edge_index
CASES = [
    ("GCNConv", (IN, OUT), {}, ()), ("GCNConv", (IN, 30), {}, ()), ("GCNConv", (IN, OUT), {"improved": True}, ()),
    ("GCNConv", (IN, OUT), {"add_self_loops": False, "bias": False}, ()), ("GCNConv", (IN, OUT), {"normalize": False}, ()),
    ("GCNConv", (IN, OUT), {"improved": True}, ("weight",)),
    ("GCNConv", (IN, OUT), {}, ("weight",)), ("GCNConv", (IN, 30), {"normalize": False}, ("weight",)),
    ("GCNConv", (IN, OUT), {"flow": "target_to_source"}, ("weight",)), ("GCNConv", (IN, OUT), {"cached": True}, ()),
    ("TAGConv", (IN, OUT), {}, ()), ("TAGConv", (IN, 20), {"K": 2}, ("weight",)), ("TAGConv", (IN, OUT), {"normalize": False}, ()),
    ("SGConv", (IN, OUT), {"K": 2}, ()), ("SGConv", (IN, 20), {"K": 3}, ("weight",)),
    ("APPNP", (4, 0.1), {}, ()), ("APPNP", (4, 0.1), {"dropout": 0.4}, ()), ("APPNP", (2, 0.2), {"normalize": False}, ("weight",)),
    ("LGConv", (), {}, ()), ("LGConv", (), {"normalize": False}, ("weight",)),
    ("GCN2Conv", (IN, 0.1), {}, ("x_0",)), ("GCN2Conv", (IN, 0.2), {"theta": 0.5, "layer": 2, "shared_weights": False}, ("x_0",)),
    ("SAGEConv", (IN, OUT), {}, ()), ("SAGEConv", (IN, 30), {"normalize": True}, ()), ("SAGEConv", (IN, OUT), {"aggr": "max"}, ()),
    ("SAGEConv", (IN, OUT), {"aggr": "min", "root_weight": False}, ()), ("SAGEConv", (IN, OUT), {"aggr": "sum", "project": True}, ()),
    ("SAGEConv", (IN, OUT), {"flow": "target_to_source", "bias": False}, ()),
    ("GraphConv", (IN, OUT), {}, ()), ("GraphConv", (IN, 30), {}, ("weight",)), ("GraphConv", (IN, OUT), {"aggr": "mean"}, ()),
    ("GraphConv", (IN, OUT), {"aggr": "max", "bias": False}, ()),
    ("GATConv", (IN, OUT), {"heads": 3}, ()), ("GATConv", (IN, OUT), {"heads": 2, "concat": False, "negative_slope": 0.05}, ()),
    ("GATConv", (IN, 16), {"heads": 8, "dropout": 0.5}, ()), ("GATConv", (IN, OUT), {"residual": True, "bias": False}, ()),
    ("GATConv", (IN, OUT), {"heads": 2, "edge_dim": 3}, ("attr",)),
    ("GATConv", (IN, OUT), {"heads": 2, "edge_dim": 3, "fill_value": 0.5, "dropout": 0.3}, ("attr",)),
    ("GATConv", (IN, OUT), {"edge_dim": 3, "fill_value": "add", "add_self_loops": False}, ("attr",)),
    ("GATConv", (IN, OUT), {"edge_dim": 3, "fill_value": "add", "flow": "target_to_source"}, ("attr",)),
    ("GATv2Conv", (IN, OUT), {"heads": 3}, ()), ("GATv2Conv", (IN, OUT), {"heads": 2, "share_weights": True, "concat": False}, ()),
    ("GATv2Conv", (IN, OUT), {"heads": 2, "edge_dim": 3, "dropout": 0.2}, ("attr",)),
    ("GATv2Conv", (IN, OUT), {"heads": 2, "edge_dim": 3, "residual": True}, ("attr",)),
    ("GATv2Conv", (IN, OUT), {"heads": 2, "add_self_loops": False, "dropout": 0.2}, ()),
    ("TransformerConv", (IN, OUT), {"heads": 3}, ()), ("TransformerConv", (IN, OUT), {"heads": 2, "concat": False, "beta": True}, ()),
    ("TransformerConv", (IN, OUT), {"heads": 2, "beta": True, "edge_dim": 3, "dropout": 0.3}, ("attr",)),
    ("TransformerConv", (IN, OUT), {"heads": 2, "edge_dim": 3}, ("attr",)),
    ("TransformerConv", (IN, OUT), {"root_weight": False, "dropout": 0.5}, ()),
    ("RGCNConv", (IN, OUT, 5), {}, ("type",)), ("RGCNConv", (IN, 30, 5), {}, ("type",)),
    ("RGCNConv", (IN, OUT, 5), {"num_bases": 3, "aggr": "add"}, ("type",)), ("RGCNConv", (IN, 8, 5), {"num_blocks": 4}, ("type",)),
    ("RGCNConv", (IN, OUT, 5), {"aggr": "max", "root_weight": False, "bias": False}, ("type",)),
    ("GINConv", (perceptron,), {}, ()), ("GINConv", (perceptron,), {"eps": 0.3, "train_eps": True}, ()),
    ("GINEConv", (perceptron,), {"edge_dim": 3, "train_eps": True}, ("attr",)),
    ("ResGatedGraphConv", (IN, OUT), {}, ()), ("ResGatedGraphConv", (IN, OUT), {"root_weight": False, "bias": False}, ()),
]


def made(module, name, positional, keywords):
    return getattr(module, name)(*(p() if callable(p) else p for p in positional), **keywords)


def call(layer, case, behind):
    values = [getattr(case, b) for b in behind if b != "x_0"]
    first = (case.x, case.x * 0.5) if "x_0" in behind else (case.x,)
    return layer(*first, case.edge_index, *values)


def gradients(out, layer, case, behind):
    wanted = [case.x, *(getattr(case, b) for b in behind if b in ("weight", "attr")), *layer.parameters()]
    factors = torch.randn(out.shape, generator=torch.Generator().manual_seed(5))
    return torch.autograd.grad(out, wanted, factors, allow_unused=True)


class Layers(unittest.TestCase):
    def test_weights_outputs_and_gradients_are_theirs(self):
        for name, positional, keywords, behind in CASES:
            with self.subTest(of=name, arguments=keywords, behind=behind):
                case = Case()
                for leaf in (case.x, case.weight, case.attr):
                    leaf.requires_grad_(True)
                torch.manual_seed(2)
                theirs = made(pyg, name, positional, keywords)
                for p in theirs.parameters():  # biases begin as 0
                    torch.nn.init.normal_(p, std=0.3)
                mine = made(stg.torch, name, positional, keywords)
                mine.load_state_dict(theirs.state_dict())  # same names, same shapes
                theirs.load_state_dict(mine.state_dict())
                for training in (False, True):
                    results = []
                    for layer in (theirs.train(training), mine.train(training)):
                        torch.manual_seed(3)
                        out = call(layer, case, behind)
                        results.append((out, gradients(out, layer, case, behind)))
                    (expected, expected_gradients), (found, found_gradients) = results
                    close(self, found, expected, "output")
                    pairs = [(torch.zeros_like(b) if a is None else a, torch.zeros_like(a) if b is None else b)
                             for a, b in zip(found_gradients, expected_gradients) if a is not None or b is not None]
                    largest = max(b.abs().max().item() for _, b in pairs)
                    for a, b in pairs:  # the bias of keys has the gradient 0 but for rounding
                        close(self, a, b, "gradient", 2e-5, largest if b.abs().max() < 1e-5 * largest else None)

    def test_float64(self):
        for name, positional, keywords, behind in CASES:
            with self.subTest(of=name, arguments=keywords, behind=behind):
                case = Case()
                for what in ("x", "weight", "attr"):
                    setattr(case, what, getattr(case, what).double().requires_grad_(True))
                torch.manual_seed(2)
                theirs, mine = (made(m, name, positional, keywords).double() for m in (pyg, stg.torch))
                for p in theirs.parameters():
                    torch.nn.init.normal_(p, std=0.3)
                mine.load_state_dict(theirs.state_dict())
                results = []
                for layer in (theirs, mine):
                    torch.manual_seed(3)  # of masks of dropout
                    out = call(layer, case, behind)
                    factors = torch.randn(out.shape, generator=torch.Generator().manual_seed(5), dtype=torch.float64)
                    results.append((out, torch.autograd.grad(out, [case.x, *layer.parameters()], factors, allow_unused=True)))
                close(self, results[1][0], results[0][0], "output", 1e-12)
                largest = max(g.abs().max().item() for g in results[0][1] if g is not None)
                for a, b in zip(results[1][1], results[0][1]):
                    if b is not None:
                        close(self, torch.zeros_like(b) if a is None else a, b, "gradient", 1e-12, largest)

    def test_maxima_that_tie_share_their_gradient(self):
        case = Case()
        case.x = case.x.round().clamp(-1, 1).requires_grad_(True)
        theirs = pyg.SAGEConv(IN, OUT, aggr="max")
        mine = stg.torch.SAGEConv(IN, OUT, aggr="max")
        mine.load_state_dict(theirs.state_dict())
        pairs = [(call(layer, case, ()), layer) for layer in (mine, theirs)]
        close(self, pairs[0][0], pairs[1][0], "output")
        for a, b in zip(*(gradients(out, layer, case, ()) for out, layer in pairs)):
            close(self, a, b, "gradient")

    def test_products_of_features_that_are_nearly_all_0(self):
        case = Case()
        words = (torch.rand(N, 8000, generator=case.g) < 0.01).float() * torch.rand(N, 8000, generator=case.g)
        for name, behind in (("GCNConv", ()), ("GATConv", ()), ("SAGEConv", ()), ("TransformerConv", ()), ("RGCNConv", ("type",)), ("TAGConv", ())):
            case.x = words.clone()
            theirs, mine = (made(m, name, (8000, OUT) + ((4,) if name == "RGCNConv" else ()), {}) for m in (pyg, stg.torch))
            mine.load_state_dict(theirs.state_dict())
            for _ in range(stg.torch.layer.CALLS_BEFORE):
                found = call(mine, case, behind)
            self.assertIsNotNone(stg.torch.edges.remembered((case.x,), ("sparse",), None).entries)
            expected = call(theirs, case, behind)
            close(self, found, expected, name)
            factors = torch.randn(found.shape, generator=case.g)
            for a, b in zip(*(torch.autograd.grad(out, list(layer.parameters()), factors) for out, layer in ((found, mine), (expected, theirs)))):
                if b.abs().max() > 1e-5:  # the bias of keys has none
                    close(self, a, b, name)
            case.x[3] = 1.0  # a change is seen
            close(self, call(mine, case, behind), call(theirs, case, behind), name)

    def test_rows_of_features_that_stay_are_aggregated_once(self):
        for name, arguments, behind in (("SAGEConv", (IN, 30), ()), ("GINConv", (lambda: Linear(IN, OUT + IN),), ()), ("RGCNConv", (IN, 30, 4), ("type",)),
                                        ("RGCNConv", (IN, 30, 6), ("type",)), ("GraphConv", (IN, 30), ()), ("GCNConv", (IN, IN), ())):
            case = Case()
            theirs, mine = (made(m, name, arguments, {}) for m in (pyg, stg.torch))
            mine.load_state_dict(theirs.state_dict())
            for _ in range(stg.torch.layer.CALLS_BEFORE + 1):
                found = call(mine, case, behind)
            graphs = [g for _, _, g in stg.torch.edges.remembered._made.values()]
            graphs = [e for g in graphs for e in (g if isinstance(g, list) else [g]) if isinstance(e, stg.torch.edges.Edges)]
            kept = [rows.rows for e in graphs for refs, _, rows in e.rows._made.values() if refs[0]() is case.x]
            self.assertEqual((len(kept), kept[0] is None), (1, False), name)
            expected = call(theirs, case, behind)
            close(self, found, expected, name)
            factors = torch.randn(found.shape, generator=case.g)
            for a, b in zip(*(torch.autograd.grad(out, list(layer.parameters()), factors) for out, layer in ((found, mine), (expected, theirs)))):
                close(self, a, b, name)
            kept[0][2] = 7.0  # somebody writes to them
            close(self, call(mine, case, behind), expected, name)
            case.x[3] = 1.0  # a change is seen
            close(self, call(mine, case, behind), call(theirs, case, behind), name)
            case.edge_index[0] = case.edge_index[0].flip(0)
            close(self, call(mine, case, behind), call(theirs, case, behind), name)

    def test_numbers_of_vertices_for_features(self):
        case = Case()
        theirs, mine = pyg.RGCNConv(N, OUT, 4), stg.torch.RGCNConv(N, OUT, 4)
        mine.load_state_dict(theirs.state_dict())
        for x in (None, torch.randperm(N)):
            close(self, mine(x, case.edge_index, case.type), theirs(x, case.edge_index, case.type), "output")

    def test_a_graph_is_made_once_and_anew_after_a_change(self):
        case, layer = Case(), stg.torch.SAGEConv(IN, OUT)
        stg.torch.forget_graphs()
        before = layer(case.x, case.edge_index)
        kept = stg.torch.edges.edges_of(case.edge_index, N)
        self.assertIs(kept, stg.torch.edges.edges_of(case.edge_index, N))
        case.edge_index[0] = case.edge_index[0].flip(0)
        self.assertIsNot(kept, stg.torch.edges.edges_of(case.edge_index, N))
        self.assertFalse(torch.equal(before, layer(case.x, case.edge_index)))
        del case
        self.assertEqual(len(stg.torch.edges.remembered._made), 0)  # with its tensor

    def test_what_is_not_taken_is_said(self):
        case = Case()
        said = [
            (lambda: stg.torch.GATConv((IN, IN), OUT), r"stg: GATConv takes one number of in_channels, not the pair \(12, 12\)"),
            (lambda: stg.torch.GCNConv(-1, OUT), "stg: GCNConv takes in_channels as a number, not -1"),
            (lambda: stg.torch.SAGEConv(IN, OUT, aggr="lstm"), "stg: SAGEConv takes aggr of add, sum, mean, max, min, not 'lstm'"),
            (lambda: stg.torch.SAGEConv(IN, OUT, aggr=["mean", "max"]), r"not \['mean', 'max'\]"),
            (lambda: stg.torch.GCNConv(IN, OUT, decomposed_layers=2), "stg: GCNConv takes decomposed_layers=1, not 2"),
            (lambda: stg.torch.GCNConv(IN, OUT, flow="both"), "not 'both'"),
            (lambda: stg.torch.SAGEConv(IN, OUT)((case.x, case.x), case.edge_index), "takes x as one tensor of one vertex set, not as a tuple"),
            (lambda: stg.torch.SAGEConv(IN, OUT).half()(case.x.half(), case.edge_index), "takes x of float32 or float64, not torch.float16"),
            (lambda: stg.torch.GCNConv(IN, OUT)(case.x[None], case.edge_index), "takes x with 2 axes, not 3"),
            (lambda: stg.torch.GCNConv(IN, OUT)(case.x.to("meta"), case.edge_index), "computes on the host; x lies on meta"),
            (lambda: stg.torch.GCNConv(IN, OUT)(case.x, case.edge_index.to("meta")), "computes on the host; edge_index lies on meta"),
            (lambda: stg.torch.GATConv(IN, OUT)(case.x, case.edge_index, return_attention_weights=True), "keeps no attention weights"),
            (lambda: stg.torch.GCNConv(IN, OUT)(case.x, torch.eye(N).to_sparse()), "takes edge_index as"),
            (lambda: stg.torch.GCNConv(IN, OUT)(case.x, case.edge_index.float()), "takes edge_index as"),
            (lambda: stg.torch.GCNConv(IN, OUT, aggr="max")(case.x, case.edge_index), "takes aggr='add', not 'max'"),
            (lambda: stg.torch.ResGatedGraphConv(IN, OUT, edge_dim=3), "takes no edge_dim"),
            (lambda: stg.torch.GATConv(IN, OUT, edge_dim=3, fill_value="mul")(case.x, case.edge_index, case.attr), "takes fill_value of add, mean, sum"),
            (lambda: stg.torch.TransformerConv(IN, OUT)(case.x, case.edge_index, case.attr), "takes edge_attr where it was made with edge_dim"),
            (lambda: stg.torch.GCNConv(IN, OUT)(case.x[:9], case.edge_index), "edge 0 has"),
        ]
        for what, sentence in said:
            with self.subTest(sentence=sentence), self.assertRaisesRegex(stg.Error, sentence):
                what()
        with self.assertRaisesRegex(TypeError, "unexpected argument 'head'"):
            stg.torch.GATConv(IN, OUT, head=3)


class Net(torch.nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.first, self.second = first, second

    def forward(self, x, edge_index):
        return self.second(torch.relu(self.first(x, edge_index)), edge_index)


class Accelerated(unittest.TestCase):
    def net(self):
        torch.manual_seed(1)
        return Net(pyg.GATConv(IN, 8, heads=4, dropout=0.5), pyg.GINConv(Sequential(Linear(32, 8, bias=False), BatchNorm1d(8), ReLU(), Dropout(0.5), Linear(8, OUT))))

    def losses(self, model, steps=5):
        case = Case()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        target = torch.randn(N, OUT, generator=case.g)
        torch.manual_seed(4)
        all_of_them = []
        for _ in range(steps):
            optimizer.zero_grad()
            loss = (model(case.x, case.edge_index) - target).square().mean()
            loss.backward()
            optimizer.step()
            all_of_them.append(loss.item())
        return all_of_them

    def test_training_is_the_same(self):
        before, after = self.net(), self.net()
        names = list(after.state_dict())
        report = stg.torch.accelerate(after)
        self.assertEqual([name for name, _ in report.replaced], ["first", "second"])
        self.assertIsInstance(after.first, pyg.GATConv)
        self.assertEqual(list(after.state_dict()), names)
        for a, b in zip(self.losses(after), self.losses(before)):
            self.assertAlmostEqual(a, b, delta=1e-5)
        self.assertTrue(after.first._stg.gradients_agree and after.second._stg.gradients_agree)
        for (name, a), b in zip(after.named_buffers(), before.buffers()):  # batch norm has counted as many batches
            torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5, msg=name)
        self.assertIn("by stg", str(report))

    def test_copies_and_files(self):
        net = self.net()
        stg.torch.accelerate(net)
        case, file = Case(), io.BytesIO()
        expected = net.eval()(case.x, case.edge_index)
        torch.save(net, file)
        file.seek(0)
        for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net)), torch.load(file, weights_only=False)):
            torch.testing.assert_close(other(case.x, case.edge_index), expected)
        stg.torch.restore(net)
        self.assertIs(type(net.first), pyg.GATConv)
        torch.testing.assert_close(net(case.x, case.edge_index), expected, atol=1e-5, rtol=1e-5)

    def test_what_is_left_and_why(self):
        class Mine(pyg.GCNConv):
            pass

        lazy = pyg.SAGEConv(-1, OUT)
        model = torch.nn.ModuleDict({"a": Mine(IN, OUT), "b": pyg.AGNNConv(), "c": lazy, "d": pyg.GCNConv(IN, OUT).half(), "e": pyg.GCNConv(IN, OUT), "f": pyg.GCNConv(IN, OUT).double()})
        report = stg.torch.accelerate(model)
        self.assertEqual([name for name, _ in report.replaced], ["e", "f"])
        why = {name: sentence for name, _, sentence in report.left}
        self.assertIn("derived from GCNConv", why["a"])
        self.assertIn("no layer of this class", why["b"])
        self.assertIn("no shape before the first batch", why["c"])
        self.assertIn("neither float32 nor float64", why["d"])

    def test_calls_that_are_not_taken_are_theirs(self):
        case, conv = Case(), pyg.SAGEConv(IN, OUT)
        pair = (case.x, case.x[:40])
        inside = case.edge_index[:, case.edge_index[1] < 40]
        expected = conv(pair, inside)
        stg.torch.accelerate(conv)
        with self.assertWarnsRegex(UserWarning, "SAGEConv takes x as one tensor.*this call of SAGEConv is PyTorch Geometric's"):
            self.assertTrue(torch.equal(conv(pair, inside), expected))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            conv(pair, inside)  # said once

    def test_a_layer_that_differs_is_named_and_computes_as_before(self):
        case = Case()
        for on_difference in ("warn", "raise"):
            model = torch.nn.ModuleDict({"conv": pyg.SAGEConv(IN, OUT)})
            expected = model["conv"](case.x, case.edge_index)
            report = stg.torch.accelerate(model, on_difference=on_difference)
            other = stg.torch.SAGEConv.forward
            stg.torch.SAGEConv.forward = lambda self, x, edge_index: 1.01 * other(self, x, edge_index)
            try:
                sentence = "SAGEConv 'conv' differs from PyTorch Geometric's by 1.0e-02 of the largest output"
                if on_difference == "raise":
                    with self.assertRaisesRegex(stg.Error, sentence):
                        model["conv"](case.x, case.edge_index)
                else:
                    with self.assertWarnsRegex(UserWarning, sentence):
                        self.assertTrue(torch.equal(model["conv"](case.x, case.edge_index), expected))
                    self.assertIn("not any more", str(report))
            finally:
                stg.torch.SAGEConv.forward = other

    def test_a_gradient_that_differs_is_found(self):
        class Doubled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, g):
                return 1.5 * g

        case, conv = Case(), pyg.SAGEConv(IN, OUT)
        stg.torch.accelerate(conv)
        other = stg.torch.SAGEConv.forward
        stg.torch.SAGEConv.forward = lambda self, x, edge_index: Doubled.apply(other(self, x, edge_index))
        try:
            with torch.no_grad():
                conv(case.x, case.edge_index)  # outputs agree
            with self.assertWarnsRegex(UserWarning, "5.0e-01 of the largest gradient"):
                conv(case.x, case.edge_index)
        finally:
            stg.torch.SAGEConv.forward = other


if __name__ == "__main__":
    unittest.main()
