#!/usr/bin/env python3
"""Calls the library of programs.cpp by ctypes, beside that of docs/interop.md in one process.

usage: library_test.py LIBRARY OTHER_LIBRARY
"""
import ctypes
import math
import random
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

LIBRARY, OTHER = Path(sys.argv.pop(1)), Path(sys.argv.pop(1))
c = ctypes.CDLL(str(LIBRARY))
other = ctypes.CDLL(str(OTHER))
F32, F64, I32 = 1, 2, 3
NUMBERS = {F32: ctypes.c_float, F64: ctypes.c_double, I32: ctypes.c_int32}
I64 = ctypes.c_int64
for made in (c.stg_test_c_graph_make, c.stg_test_c_graph_of_kinds, c.stg_test_c_graph_of_steps, other.layers_graph_make):
    made.restype = ctypes.c_void_p
c.stg_test_c_error.restype = other.layers_error.restype = ctypes.c_char_p


class Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.POINTER(I64)), ("rank", ctypes.c_int32), ("type", ctypes.c_int32)]


class Set(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("vertices", I64)]


class Relation(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("source", ctypes.c_char_p), ("destination", ctypes.c_char_p), ("edges", I64),
                ("src", ctypes.POINTER(I64)), ("dst", ctypes.POINTER(I64))]


def array(values, *shape, type=F32):
    """Of numbers, or zeros where `values` is None."""
    count = math.prod(shape)
    numbers = (NUMBERS[type] * max(count, 1))(*(values or [0] * count))
    a = Array(ctypes.cast(numbers, ctypes.c_void_p), (I64 * max(len(shape), 1))(*shape), len(shape), type)
    a.numbers = numbers
    return a


def struct(*arrays):
    return (Array * len(arrays))(*arrays)


def integers(values):
    return (I64 * len(values))(*values)


def error():
    return c.stg_test_c_error().decode()


VERTICES, WIDTH = 6, 3
draw = random.Random(3)
SRC = [draw.randrange(VERTICES) for _ in range(14)]
DST = [draw.randrange(VERTICES) for _ in range(14)]


def drawn(count):
    return [draw.uniform(-1, 1) for _ in range(count)]


