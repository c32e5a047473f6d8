#!/usr/bin/env python3
"""Builds a preset and runs its tests, then says what took the time: scripts/test.py PRESET JOBS

Prints the twenty files that took longest to compile, by ninja's log, the processor time of the build and of the tests, and
what a file that includes the language alone takes, by which figures of two machines are compared: where it takes 1.2 s, all of
`make test` takes 12 minutes on two cores. Exit code of the build, or of the tests where it succeeds.
"""
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def slowest(log, count=20):
    """The outputs of .ninja_log that took longest when they were last made, with their seconds."""
    seconds = {}
    for line in log.splitlines()[1:]:  # after the version
        start, end, _, output, *_ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000
    return sorted(seconds.items(), key=lambda made: (-made[1], made[0]))[:count]


def source_of(output):
    """The file that an object is made of, as a person calls it: tests/run/chain_test.cpp."""
    folder, found, name = output.partition("/CMakeFiles/")
    return folder + "/" + name.partition(".dir/")[2].removesuffix(".o") if found else output


def timed(*words):
    """The exit code of a command, and the processor time that it and all that it started took, and the time by the clock."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    code = subprocess.run(words, check=False, cwd=ROOT).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - started


def yardstick():
    """A sentence of what the header alone takes this machine to read, before it is busy."""
    compiler = shutil.which("g++")
    if not compiler:
        return "stg/stg.hpp alone: no g++"
    header = "tests/compile_cost/header.cpp"
    code, seconds, _ = timed(compiler, "-std=c++20", "-Iinclude", "-fsyntax-only", header)
    return f"stg/stg.hpp alone: {seconds:.2f} s of processor time" if code == 0 else f"{header}: {compiler} fails with {code}"


def main(preset, jobs):
    said = [yardstick()]
    code, building, wall = timed("cmake", "--build", "--preset", preset)
    said.append(f"building: {building:,.0f} s of processor time, {wall:,.0f} s")
    if code == 0:
        # Some tests wait more than they compute.
        code, testing, wall = timed("ctest", "--preset", preset, "-j", str(int(jobs) + 1))
        said.append(f"testing: {testing:,.0f} s of processor time, {wall:,.0f} s")
    log = ROOT / "build" / preset / ".ninja_log"
    if log.exists():
        print("\nWhat took longest to build, in seconds, when it was last built:")
        for output, seconds in slowest(log.read_text(encoding="utf-8")):
            print(f"{seconds:7.1f}  {source_of(output)}")
    print("\n".join(said), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
