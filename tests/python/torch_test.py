#!/usr/bin/env python3
"""Calls the module of programs.cpp with tensors of PyTorch, beside PyTorch's own operations.

usage: torch_test.py FOLDER_OF_THE_MODULE    needs PyTorch; `make test` does without
"""
import sys
import unittest

import torch

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))
import stg_test_programs as programs  # noqa: E402


def attention(h, el, er, edge_index):
    """The same by scatters of PyTorch."""
    src, dst = edge_index
    score = torch.nn.functional.leaky_relu(el[src] + er[dst], 0.2).squeeze(-1)
    largest = torch.full((h.shape[0], score.shape[1]), -torch.inf, dtype=h.dtype).index_reduce(0, dst, score.detach(), "amax")
    weight = torch.exp(score - largest[dst])
    total = torch.zeros_like(largest).index_add(0, dst, weight)
    return torch.zeros_like(h).index_add(0, dst, (weight / total[dst]).unsqueeze(-1) * h[src])


class Torch(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)
        self.edge_index = torch.randint(50, (2, 300))
        self.graph = programs.Graph.from_edge_index(self.edge_index, 50)
        self.h, self.el, self.er = (torch.randn(50, 8, n, requires_grad=True) for n in (16, 1, 1))

    def call(self):
        return programs.attention(self.graph, h=self.h, el=self.el, er=self.er)

    def test_values_and_gradients_are_torchs(self):
        weight = torch.randn(50, 8, 16)
        mine = self.call()
        theirs = attention(self.h, self.el, self.er, self.edge_index)
        self.assertIsInstance(mine, torch.Tensor)
        torch.testing.assert_close(mine, theirs, atol=1e-5, rtol=1e-5)
        inputs = (self.h, self.el, self.er)
        for a, b in zip(torch.autograd.grad((mine * weight).sum(), inputs), torch.autograd.grad((theirs * weight).sum(), inputs)):
            torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)

    def test_slopes(self):
        edge_index = torch.randint(6, (2, 14))
        graph = programs.Graph.from_edge_index(edge_index, 6)
        inputs = [torch.randn(6, 2, n, dtype=torch.float64, requires_grad=True) for n in (3, 1, 1)]
        self.assertTrue(torch.autograd.gradcheck(lambda h, el, er: programs.attention_f64(graph, h=h, el=el, er=er), inputs))

    def test_slopes_in_float64(self):
        edge_index = torch.randint(6, (2, 14))
        graph = programs.Graph.from_edge_index(edge_index, 6)
        inputs = [torch.randn(6, 8, n, dtype=torch.float64, requires_grad=True) for n in (16, 1, 1)]
        self.assertTrue(torch.autograd.gradcheck(lambda h, el, er: programs.attention.in_float64(graph, h=h, el=el, er=er), inputs, fast_mode=True))

    def test_backward_twice(self):
        found = self.call().sum()
        first = torch.autograd.grad(found, self.h, retain_graph=True)[0]
        self.assertTrue(torch.equal(torch.autograd.grad(found, self.h)[0], first))

    def test_several_results_and_a_number(self):
        x, w = torch.randn(50, 3, requires_grad=True), torch.randn(300, requires_grad=True)
        y, message = programs.weighted(self.graph, x=x, w=w, eps=0.5)
        src, dst = self.edge_index
        of_torch = w[:, None] * x[src]
        torch.testing.assert_close(message, of_torch)
        (message.sum() + (2 * y).sum()).backward()
        found = x.grad.clone(), w.grad.clone()
        x.grad = w.grad = None
        (of_torch.sum() + (2 * (1.5 * x).index_add(0, dst, of_torch)).sum()).backward()
        torch.testing.assert_close(found[0], x.grad, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(found[1], w.grad, atol=1e-5, rtol=1e-5)

    def test_a_result_that_is_not_used_has_no_cotangent(self):
        x, w = torch.randn(50, 3, requires_grad=True), torch.randn(300)
        y, _ = programs.weighted(self.graph, x=x, w=w, eps=0.0)
        y.sum().backward()
        self.assertEqual(x.grad.shape, x.shape)

    def test_scipy_hetero_data_and_batches(self):
        import scipy.sparse
        from torch_geometric.data import HeteroData

        x, w = torch.randn(50, 3), torch.randn(300)
        matrix = scipy.sparse.random(50, 50, 0.1, format="coo", dtype="float32", random_state=1)
        y, _ = programs.weighted(programs.Graph.from_scipy(matrix), x=x, w=torch.from_numpy(matrix.tocsr().data), eps=-1.0)
        torch.testing.assert_close(y, torch.from_numpy(matrix @ x.numpy()), atol=1e-5, rtol=1e-5)
        data = HeteroData()
        data["author"].x, data["paper"].num_nodes = torch.randn(3, 4), 2
        data["author", "writes", "paper"].edge_index = torch.tensor([[0, 1, 2, 2], [0, 0, 1, 0]])
        found = programs.of_papers(programs.HeteroGraph.from_hetero_data(data), known=data["author"].x, share=torch.ones(4))
        torch.testing.assert_close(found, torch.stack([data["author"].x.sum(0), data["author"].x[2]]))
        for b in programs.NeighborLoader(self.graph, [-1], torch.arange(50), batch_size=20):
            self.assertIsInstance(b.n_id, torch.Tensor)
            y, _ = programs.weighted(b.graph, x=x[b.n_id], w=w[b.e_id], eps=0.0)
            whole, _ = programs.weighted(self.graph, x=x, w=w, eps=0.0)
            torch.testing.assert_close(y[:b.batch_size], whole[b.n_id[:b.batch_size]], atol=1e-5, rtol=1e-5)

    def test_without_gradients(self):
        with torch.no_grad():
            self.assertFalse(self.call().requires_grad)
        out = torch.zeros(50, 8, 16)
        with torch.no_grad():
            expected = self.call()
        programs.attention.into(out, self.graph, h=self.h.detach(), el=self.el.detach(), er=self.er.detach())
        self.assertTrue(torch.equal(out, expected))

    def test_a_change_in_place_is_found(self):
        found = self.call()
        with torch.no_grad():
            self.h.mul_(2)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            found.sum().backward()

    def test_an_expanded_cotangent(self):
        self.call().sum().backward()  # whose cotangent has strides of 0
        self.assertTrue(torch.isfinite(self.h.grad).all())

    def test_second_derivatives(self):
        graph = programs.Graph.from_edge_index(torch.randint(6, (2, 14)), 6)
        z, q = (torch.randn(6, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
        self.assertTrue(torch.autograd.gradcheck(lambda z, q: programs.curved(graph, z=z, q=q), (z, q)))
        self.assertTrue(torch.autograd.gradgradcheck(lambda z, q: programs.curved(graph, z=z, q=q), (z, q)))
        self.assertTrue(torch.autograd.gradgradcheck(lambda z: programs.curved(graph, z=z, q=q.detach()), (z,)))
        first = torch.autograd.grad(programs.curved(graph, z=z, q=q).sum(), z, create_graph=True)[0]
        second = torch.autograd.grad(first.sum(), q, create_graph=True)[0]
        with self.assertRaisesRegex(RuntimeError, "stg: curved.gradients has no second derivative; its results are gradients"):
            second.sum().backward()

    def test_second_derivatives_of_several_results(self):
        graph = programs.Graph.from_edge_index(torch.randint(6, (2, 14)), 6)
        z, q = (torch.randn(6, 3, dtype=torch.float64, requires_grad=True) for _ in range(2))
        strength = torch.randn(14, dtype=torch.float64, requires_grad=True)

        def real(z, q, strength):
            y, _, rows, total = programs.bent(graph, z=z, q=q, strength=strength)
            return y, rows, total

        self.assertTrue(torch.autograd.gradcheck(real, (z, q, strength)))
        self.assertTrue(torch.autograd.gradgradcheck(real, (z, q, strength)))
        for k in range(3):  # the others have no cotangent
            self.assertTrue(torch.autograd.gradgradcheck(lambda *of: real(*of)[k], (z, q, strength)))
            found, expected = (torch.autograd.grad(real(z, q, strength)[k].sum(), (z, q, strength), create_graph=by_program) for by_program in (True, False))
            for a, b in zip(found, expected):
                torch.testing.assert_close(a, b, atol=1e-11, rtol=1e-11)

    def test_fixed_inputs(self):
        x, W = torch.randn(50, 5), torch.randn(5, 3, requires_grad=True)
        now = programs.projected.fixed(self.graph, x=x)
        src, dst = self.edge_index
        near = torch.zeros(50, 5).index_add(0, dst, x[src]) / torch.bincount(dst, minlength=50).clamp(min=1)[:, None]
        for _ in range(2):
            mine, theirs = now(W=W), torch.tanh(near) @ W
            torch.testing.assert_close(mine, theirs, atol=1e-5, rtol=1e-5)
            for a, b in zip(torch.autograd.grad(mine.square().sum(), W), torch.autograd.grad(theirs.square().sum(), W)):
                torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-5)
        self.assertFalse(now(W=W.detach()).requires_grad)
        first = torch.autograd.grad(now(W=W).square().sum(), W, create_graph=True)[0]
        with self.assertRaisesRegex(RuntimeError, "stg: projected.fixed has no second derivative; some of its inputs are fixed"):
            first.sum().backward()

    def test_batches_of_hetero_data(self):
        from torch_geometric.data import HeteroData

        data = HeteroData()
        data["author"].num_nodes, data["paper"].num_nodes = 20, 30
        writes = ("author", "writes", "paper")
        data[writes].edge_index = torch.stack([torch.randint(20, (90,)), torch.randint(30, (90,))])
        graph = programs.HeteroGraph.from_hetero_data(data)
        known, share = torch.randn(20, 4, requires_grad=True), torch.randn(90)
        whole = programs.of_papers(graph, known=known, share=share)
        total = 0.0
        for b in programs.NeighborLoader(graph, {writes: [-1]}, ("paper", torch.arange(30)), batch_size=8):
            self.assertIsInstance(b["paper"].n_id, torch.Tensor)
            rows = programs.of_papers(b.graph, known=known[b["author"].n_id], share=share[b[writes].e_id])[:b.batch_size]
            torch.testing.assert_close(rows, whole[b["paper"].n_id[:b.batch_size]], atol=1e-5, rtol=1e-5)
            total = total + rows.square().sum()
        for a, b in zip(torch.autograd.grad(total, known), torch.autograd.grad(whole.square().sum(), known)):
            torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-5)

    def test_a_second_derivative_that_the_module_lacks_is_said(self):
        first = torch.autograd.grad(self.call().sum(), self.h, create_graph=True)[0]  # which is a gradient as any other
        torch.testing.assert_close(first, torch.autograd.grad(self.call().sum(), self.h)[0])
        with self.assertRaisesRegex(RuntimeError, "stg: attention has no second derivative; add it to the module, m.gradients<"):
            first.sum().backward()

    def test_results_of_two_bytes(self):
        x = torch.randn(50, 3, requires_grad=True)
        found = programs.halved(self.graph, x=x)
        self.assertEqual(found.dtype, torch.float16)
        found.backward(torch.full((50, 3), 2.0, dtype=torch.float16))
        torch.testing.assert_close(x.grad, torch.ones(50, 3))

    def test_blocks(self):
        x, w = torch.randn(50, 3, requires_grad=True), torch.randn(300)
        total = sum(programs.two_hops(b.blocks, x=x[b.n_id], w=w[b.e_id]).square().sum()
                    for b in programs.NeighborLoader(self.graph, [-1, -1], torch.arange(50), batch_size=20))
        whole = programs.two_hops(self.graph, x=x, w=w).square().sum()
        for a, b in zip(torch.autograd.grad(total, x), torch.autograd.grad(whole, x)):
            torch.testing.assert_close(a, b, atol=1e-2, rtol=1e-4)

    def test_what_is_wrong(self):
        with self.assertRaisesRegex(programs.Error, "input 'h' takes float32, not float64"):
            programs.attention(self.graph, h=self.h.double(), el=self.el, er=self.er)
        with self.assertRaisesRegex(programs.Error, "does not lie row after row"):
            programs.attention(self.graph, h=self.h.transpose(1, 2), el=self.el, er=self.er)


if __name__ == "__main__":
    unittest.main()
