#!/usr/bin/env python3
"""Builds the examples, trains them on Cora and CiteSeer and writes what came of it into the table of README.md.

usage: scripts/accuracies.py

Data sets are found as the examples find them; one that is not there ends the script and leaves the table as it was.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = [("01_gcn", "cora"), ("02_gat", "cora"), ("03_your_own_layer", "cora"), ("01_gcn", "citeseer"), ("02_gat", "citeseer")]
RESULT = re.compile(r"^result dataset=(\w+) model=\w+ seeds=(\d+) test_accuracy_mean=(\S+) test_accuracy_std=(\S+) ",
                    re.MULTILINE)


def processor():
    found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    return "an " + re.sub(r"\((R|TM)\)", "", found.group(1)).strip() if found else "a processor"


def row(example, data, said):
    """A row of the table from what an example printed."""
    found = RESULT.search(said)
    if not found or found.group(1) != data:
        raise ValueError(f"{example} has printed no result for {data}")
    _, seeds, mean, spread = found.groups()
    return f"| `{example} --dataset {data}` | {mean} ± {spread} | {seeds} |"


def with_table(page, rows, where):
    table = "\n".join([f"On {where}; each row is what the last line of the command says.", "",
                       "| command | test accuracy, mean ± standard deviation | seeds |", "|---|---|---|", *rows])
    new, count = re.subn(r"(<!-- accuracies: begin -->\n).*?(\n<!-- accuracies: end -->)",
                         lambda m: m.group(1) + table + m.group(2), page, flags=re.DOTALL)
    if count != 1:
        raise ValueError("README.md has no place for the table")
    return new


def main():
    examples = sorted({example for example, _ in RUNS})
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", *examples], cwd=ROOT, check=True)
    environment = {"OMP_WAIT_POLICY": "passive", **os.environ}
    rows = []
    for example, data in RUNS:
        done = subprocess.run([ROOT / "build" / "release" / "examples" / example, "--dataset", data], capture_output=True,
                              text=True, check=False, env=environment)
        if done.returncode != 0:
            sys.exit(f"{example} --dataset {data}: exit code {done.returncode}\n{done.stderr}")
        rows.append(row(example, data, done.stdout))
        print(rows[-1], flush=True)
    readme = ROOT / "README.md"
    where = f"{len(os.sched_getaffinity(0))} cores of {processor()}"
    readme.write_text(with_table(readme.read_text(encoding="utf-8"), rows, where), encoding="utf-8")


if __name__ == "__main__":
    main()
