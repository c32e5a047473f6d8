#!/usr/bin/env python3
"""Runs programs, some at a time, each with a limit, and prints what each said.

usage: each.py [--jobs N] [--limit SECONDS] PROGRAM...

The last line says how many of them passed; exit code 1 when one did not.
"""
import argparse
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def outcome(program, limit):
    """(what came of it, seconds, what it said)"""
    start = time.monotonic()
    try:
        done = subprocess.run([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=limit, check=False)
        said, came = done.stdout, "passed" if done.returncode == 0 else f"FAILED: exit code {done.returncode}"
    except subprocess.TimeoutExpired as late:
        said, came = late.stdout or b"", f"FAILED: took more than {limit:g} s"
    except OSError as error:
        said, came = b"", f"FAILED: {error}"
    return came, time.monotonic() - start, said.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", type=Path, metavar="PROGRAM")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS", help="for each")
    given = parser.parse_args()
    programs, passed = [program.resolve() for program in given.programs], 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for program, (came, seconds, said) in zip(programs, pool.map(lambda p: outcome(p, given.limit), programs)):
            print(f"---- {program.name}: {came}, {seconds:.1f} s\n{said}", flush=True)
            passed += came == "passed"
    print(f"{passed} of {len(programs)} passed")
    return 0 if passed == len(programs) else 1


if __name__ == "__main__":
    sys.exit(main())
