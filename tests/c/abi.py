#!/usr/bin/env python3
"""Holds the ABI of the library of docs/interop.md to layers.abi, by abidiff; and that abidiff sees what callers would feel.

usage: abi.py check LIBRARY LAYERS.ABI     a function that is missing, a struct with another member
       abi.py write LIBRARY LAYERS.ABI     writes it anew
"""
import subprocess
import sys
import tempfile
from pathlib import Path

INCOMPATIBLE = 8  # a bit of abidiff's exit status


def written(library):
    command = ["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--short-locs", library]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def difference(old, library):
    """abidiff's status and words."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "old.abi"
        file.write_text(old, encoding="utf-8")
        done = subprocess.run(["abidiff", "--no-show-locs", file, library], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def check(library, file):
    old = Path(file).read_text(encoding="utf-8")
    status, words = difference(old, library)
    if status != 0:
        sys.exit(f"the ABI of {library} is not that of {file}; callers of an older library would notice:\n{words}")
    for before, after in (("layers_graph_free", "layers_graph_delete"),
                          ("layout-offset-in-bits='576'", "layout-offset-in-bits='640'")):
        if before not in old:
            sys.exit(f"{file} has no {before}, which this test changes")
        status, words = difference(old.replace(before, after), library)
        if status == 0:
            sys.exit(f"abidiff does not see that {after} has become {before}")
    status, _ = difference(old.replace("layers_graph_free", "layers_graph_delete"), library)
    if not status & INCOMPATIBLE:
        sys.exit("abidiff takes a library without a function for compatible")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        Path(sys.argv[3]).write_text(written(sys.argv[2]), encoding="utf-8")
    else:
        check(*sys.argv[2:])
