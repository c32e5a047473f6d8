#!/usr/bin/env python3
"""What called layers take: 12 equal attention layers as calls against one to compile, and an epoch against them written out.

measure.py --compiler "g++" --include include --library build/release/src/libstg_runtime.a [--rounds 5] [--only compile]

Seconds are those of the compiler's processes (user and system), the least of the rounds, which take turns; of an epoch the
medians of two programs that take turns.
"""
import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).with_name("stack.cpp")
MOST_COMPILE, MOST_EPOCH = 1.3, 1.03


def command(options, layers, *more):
    return [*shlex.split(options.compiler), "-std=c++20", "-O3", *shlex.split(options.flags), f"-I{options.include}",
            f"-DSTG_LAYERS={layers}", *more, str(SOURCE)]


def seconds(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compiling(options, folder):
    cases = {"one layer, called": (1, []), "12 layers, called": (12, []),
             "one layer, written out": (1, ["-DSTG_WRITTEN_OUT"]), "12 layers, written out": (12, ["-DSTG_WRITTEN_OUT"])}
    if options.called_only:
        cases = {name: case for name, case in cases.items() if "called" in name}
    taken = {name: [] for name in cases}
    for _ in range(options.rounds):
        for name, (layers, more) in cases.items():
            taken[name].append(seconds([*command(options, layers, *more), "-c", "-o", f"{folder}/stack.o"]))
            print(f"{name}: {taken[name][-1]:.1f} s", flush=True)
    ratio = min(taken["12 layers, called"]) / min(taken["one layer, called"])
    print(f"12 called layers compile in {ratio:.2f} times the time of one (to be at most {MOST_COMPILE})")


def epochs(options, folder):
    programs = {}
    for name, more in {"called": [], "written out": ["-DSTG_WRITTEN_OUT"]}.items():
        path = f"{folder}/{name.replace(' ', '_')}"
        subprocess.run([*command(options, 12, *more), options.library, "-fopenmp", "-ldl", "-o", path], check=True)
        programs[name] = subprocess.Popen([path, str(options.vertices)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          text=True, env={**os.environ, "OMP_WAIT_POLICY": "passive"})
    taken, losses = {name: [] for name in programs}, {name: [] for name in programs}
    for _ in range(options.epochs):
        for name, program in programs.items():
            program.stdin.write(".")
            program.stdin.flush()
            one, loss = program.stdout.readline().split()
            taken[name].append(float(one))
            losses[name].append(float(loss))
    for program in programs.values():
        program.stdin.close()
        program.wait()
    far = max(abs(a - b) / abs(b) for a, b in zip(losses["called"], losses["written out"]))
    if far > 1e-3:
        sys.exit(f"measure: losses are {far:.1e} apart")
    median = {name: statistics.median(times[2:]) for name, times in taken.items()}
    ratio = statistics.median(a / b for a, b in zip(taken["called"][2:], taken["written out"][2:]))
    print(f"an epoch: called {median['called']:.1f} ms, written out {median['written out']:.1f} ms, "
          f"{ratio:.3f} times (to be at most {MOST_EPOCH})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="g++", help="with words in front, if need be")
    parser.add_argument("--flags", default="")
    parser.add_argument("--include", default="include")
    parser.add_argument("--library", help="libstg_runtime.a; without it nothing is run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--vertices", type=int, default=20000)
    parser.add_argument("--called-only", action="store_true", help="what is written out takes minutes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compiling(options, folder)
        if options.library:
            epochs(options, folder)


if __name__ == "__main__":
    main()
