#!/usr/bin/env python3
"""Counts the instructions of every kernel under callgrind and holds them to a baseline, 2 % to either side.

count.py --program PATH --baseline baseline.txt --compiler "g++ 12.2" [--part | --write]

Counts are of one thread with AVX2, which valgrind knows; what AVX-512 loops look like is assembly.py's question. They
are the same in every run and on every machine, but not from another compiler or C library: with those, nothing is
compared, and the exit code is 77.
"""
import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

GATE = 0.02
SKIPPED = 77
HEADER = """\
# Instructions of one call of every kernel, under callgrind: one thread, STG_ISA=avx2. They hold for what these two say:
"""


class Skip(Exception):
    pass


def run(program, folder):
    """({kernel: instructions}, {kernel: (size, what of)}), in the order in which the program calls them."""
    command = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
               f"--callgrind-out-file={folder}/counts", program]
    settings = dict(os.environ, STG_ISA="avx2", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if "is not on this machine" in done.stderr:
            raise Skip("valgrind offers no AVX2 on this machine")
        sys.exit(f"instructions: {' '.join(command)} failed:\n{done.stderr}")
    lines = done.stdout.splitlines()
    if lines[0] != "avx2 1":
        sys.exit(f"instructions: counted are AVX2 and one thread, and the program runs {lines[0]}")
    works_on = {}
    for line in lines[1:]:
        name, size, each = line.split()
        works_on[name] = (int(size), each)
    counts = {}
    for dump in Path(folder).iterdir():
        name = total = None
        for line in dump.read_text().splitlines():
            if line.startswith("desc: Trigger: Client Request: "):
                name = line.split(": ")[3]
            elif line.startswith("totals: "):
                total = int(line.split()[1])
        if name is not None:
            counts[name] = total
    return {name: counts[name] for name in works_on}, works_on


def read(path):
    """(what the counts hold for, {kernel: instructions})"""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return tuple(lines[:2]), {name: int(count) for name, count in (line.split() for line in lines[2:])}


def write(path, holds_for, counts):
    width = max(map(len, counts))
    text = "".join(f"{name:{width}} {count}\n" for name, count in counts.items())
    path.write_text(HEADER + "\n".join(holds_for) + "\n" + text)


def compare(expected, counts, part=False):
    """What is wrong, a sentence for each kernel; a part of the kernels need not be all that the baseline has."""
    wrong = []
    for name in counts.keys() if part else expected.keys() | counts.keys():
        if name not in counts:
            wrong.append(f"{name} is in the baseline and no longer called")
        elif name not in expected:
            wrong.append(f"{name} is not in the baseline")
        elif counts[name] > expected[name] * (1 + GATE):
            wrong.append(f"{name} takes {counts[name] / expected[name] - 1:.1%} more instructions than its baseline")
        elif counts[name] < expected[name] * (1 - GATE):
            wrong.append(f"{name} takes {1 - counts[name] / expected[name]:.1%} fewer: the baseline guards it no longer")
    return sorted(wrong)


def table(counts, works_on, expected):
    width = max(map(len, counts))
    print(f"{'kernel':{width}} {'instructions':>12} {'baseline':>9}")
    for name, count in counts.items():
        size, each = works_on[name]
        change = f"{count / expected[name] - 1:+9.2%}" if name in expected else f"{'none':>9}"
        print(f"{name:{width}} {count:12} {change}  {count / size:8.1f} per {each}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--baseline", type=Path, required=True)
    parser.add_argument("--compiler", required=True, help="name and version that the program is compiled with")
    parser.add_argument("--part", action="store_true", help="the program has some of the kernels alone, as in make test")
    parser.add_argument("--write", action="store_true", help="write the baseline anew instead of comparing")
    given = parser.parse_args()
    if given.write and given.part:
        parser.error("a part of the kernels is no baseline")

    holds_for = (given.compiler, " ".join(platform.libc_ver()))
    recorded, expected = read(given.baseline) if given.baseline.exists() else (None, {})
    if not given.write and recorded != holds_for:
        print(f"instructions: NOTHING IS COMPARED: the baseline holds for {recorded}, and this is {holds_for}")
        return SKIPPED
    try:
        with tempfile.TemporaryDirectory(prefix="stg_instructions_") as folder:
            counts, works_on = run(given.program, folder)
    except Skip as why:
        print(f"instructions: NOTHING IS COMPARED: {why}")
        return SKIPPED
    table(counts, works_on, expected)
    if given.write:
        write(given.baseline, holds_for, counts)
        return 0
    wrong = compare(expected, counts, given.part)
    for sentence in wrong:
        print(f"instructions: {sentence}")
    if wrong:
        print("instructions: where that is meant: cmake --build --preset proof --target instructions_baseline")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
