#!/usr/bin/env python3
"""Writes the frames that hdf5_test reads: write_hdf5.py FOLDER. Run by hand where pandas and tables are; the files that lie here are of
pandas 3.1.1, tables 3.11.1 and HDF5 1.14."""
import sys
from pathlib import Path

import numpy as np
import pandas as pd


def main():
    folder = Path(sys.argv[1])
    times = pd.date_range("2012-03-01", periods=6, freq="5min")
    values = 10.0 * np.arange(6)[:, None] + np.arange(3) + 0.25
    pd.DataFrame(values, index=times, columns=["773869", "767541", "717447"]).to_hdf(folder / "metr_la.h5", key="df", mode="w")
    pd.DataFrame(values, index=times, columns=[400001, 400017, 400030]).to_hdf(folder / "pems_bay.h5", key="speed", mode="w", complevel=5, complib="zlib")


if __name__ == "__main__":
    main()
