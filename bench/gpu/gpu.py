#!/usr/bin/env python3
"""Builds for the GPU that is here, runs the tests of devices and the benchmark, and writes what came of it.

usage: gpu.py OUT [--build FOLDER] [--limit SECONDS] [--commit TEXT]        (make gpu OUT=folder COMMIT=text)

OUT gets a log of each step, results.json and table.md, written anew after each step. A step that fails is reported and the
next one goes on; exit code 1 when one failed or something disagreed. Without a GPU: one sentence, exit code 1, and OUT is not
touched. Words in STG_GPU_CMAKE go to CMake's configuration, such as -DBoost_DIR=...; STG_PYTHON is the Python of the peers.
No network is used.
"""
import argparse
import datetime
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "bench" / "report"), str(ROOT / "bench" / "peers")]
import document  # noqa: E402
import goals  # noqa: E402

LEAST = 5  # seconds that must be left for a step to begin


def output_of(*command):
    """What a command says, or None where it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def device():
    """What is known of the first GPU that programs see, or None."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0] or "0"
    said = output_of("nvidia-smi", f"--id={first}", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader")
    parts = [part.strip() for part in (said or "").split(",")]
    if len(parts) != 3 or not re.fullmatch(r"\d+\.\d+", parts[2]):
        return None
    return dict(zip(("gpu", "driver", "capability"), parts))


def commit(given):
    if given:
        return given
    return output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty") or "unknown"


def toolkit(build):
    """The version of the nvcc that was configured, such as 12.4."""
    cache = build / "CMakeCache.txt"
    found = re.search(r"^CUDAToolkit_NVCC_EXECUTABLE:\w+=(.+)$", cache.read_text(encoding="utf-8") if cache.exists() else "",
                      re.MULTILINE)
    version = re.search(r"release ([0-9.]+)", output_of(found.group(1) if found else "nvcc", "--version") or "")
    return version.group(1) if version else "unknown"


def library_folders(python):
    """Where packages of Python keep CUDA's libraries, for a toolkit that lacks cuSPARSE."""
    said = output_of(python, "-c", "import os, nvidia; print(os.pathsep.join(nvidia.__path__))")
    return [folder for root in (said or "").split(os.pathsep) if root
            for folder in sorted(Path(root).glob("*")) if (folder / "include" / "cusparse.h").exists()]


def lines_of(path):
    """Lines of JSON; what is no JSON was cut off with its program."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def merge(cases, lines):
    """Adds the entries of lines to the cases of the same name; returns what the lines say of the run as a whole."""
    about = {}
    for line in lines:
        about.update(line.get("about", {}))
        if "case" not in line:
            continue
        record = next((r for r in cases if r["case"] == line["case"]), None)
        if record is None:
            cases.append({"entries": [], **line})
        else:
            record["entries"].extend(line["entries"])
    return about


class Steps:
    def __init__(self, out, build, limit):
        self.out, self.build, self.deadline = out, build, time.monotonic() + limit
        self.done = []

    def left(self):
        return self.deadline - time.monotonic()

    def run(self, name, command, limit, needs=None, never=None):
        """Runs a command with its output in a log; what came of it is remembered. Words that it must never say make it a
        failure."""
        step = {"name": name, "outcome": "", "seconds": None, "log": None}
        self.done.append(step)
        if needs is not None and not needs.exists():
            step["outcome"] = f"not run: {needs.name} is not there"
        elif self.left() < LEAST:
            step["outcome"] = "not run: out of time"
        else:
            step["log"] = name.replace(" ", "_") + ".log"
            start = time.monotonic()
            step["outcome"] = self.outcome(command, min(limit, self.left()), self.out / step["log"])
            step["seconds"] = time.monotonic() - start
            if step["outcome"] == "passed" and never and never in (self.out / step["log"]).read_text(errors="replace"):
                step["outcome"] = f"FAILED: it says '{never}'"
        print(f"{name}: {step['outcome']}", flush=True)

    @staticmethod
    def outcome(command, limit, log):
        with open(log, "w", encoding="utf-8") as to:
            print("$ " + shlex.join(str(word) for word in command), file=to, flush=True)
            try:
                process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdout=to, stderr=subprocess.STDOUT,
                                           start_new_session=True)
            except OSError as error:
                return f"FAILED: {error}"
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return f"FAILED: took more than {limit:.0f} s"
        return "passed" if code == 0 else f"FAILED: exit code {code}"


def wrong(report):
    """Whether the run must not be taken for a good one."""
    return any(step["outcome"] != "passed" for step in report["steps"]) or any(
        goals.failure(report, record["case"]) for record in report["cases"])


def write(report, out):
    (out / "results.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(document.document(report), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for logs, results.json and table.md")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "gpu")
    parser.add_argument("--limit", type=float, default=470.0, metavar="SECONDS", help="for everything")
    parser.add_argument("--commit", default="", help="what was built, where git cannot say")
    given = parser.parse_args()

    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")  # CUDA's device 0 is the one that nvidia-smi speaks of
    here = device()
    if here is None:
        print("gpu: not run: nvidia-smi names no GPU here; nothing was built and nothing written", file=sys.stderr)
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    given.out, given.build = given.out.resolve(), given.build.resolve()
    report = {"date": datetime.date.today().isoformat(), "commit": commit(given.commit), **here, "cuda": "unknown",
              "cores": os.cpu_count(), "steps": [], "cases": []}
    steps = Steps(given.out, given.build, given.limit)
    report["steps"] = steps.done
    exchange, measured, peers = given.build / "exchange", given.build / "bench.jsonl", given.build / "peers.jsonl"
    for stale in (measured, peers):  # of a run before, which would be taken for this one's
        stale.unlink(missing_ok=True)
    shutil.rmtree(exchange, ignore_errors=True)

    python = os.environ.get("STG_PYTHON", sys.executable)
    build, tests = given.build, given.build / "tests" / "cuda" / "device"
    steps.run("configure", ["cmake", "--preset", "gpu", "-B", build,
                            f"-DSTG_CUDA_ARCHITECTURES={here['capability'].replace('.', '')}",
                            "-DSTG_CUSPARSE_HINTS=" + ";".join(str(folder) for folder in library_folders(python)),
                            *shlex.split(os.environ.get("STG_GPU_CMAKE", ""))], 90)
    report["cuda"] = toolkit(build)
    # One step, so that all cores are busy; what cannot be built stops nothing else (ninja's -k 0).
    steps.run("build", ["cmake", "--build", build, "--target", "on_device", "--", "-k", "0"],
              min(260, 0.6 * steps.left()), build / "build.ninja")
    write(report, given.out)
    # The launch of one program's kernels comes before everything that assumes it. Tests pass where there is no device, and
    # say that they were not run; here that is a failure.
    steps.run("first kernel", ["ctest", "--test-dir", build, "-R", "^cuda_program$", "-V"], 60, tests / "cuda_program",
              "not run: ")
    write(report, given.out)
    steps.run("device tests", ["ctest", "--test-dir", build, "-L", "^device$", "-j", "4", "-V", "--no-tests=error"], 120,
              tests / "cuda_toolkit_test", "not run: ")
    write(report, given.out)
    steps.run("bench", [build / "bench" / "gpu" / "bench_gpu", "--out", measured, "--exchange", exchange], 240,
              build / "bench" / "gpu" / "bench_gpu")
    report["bench"] = merge(report["cases"], lines_of(measured))
    write(report, given.out)
    rest = max(steps.left() - LEAST, 0)
    steps.run("peers", [python, HERE / "peer.py", "--exchange", exchange, "--out", peers,
                        "--limit", f"{max(rest - 30, 0):.0f}"], rest, exchange)
    report["peer"] = merge(report["cases"], lines_of(peers))
    write(report, given.out)
    print((given.out / "table.md").read_text(encoding="utf-8"))
    return 1 if wrong(report) else 0


if __name__ == "__main__":
    sys.exit(main())
