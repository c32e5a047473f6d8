#!/usr/bin/env python3
"""Edges per second that the peers' samplers take, 15-10-5 from 1,024 seeds: what bench_sampling prints of stg.

usage: sampling.py FOLDER [GRAPH…]; FOLDER is what write_graphs wrote. By the clock and by the time of processors, in one
process, as each library samples without workers. A library that is not installed, or that cannot sample, is named.
"""
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("DGLBACKEND", "pytorch")
import numpy
import torch

FAN_OUTS = [15, 10, 5]
SEEDS, BATCHES, ROUNDS = 1024, 20, 5


def seeds_of(vertices):
    return torch.arange(SEEDS * BATCHES) * (vertices // (SEEDS * BATCHES))


def with_dgl(src, dst, vertices):
    import dgl
    graph = dgl.graph((torch.from_numpy(src), torch.from_numpy(dst)), num_nodes=vertices)
    graph.create_formats_()
    # Of the layer next to the inputs first. The fused sampler of 2.1.0 finds fewer vertices with every call.
    sampler = dgl.dataloading.NeighborSampler(FAN_OUTS[::-1], fused=False)
    seeds = seeds_of(vertices).int()  # ids of 32 bits, as the graph's

    def epoch():
        return sum(block.num_edges() for at in range(0, len(seeds), SEEDS)
                   for block in sampler.sample(graph, seeds[at:at + SEEDS])[2])
    return f"DGL {dgl.__version__}", epoch


def with_pyg(src, dst, vertices):
    import torch_geometric
    from torch_geometric.data import Data
    from torch_geometric.loader import NeighborLoader
    data = Data(edge_index=torch.from_numpy(numpy.stack([src, dst]).astype(numpy.int64)), num_nodes=vertices)
    loader = NeighborLoader(data, FAN_OUTS, input_nodes=seeds_of(vertices), batch_size=SEEDS)

    def epoch():
        return sum(batch.edge_index.shape[1] for batch in loader)
    return f"PyTorch Geometric {torch_geometric.__version__}", epoch


def measure(name, epoch):
    epoch()
    clock, edges, used = [], 0, time.process_time()
    for _ in range(ROUNDS):
        before = time.perf_counter()
        of_epoch = epoch()
        clock.append(time.perf_counter() - before)
        edges += of_epoch
    used = time.process_time() - used
    median = sorted(clock)[ROUNDS // 2]
    print(f"  {name}: {of_epoch / median / 1e6:.1f} M edges/s, {edges / used / 1e6:.1f} per second of a processor, "
          f"{1e3 * median / BATCHES:.2f} ms a batch of {of_epoch // BATCHES} edges", flush=True)


def main():
    folder, graphs = Path(sys.argv[1]), sys.argv[2:] or ["arxiv_like", "reddit_like"]
    for graph in graphs:
        src, dst = (numpy.load(folder / graph / f"{end}.npy") for end in ("src", "dst"))
        vertices = int(max(src.max(), dst.max())) + 1
        print(f"{graph}, 15-10-5 from 1,024 seeds, {torch.get_num_threads()} threads")
        for peer in (with_dgl, with_pyg):
            try:
                name, epoch = peer(src, dst, vertices)
                measure(name, epoch)
            except ImportError as error:
                print(f"  {peer.__name__[5:]} is left out: {error}")


if __name__ == "__main__":
    main()