class Programs(unittest.TestCase):
    def setUp(self):
        self.graph = ctypes.c_void_p(c.stg_test_c_graph_make(I64(VERTICES), I64(len(SRC)), integers(SRC), integers(DST)))
        self.x, self.w = drawn(VERTICES * WIDTH), drawn(len(SRC))
        self.y, self.message = array(None, VERTICES, WIDTH), array(None, len(SRC), WIDTH)
        self.inputs = [array([0.5]), array(self.x, VERTICES, WIDTH), array(self.w, len(SRC))]  # eps, x, w

    def tearDown(self):
        c.stg_test_c_graph_free(self.graph)

    def row(self, v):
        return self.x[v * WIDTH:(v + 1) * WIDTH]

    def close(self, found, expected):
        self.assertEqual(len(found.numbers), len(expected))
        for a, b in zip(found.numbers, expected):
            self.assertAlmostEqual(a, b, places=5)

    def expected(self):
        y, message = [1.5 * x for x in self.x], []
        for e, (s, d) in enumerate(zip(SRC, DST)):
            message += [self.w[e] * x for x in self.row(s)]
            for f in range(WIDTH):
                y[d * WIDTH + f] += self.w[e] * self.x[s * WIDTH + f]
        return y, message

    def test_a_call_with_edge_values(self):
        failed = c.stg_test_c_weighted(self.graph, struct(*self.inputs), struct(self.y, self.message))
        self.assertFalse(failed, error())
        y, message = self.expected()
        self.close(self.y, y)
        self.close(self.message, message)  # in the order of the list

    def test_gradients(self):
        tape = ctypes.c_void_p()
        self.assertFalse(c.stg_test_c_weighted_record(self.graph, struct(*self.inputs), struct(self.y, Array()), ctypes.byref(tape)), error())
        self.close(self.y, self.expected()[0])
        c.stg_test_c_graph_free(self.graph)  # the tape keeps it
        self.graph = None
        of_y, of_message = drawn(VERTICES * WIDTH), drawn(len(SRC) * WIDTH)
        x, w = array(None, VERTICES, WIDTH), array(None, len(SRC))
        failed = c.stg_test_c_weighted_backward(tape, struct(array(of_y, VERTICES, WIDTH), array(of_message, len(SRC), WIDTH)), struct(x, w))
        self.assertFalse(failed, error())
        expected_x, expected_w = [1.5 * g for g in of_y], [0.0] * len(SRC)
        for e, (s, d) in enumerate(zip(SRC, DST)):
            for f in range(WIDTH):
                g = of_y[d * WIDTH + f] + of_message[e * WIDTH + f]
                expected_x[s * WIDTH + f] += self.w[e] * g
                expected_w[e] += self.x[s * WIDTH + f] * g
        self.close(x, expected_x)
        self.close(w, expected_w)
        c.stg_test_c_tape_free(tape)

    def test_a_loss(self):
        weights = array(drawn(WIDTH * 3), WIDTH, 3)
        label = array([v % 3 for v in range(VERTICES)], VERTICES, type=I32)
        inputs = struct(label, array(self.x, VERTICES, WIDTH), weights)
        value, gradient = ctypes.c_double(), array(None, WIDTH, 3)
        values = []
        for seed in (1, 2, 1):
            self.assertFalse(c.stg_test_c_loss_seed(ctypes.c_uint64(seed)))
            self.assertFalse(c.stg_test_c_loss(self.graph, inputs, ctypes.byref(value), None, struct(gradient)), error())
            values.append((value.value, *gradient.numbers))
        self.assertEqual(values[0], values[2])
        self.assertNotEqual(values[0], values[1])
        self.assertFalse(c.stg_test_c_loss(self.graph, inputs, None, None, struct(Array())), error())  # nothing is wanted

    def test_vertex_sets_and_steps(self):
        sets = (Set * 2)(Set(b"author", 3), Set(b"paper", 2))
        relations = (Relation * 1)(Relation(b"writes", b"author", b"paper", 4, integers([0, 1, 2, 2]), integers([0, 0, 0, 1])))
        graph = ctypes.c_void_p(c.stg_test_c_graph_of_kinds(sets, 2, relations, 1))
        self.assertTrue(graph, error())
        known, out = list(range(12)), array(None, 2, 4)
        inputs = struct(array([1, 2, 3, 4], 4), array(known, 3, 4))
        self.assertFalse(c.stg_test_c_of_papers(graph, inputs, struct(out)), error())
        self.close(out, [known[i] + 2 * known[4 + i] + 3 * known[8 + i] for i in range(4)] + [4 * known[8 + i] for i in range(4)])
        self.fails("the program reads vertex sets", c.stg_test_c_of_papers, self.graph, inputs, struct(out))
        self.fails("the program reads a plain graph", c.stg_test_c_weighted, graph, struct(*self.inputs), struct(self.y, self.message))
        c.stg_test_c_graph_free(graph)

        ends = ctypes.POINTER(I64) * 2
        graph = ctypes.c_void_p(c.stg_test_c_graph_of_steps(I64(2), 2, integers([1, 1]), ends(integers([0]), integers([1])), ends(integers([1]), integers([0]))))
        self.assertTrue(graph, error())
        out, seen = array(None, 2, 4), list(range(16))
        self.assertFalse(c.stg_test_c_summed(graph, struct(array(seen, 2, 2, 4)), struct(out)), error())
        self.close(out, [12, 13, 14, 15, 0, 1, 2, 3])  # vertex 0 hears vertex 1 at step 1, and the reverse at step 0
        self.fails("call it on a graph, not on a sequence", c.stg_test_c_weighted, graph, struct(*self.inputs), struct(self.y, self.message))
        c.stg_test_c_graph_free(graph)

    def fails(self, sentence, function, *arguments):
        self.assertTrue(function(*arguments))
        self.assertTrue(error().startswith("stg: "), error())
        self.assertIn(sentence, error())

    def test_what_is_wrong(self):
        right = self.inputs
        outputs = struct(self.y, self.message)
        with_x = lambda x: struct(right[0], x, right[2])  # noqa: E731
        call = c.stg_test_c_weighted
        self.fails("takes a graph, and this pointer is null", call, None, struct(*right), outputs)
        self.fails("takes its inputs, and this pointer is null", call, self.graph, None, outputs)
        self.fails("results need memory", call, self.graph, struct(*right), None)
        self.fails("input 'x' takes STG_F32, not STG_F64", call, self.graph, with_x(array(self.x, VERTICES, WIDTH, type=F64)), outputs)
        self.fails("input 'x' takes STG_F32, not type 0, which is none", call, self.graph, with_x(Array()), outputs)
        self.fails("input 'x' has 6 axes; an array has 0 to 5", call, self.graph, with_x(Array(right[1].data, right[1].shape, 6, F32)), outputs)
        self.fails("the pointer to its shape is null", call, self.graph, with_x(Array(right[1].data, None, 2, F32)), outputs)
        self.fails("input 'x' has no memory", call, self.graph, with_x(Array(None, right[1].shape, 2, F32)), outputs)
        self.fails("input 'x' lies at an address that no f32 lies at", call, self.graph, with_x(Array(right[1].data + 1, right[1].shape, 2, F32)), outputs)
        self.fails("input 'x' has 5 rows; the graph has 6 vertices", call, self.graph, with_x(array(None, 5, WIDTH)), outputs)
        self.fails("negative", call, self.graph, with_x(Array(right[1].data, integers([VERTICES, -3]), 2, F32)), outputs)
        self.fails("14", call, self.graph, struct(right[0], right[1], array(None, 3)), outputs)
        self.fails("output 'y' has shape (6, 2); the program gives (6, 3)", call, self.graph, struct(*right), struct(array(None, VERTICES, 2), self.message))
        self.fails("the pointer to it is null", c.stg_test_c_weighted_record, self.graph, struct(*right), None, None)
        self.fails("those of a tape", c.stg_test_c_weighted_backward, None, struct(Array()), struct(Array()))
        self.assertIsNone(c.stg_test_c_graph_make(I64(2), I64(1), integers([0]), integers([2])))
        self.assertIn("stg: ", error())
        self.assertIsNone(c.stg_test_c_graph_make(I64(2), I64(1), None, integers([1])))
        self.assertIn("edges take sources, and this pointer is null", error())
        self.assertFalse(call(self.graph, struct(*right), outputs), error())  # and nothing of it is kept

    def test_threads(self):
        expected, wrong = self.expected()[0], []

        def work():
            y, message = array(None, VERTICES, WIDTH), array(None, len(SRC), WIDTH)
            for _ in range(50):
                if c.stg_test_c_weighted(self.graph, struct(*self.inputs), struct(y, message)):
                    wrong.append(error())
                if c.stg_test_c_weighted(None, None, None) == 0 or "a call takes a graph" not in error():
                    wrong.append("an error of another thread")
            self.close(y, expected)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_two_libraries(self):
        graph = ctypes.c_void_p(other.layers_graph_make(I64(2), I64(1), integers([0]), integers([1])))
        self.assertTrue(graph)
        self.assertTrue(other.layers_gat(graph, None, None))
        said = other.layers_error()
        self.test_what_is_wrong()
        self.assertEqual(other.layers_error(), said)  # each has its own
        other.layers_graph_free(graph)


class Libraries(unittest.TestCase):
    def test_exports(self):
        for library in (LIBRARY, OTHER):
            header = next((library.parent / f"{library.stem[3:]}_c_library").glob("*.h")).read_text()
            declared = set(re.findall(r"^(?:int|void|\w+ ?\*|const char \*)\s*(\w+)\(", header, flags=re.M))
            names = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
            self.assertEqual({line.split()[2] for line in names.splitlines()}, declared)
            self.assertLessEqual(len(declared), 20)

    def test_size(self):
        """What the programs never use of stg is left out: 2.5 MB of 4.5."""
        with tempfile.TemporaryDirectory() as folder:
            stripped = Path(folder) / "stripped.so"
            for library in (LIBRARY, OTHER):
                subprocess.run(["strip", "-o", stripped, library], check=True)
                self.assertLess(stripped.stat().st_size, 4_000_000, library)


if __name__ == "__main__":
    unittest.main()
