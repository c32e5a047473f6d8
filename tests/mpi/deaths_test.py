"""Ends one of four processes at a random moment of a training that saves a checkpoint at every step: all processes have
ended soon, none is left, and the checkpoint is the state after some step. Usage: deaths_test.py MPIEXEC TRAIN [COUNT [SEED]]
STG_SILENCE: milliseconds of silence, 3000."""
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from launcher import Launcher, is_alive

FAULTS = ["is_killed", "aborts", "exits_0", "exits_1", "returns", "throws", "stops"]


def seconds_to_end(processes, began):
    """How long after the launcher ended the last process was there; 10 s at most."""
    while any(is_alive(p) for p in processes) and time.monotonic() - began < 10:
        time.sleep(0.01)
    return time.monotonic() - began


def die_once(launcher, train, fault, silence, draws):
    """What went wrong, the seconds between the fault and the end of all, and the step of the checkpoint."""
    rank, at = draws.randrange(4), draws.randrange(20, 1500)
    with tempfile.TemporaryDirectory() as folder:
        done, took = launcher.run(4, train, "steps=1000000", f"folder={folder}", f"silence={silence}", f"fault={fault}",
                                  f"rank={rank}", f"at={at}ms", timeout=60 + silence / 1000)
        processes = [int(p.read_text(encoding="utf-8")) for p in Path(folder).glob("process.*")]
        began = max(p.stat().st_mtime for p in Path(folder).glob("process.*"))
        took_at_all = time.time() - began - at / 1000 + seconds_to_end(processes, time.monotonic())
        wrong = []
        if done.returncode in (0, None):
            wrong.append(f"status {done.returncode}")
        wrong += [f"process {p} is left" for p in processes if is_alive(p)]
        if took_at_all > (5 if fault != "stops" else silence / 1000 + 10):
            wrong.append(f"all had ended after {took_at_all:.1f} s, {took:.1f} with their start")
        step = "no checkpoint"
        if (Path(folder) / "W.npy").exists() or (Path(folder) / ".saved").exists():
            checked = subprocess.run([train, f"check={folder}"], env=launcher.settings, text=True, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, check=False)
            step = checked.stdout.strip()
            if checked.returncode != 0:
                wrong.append(f"the checkpoint: {step[-300:]}")
        if wrong:
            wrong.append(f"said {done.stderr[-600:]!r}")
        return [f"rank {rank} {fault} after {at} ms: {w}" for w in wrong], took_at_all, step


def main():
    launcher, train = Launcher(sys.argv[1]), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 12
    draws = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    silence = int(os.environ.get("STG_SILENCE", "3000"))
    wrong, longest, checkpoints = [], {}, 0
    for k in range(count):
        fault = FAULTS[k % len(FAULTS)]
        problems, took, step = die_once(launcher, train, fault, silence, draws)
        wrong += problems
        longest[fault] = max(longest.get(fault, 0), took)
        checkpoints += step.startswith("step")
    for sentence in wrong:
        print(f"deaths: {sentence}")
    print("the longest, in seconds: " + ", ".join(f"{fault} {took:.1f}" for fault, took in longest.items()))
    print(f"{launcher.name}: {count} deaths, {checkpoints} checkpoints, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
