#!/usr/bin/env python3
"""Compiles one file as a user would and fails when that takes too much processor time or memory.

check.py --compiler g++ --source examples/01_gcn.cpp --seconds 12 --megabytes 1500 -- -O2 -Iinclude …
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--seconds", type=float, required=True, help="user and system time of the compiler")
    parser.add_argument("--megabytes", type=float, required=True, help="largest resident set of one of its processes")
    parser.add_argument("flags", nargs="*")
    given = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        command = [given.compiler, *given.flags, "-c", given.source, "-o", os.path.join(folder, "out.o")]
        done = subprocess.run(command, check=False)
    if done.returncode != 0:
        sys.exit(f"compile_cost: the compiler failed: {' '.join(command)}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{given.source}: {seconds:.1f} s of {given.seconds:g}, {megabytes:.0f} MB of {given.megabytes:g}")
    if seconds > given.seconds or megabytes > given.megabytes:
        sys.exit("compile_cost: over the limit")


if __name__ == "__main__":
    main()
