#!/usr/bin/env python3
"""Calls the module of programs.cpp with arrays of NumPy. usage: module_test.py FOLDER_OF_THE_MODULE"""
import ctypes
import sys
import threading
import unittest

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv.pop(1))
import stg_test_programs as programs  # noqa: E402


def floats(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def edges(vertices, count, seed=1):
    return np.random.default_rng(seed).integers(0, vertices, (2, count))


def by_destination(values, edge_index, vertices):
    total = np.zeros((vertices, *values.shape[1:]), np.float64)
    np.add.at(total, edge_index[1], values)
    return total


class Compressed:
    """What is read of a matrix of SciPy."""

    def __init__(self, indptr, indices, data, shape):
        self.indptr, self.indices, self.data, self.shape = indptr, indices, data, shape

    def tocsr(self):
        return self


def compressed(dense):
    rows, columns = np.nonzero(dense)
    return Compressed(np.searchsorted(rows, np.arange(len(dense) + 1)), columns, dense[rows, columns], dense.shape)


class OnAnotherDevice:
    """An array of DLPack that says that it lies on a CUDA device; what it points to is not read."""

    class Tensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("dtype", ctypes.c_uint8 * 4),
                    ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
                    ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]

    def __init__(self, *shape):
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.tensor = self.Tensor(0x1000, (2, 0), len(shape), (2, 32, 1, 0), ctypes.addressof(self.shape), None, 0, None, None)

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **_):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


