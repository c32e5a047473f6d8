#!/usr/bin/env python3
"""Counts under callgrind what every pass takes for programs of about 50, 200 and 800 statements, and fails where it grows
faster than the program.

linear.py --program PATH [--calls]

Passes run at compile time, where a step of constant evaluation costs about as much as any other: a pass that looks at every
pair of statements makes a model of many layers unusable. Instructions of the same functions at run time are counted, since
they are exact. Cost per statement may be a fifth more in the largest program than in the smallest, for each stage and in all.
With --calls the programs call one layer again and again; a statement has to cost a quarter less in the largest of them.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GROWTH = 1.20
# Of programs that call one layer: what is called is gone through once, so that a statement costs less where calls are many;
# a stage may cost more, since it meets more of what calls alone have.
CALLED, STAGE_OF_CALLS = 0.75, 1.5


def run(program, folder, *arguments):
    """({stage: {program: (instructions, statements)}}, programs): a program goes by the statements that were traced."""
    command = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
               f"--callgrind-out-file={folder}/counts", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"compile_cost: {' '.join(command)} failed:\n{done.stderr}")
    counts = {}
    for dump in sorted(Path(folder).glob("counts.*"), key=lambda path: int(path.suffix[1:])):  # in the order of calls
        text = dump.read_text()
        stage, traced, statements = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)[1].split("/")
        total = re.search(r"^totals: (\d+)", text, re.MULTILINE)[1]
        counts.setdefault(stage, {})[int(traced)] = (int(total), int(statements))
    return counts, [int(line) for line in done.stdout.splitlines()]


def with_sum(counts, programs):
    """The counts with one of all stages, per statement of the program and its gradient in one, which autodiff made."""
    summed = {n: (sum(of[n][0] for of in counts.values()), counts["joint:autodiff"][n][1]) for n in programs}
    return {**counts, "in all": summed}


def per_statement(counts, programs):
    return {stage: [of[n][0] / of[n][1] for n in programs] for stage, of in counts.items()}


def verdict_of_calls(growth):
    """The same where equal calls are more and more."""
    most = {**{stage: STAGE_OF_CALLS for stage in growth}, "in all": CALLED}
    return [f"{stage} of equal calls grows {times:.2f} times per statement, more than {most[stage]:g}"
            for stage, times in growth.items() if times > most[stage]]


def verdict(growth):
    """What is wrong with {stage: cost per statement of the largest program over that of the smallest}, a sentence each."""
    return [f"{stage} grows {times:.2f} times per statement, more than {GROWTH:g}"
            for stage, times in growth.items() if times > GROWTH]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--calls", action="store_true", help="of programs that call")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stg_passes_") as folder:
        counts, programs = run(given.program, folder, *["calls"] * given.calls)
    costs = per_statement(with_sum(counts, programs), programs)
    print(f"{'instructions per statement':28}" + "".join(f"{n:>9}" for n in programs) + "   growth")
    for stage, of in costs.items():
        print(f"{stage:28}" + "".join(f"{cost:9.0f}" for cost in of) + f"   {of[-1] / of[0]:6.2f}")
    wrong = (verdict_of_calls if given.calls else verdict)({stage: of[-1] / of[0] for stage, of in costs.items()})
    for sentence in wrong:
        print(f"compile_cost: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
