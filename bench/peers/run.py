#!/usr/bin/env python3
"""Runs stg and its peers on the same cases, interleaved, and writes all samples as JSON.

usage: run.py FOLDER DRIVER [--only CASE]... [--repetitions N] [--peers NAMES] [--threads N]

FOLDER holds the environment that install.py made; results go to FOLDER/results.json. Exit code 1 when somebody computed
something else than stg.
"""
import argparse
import datetime
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import agreement
import cases
from measurement import enough, hopeless, summary, times_per_run
from process import Failed, Process

HERE = Path(__file__).resolve().parent
PEERS = ("torch", "pyg", "pyg_temporal", "dgl")
ALLOCATORS = ("default", "tuned")  # as installed, and see process.TUNED


THREADED = ("arxiv_like", "reddit_like")  # graphs that two threads must pay on


class Entry:
    """One way of doing a case: who, how, with which allocator; and what was measured of it."""

    def __init__(self, who, variant, allocator, process):
        self.who, self.variant, self.allocator, self.process = who, variant, allocator, process
        self.samples, self.facts = [], {}

    def sample(self):
        known = min(self.samples) if self.samples else None
        if known is None or known < 50:  # what lies in caches is the same for every sample of a short run
            warm = self.process.ask("run", self.variant, 1)["ms"]
            known = warm if known is None else known
        answer = self.process.ask("run", self.variant, times_per_run(known))
        self.samples.append(answer["ms"])
        if "faults" in answer:
            self.facts["page_faults"] = answer["faults"]

    def record(self):
        return {"who": self.who, "variant": self.variant, "allocator": self.allocator, **summary(self.samples), **self.facts}


def machine():
    """What a figure depends on: processor, cores, memory, kernel, huge pages."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    name = next((line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")), "unknown")
    memory = int(Path("/proc/meminfo").read_text(encoding="ascii").split()[1]) * 1024
    pages = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    caches = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    level3 = next((line.split(":", 1)[1].strip() for line in caches.splitlines() if line.startswith("L3")), "unknown")
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return {"processor": name, "cores": text.count("processor\t"), "memory_bytes": memory, "l3": level3,
            "avx512": "avx512f" in flags, "kernel": Path("/proc/sys/kernel/osrelease").read_text(encoding="ascii").strip(),
            "huge_pages": pages.read_text(encoding="ascii").strip() if pages.exists() else "none"}


def revision():
    """The commit that was measured, with -dirty when files differ from it."""
    done = subprocess.run(["git", "-C", str(HERE), "describe", "--always", "--dirty"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() or "unknown"


def worth_tuning(who, variant, ready):
    """Whether a way agreed with stg as installed, and is not hopeless beside its library's other ways."""
    first = {e.variant: e.facts["first_ms"] for e in ready if e.who == who and e.allocator == ALLOCATORS[0]}
    return variant in first and not hopeless(first[variant], first.values())


def prepare(case, folder, processes):
    """Entries that are ready and agree with stg, and the records of those that are not."""
    ours, inputs, results = processes["stg", "default"], folder / "inputs", folder / "results"
    ready, refused = [], []
    ours.revive()
    for variant in ours.ask("variants", case.name)["variants"]:
        ready.append(Entry("stg", variant, "default", ours))
        ready[-1].facts.update(ours.ask("prepare", case.name, variant, inputs))
        ours.ask("results", variant, results / f"stg_{variant}")
        if variant == "floor" or case == cases.WIDTHS:  # computes nothing, or something else
            continue
        difference, array = agreement.compare(results / "stg_stg", results / f"stg_{variant}", case)
        if difference > agreement.TOLERANCE:
            print(f"  !! stg {variant} disagrees with stg by {difference:.1e} in '{array}'; its time does not count", flush=True)
            refused.append({"who": "stg", "variant": variant, "allocator": "default",
                            "error": f"disagrees with stg by {difference:.1e}"})
            ready.pop()
    for (who, allocator), process in processes.items():
        if who == "stg" or case == cases.WIDTHS:
            continue
        process.revive()
        for variant in process.ask("variants", case.name)["variants"]:
            entry = Entry(who, variant, allocator, process)
            try:
                process.ask("prepare", case.name, variant, inputs)
                if allocator == ALLOCATORS[0]:  # the code is the same with another allocator
                    process.ask("results", variant, results / who)
                    difference, array = agreement.compare(results / "stg_stg", results / who, case)
                    entry.facts["difference"] = difference
                    if difference > agreement.TOLERANCE:
                        raise Failed(f"disagrees with stg by {difference:.1e} in '{array}'")
                    entry.facts.update(process.ask("memory", variant))
                elif not worth_tuning(who, variant, ready):
                    continue
                else:
                    process.ask("run", variant, 1)
                ready.append(entry)
            except Failed as error:
                print(f"  !! {who} {variant} ({allocator}): {error}; its time does not count", flush=True)
                refused.append({"who": who, "variant": variant, "allocator": allocator, "error": str(error), **entry.facts})
            shutil.rmtree(results / who, ignore_errors=True)
    return ready, refused


