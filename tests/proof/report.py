#!/usr/bin/env python3
"""Runs the tests of the label `proof` in a build folder and writes what they say as a dated table.

usage: report.py BUILD_FOLDER DOCUMENT.md [JOBS]

A row is made of tests that ran, and its count of what they printed: nothing is listed that did not run. Exit code 1 when
a test failed or did not run; the table is written all the same and says which failed.
"""
import datetime
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HEAD = """# Proof

<!-- Written by `make proof` (tests/proof/report.py) from the tests that it runs. -->

What `make proof` checks, with the counts of its last run: {date}, {programs} compiled programs, seed {seed}. `make test`
checks the same with fewer compiled programs. Seconds are those of the tests alone, one test to a processor at a time.

| what | how many | outcome | seconds |
|---|---|---|---|
"""

# what is checked; which tests; what of their output is counted, a sentence over sums of groups
ROWS = [
    ("random well-typed programs, every pass at run time: the naive interpreter of what was written against an interpreter "
     "of the plans, forward and gradient, f64, 1e-10 of each number's magnitude",
     r"random_programs", r"(?P<programs>\d+) programs, (?P<statements>\d+) statements, (?P<gradients>\d+) gradients",
     "{programs} programs of {statements} statements, {gradients} of them with gradients"),
    ("random programs written out as C++ and compiled: the CPU backend against the naive interpreter, inference and "
     "training, each file for one instruction set in turn",
     r"compiled_programs_\d+", r"\[  PASSED  \] (?P<programs>\d+) test", "{programs} programs"),
    ("every operation in sample programs on every graph family: the CPU backend against the naive interpreter, gradients "
     "against central differences, each file for one instruction set in turn",
     r"samples_\d+_test", r"(?P<cases>\d+) samples on graphs", "{cases} samples on graphs"),
    ("every gradient rule, and gradients of gradients, against central differences of the naive interpreter",
     r"autodiff_test", r"\[  PASSED  \] (?P<tests>\d+) test", "{tests} tests over all samples"),
    ("every layer and loss: values against a dense reference written from its paper, f64, 1e-10; gradients against central "
     "differences", r"layers_test", r"\[  PASSED  \] (?P<tests>\d+) test", "{tests} tests over all layers"),
    ("every layer and loss on every graph family: the CPU backend against the naive interpreter, gradients against central "
     "differences, each file for one instruction set in turn",
     r"layers_\d+", r"(?P<layers>\d+) layers on graphs", "{layers} programs"),
    ("feature widths, f32 and f64: every aggregate at 1 to 130, 256, 300 and 1433 features, and attention at these and at 1 "
     "to 16 heads of 1 to 33, in one program each; aggregates and attention at widths known at compile time: the CPU "
     "backend against the naive interpreter",
     r"(?:every_aggregate|aggregates|attention)_f\d+_test|runtime_extents_test",
     r"(?P<sizes>\d+) extents at run time|(?P<widths>\d+) widths at compile time",
     "{sizes} sizes at run time, {widths} programs of fixed width"),
    ("what must not matter does not, compiled, f64, 1e-12: names of vertices and the order of edges; a constant that all "
     "scores of a vertex have in common; an edge given twice instead of once with twice the weight; and attention "
     "coefficients add up to 1",
     r"invariances", r"(?P<cases>\d+) random cases", "{cases} random graphs"),
    ("every pass by itself keeps the rules and the numbers of all samples",
     r"passes_test", r"\[  PASSED  \] (?P<tests>\d+) test", "{tests} tests over all samples"),
]


def run(folder, jobs):
    """(name, passed, seconds, output) of every test of the label that is built, and the names of the others."""
    results = folder / "proof.xml"
    results.unlink(missing_ok=True)
    subprocess.run(["ctest", "--test-dir", str(folder), "-L", "proof", "-j", jobs, "--no-tests=error", "--output-junit",
                    str(results.resolve())], check=False)
    cases = list(ElementTree.parse(results).getroot().iter("testcase"))
    ran = [(case.get("name"), case.get("status") == "run", float(case.get("time")), case.findtext("system-out") or "")
           for case in cases if case.get("status") != "notrun"]
    return ran, [case.get("name") for case in cases if case.get("status") == "notrun"]


def rows(tests):
    """The table's lines, and the tests that no row takes."""
    left, lines = list(tests), []
    for what, name, counted, sentence in ROWS:
        mine = [test for test in left if re.fullmatch(name, test[0])]
        left = [test for test in left if test not in mine]
        if not mine:
            continue
        sums = {group: 0 for group in re.compile(counted).groupindex}
        for test in mine:
            for found in re.finditer(counted, test[3]):
                for group, number in found.groupdict().items():
                    sums[group] += int(number or 0)
        failed = [test[0] for test in mine if not test[1]]
        how_many = sentence.format(**{group: f"{number:,}" for group, number in sums.items()})
        outcome = "passed" if not failed else "failed: " + ", ".join(failed)
        lines.append(f"| {what} | {how_many} | {outcome} | {sum(test[2] for test in mine):.0f} |")
    return lines, [test[0] for test in left]


def cached(folder, variable):
    found = re.search(rf"^{variable}:\w+=(.*)$", (folder / "CMakeCache.txt").read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1) if found else "?"


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    folder, document = Path(sys.argv[1]), Path(sys.argv[2])
    tests, absent = run(folder, sys.argv[3] if len(sys.argv) == 4 else "1")
    lines, left = rows(tests)
    head = HEAD.format(date=datetime.date.today().isoformat(), programs=cached(folder, "STG_COMPILED_PROGRAMS"),
                       seed=cached(folder, "STG_PROGRAM_SEED"))
    document.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    if left:
        print(f"report: tests without a row in {sys.argv[0]}: {', '.join(left)}", file=sys.stderr)
    if absent:
        print(f"report: not built: {', '.join(absent)}", file=sys.stderr)
    return 1 if left or absent or not all(passed for _, passed, _, _ in tests) else 0


if __name__ == "__main__":
    sys.exit(main())
