#!/usr/bin/env python3
"""Runs 06_changing_graph and demands that it ranks links better than how lately two were linked and how busy one was.

check_changing_graph.py FOLDER                   on the circles that the example draws where there is no data set
check_changing_graph.py FOLDER --sx-mathoverflow on sx_mathoverflow; exit code 77 where STG_DATA_DIR does not have it
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINE = re.compile(r"^(dcrnn|linked lately|busy lately)\s+auc ([\d.]+)$")


def main():
    program = Path(sys.argv[1]) / "06_changing_graph"
    environment = dict(os.environ)
    epochs = "120"
    with tempfile.TemporaryDirectory() as nothing:
        if "--sx-mathoverflow" in sys.argv:
            if not (Path(environment.get("STG_DATA_DIR", nothing)) / "sx_mathoverflow" / "events.npy").exists():
                print("changing graph: no sx_mathoverflow in STG_DATA_DIR")
                return 77
        else:
            environment.update(STG_DATA_DIR=nothing, XDG_CACHE_HOME=nothing, HOME=nothing)
        run = subprocess.run([program, "--epochs", epochs], env=environment, capture_output=True, text=True, timeout=1200)
    if run.returncode != 0:
        print(run.stdout, run.stderr)
        return 1
    found = {m.group(1): float(m.group(2)) for m in map(LINE.match, run.stdout.splitlines()) if m}
    print(run.stdout)
    if set(found) != {"dcrnn", "linked lately", "busy lately"} or not run.stdout.splitlines()[-1].startswith("result dataset="):
        print("changing graph: the lines are others")
        return 1
    better = found["dcrnn"] > max(found["linked lately"], found["busy lately"])
    print("changing graph: better than both" if better else "changing graph: not better than both")
    return 0 if better else 1


if __name__ == "__main__":
    sys.exit(main())
