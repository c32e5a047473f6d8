#!/usr/bin/env python3
"""Counts the template instantiations that name the library, with clang, and fails when they grow by more than
3 %.

Counts do not depend on how busy the machine is; seconds are only reported. An instantiation counts when stg:: stands in
its name, be it ours or the standard library's, so that another standard library does not change the count much.

instantiations.py --compiler clang++ --baseline baseline.json models/gcn.cpp … -- -std=c++20 -Iinclude …
instantiations.py --write …      writes the baseline anew: do so when the growth, or the saving, is meant
"""
import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = {"InstantiateClass": "classes", "InstantiateFunction": "functions"}
GROWTH = 1.03


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def count(compiler, flags, source):
    """The number of instantiations per kind. Granularity 0: clang leaves short ones out of the trace otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        command = [compiler, *flags, "-O0", "-S", "-emit-llvm", "-ftime-trace", "-ftime-trace-granularity=0"]
        done = subprocess.run(command + [source, "-o", f"{folder}/out.ll"], check=False)
        if done.returncode != 0:
            sys.exit(f"compile_cost: the compiler failed: {' '.join(map(str, command))} {source}")
        events = json.loads(Path(folder, "out.json").read_text(errors="replace"))["traceEvents"]
    counts = dict.fromkeys(KINDS.values(), 0)
    for event in events:
        detail = event.get("args", {}).get("detail", "")  # what has no name has none
        if event.get("name") in KINDS and "stg::" in detail:
            counts[KINDS[event["name"]]] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--baseline", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("sources", nargs="+", type=Path)
    own = sys.argv[1:]
    flags = own[own.index("--") + 1:] if "--" in own else []
    given = parser.parse_args(own[:own.index("--")] if "--" in own else own)

    known = json.loads(given.baseline.read_text()) if given.baseline.exists() else {}
    counted, grown = {}, []
    for source in given.sources:
        before = seconds()
        counts = counted[source.stem] = count(given.compiler, flags, source)
        print(f"{source.stem}: {seconds() - before:.1f} s")
        for kind, n in counts.items():
            expected = known.get(source.stem, {}).get(kind, 0)
            print(f"  {kind}: {n}, baseline {expected}")
            if n > GROWTH * expected:
                grown.append(f"{source.stem} {kind}")
            elif GROWTH * n < expected:
                print("  well under the baseline: write it anew with --write")
    if given.write:
        given.baseline.write_text(json.dumps(counted, indent=2) + "\n")
    elif grown:
        sys.exit(f"compile_cost: more than {GROWTH:.0%} of the baseline: {', '.join(grown)}; if it is meant, use --write")
    else:
        print(f"{len(counted)} models within {GROWTH:.0%} of the baseline")


if __name__ == "__main__":
    main()