def one_thread(entry, threads, repetitions):
    """stg's time with one thread and, in turns with it, with all, among its facts."""
    alone, together = (Entry(entry.who, entry.variant, entry.allocator, entry.process) for _ in range(2))
    try:
        for _ in range(min(repetitions, 5)):
            for count, turn in ((1, alone), (threads, together)):
                entry.process.ask("threads", count)
                turn.sample()
    finally:
        entry.process.ask("threads", threads)
    entry.facts["one_thread"] = {**summary(alone.samples), "all": summary(together.samples)["median"]}


def measure(case, folder, processes, repetitions, threads):
    start = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was cut short
    entries, refused = prepare(case, folder, processes)
    prepared = time.monotonic()
    for _ in range(repetitions):
        for entry in list(entries):
            rivals = [min(other.samples) for other in entries
                      if other.samples and (other.who, other.allocator) == (entry.who, entry.allocator)]
            if enough(entry.samples, rivals):
                continue
            time.sleep(0.01)  # threads that still spin after the last one's run fall asleep
            try:
                entry.sample()
            except Failed as error:
                if entry.who == "stg":
                    raise
                print(f"  !! {entry.who} {entry.variant} ({entry.allocator}): {error}", flush=True)
                refused.append({"who": entry.who, "variant": entry.variant, "allocator": entry.allocator, "error": str(error),
                                **entry.facts})
                entries.remove(entry)
    if case.graph in THREADED and case.kind in cases.ON_ONE_GRAPH and threads > 1:
        one_thread(entries[0], threads, repetitions)
    print(f"{case.title}   ({prepared - start:.0f} s to prepare, {time.monotonic() - prepared:.0f} s to measure)", flush=True)
    ours = summary(entries[0].samples)["median"]
    for entry in entries:
        median = summary(entry.samples)["median"]
        memory = entry.facts.get("measured_bytes", 0) / 2**20
        rate = f"{entry.facts['edges'] / median / 1e3:9.1f} M edges/s" if entry.facts.get("edges") else ""
        print(f"  {entry.who:6} {entry.variant:22} {entry.allocator:8} {median:10.3f} ms {median / ours:8.2f} × "
              f"{memory:9.1f} MiB{rate}", flush=True)
    for process in processes.values():
        if process.process.poll() is None:
            process.ask("drop")
    shutil.rmtree(folder, ignore_errors=True)
    return {"case": case.name, "entries": [entry.record() for entry in entries] + refused}


def start(folder, driver, threads, asked, log):
    """The processes that could be started, their versions, and why the others could not."""
    processes = {("stg", "default"): Process([driver], threads, "default", log)}
    versions, left_out = processes["stg", "default"].ask("versions"), json.loads((folder / "left_out.json").read_text())
    for who in PEERS:
        if who not in asked:
            left_out[who] = "not asked for"
        if who in left_out:
            continue
        for allocator in ALLOCATORS:
            process = Process([sys.executable, str(HERE / "worker.py"), who, str(threads)], threads, allocator, log)
            try:
                versions.update(process.ask("versions"))
                processes[who, allocator] = process
            except Failed as error:
                left_out[who] = f"does not start: {error}"
    return processes, versions, left_out


def limits(ours, chosen):
    """The probes; rows are gathered in the order of each made graph, from a table of its size. None where no case has one."""
    found = {graph: ours.ask("limits", graph) for graph in THREADED if any(case.graph == graph for case in chosen)}
    if not found:
        return None
    return {"gflops": max(f["gflops"] for f in found.values()), "triad_gbs": max(f["triad_gbs"] for f in found.values()),
            "gather_gbs": {graph: f["gather_gbs"] for graph, f in found.items()}}


def write(report, folder):
    (folder / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("driver")
    parser.add_argument("--only", action="append", metavar="CASE", help="a case's name, or the beginning of several")
    parser.add_argument("--repetitions", type=int, default=7, metavar="N")
    parser.add_argument("--peers", default=",".join(PEERS), metavar="NAMES", help="of " + ",".join(PEERS))
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    given = parser.parse_args()
    chosen = [case for case in [*cases.CASES, cases.WIDTHS] if not given.only or any(case.name.startswith(o) for o in given.only)]
    if not chosen:
        parser.error("no case begins so; the cases are " + " ".join(case.name for case in cases.CASES))
    with open(given.folder / "workers.log", "w", encoding="utf-8") as log:
        processes, versions, left_out = start(given.folder, given.driver, given.threads, given.peers.split(","), log)
        print("versions:", ", ".join(f"{name} {version}" for name, version in versions.items()))
        for name, reason in left_out.items():
            print(f"left out: {name}: {reason}")
        report = {"machine": machine(), "date": datetime.date.today().isoformat(), "revision": revision(),
                  "command": "make bench-peers", "threads": given.threads, "repetitions": given.repetitions,
                  "versions": versions, "left_out": left_out, "cases": [],
                  "limits": limits(processes["stg", "default"], chosen)}
        for case in chosen:
            try:
                report["cases"].append(measure(case, given.folder / "work", processes, given.repetitions, given.threads))
            except Failed as error:
                print(f"!! {case.title}: {error}", flush=True)
                report["cases"].append({"case": case.name, "entries": [], "error": str(error)})
            write(report, given.folder)  # what was measured is kept when a later case is cut short
        for process in processes.values():
            process.close()
    wrong = [entry for case in report["cases"] for entry in case["entries"] if "disagrees" in entry.get("error", "")]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
