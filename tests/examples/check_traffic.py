#!/usr/bin/env python3
"""Runs 05_traffic and demands that it foresees speeds better than "as now" and "as yesterday" do, 15, 30 and 60 minutes ahead,
by its mean absolute errors and by the roots of its mean squares.

check_traffic.py FOLDER            on the ring road that the example draws where there is no data set
check_traffic.py FOLDER --metr-la  on METR-LA; exit code 77 where STG_DATA_DIR does not have it
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINE = re.compile(r"^(tgcn|as now|as yesterday)\s+15 min: mae ([\d.]+) rmse ([\d.]+)\s+30 min: ([\d.]+) ([\d.]+)\s+60 min: ([\d.]+) ([\d.]+)$")


def main():
    program = Path(sys.argv[1]) / "05_traffic"
    environment = dict(os.environ)
    epochs = "8"
    with tempfile.TemporaryDirectory() as nothing:
        if "--metr-la" in sys.argv:
            if not (Path(environment.get("STG_DATA_DIR", nothing)) / "metr_la" / "speed.npy").exists():
                print("traffic: no metr_la in STG_DATA_DIR")
                return 77
        else:
            environment.update(STG_DATA_DIR=nothing, XDG_CACHE_HOME=nothing, HOME=nothing)
            epochs = "3"
        run = subprocess.run([program, "--epochs", epochs], env=environment, capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        print(run.stdout, run.stderr)
        return 1
    found = {m.group(1): [float(m.group(k)) for k in range(2, 8)] for m in map(LINE.match, run.stdout.splitlines()) if m}
    print(run.stdout)
    if set(found) != {"tgcn", "as now", "as yesterday"} or not run.stdout.splitlines()[-1].startswith("result dataset="):
        print("traffic: the lines are others")
        return 1
    better = all(found["tgcn"][k] < min(found["as now"][k], found["as yesterday"][k]) for k in range(6))
    print("traffic: better than both" if better else "traffic: not better than both")
    return 0 if better else 1


if __name__ == "__main__":
    sys.exit(main())
