#!/usr/bin/env python3
"""The steps of embeddings.cpp on a table, in PyTorch: nn.Embedding with a dense gradient. usage: embeddings.py [THREADS]"""
import statistics
import sys
import time

import torch

ROWS, WIDTH, ROUNDS = 1_000_000, 64, 9


def ids(half_are_one):
    drawn = torch.randint(0, ROWS, (ROWS,), generator=torch.Generator().manual_seed(1))
    if half_are_one:
        drawn[::2] = 17
    return drawn


def step(table, chosen, wanted):
    table.weight.grad = None
    torch.nn.functional.mse_loss(table(chosen), wanted).backward()


def main():
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else torch.get_num_threads())
    wanted = torch.rand(ROWS, WIDTH) * 2 - 1
    for what, half_are_one in (("1 M of 1 M rows of 64", False), ("half of them the same", True)):
        table, chosen = torch.nn.Embedding(ROWS, WIDTH), ids(half_are_one)
        step(table, chosen, wanted)
        seconds = []
        for _ in range(ROUNDS):
            before = time.perf_counter()
            step(table, chosen, wanted)
            seconds.append(time.perf_counter() - before)
        print(f"{what:28} {1e3 * statistics.median(seconds):7.1f} ms, {torch.get_num_threads()} threads, torch {torch.__version__}")


if __name__ == "__main__":
    main()
