#!/usr/bin/env python3
"""Writes what bench/readers.cpp reads: readers.py FOLDER [MB]. Needs NumPy."""
import gzip
import sys
from pathlib import Path

import numpy as np

folder, megabytes = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
folder.mkdir(exist_ok=True)
draw = np.random.default_rng(1)
features = draw.standard_normal((megabytes * 2000, 128), dtype="f4")[: megabytes * 1_000_000 // 512]
np.savez(folder / "stored.npz", x=features)
np.savez_compressed(folder / "deflated.npz", x=(features * (features > 1)).round(2))  # a sixth is not 0
block = draw.integers(1, 1_000_000, (100_000, 2))
weights = draw.random(100_000)
entries = "".join(f"{i} {j} {w:.6f}\n" for (i, j), w in zip(block, weights))
times = megabytes * 1_000_000 // len(entries) + 1
with open(folder / "edges.mtx", "w") as file:
    file.write(f"%%MatrixMarket matrix coordinate real general\n1000000 1000000 {100_000 * times}\n")
    for _ in range(times):
        file.write(entries)
pairs = "".join(f"{i},{j}\n" for i, j in block)
times = megabytes * 1_000_000 // len(pairs) + 1
with open(folder / "edges.csv", "w") as file, gzip.open(folder / "edges.csv.gz", "wt", compresslevel=6) as packed:
    for _ in range(times):
        file.write(pairs)
        packed.write(pairs)
