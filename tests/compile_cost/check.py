#!/usr/bin/env python3
"""Compiles one layer as a user would and fails when that takes too much more processor time than a file that only includes
the language, or too much memory, or when the compiler says anything; and, where one is given, a whole file.

check.py --compiler g++ --layer models/gcn.cpp --header header.cpp --more 1 [--source examples/01_gcn.cpp --times 4.4]
  --reference reference.cpp --megabytes 1500 -- -O2 …

Time is counted in compilations of the reference, which has nothing to do with the source: seconds say as much about the
machine and its neighbours as about the file. Each is taken at its best; over the limit, both are compiled again, up to
three times.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile


class Compiler:
    def __init__(self, name, flags):
        self.name, self.flags, self.megabytes = name, flags, 0

    def seconds(self, source):
        """User and system time of one compilation; `megabytes` keeps the largest resident set."""
        with tempfile.TemporaryDirectory() as folder:
            command = [self.name, *self.flags, "-c", source, "-o", os.path.join(folder, "out.o")]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            ran = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if ran.returncode != 0 or ran.stdout:
                sys.exit(f"{ran.stdout}compile_cost: the compiler failed, or said something: {' '.join(command)}")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.megabytes = used.ru_maxrss / 1024
        return used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--source", help="a whole file")
    parser.add_argument("--reference", required=True)
    parser.add_argument("--times", type=float, default=0, help="what the whole file may take, in compilations of the reference")
    parser.add_argument("--megabytes", type=float, required=True, help="largest resident set of one of its processes")
    parser.add_argument("--layer", required=True)
    parser.add_argument("--header", required=True)
    parser.add_argument("--more", type=float, required=True, help="what a layer adds, in compilations of the reference")
    parser.add_argument("flags", nargs="*")
    given = parser.parse_args()

    compiler = Compiler(given.compiler, given.flags)
    best = reference = layer = header = float("inf")
    for _ in range(3):
        reference = min(reference, compiler.seconds(given.reference))
        header, layer = min(header, compiler.seconds(given.header)), min(layer, compiler.seconds(given.layer))
        adds = layer - header
        in_time = adds <= given.more * reference
        print(f"{given.layer}: {adds:.1f} s over the header's {header:.1f} s, {adds / reference:.2f} of {given.more:g} times "
              f"the reference's {reference:.1f} s")
        if given.source:
            best = min(best, compiler.seconds(given.source))
            in_time = in_time and best <= given.times * reference
            print(f"{given.source}: {best:.1f} s, {best / reference:.2f} of {given.times:g} times the reference's")
        print(f"{compiler.megabytes:.0f} MB of {given.megabytes:g}", flush=True)
        if in_time or compiler.megabytes > given.megabytes:
            break
    if not in_time or compiler.megabytes > given.megabytes:
        sys.exit("compile_cost: over the limit")


if __name__ == "__main__":
    main()
