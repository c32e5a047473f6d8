#!/usr/bin/env python3
"""One peer in a process of its own: reads commands on stdin, answers each with one line of JSON, as driver/main.cpp does.

usage: worker.py torch|pyg|pyg_temporal|dgl THREADS

  prepare CASE VARIANT FOLDER   binds the case to the inputs in FOLDER
  results VARIANT FOLDER        writes the arrays to compare
  memory VARIANT                {"measured_bytes": the most that a run takes beyond what was there, "first_ms": its time,
                                  "edges": how many it takes, where that is what counts}
  run VARIANT N                 {"ms": each of N runs on average, "faults": page faults of each}
  variants CASE                 the ways in which this peer can do the case
  drop                          gives the memory of all that is prepared back
  versions
"""
import ctypes
import gc
import importlib
import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np
import torch


def resident(field):
    """A field of /proc/self/status in bytes: VmRSS, or VmHWM, the most since the peak was reset."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    return 0


def give_back():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


class Session:
    def __init__(self, peer):
        self.peer = importlib.import_module(f"{peer}_peer")
        self.prepared = {}

    def versions(self):
        return {"torch": torch.__version__, **self.peer.VERSIONS}

    def variants(self, case):
        return {"variants": self.peer.variants(case.split(":"))}

    def prepare(self, case, variant, folder):
        self.prepared[variant] = self.peer.prepare(case.split(":"), variant, Path(folder))
        return {}

    def memory(self, variant):
        give_back()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = resident("VmRSS")
        ms = self.run(variant, 1)["ms"]
        return {"measured_bytes": resident("VmHWM") - before, "first_ms": ms,
                "edges": getattr(self.prepared[variant], "edges", 0)}

    def run(self, variant, times):
        step, times = self.prepared[variant].run, int(times)
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        start = time.perf_counter()
        for _ in range(times):
            step()
        ms = (time.perf_counter() - start) * 1e3 / times
        return {"ms": ms, "faults": (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults) // times}

    def results(self, variant, folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, tensor in self.prepared[variant].results().items():
            np.save(Path(folder) / f"{name}.npy", tensor.detach().contiguous().numpy())
        return {}

    def drop(self):
        self.prepared.clear()
        give_back()
        return {}


def main():
    # Libraries print what they like to descriptor 1; answers go through a copy of it that nobody else knows.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    torch.set_num_threads(int(sys.argv[2]))
    gc.disable()  # collected between cases, never inside a timed run
    session = Session(sys.argv[1])
    for line in sys.stdin:
        command, *words = line.split()
        try:
            answer = getattr(session, command)(*words)
        except Exception as error:  # whatever a library raises: one case less, and the reason is printed
            answer = {"error": f"{type(error).__name__}: {error}"[:400]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
