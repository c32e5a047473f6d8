#!/usr/bin/env python3
"""PyTorch Geometric on a device, eager and through torch.compile: GAT layers and epochs on Cora, on what bench_gpu wrote.

usage: peer.py --exchange FOLDER --out FILE [--device cuda] [--limit SECONDS] [--rounds N]

FILE is lines of JSON as bench_gpu writes them. A case whose results are not stg's has an error and no time; so has one for
which there is no memory or no time left. Where PyTorch or PyTorch Geometric is not installed, FILE says so.
"""
import argparse
import gc
import json
import sys
import time
from pathlib import Path

import goals
import made_numbers

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "peers"))
ARRAYS = ("out", "x", "W", "a_src", "a_dst")  # of a layer, in the order of its limits.npy
SAMPLE_MS, MOST_CALLS = 2.0, 50


class Clock:
    """Milliseconds of calls: by the device's events, or on a CPU by the wall."""

    def __init__(self, torch, device):
        self.torch, self.is_cuda = torch, device.startswith("cuda")

    def __call__(self, run, calls):
        if not self.is_cuda:
            start = time.perf_counter()
            for _ in range(calls):
                run()
            return (time.perf_counter() - start) * 1e3 / calls
        start, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(calls):
            run()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / calls

    def peak(self, run):
        """The most that a call holds beyond what was there."""
        if not self.is_cuda:
            run()
            return 0
        self.torch.cuda.synchronize()
        self.torch.cuda.reset_peak_memory_stats()
        before = self.torch.cuda.memory_allocated()
        run()
        self.torch.cuda.synchronize()
        return self.torch.cuda.max_memory_allocated() - before


def timed(clock, run, rounds, deadline):
    once = clock(run, 1)
    calls = max(1, min(MOST_CALLS, int(SAMPLE_MS / max(once, 0.01))))
    samples = []
    while len(samples) < rounds and (len(samples) < 3 or time.monotonic() < deadline):
        samples.append(clock(run, calls))
    return samples


def differences(results, folder):
    """How far each array is from stg's: outputs by the largest number, gradients by the norm, as bench_gpu has it."""
    import agreement
    import numpy as np

    apart = {}
    for name, tensor in results.items():
        measure = agreement.largest_difference if name in ("out", "logits") else agreement.overall_difference
        apart[name] = measure(np.load(folder / f"{name}.npy"), tensor.detach().cpu().contiguous().numpy())
    return apart


def limits(folder):
    """How far each array may lie off; gradients of a layer a little more where scores are within rounding of 0."""
    import numpy as np

    path = folder / "limits.npy"
    return dict(zip(ARRAYS, np.load(path))) if path.exists() else {"logits": 1e-4}


def sampled_rows(torch, t):
    """As gat.hpp: row 7919 k mod n, k from 0 to 1023."""
    flat = t.reshape(t.shape[0], -1)
    rows = torch.arange(min(1024, len(flat)), device=flat.device) * 7919 % len(flat)
    return flat[rows]


class GatLayer:
    """GATConv with the numbers of gat.hpp: forward alone, or with all gradients."""

    def __init__(self, torch, exchange, graph, shape, when, variant, device):
        import torch_geometric
        from work import Layer, edges

        heads, dim = (int(part) for part in shape.split("x"))
        width = heads * dim
        src, dst = edges(exchange / graph)
        vertices = int(dst.max()) + 1  # every vertex has a loop
        made = lambda shape, seed, scale=1.0: made_numbers.tensor(torch, shape, seed, scale, device)  # noqa: E731
        x = made((vertices, width), 1)
        conv = torch_geometric.nn.GATConv(width, dim, heads=heads, add_self_loops=False, bias=False).to(device)
        linear = conv.lin if getattr(conv, "lin", None) is not None else conv.lin_src
        with torch.no_grad():
            linear.weight.copy_(made((width, width), 2, (12.0 / width) ** 0.5).t())
            conv.att_src.copy_(made((1, heads, dim), 3))
            conv.att_dst.copy_(made((1, heads, dim), 4))
        index = torch.stack([src, dst])
        self.call = torch.compile(conv) if variant == "compile" else conv
        inputs = {"x": x, "W": linear.weight, "a_src": conv.att_src, "a_dst": conv.att_dst}
        cotangent = made((vertices, width), 5) if when == "both" else None
        self.layer = Layer(lambda rows, *_: self.call(rows, index), inputs, cotangent)
        self.torch, self.run = torch, self.layer.run

    def results(self):
        out, gradients = self.run()
        found = {"out": sampled_rows(self.torch, out)}
        if gradients:
            x, weight, a_src, a_dst = gradients
            found |= {"x": sampled_rows(self.torch, x), "W": weight.t(), "a_src": a_src[0], "a_dst": a_dst[0]}
        return found


