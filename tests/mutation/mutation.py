#!/usr/bin/env python3
"""Runs one program as every mutant, and says which of them its tests let live.

mutation.py --sweep PROGRAM --mutants mutants.json --survivors survivors.txt --tests TEST... [--jobs 2] [--only TEXT]
            [--static FOLDER --include COPY --compiler c++] [--of PASS...] [--sample 500 --seed 7]

What a table names survived when it was last asked with --all, and counts so. Any other mutant is caught when a test fails,
or the program dies of it; --tests are asked one after the other, what catches most at least cost first: filters of
GoogleTest, in which {owner} is the pass that is changed, and `static`, which compiles the pass's file of static_asserts.
Survivors are compared with a table that explains of each why nobody can see it: one that it does not name is an error,
and so is one that it names in vain: no change any more, or, with --all, caught. What it explains is counted apart: of all
others 95 % have to be caught.
"""
import argparse
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

AT_LEAST = 0.95
STATIC = "static"  # of --tests: the file of static_asserts of a pass
COMPILER_SECONDS = 120  # for one such file, which takes ten
OWNER = "{owner}"  # in one of --tests: the pass that is changed


def includes(text, owner):
    return any(f"<stg/{room}/{owner}.hpp>" in text for room in ("pass", "analysis"))


class Judge:
    """Finds the tests that fail with a mutant. Seconds of a processor, and bytes, are those of one program: what a mutant
    makes of an extent or a loop may ask for any number of steps, or for any memory. Once tests have run without a mutant
    they have a few times as long as that took, so that a loop without end does not cost all seconds."""

    def __init__(self, sweep, tests=("*",), compile_static=(), static=None, seconds=120, size=4 << 30, passes=(), jobs=1):
        self.sweep, self.tests, self.compile_static, self.seconds, self.size = sweep, tests, compile_static, seconds, size
        self.jobs = jobs
        self.allowed = {}  # seconds of each of the tests
        self.static = {path: path.read_text(encoding="utf-8") for path in sorted(static.rglob("*.cpp"))} if static else {}
        self.passes = {path.stem: path.read_text(encoding="utf-8") for folder in passes for path in folder.glob("*.hpp")}

    def limit(self, seconds):
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (self.size, self.size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def succeeds(self, words, settings, seconds=None):
        return subprocess.run(words, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=lambda: self.limit(seconds or self.seconds), check=False).returncode == 0

    def static_tests(self, mutant):
        """A pass's namesakes, fold.cpp and other_fold.cpp, or who includes it by name where it has none; else those of the
        passes that are made of it."""
        owners, seen = [mutant["owner"]], set()
        while owners:
            found = [path for path in self.static
                     if any(f"_{path.stem}".endswith(f"_{owner}") for owner in owners)] or [
                path for path, text in self.static.items() if any(includes(text, owner) for owner in owners)]
            if found:
                return found
            seen.update(owners)
            owners = [name for name, text in sorted(self.passes.items())
                      if name not in seen and any(includes(text, owner) for owner in owners)]
        return []

    def compile(self, paths, mutant):
        """Whether all of some files of static_asserts compile; several at once where nothing is changed."""
        number = 0 if mutant is None else mutant["number"]

        def one(path):
            return self.succeeds([*self.compile_static, f"-DSTG_MUTANT={number}", str(path)], dict(os.environ), COMPILER_SECONDS)

        if mutant is not None:
            return all(one(path) for path in paths)
        with ThreadPoolExecutor(self.jobs) as pool:
            return all(pool.map(one, paths))

    def caught_by(self, mutant):
        """The first test that fails with this mutant, or with none; empty where all pass."""
        settings = dict(os.environ, GTEST_THROW_ON_FAILURE="1", OMP_NUM_THREADS="1")
        settings.pop("STG_MUTANT", None)
        if mutant is not None:
            settings["STG_MUTANT"] = f"{mutant['number']}:{mutant['code']}" if mutant["code"] else str(mutant["number"])
        for tests in self.tests:
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            asked = tests.replace(OWNER, "*" if mutant is None else mutant["owner"])
            if tests != STATIC and not self.succeeds([*self.sweep, "--gtest_fail_fast", f"--gtest_filter={asked}"], settings,
                                                     self.allowed.get(tests)):
                return tests
            if mutant is None:
                took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                self.allowed[tests] = min(self.seconds, 2 + int(4 * took))
            if tests == STATIC and not self.compile(self.static if mutant is None else self.static_tests(mutant), mutant):
                return tests
        return ""


def explained(path):
    """{name of a survivor: why no test can tell it from the rule}"""
    table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, why = line.split(" | ")
            table[name] = why
    return table


def known_holes(path):
    """The names of survivors that nobody has explained yet; a line each."""
    if path is None:
        return []
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def verdict(mutants, survivors, table, every=None, holes=()):
    """What is wrong, a sentence each. every: the mutants that there are, where not all were run. holes: survivors that are
    known and count as not caught."""
    names, all_names = {mutant["name"] for mutant in survivors}, {mutant["name"] for mutant in mutants}
    wrong = [f"survives and is not explained: {m['name']} ({m['place']})" for m in survivors
             if m["name"] not in table and m["name"] not in holes]
    wrong += [f"is explained and was caught: {name}" for name in table if name in all_names - names]
    wrong += [f"is a hole and was caught: {name}" for name in holes if name in all_names - names]
    there = {mutant["name"] for mutant in every or mutants}
    wrong += [f"is explained and is no mutant any more: {name}" for name in table if name not in there]
    wrong += [f"is a hole and is no mutant any more: {name}" for name in holes if name not in there]
    seen = [mutant for mutant in mutants if mutant["name"] not in table]
    caught = sum(mutant["name"] not in names for mutant in seen)
    if caught < AT_LEAST * len(seen):
        wrong.append(f"{caught} of {len(seen)} that can be seen are caught: less than {AT_LEAST:.0%}")
    return wrong


def counted(mutants, caught, table):
    """How many of what kind were caught, and by what, for people; of each pass how many are explained."""
    kinds, by = Counter(m["kind"] for m in mutants), Counter(what for what in caught if what)
    if set(kinds) != {"pass"}:
        return ", ".join(f"{n} of {kind} rules" for kind, n in kinds.items())
    owners = Counter(m["owner"] for m in mutants)
    lost = Counter(m["owner"] for m, what in zip(mutants, caught) if not what)
    same = Counter(m["owner"] for m in mutants if m["name"] in table)
    return (f"changes of {len(owners)} passes; by " + ", by ".join(f"{what}: {n}" for what, n in by.most_common()) + "; " +
            ", ".join(f"{owner} {n - lost[owner]} of {n - same[owner]} + {same[owner]}" for owner, n in owners.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sweep", nargs="+", required=True)
    parser.add_argument("--mutants", type=Path, required=True)
    parser.add_argument("--survivors", type=Path, required=True)
    parser.add_argument("--holes", type=Path, help="survivors that nobody has explained yet: they count as not caught")
    parser.add_argument("--tests", nargs="+", default=["*"], help="filters of GoogleTest with {owner}, or static")
    parser.add_argument("--static", type=Path, help="a folder of files of static_asserts, with those in it")
    parser.add_argument("--include", help="the copy of the headers, for these")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--all", action="store_true", help="asks about mutants that a table names, too, whether they survive")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=120, help="of a processor, for one program")
    parser.add_argument("--sample", type=int, help="so many mutants, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", nargs="+", help="mutants of these passes or operations, and their part of the table")
    parser.add_argument("--only", help="mutants whose names hold this text; the table is not compared")
    given = parser.parse_args()

    judge = Judge(given.sweep, given.tests, [given.compiler, "-std=c++20", "-w", "-fsyntax-only", f"-I{given.include}"],
                  given.static, given.seconds, passes=[Path(given.include or "", "stg", room) for room in ("pass", "analysis")],
                  jobs=given.jobs)
    every, table = json.loads(given.mutants.read_text(encoding="utf-8")), explained(given.survivors)
    holes = known_holes(given.holes)
    if given.of:
        every = [m for m in every if m["owner"] in given.of]
        table = {name: why for name, why in table.items() if re.match(r"\w+", name).group() in given.of}
        holes = [name for name in holes if re.match(r"\w+", name).group() in given.of]
    mutants = [m for m in every if (given.only or "") in m["name"]]
    if given.sample and given.sample < len(mutants):
        print(f"{given.sample} of {len(mutants)} mutants, seed {given.seed}")
        mutants = [mutants[k] for k in sorted(random.Random(given.seed).sample(range(len(mutants)), given.sample))]
    owners = {mutant["owner"]: mutant for mutant in mutants}
    known = set() if given.all else {*table, *holes}
    asked = [mutant for mutant in mutants if mutant["name"] not in known]
    judge.static = {path: judge.static[path] for mutant in owners.values() for path in judge.static_tests(mutant)}
    if what := judge.caught_by(None):
        sys.exit(f"mutation: the tests fail where nothing is broken: {what}")
    began = time.monotonic()
    caught_by = {mutant["name"]: "" for mutant in mutants}
    with ThreadPoolExecutor(given.jobs) as pool:
        for mutant, by in zip(asked, pool.map(judge.caught_by, asked)):  # each is said at once
            caught_by[mutant["name"]] = by
            print(f"{'caught' if by else 'SURVIVED':8} {mutant['place']:24} {mutant['name']}"
                  + (f" ({table[mutant['name']]})" if not by and mutant["name"] in table else f" [{by}]" if by else ""),
                  flush=True)
    caught = [caught_by[mutant["name"]] for mutant in mutants]
    survivors = [mutant for mutant, by in zip(mutants, caught) if not by]
    same = sum(mutant["name"] in table for mutant in mutants)
    print(f"{len(mutants) - len(survivors)} of {len(mutants) - same} mutants that can be seen caught "
          f"({counted(mutants, caught, table)}), {same} more are explained, {time.monotonic() - began:.0f} s")
    wrong = [] if given.only else verdict(mutants, survivors, table, every, holes)
    for sentence in wrong:
        print(f"mutation: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
