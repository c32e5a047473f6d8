#!/usr/bin/env python3
"""Writes files by h5py and pandas and holds what hdf5_read reads of them to it. Prints NAME<tab>RESULT.

usage: hdf5_peer.py PROGRAM FOLDER
"""
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "f2", "f4", "f8", ">i4", ">f8", "?"]
LAYOUTS = {"plain": {}, "chunked": {"chunks": (7, 2)}, "deflated": {"chunks": (5, 3), "compression": "gzip", "compression_opts": 9},
           "shuffled": {"chunks": True, "compression": "gzip", "shuffle": True, "fletcher32": True}, "resizable": {"maxshape": (None, 3)}}


def read(program, *arguments):
    return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def numbers(words):
    return np.array([float.fromhex(word) for word in words])


def held_to_h5py(program, folder):
    path, expected = folder / "h5py.h5", {}
    random = np.random.default_rng(1)
    for libver in ("earliest", "v110"):
        with h5py.File(path, "w", libver=libver) as file:
            for t in TYPES:
                for layout, how in LAYOUTS.items():
                    values = random.integers(0, 2 if t == "?" else 100, (23, 3)).astype(t)
                    expected[f"{t}/{layout}"] = file.create_dataset(f"{t}/{layout}", data=values, **how)[...]
            file.create_dataset("text", data=["a", "b"])
            file.create_dataset("lzf", data=np.zeros((4, 4)), chunks=(2, 2), compression="lzf")
        refused = {}
        for line in read(program, path):
            name, _, error = line.partition("\t")
            if error:
                refused[name] = error
                continue
            name, *words = line.split()
            assert np.array_equal(numbers(words), expected[name].astype("f8").ravel()), name
            del expected[name]
        assert not expected and set(refused) == {"text", "lzf"}, (expected.keys(), refused)
        assert "is of text" in refused["text"] and "filter" in refused["lzf"], refused
    with h5py.File(path, "w", libver="latest") as file:
        file.create_dataset("x", data=np.zeros((4, 4)), chunks=(2, 2), compression="gzip")
    assert 'libver="v110"' in read(program, path)[0]
    return f"{2 * len(TYPES) * len(LAYOUTS)} datasets, of the oldest form of files and of HDF5 1.10's"


def held_to_pandas(program, folder):
    count = 0
    for columns in (["773869", "767541", "717447"], [400001, 400017, 400030]):
        for unit in ("s", "ms", "us", "ns"):
            for packed in (0, 9):
                times = pd.date_range("2012-03-01", periods=300, freq="5min").as_unit(unit)
                frame = pd.DataFrame(np.random.default_rng(2).random((300, 3)) * 70, index=times, columns=columns)
                path = folder / "frame.h5"
                frame.to_hdf(path, key="df", mode="w", complevel=packed, complib="zlib")
                names, read_times, values = read(program, path, "frame")
                assert names.split() == [str(c) for c in columns]
                assert np.array_equal(np.array(read_times.split(), "i8"), times.as_unit("ns").asi8)
                assert np.array_equal(numbers(values.split()), frame.to_numpy().ravel())
                count += 1
    return f"{count} frames: times of s, ms, us and ns, packed or not"


def main():
    program, folder = Path(sys.argv[1]), Path(sys.argv[2])
    for name, held in {"h5py": held_to_h5py, "pandas, `to_hdf`": held_to_pandas}.items():
        print(f"{name}\t{held(program, folder)}")


if __name__ == "__main__":
    main()