class Programs(unittest.TestCase):
    def setUp(self):
        self.edge_index = edges(50, 200)
        self.graph = programs.Graph.from_edge_index(self.edge_index, 50)
        self.inputs = {"h": floats(50, 8, 16), "el": floats(50, 8, 1, seed=2), "er": floats(50, 8, 1, seed=3)}

    def expected(self, h, el, er):
        src, dst = self.edge_index
        score = (el[src] + er[dst]).astype(np.float64)
        weight = np.exp(np.where(score > 0, score, 0.2 * score))
        return by_destination(weight / by_destination(weight, self.edge_index, 50)[dst] * h[src], self.edge_index, 50)

    def test_a_call(self):
        found = programs.attention(self.graph, **self.inputs)
        self.assertEqual((type(found), found.shape, found.dtype), (np.ndarray, (50, 8, 16), np.float32))
        np.testing.assert_allclose(found, self.expected(**self.inputs), atol=1e-5)

    def test_into_existing_memory(self):
        new = programs.attention(self.graph, **self.inputs)
        out = np.zeros_like(new)
        self.assertIs(programs.attention.into(out, self.graph, **self.inputs), out)
        np.testing.assert_array_equal(out, new)
        again = programs.attention.bound(self.graph, out, **self.inputs)
        self.inputs["h"][:] *= 2  # the same memory, read anew
        self.assertIs(again(), out)
        np.testing.assert_array_equal(out, programs.attention(self.graph, **self.inputs))

    def test_gradients(self):
        cotangent = floats(50, 8, 16, seed=4)
        tape = programs.attention.record(self.graph, **self.inputs)
        gradients = tape.backward(cotangent)
        np.testing.assert_array_equal(tape.outputs, programs.attention(self.graph, **self.inputs))
        self.assertEqual(sorted(gradients), ["el", "er", "h"])
        for name, step in (("h", 1e-3), ("el", 1e-3), ("er", 1e-3)):
            moved = {n: a.astype(np.float64) for n, a in self.inputs.items()}
            there = (7, 3, 0)
            slope = 0.0
            for sign in (1, -1):
                at = {n: a.copy() for n, a in moved.items()}
                at[name][there] += sign * step
                slope += sign * (self.expected(**at) * cotangent).sum() / (2 * step)
            self.assertAlmostEqual(gradients[name][there], slope, delta=1e-3)

    def test_edges_are_in_the_order_of_their_list(self):
        x, w = floats(50, 3), floats(200, seed=5)
        y, message = programs.weighted(self.graph, x=x, w=w, eps=0.5)
        src, _ = self.edge_index
        np.testing.assert_allclose(message, w[:, None] * x[src], rtol=1e-6)
        np.testing.assert_allclose(y, 1.5 * x + by_destination(w[:, None] * x[src], self.edge_index, 50), atol=1e-5)
        tape = programs.weighted.record(self.graph, x=x, w=w, eps=0.5)
        gradients = tape.backward(None, np.ones((200, 3), np.float32))  # of the messages alone
        np.testing.assert_allclose(gradients["w"], x[src].sum(axis=1), rtol=1e-5, atol=1e-6)

    def test_a_loss(self):
        x, label, W = floats(50, 5), np.arange(50, dtype=np.int32) % 3, floats(5, 3, seed=6)
        programs.loss.seed(3)
        value, gradients = programs.loss(self.graph, x=x, label=label, W=W)
        other, _ = programs.loss(self.graph, x=x, label=label, W=W)  # another mask
        programs.loss.seed(3)
        again, same = programs.loss(self.graph, x=x, label=label, W=W)
        self.assertEqual(value, again)
        self.assertNotEqual(value, other)
        np.testing.assert_array_equal(gradients["W"], same["W"])  # kept, though steps came behind it

    def test_several_vertex_sets(self):
        edge_index = np.array([[0, 1, 2, 2], [0, 0, 1, 0]])
        graph = programs.HeteroGraph.from_dicts({"author": 3, "paper": 2}, {("author", "writes", "paper"): edge_index})
        known, share = floats(3, 4), floats(4, seed=7)
        found = programs.of_papers(graph, known=known, share=share)
        np.testing.assert_allclose(found, by_destination(share[:, None] * known[edge_index[0]], edge_index, 2), atol=1e-6)
        with self.assertRaisesRegex(programs.Error, "the program reads vertex sets"):
            programs.of_papers(self.graph, known=known, share=share)

    def test_a_graph_for_each_step(self):
        steps = [edges(6, 9, seed=8), edges(6, 4, seed=9)]
        seen = floats(2, 6, 4)
        found = programs.summed(programs.GraphSequence.from_steps(6, steps), seen=seen)
        np.testing.assert_allclose(found, sum(by_destination(s[e[0]], e, 6) for s, e in zip(seen, steps)), atol=1e-5)

    def test_compressed_rows(self):
        graph = programs.Graph.from_csr(np.array([0, 2, 2, 3], np.int32), np.array([1, 2, 0], np.int32))
        self.assertEqual((graph.num_nodes, graph.num_edges), (3, 3))
        with self.assertRaisesRegex(programs.Error, "indptr begins with 0"):
            programs.Graph.from_csr(np.array([1, 2]), np.array([1, 2]))

    def test_a_matrix_of_scipy(self):
        dense = (floats(50, 50) > 1).astype(np.float32)
        graph = programs.Graph.from_scipy(compressed(dense))
        x, w = floats(50, 3), floats(graph.num_edges, seed=5)
        _, message = programs.weighted(graph, x=x, w=w, eps=0.0)
        np.testing.assert_allclose(message, w[:, None] * x[np.nonzero(dense)[1]], rtol=1e-6)
        with self.assertRaisesRegex(programs.Error, "the matrix has 50 rows and 4 columns; a graph has as many of both"):
            programs.Graph.from_scipy(compressed(dense[:, :4]))
        with self.assertRaisesRegex(programs.Error, "which has tocsr"):
            programs.Graph.from_scipy(dense)

    def test_sparse_features(self):
        dense = floats(50, 9) * (floats(50, 9, seed=2) > 1)
        table, cotangent = floats(9, 2, seed=3), floats(50, 2, seed=4)
        words = programs.Sparse.from_scipy(compressed(dense))
        self.assertEqual((words.shape, words.entries), ((50, 9), np.count_nonzero(dense)))
        src, dst = self.edge_index
        expected = by_destination((dense @ table)[src], self.edge_index, 50)
        np.testing.assert_allclose(programs.looked_up(self.graph, words=words, table=table), expected, atol=1e-5)
        tape = programs.looked_up.record(self.graph, words=words, table=table)
        back = np.zeros((50, 2))
        np.add.at(back, src, cotangent[dst])
        np.testing.assert_allclose(tape.backward(cotangent)["table"], dense.T @ back, atol=1e-4)
        with self.assertRaisesRegex(programs.Error, "input 'words' is sparse and takes a Sparse, made once"):
            programs.looked_up(self.graph, words=dense, table=table)
        with self.assertRaisesRegex(programs.Error, "data of the matrix takes float32, not int64"):
            programs.Sparse.from_scipy(compressed((dense > 0).astype(np.int64)))
        wrong = compressed(dense)
        wrong.indices = wrong.indices + 8
        with self.assertRaisesRegex(programs.Error, r"indices has column \d+; the matrix has 9"):
            programs.Sparse.from_scipy(wrong)

    def test_hetero_data(self):
        class Store:
            def __init__(self, **values):
                self.__dict__.update(values)

        edge_index = np.array([[0, 1, 2, 2], [0, 0, 1, 0]])

        class Data(dict):
            node_types, edge_types = ["author", "paper"], [("author", "writes", "paper")]

        data = Data(author=Store(num_nodes=3), paper=Store(num_nodes=2))
        data["author", "writes", "paper"] = Store(edge_index=edge_index)
        known, share = floats(3, 4), floats(4, seed=7)
        found = programs.of_papers(programs.HeteroGraph.from_hetero_data(data), known=known, share=share)
        np.testing.assert_allclose(found, by_destination(share[:, None] * known[edge_index[0]], edge_index, 2), atol=1e-6)
        with self.assertRaisesRegex(programs.Error, "which has node_types and edge_types"):
            programs.HeteroGraph.from_hetero_data({})

    def test_gradients_over_vertex_sets(self):
        edge_index = np.array([[0, 1, 2, 2], [0, 0, 1, 0]])
        graph = programs.HeteroGraph.from_dicts({"author": 3, "paper": 2}, {("author", "writes", "paper"): edge_index})
        known, share, cotangent = floats(3, 4), floats(4, seed=7), floats(2, 4, seed=8)
        found = programs.of_papers.record(graph, known=known, share=share).backward(cotangent)
        of_known = np.zeros((3, 4))
        np.add.at(of_known, edge_index[0], share[:, None] * cotangent[edge_index[1]])
        np.testing.assert_allclose(found["known"], of_known, atol=1e-6)
        np.testing.assert_allclose(found["share"], (known[edge_index[0]] * cotangent[edge_index[1]]).sum(1), atol=1e-6)
        with self.assertRaisesRegex(programs.Error, "reads vertex sets"):
            programs.of_papers.record(self.graph, known=known, share=share)

    def test_blocks_of_a_batch(self):
        x, w = floats(50, 3), floats(200, seed=5)
        whole = programs.two_hops(self.graph, x=x, w=w)
        cotangent, of_x = floats(50, 3, seed=6), np.zeros((50, 3))
        for b in programs.NeighborLoader(self.graph, [-1, -1], batch_size=8, shuffle=True, seed=3):
            given = {"x": x[b.n_id], "w": w[b.e_id]}
            self.assertEqual(b.blocks.num_seeds, b.batch_size)
            rows = programs.two_hops(b.blocks, **given)
            self.assertEqual(rows.shape, (b.batch_size, 3))
            np.testing.assert_allclose(rows, whole[b.n_id[:b.batch_size]], atol=1e-4)
            tape = programs.two_hops.record(b.blocks, **given)
            np.add.at(of_x, b.n_id, tape.backward(cotangent[b.n_id[:b.batch_size]])["x"])
        expected = programs.two_hops.record(self.graph, x=x, w=w).backward(cotangent)["x"]
        np.testing.assert_allclose(of_x, expected, atol=1e-3)
        with self.assertRaisesRegex(programs.Error, "not made for blocks; call it on the graph of the batch"):
            programs.weighted(b.blocks, eps=0.5, **given)

    def test_fixed_inputs_are_bound_once(self):
        x, w = floats(50, 3), floats(200, seed=5)
        expected = by_destination(w[:, None] * x[self.edge_index[0]], self.edge_index, 50)
        now, other = programs.scaled.fixed(self.graph, x=x, w=w), programs.scaled.fixed(self.graph, x=2 * x, w=w)
        np.testing.assert_allclose(now(eps=2.0), 2 * expected, atol=1e-4)
        np.testing.assert_allclose(other(eps=2.0), 4 * expected, atol=1e-4)
        x[:] = 0  # what was made of it is kept
        np.testing.assert_allclose(now(eps=3.0), 3 * expected, atol=1e-4)
        for k in range(5):  # at places that have been used before
            again = programs.scaled.fixed(self.graph, x=np.full((50, 3), k, np.float32), w=w)
            np.testing.assert_allclose(again(eps=1.0), by_destination(np.repeat(k * w[:, None], 3, 1), self.edge_index, 50), atol=1e-4)
            del again
        with self.assertRaisesRegex(programs.Error, "fixed takes the inputs that the module fixes, x, w; the others"):
            programs.scaled.fixed(self.graph, x=x)
        with self.assertRaisesRegex(programs.Error, "attention has no fixed inputs"):
            programs.attention.fixed(self.graph, h=x)
        with self.assertRaisesRegex(programs.Error, "bind them first"):
            programs.scaled(self.graph, x=x, w=w, eps=1.0)
        with self.assertRaisesRegex(programs.Error, "input 'eps' is not given"):
            now()

    def test_gradients_with_fixed_inputs(self):
        x, W, cotangent = floats(50, 5), floats(5, 3, seed=6), floats(50, 3, seed=2)
        src, dst = self.edge_index
        near = np.tanh(by_destination(x[src], self.edge_index, 50) / np.maximum(np.bincount(dst, minlength=50), 1)[:, None])
        now = programs.projected.fixed(self.graph, x=x)
        x[:] = 0  # what was made of it below is of zeros; of the first call on it is kept
        np.testing.assert_array_equal(now.record(W=W).outputs, np.zeros((50, 3)))
        x[:] = floats(50, 5)
        np.testing.assert_array_equal(now.record(W=W).outputs, np.zeros((50, 3)))
        tape = programs.projected.fixed(self.graph, x=x).record(W=W)  # whose maker is gone
        np.testing.assert_allclose(tape.outputs, near @ W, atol=1e-5)
        gradients = tape.backward(cotangent)
        self.assertEqual(list(gradients), ["W"])
        np.testing.assert_allclose(gradients["W"], near.T @ cotangent, atol=1e-4)
        with self.assertRaisesRegex(programs.Error, "scaled has no training with fixed inputs; add it to the module"):
            programs.scaled.fixed(self.graph, x=floats(50, 3), w=floats(200)).record(eps=1.0)
        with self.assertRaisesRegex(programs.Error, "input 'x' is given twice"):
            now(W=W, x=x)

    def test_a_loss_with_fixed_inputs(self):
        x, label, W = floats(50, 5), np.arange(50, dtype=np.int32) % 3, floats(5, 3, seed=6)
        now = programs.loss.fixed(self.graph, x=x)
        programs.loss.seed(3)
        now.seed(3)
        for _ in range(2):  # other masks, the same of both
            value, gradients = now(label=label, W=W)
            expected, of_all = programs.loss(self.graph, x=x, label=label, W=W)
            self.assertAlmostEqual(value, expected, delta=1e-6)
            np.testing.assert_allclose(gradients["W"], of_all["W"], atol=1e-6)
        now.seed(3)
        x[:] = 0  # what was made of it is kept
        again, _ = now(label=label, W=W)
        programs.loss.seed(3)
        other, _ = programs.loss(self.graph, x=x, label=label, W=W)
        self.assertGreater(abs(again - other), 1e-3)

    def test_gradients_as_a_program(self):
        z, q, d = (floats(50, 3, seed=s).astype(np.float64) for s in (1, 2, 3))
        program = programs.curved.gradients
        self.assertEqual((sorted(program.inputs), program.results), (["d", "q", "z"], ["z", "q"]))
        self.assertIsNone(programs.attention.gradients)
        found = dict(zip(program.results, program(self.graph, z=z, q=q, d=d)))
        expected = programs.curved.record(self.graph, z=z, q=q).backward(d)
        for name in expected:
            np.testing.assert_allclose(found[name], expected[name], atol=1e-12)
        factor = floats(50, 3, seed=4).astype(np.float64)
        second = program.record(self.graph, z=z, q=q, d=d).backward(factor, None)
        at = {"z": z, "q": q, "d": d}
        for name in at:  # the slope of sum(factor * gradient of z)
            self.assertIn(name, second)
            there, slope = (7, 1), 0.0
            for sign in (1, -1):
                moved = {n: a.copy() for n, a in at.items()}
                moved[name][there] += sign * 1e-5
                slope += sign * (program(self.graph, **moved)[0] * factor).sum() / 2e-5
            self.assertAlmostEqual(second[name][there], slope, delta=1e-6)

    def test_gradients_of_several_results_as_a_program(self):
        z, q, d = (floats(50, 3, seed=s).astype(np.float64) for s in (1, 2, 3))
        strength, d_edges = (floats(200, seed=s).astype(np.float64) for s in (5, 6))
        program, inputs, cotangents = programs.bent.gradients, dict(z=z, q=q, strength=strength), dict(d=d, d_edges=d_edges, d_total=0.7)
        self.assertEqual((program.cotangents, program.results), (["d", "d_edges", "d_total"], ["z", "q", "strength"]))
        found = dict(zip(program.results, program(self.graph, **inputs, **cotangents)))
        expected = programs.bent.record(self.graph, **inputs).backward(d, d_edges, np.float64(0.7))
        for name in expected:
            np.testing.assert_allclose(found[name], expected[name], atol=1e-11)
        factor = floats(200, seed=4).astype(np.float64)
        second = program.record(self.graph, **inputs, **cotangents).backward(None, None, factor)
        for name, at in inputs.items():  # the slope of sum(factor * gradient of strength)
            there, slope = (7, 1)[:at.ndim], 0.0
            for sign in (1, -1):
                moved = at.copy()
                moved[there] += sign * 1e-5
                slope += sign * (program(self.graph, **{**inputs, name: moved}, **cotangents)[2] * factor).sum() / 2e-5
            self.assertAlmostEqual(second[name][there], slope, delta=1e-6)

    def test_float64(self):
        wide = {n: a.astype(np.float64) for n, a in self.inputs.items()}
        exact = programs.attention.in_float64
        self.assertIs(exact, programs.attention.in_float64)
        found = exact(self.graph, **wide)
        self.assertEqual(found.dtype, np.float64)
        np.testing.assert_allclose(found, self.expected(**wide), atol=1e-13)
        np.testing.assert_array_equal(exact.into(np.zeros_like(found), self.graph, **wide), found)
        cotangent = floats(50, 8, 16, seed=4).astype(np.float64)
        tape = exact.record(self.graph, **wide)
        np.testing.assert_array_equal(tape.outputs, found)
        gradients = tape.backward(cotangent)
        rough = programs.attention.record(self.graph, **self.inputs).backward(cotangent.astype(np.float32))
        for name in rough:
            np.testing.assert_allclose(gradients[name], rough[name], atol=1e-4)
            there, slope = (7, 3, 0), 0.0
            for sign in (1, -1):
                moved = wide[name].copy()
                moved[there] += sign * 1e-6
                slope += sign * (exact(self.graph, **{**wide, name: moved}) * cotangent).sum() / 2e-6
            self.assertAlmostEqual(gradients[name][there], slope, delta=1e-7)
        x, w = floats(50, 3).astype(np.float64), floats(200, seed=5).astype(np.float64)
        y, message = programs.weighted.in_float64(self.graph, x=x, w=w, eps=0.5)
        np.testing.assert_allclose(message, w[:, None] * x[self.edge_index[0]], atol=1e-15)
        tape = programs.weighted.in_float64.record(self.graph, x=x, w=w, eps=0.5)
        gradients = tape.backward(None, np.ones((200, 3)))
        np.testing.assert_allclose(gradients["w"], x[self.edge_index[0]].sum(axis=1), atol=1e-14)
        self.assertFalse(programs.summed.draws)  # whose scan calls a step
        steps, seen = [edges(6, 9, seed=8), edges(6, 4, seed=9)], floats(2, 6, 4).astype(np.float64)
        found = programs.summed.in_float64(programs.GraphSequence.from_steps(6, steps), seen=seen)
        np.testing.assert_allclose(found, sum(by_destination(s[e[0]], e, 6) for s, e in zip(seen, steps)), atol=1e-14)
        edge_index = np.array([[0, 1, 2, 2], [0, 0, 1, 0]])
        kinds = programs.HeteroGraph.from_dicts({"author": 3, "paper": 2}, {("author", "writes", "paper"): edge_index})
        known, share = floats(3, 4).astype(np.float64), floats(4, seed=7).astype(np.float64)
        of_kinds = programs.of_papers.in_float64.record(kinds, known=known, share=share)
        np.testing.assert_allclose(of_kinds.outputs, by_destination(share[:, None] * known[edge_index[0]], edge_index, 2), atol=1e-15)
        np.testing.assert_allclose(of_kinds.backward(np.ones((2, 4)))["share"], known[edge_index[0]].sum(1), atol=1e-14)
        for sentence, call in (("reads vertex sets", lambda: programs.of_papers.in_float64(self.graph, known=known, share=share)),
                               ("input 'h' takes float64, not float32", lambda: exact(self.graph, **self.inputs)),
                               ("differentiated once", lambda: tape.backward(None, np.ones((200, 3)))),
                               ("cotangent of output 0 has shape", lambda: programs.weighted.in_float64.record(self.graph, x=x, w=w, eps=0.5).backward(np.ones((50, 4)), None)),
                               ("output 0 has shape", lambda: exact.into(np.zeros((50, 8, 4)), self.graph, **wide)),
                               ("loss is a loss, or has fixed inputs alone", lambda: programs.loss.in_float64)):
            with self.assertRaisesRegex(programs.Error, sentence):
                call()

    def test_results_of_two_bytes_have_cotangents(self):
        x = floats(50, 3)
        tape = programs.halved.record(self.graph, x=x)
        np.testing.assert_array_equal(tape.outputs, (0.5 * x).astype(np.float16))
        cotangent = floats(50, 3, seed=2).astype(np.float16)
        np.testing.assert_array_equal(tape.backward(cotangent)["x"], 0.5 * cotangent.astype(np.float32))

    def test_batches_of_neighbours(self):
        seeds = np.arange(0, 50, 3)
        loader = programs.NeighborLoader(self.graph, [-1, -1], seeds, batch_size=4, shuffle=True, seed=1)
        self.assertEqual(len(loader), 5)
        x, w = floats(50, 3), floats(200, seed=5)
        whole, _ = programs.weighted(self.graph, x=x, w=w, eps=0.5)
        again, _ = programs.weighted(self.graph, x=whole, w=w, eps=0.5)
        orders, batches = [], []
        for _ in range(2):
            order = []
            for b in loader:
                order += list(b.n_id[:b.batch_size])
                np.testing.assert_array_equal(b.n_id[b.edge_index], self.edge_index[:, b.e_id])
                first, _ = programs.weighted(b.graph, x=x[b.n_id], w=w[b.e_id], eps=0.5)
                second, _ = programs.weighted(b.graph, x=first, w=w[b.e_id], eps=0.5)
                np.testing.assert_allclose(second[:b.batch_size], again[b.n_id[:b.batch_size]], atol=1e-4)
                batches.append((b, b.n_id))
            self.assertEqual(sorted(order), list(seeds))
            orders.append(order)
        self.assertNotEqual(*orders)
        for b, n_id in batches:  # they live on
            np.testing.assert_array_equal(b.n_id, n_id)
        few = programs.NeighborLoader(self.graph, [2], seeds, batch_size=50)
        for b in few:
            self.assertLessEqual(np.bincount(b.edge_index[1]).max(), 2)
        with self.assertRaises(StopIteration):
            next(few)
        with self.assertRaisesRegex(programs.Error, "input_nodes has 50; the graph has 50 vertices"):
            programs.NeighborLoader(self.graph, [2], np.array([50]))
        with self.assertRaises(programs.Error):
            programs.NeighborLoader(self.graph, [-2], seeds)

    def test_batches_of_several_kinds(self):
        writes, cites = ("author", "writes", "paper"), ("paper", "cites", "paper")
        rng = np.random.default_rng(1)
        index = {writes: np.stack([rng.integers(0, 30, 150), rng.integers(0, 40, 150)]), cites: rng.integers(0, 40, (2, 80))}
        graph = programs.HeteroGraph.from_dicts({"author": 30, "paper": 40}, index)
        known, share, seeds = floats(30, 4), floats(150, seed=7), np.arange(0, 40, 3)
        whole = programs.of_papers(graph, known=known, share=share)
        loader = programs.NeighborLoader(graph, [-1, -1], ("paper", seeds), batch_size=4, shuffle=True, seed=2)
        self.assertEqual(len(loader), 4)
        orders, held = [], []
        for _ in range(2):
            order = []
            for b in loader:
                self.assertEqual((b.input_type, b["paper"].batch_size), ("paper", b.batch_size))
                papers = b.n_id_dict["paper"]
                order += list(papers[:b.batch_size])
                for relation, edge_index in b.edge_index_dict.items():
                    ends = [b.n_id_dict[relation[0]][edge_index[0]], b.n_id_dict[relation[2]][edge_index[1]]]
                    np.testing.assert_array_equal(ends, index[relation][:, b.e_id_dict[relation]])
                given = {"known": known[b["author"].n_id], "share": share[b[writes].e_id]}
                np.testing.assert_allclose(programs.of_papers(b.graph, **given)[:b.batch_size], whole[papers[:b.batch_size]], atol=1e-5)
                rows = programs.of_papers(b.blocks, **given)
                self.assertEqual(rows.shape, (b.batch_size, 4))
                np.testing.assert_allclose(rows, whole[papers[:b.batch_size]], atol=1e-5)
                held.append((b, papers))
            self.assertEqual(sorted(order), list(seeds))
            orders.append(order)
        self.assertNotEqual(*orders)
        for b, papers in held:  # they live on
            np.testing.assert_array_equal(b.n_id_dict["paper"], papers)
            self.assertFalse(hasattr(b["author"], "batch_size"))
        with self.assertRaisesRegex(programs.Error, "reads a plain graph, and this is one of several kinds"):
            programs.two_hops(b.blocks, x=known, w=share)
        with self.assertRaisesRegex(programs.Error, "not made for blocks"):
            programs.of_papers.record(b.blocks, **given)
        with self.assertRaisesRegex(programs.Error, "no set and no relation 'venue'"):
            b["venue"]
        few = programs.NeighborLoader(graph, {writes: [2]}, "paper", batch_size=40)  # and no paper that cites
        for b in few:
            self.assertEqual((b.batch_size, b.e_id_dict[cites].size), (40, 0))
            self.assertEqual(np.bincount(b[writes].edge_index[1]).max(), 2)
        for sentence, fan_outs, nodes in (("is no edge type of the graph", {("a", "b", "c"): [2]}, "paper"), ("takes a set of the graph", [2], seeds),
                                          ("set 'paper' has 40 vertices", [2], ("paper", np.array([40])))):
            with self.assertRaisesRegex(programs.Error, sentence):
                programs.NeighborLoader(graph, fan_outs, nodes)
        with self.assertRaisesRegex(programs.Error, "a dictionary by edge type is of a HeteroGraph"):
            programs.NeighborLoader(self.graph, {writes: [2]})
        with self.assertRaisesRegex(programs.Error, "a set and its vertices are of a HeteroGraph"):
            programs.NeighborLoader(self.graph, [2], ("paper", seeds))

    def test_what_is_wrong_is_said_and_nothing_converted(self):
        def call(sentence, **changed):
            with self.assertRaisesRegex(programs.Error, sentence):
                programs.attention(self.graph, **{**self.inputs, **changed})

        h = self.inputs["h"]
        call("input 'h' takes float32, not float64", h=h.astype(np.float64))
        call("input 'h' takes float32, not int64", h=np.zeros((50, 8, 16), np.int64))
        call("input 'h' does not lie row after row", h=floats(50, 8, 32)[:, :, ::2])
        call("input 'h' has 5 rows; the graph has 50 vertices", h=h[:5])
        call("takes an array of NumPy, PyTorch", h="features")
        call("input 'h' lies on a CUDA device, and this module is built without CUDA; it computes on the host",
             h=OnAnotherDevice(50, 8, 16))
        with self.assertRaisesRegex(programs.Error, "out lies on a CUDA device"):
            programs.attention.into(OnAnotherDevice(50, 8, 16), self.graph, **self.inputs)
        with self.assertRaisesRegex(programs.Error, r"edge_index\[0\] lies on a device; bring it to the host"):
            programs.Graph.from_edge_index([OnAnotherDevice(3), OnAnotherDevice(3)], 50)
        call("input 'h' has 6 axes", h=np.zeros((1,) * 6, np.float32))
        call("the program has no input 'q'", q=h)
        with self.assertRaisesRegex(programs.Error, "input 'er' is not given"):
            programs.attention(self.graph, h=h, el=self.inputs["el"])
        with self.assertRaisesRegex(programs.Error, "called on a Graph"):
            programs.attention(self.edge_index, **self.inputs)
        with self.assertRaisesRegex(programs.Error, "an array that can be written"):
            read_only = np.zeros((50, 8, 16), np.float32)
            read_only.flags.writeable = False
            programs.attention.into(read_only, self.graph, **self.inputs)
        with self.assertRaisesRegex(programs.Error, "has no training"):
            programs.summed.record(self.graph)
        tape = programs.attention.record(self.graph, **self.inputs)
        with self.assertRaisesRegex(programs.Error, "a cotangent, or None, for each of the 1 results"):
            tape.backward()
        tape.backward(h)
        with self.assertRaisesRegex(programs.Error, "differentiated once"):
            tape.backward(h)
        with self.assertRaisesRegex(programs.Error, "edge 0 has source"):
            programs.Graph.from_edge_index(self.edge_index, 10)

    def test_arrays_live_as_long_as_they_are_read(self):
        tape = programs.attention.record(self.graph, **{n: a.copy() for n, a in self.inputs.items()})
        expected = programs.attention.record(self.graph, **self.inputs).backward(self.inputs["h"])
        found = tape.backward(self.inputs["h"])
        outputs = tape.outputs
        del tape
        junk = [floats(50, 8, 16, seed=s) for s in range(20)]  # takes freed memory, if there is any
        np.testing.assert_array_equal(found["h"], expected["h"])
        np.testing.assert_array_equal(outputs, programs.attention(self.graph, **self.inputs))
        self.assertEqual(len(junk), 20)

    def test_threads_call_at_once(self):
        expected = programs.attention(self.graph, **self.inputs)
        wrong = []

        def call():
            for _ in range(20):
                if not np.array_equal(programs.attention(self.graph, **self.inputs), expected):
                    wrong.append("call")
                tape = programs.attention.record(self.graph, **self.inputs)
                if not np.array_equal(tape.outputs, expected):
                    wrong.append("record")
        threads = [threading.Thread(target=call) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_two_modules_in_one_process(self):
        import my_layers  # of docs/python.md, in the same folder

        self.assertIsNot(my_layers.Graph, programs.Graph)
        graph = my_layers.Graph.from_edge_index(self.edge_index, 50)
        np.testing.assert_array_equal(my_layers.gat(graph, **self.inputs), programs.attention(self.graph, **self.inputs))
        with self.assertRaisesRegex(programs.Error, "called on a Graph"):
            programs.attention(graph, **self.inputs)

    def test_help_and_stubs(self):
        self.assertEqual(programs.attention.__doc__, "Attention of eight heads.\n\nInputs:\n  el: f32 (vertices, 8, 1)\n"
                         "  er: f32 (vertices, 8, 1)\n  h: f32 (vertices, 8, 16)\nGives:\n  output: f32 (vertices, 8, 16)\n")
        self.assertIn("def __call__(self, graph: AnyGraph, *, el: Array, er: Array, h: Array) -> Any: ...", programs.__stubs__)
        compile(programs.__stubs__, "stubs", "exec")


if __name__ == "__main__":
    unittest.main()
