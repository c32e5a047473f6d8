#!/usr/bin/env python3
"""Measures what compilers print for mistakes of beginners: the programs in tests/errors/beginners, with all compilers at hand.

    tests/errors/measure.py                      # a table, and for each mistake what is not as it should be
    tests/errors/measure.py --show unbound       # what each compiler prints for one mistake
    tests/errors/measure.py --demand             # exit code 1 where a target below is missed

A program says on its first line what was done, on the next ones which word of the user's the output is to spell
(`// names: label`), which operation stands for it where a compiler shows no source and the value has no name of its own
(`// or: sum`), and, if need be, other flags (`// flags: -std=c++17`), and marks the user's line: `// <- here`.

For each mistake and compiler:
  begins    the first error has our sentence, near its beginning: within 100 letters
  names     what belongs to the first error, its own line and the notes around it, spells the word
  or op     it spells the word or the operation
  at        the line of the output, counted from 1, that names the user's line first, by file and number; what only the
            traced program could tell has the number alone, in_line<11, …>
  further   errors behind the first
  lines     lines of output
A header that is compiled beforehand stands for the program's own #include: the line that names it does not count.
"""
import argparse
import os
import re
import shutil
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import check

HERE = Path(__file__).resolve().parent
COMPILERS = ["g++", "clang++", "clang++-19"]
NEAR = 100  # letters of an error before its sentence
# of 50 mistakes; of another number the same shares
TARGETS = {"begins": 48, "names": 48, "at": 48, "further": 3, "median": 10, "longest": 30}


class Mistake:
    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.lines = path.read_text().splitlines()
        top = check.head(self.lines)
        self.word = next((line[len("// names: "):] for line in top if line.startswith("// names: ")), None)
        self.operation = next((line[len("// or: "):] for line in top if line.startswith("// or: ")), self.word)
        self.flags = next((line[len("// flags: "):].split() for line in top if line.startswith("// flags: ")), [])
        marked = [number for number, line in enumerate(self.lines, 1) if line.endswith("// <- here")]
        if len(marked) != 1 or self.word is None:
            raise SystemExit(f"measure: {path.name} needs one line that ends with `// <- here`, and `// names: WORD`")
        self.marked = marked[0]


class Figures:
    """What one compiler prints for one mistake."""

    def __init__(self, mistake, output):
        lines = [line for line in output.splitlines()
                 if not re.search(r"<command-line>|<built-in>:|^In file included from \S*prelude\.hpp:1:$", line)]
        errors = [at for at, line in enumerate(lines) if check.is_error(line)]
        self.output, self.lines, self.further = output, len(lines), max(len(errors) - 1, 0)
        first = lines[errors[0]] if errors else ""
        said = first.split("error: ", 1)[-1].find("stg: ")
        self.before = said if said >= 0 else None
        self.begins = said >= 0 and said <= NEAR
        own = lines[:errors[1]] if len(errors) > 1 else lines
        own = [re.sub(r"^(In file included from |\s+from )?\S+?:\d+(:\d+)?[:,]", "", line) for line in own]

        def spells(word):
            spelled = re.compile(r"(?<![\w'])" + re.escape(word) + r"(?![\w'])")
            return any(spelled.search(line) for line in own)
        self.names = spells(mistake.word)
        self.names_operation = self.names or spells(mistake.operation)
        here = re.compile(rf"{re.escape(mistake.path.name)}:{mistake.marked}[:,]|\bin_line<{mistake.marked},")
        self.at = next((number for number, line in enumerate(lines, 1) if here.search(line)), None)

    def findings(self):
        found = []
        if not self.begins:
            found.append("no sentence first" if self.before is None else f"sentence behind {self.before} letters")
        if not self.names:
            found.append("operation named, not its input" if self.names_operation else "input not named")
        if self.at is None or self.at > 6:
            found.append("user's line " + ("nowhere" if self.at is None else f"at {self.at}"))
        if self.further:
            found.append(f"{self.further} further errors")
        if self.lines > TARGETS["longest"]:
            found.append(f"{self.lines} lines")
        return found


def measured(compiler, mistake, workspace):
    source = workspace / mistake.path.name
    source.write_text("\n".join(mistake.lines) + "\n")
    code, output = compiler.check(source, mistake.flags)
    if code == 0:
        raise SystemExit(f"measure: {mistake.name} compiles with {compiler.command[0]}, and must not")
    return Figures(mistake, output)


def summary(figures):
    lines = [f.lines for f in figures]
    return {"begins": sum(f.begins for f in figures), "names": sum(f.names for f in figures),
            "or op": sum(f.names_operation for f in figures),
            "at": sum(f.at is not None and f.at <= 6 for f in figures), "further": sum(f.further > 0 for f in figures),
            "median": statistics.median(lines), "longest": max(lines),
            "before": statistics.median([f.before for f in figures if f.before is not None] or [0])}


def missed(found, count):
    """The targets that a summary misses."""
    def share(key):
        return TARGETS[key] * count / 50
    return [key for key in ("begins", "names", "at") if found[key] < int(share(key))] + \
           [key for key in ("further",) if found[key] > share(key)] + \
           [key for key in ("median", "longest") if found[key] > TARGETS[key]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append", help="of g++, clang++ and clang++-19; all at hand when none is named")
    parser.add_argument("--include", type=Path, default=HERE.parent.parent / "include", help="directory of headers")
    parser.add_argument("--directory", type=Path, default=HERE / "beginners")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--show", action="store_true", help="print the output of every compilation")
    parser.add_argument("--demand", action="store_true", help="exit code 1 where a target is missed")
    parser.add_argument("names", nargs="*", help="mistakes to measure; all when none is named")
    options = parser.parse_args()

    mistakes = [Mistake(path) for path in sorted(options.directory.glob("*.cpp"))]
    mistakes = [m for m in mistakes if not options.names or m.name in options.names]
    if not mistakes:
        raise SystemExit("measure: there is no such mistake")
    wrong = False
    rows = []
    for path in options.compiler or filter(shutil.which, COMPILERS):
        with tempfile.TemporaryDirectory(prefix="stg_measure_") as workspace:
            compiler = check.Compiler(path, [options.include], "stg/stg.hpp", workspace)
            with ThreadPoolExecutor(options.jobs) as pool:
                figures = list(pool.map(lambda m: measured(compiler, m, Path(workspace)), mistakes))
        for mistake, of in zip(mistakes, figures):
            if options.show:
                print(f"---- {mistake.name}, {path}\n{of.output}")
            print(f"{path:11} {mistake.name:36} at {of.at or '-':>3}  lines {of.lines:4}  {', '.join(of.findings())}", flush=True)
        found = summary(figures)
        rows.append((path, found, missed(found, len(mistakes))))
        wrong = wrong or bool(rows[-1][2])
    print(f"\nof {len(mistakes)}   begins  names  or op  within 6  further  median  longest  letters before")
    for path, found, misses in rows:
        print(f"{path:11} {found['begins']:5} {found['names']:6} {found['or op']:6} {found['at']:9} {found['further']:8} "
              f"{found['median']:7g} {found['longest']:8} {found['before']:15g}" + ("  misses: " + ", ".join(misses) if misses else ""))
    return 1 if wrong and options.demand else 0


if __name__ == "__main__":
    sys.exit(main())
