#!/usr/bin/env python3
"""Compiles a file beside others, by turns, and prints the medians of their processor time. Fails when one takes more than its
times of the first, or the compiler says anything.

beside.py --compiler g++ --rounds 5 whole.cpp rows.cpp=1.05 groups.cpp -- -O2 …      groups.cpp has no limit
"""
import argparse
import statistics
import sys
from pathlib import Path

from check import Compiler


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("sources", nargs="+", help="files, the first without a limit: FILE=TIMES")
    own = sys.argv[1:]
    flags = own[own.index("--") + 1:] if "--" in own else []
    given = parser.parse_args(own[:own.index("--")] if "--" in own else own)

    compiler = Compiler(given.compiler, flags)
    sources = [source.partition("=")[::2] for source in given.sources]
    took = {source: [] for source, _ in sources}
    for _ in range(given.rounds):
        for source, seconds in took.items():
            seconds.append(compiler.seconds(source))
    first = statistics.median(took[sources[0][0]])
    slow = []
    for source, times in sources:
        median = statistics.median(took[source])
        print(f"{Path(source).name}: {median:.2f} s, {median / first:.3f} of {Path(sources[0][0]).name}")
        if times and median > float(times) * first:
            slow.append(f"{Path(source).name} takes more than {times}")
    if slow:
        sys.exit(f"compile_cost: over the limit: {', '.join(slow)}")


if __name__ == "__main__":
    main()
