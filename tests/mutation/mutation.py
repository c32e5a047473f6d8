#!/usr/bin/env python3
"""Runs one program as every mutant, and says which of them its tests let live.

mutation.py --sweep PROGRAM --mutants mutants.json --survivors survivors.txt [--jobs 2] [--only TEXT]

A mutant is caught when a test fails, or the program dies of it. Survivors are compared with a table that explains each of
them: one that it does not name is an error, and so is one that it names in vain, or more survivors than one in twenty.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

AT_LEAST = 0.95
# What catches nearly everything at once comes first; who survives that meets all tests.
STAGES = ["rules.*:verify.finds*:autodiff.agrees*", "*"]
SECONDS, BYTES = 120, 4 << 30  # of one mutant: a wrong extent may ask for any number of steps, or for any memory


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(sweep, mutant):
    """Whether the tests pass with this mutant, or with none."""
    settings = dict(os.environ, GTEST_THROW_ON_FAILURE="1", OMP_NUM_THREADS="1")
    settings.pop("STG_MUTANT", None)
    if mutant is not None:
        settings["STG_MUTANT"] = f"{mutant['number']}:{mutant['code']}" if mutant["code"] else str(mutant["number"])
    return all(subprocess.run([*sweep, f"--gtest_filter={stage}"], env=settings, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=limit, check=False).returncode == 0
               for stage in STAGES)


def explained(path):
    """{name of a survivor: why no test can tell it from the rule}"""
    table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, why = line.split(" | ")
            table[name] = why
    return table


def verdict(mutants, survivors, table):
    """What is wrong, a sentence each."""
    names = [mutant["name"] for mutant in survivors]
    wrong = [f"survives and is not explained: {m['name']} ({m['place']})" for m in survivors if m["name"] not in table]
    wrong += [f"is explained and was caught: {name}" for name in table if name not in names]
    if len(survivors) > (1 - AT_LEAST) * len(mutants):
        wrong.append(f"{len(survivors)} of {len(mutants)} survive: more than {1 - AT_LEAST:.0%}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sweep", nargs="+", required=True)
    parser.add_argument("--mutants", type=Path, required=True)
    parser.add_argument("--survivors", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", help="mutants whose names hold this text; the table is not compared")
    given = parser.parse_args()

    if not passes(given.sweep, None):
        sys.exit("mutation: the tests fail where nothing is broken")
    mutants = [m for m in json.loads(given.mutants.read_text(encoding="utf-8")) if (given.only or "") in m["name"]]
    began = time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        alive = list(pool.map(lambda mutant: passes(given.sweep, mutant), mutants))
    table = explained(given.survivors)
    survivors = [mutant for mutant, lives in zip(mutants, alive) if lives]
    kinds = {kind: sum(m["kind"] == kind for m in mutants) for kind in ("gradient", "shape")}
    print(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants caught ({kinds['gradient']} of gradient rules, "
          f"{kinds['shape']} of shape rules), {len(survivors)} survived, {time.monotonic() - began:.0f} s")
    for mutant, lives in zip(mutants, alive):
        print(f"{'SURVIVED' if lives else 'caught':8} {mutant['place']:24} {mutant['name']}"
              + (f" ({table[mutant['name']]})" if lives and mutant["name"] in table else ""))
    wrong = [] if given.only else verdict(mutants, survivors, table)
    for sentence in wrong:
        print(f"mutation: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