class CoraEpoch:
    """An epoch by bench/peers: the same layers, the same Adam. Its gradients hang on dropout; what inference gives does not."""

    def __init__(self, torch, exchange, kind, size, variant, device):
        import pyg_peer

        way = variant.replace("compile", "edge_index")
        with torch.device(device):  # where layers make their parameters; a default that stays would slow every call
            self.epoch = pyg_peer.prepare((kind, "cora", size, "epoch"), way, exchange / f"{kind}_cora")
        if variant == "compile":
            self.epoch.model = torch.compile(self.epoch.model)
        self.run = self.epoch.run

    def results(self):
        return {"logits": self.epoch.results()["logits"]}


def work_list():
    """(case, variant) in the order of their worth: epochs, then every layer's gradient eager, then compiled, which may take
    half a minute for each."""
    layers = [(graph, shape) for graph in goals.GRAPHS for shape in goals.SHAPES]
    ways = [("both", "eager"), ("forward", "eager"), ("both", "compile"), ("forward", "compile")]
    epochs = [(case, variant) for case in goals.EPOCHS for variant in ("edge_index", "edge_index_sparse_x", "compile")]
    return epochs + [(f"gat:{graph}:{shape}:{when}", variant) for when, variant in ways for graph, shape in layers]


def prepare(torch, exchange, case, variant, device):
    kind, graph, size, when = case.split(":")
    if when == "epoch":
        return CoraEpoch(torch, exchange, kind, size, variant, device), exchange / f"{kind}_cora"
    return GatLayer(torch, exchange, graph, size, when, variant, device), exchange / f"gat_{graph}_{size}"


def measure(torch, case, variant, given, deadline):
    entry = {"who": "pyg", "variant": variant}
    if time.monotonic() > deadline:
        return entry | {"error": "not measured: out of time"}
    clock = Clock(torch, given.device)
    try:
        start = time.monotonic()
        if variant == "compile":
            torch._dynamo.reset()  # it gives up on a function that was compiled for too many sizes
        work, folder = prepare(torch, given.exchange, case, variant, given.device)
        apart = differences(work.results(), folder)
        entry["prepared_s"] = time.monotonic() - start  # what torch.compile compiles is in it
        entry["differences"] = apart
        most = limits(folder)
        wrong = [name for name, difference in apart.items() if not difference <= most[name]]
        if wrong:
            return entry | {"error": f"disagrees with stg in '{wrong[0]}' by {apart[wrong[0]]:.1e}"}
        entry["peak_bytes"] = clock.peak(work.run)
        return entry | {"samples": timed(clock, work.run, given.rounds, deadline)}
    except Exception as error:  # whatever a library raises: one case less, and the reason is written
        text = f"{type(error).__name__}: {error}"
        return entry | {"error": goals.NO_MEMORY if goals.NO_MEMORY in text.lower() else text[:300]}
    finally:
        work = None
        gc.collect()
        if given.device.startswith("cuda"):
            torch.cuda.empty_cache()


def installed(device):
    """(torch, versions, None), or (None, {}, why not)."""
    try:
        import torch
    except ImportError:
        return None, {}, "not installed: Python has no PyTorch"
    try:
        import torch_geometric
    except ImportError:
        return None, {}, "not installed: Python has no PyTorch Geometric"
    if device.startswith("cuda") and not torch.cuda.is_available():
        return None, {}, f"not run: PyTorch {torch.__version__} finds no CUDA device"
    return torch, {"torch": torch.__version__, "torch_geometric": torch_geometric.__version__}, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exchange", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--limit", type=float, default=150.0, metavar="SECONDS")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", action="append", metavar="CASE")
    given = parser.parse_args()
    deadline = time.monotonic() + given.limit
    torch, versions, left_out = installed(given.device)
    with open(given.out, "w", encoding="utf-8") as out:
        def line(of):
            print(json.dumps(of), file=out, flush=True)

        if left_out:
            line({"about": {"left_out": left_out}})
            print(f"peer: {left_out}")
            return 0
        import work

        work.DEVICE = given.device
        line({"about": {"versions": versions}})
        for case, variant in work_list():
            kind, graph, size, _ = case.split(":")
            folder = given.exchange / (f"{kind}_cora" if graph == "cora" else f"gat_{graph}_{size}")
            wanted = not given.only or any(case.startswith(o) for o in given.only)
            if not wanted or not folder.exists():
                continue
            entry = measure(torch, case, variant, given, deadline)
            line({"case": case, "entries": [entry]})
            said = entry.get("error") or f"{min(entry['samples']):.3f} ms"
            print(f"{case} {variant}: {said}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
