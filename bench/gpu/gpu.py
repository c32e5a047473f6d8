#!/usr/bin/env python3
"""Builds for the GPU that is here, runs the tests of devices and the benchmark, and writes what came of it.

usage: gpu.py OUT [--build FOLDER | --programs FOLDER] [--limit SECONDS] [--commit TEXT]
       (make gpu OUT=folder PROGRAMS=folder COMMIT=text)

With --programs nothing is built: the programs lie there, as `make gpu-programs` leaves them. OUT gets a log of each step, results.json and table.md, written anew after each step. A step that fails is reported and the
next one goes on; exit code 1 when one failed or something disagreed. Without a GPU: one sentence, exit code 1, and OUT is not
touched. Words in STG_GPU_CMAKE go to CMake's configuration, such as -DBoost_DIR=...; STG_PYTHON is the Python of the peers.
No network is used.
"""
import argparse
import datetime
import json
import os
import shlex
import shutil
import signal
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(ROOT / "bench" / "report"), str(ROOT / "bench" / "peers")]
import document  # noqa: E402
import goals  # noqa: E402
import machine  # noqa: E402
from steps import Steps  # noqa: E402

# Parts of the whole limit that steps before them leave: 212 s of 470 to the benchmark and the peers, 85 of them to the peers.
MEASUREMENTS, PEERS = 0.45, 0.18
LOST = 3  # bench_gpu's exit code for a case after which no CUDA call of its process succeeds

# A process for each: what a case does to a process costs those of its family at most. In the order of their worth for their
# time.
FAMILIES = [("epochs", ["gcn:cora", "gat:cora"])]
for graph in goals.GRAPHS:
    FAMILIES += [(f"sums on {graph}", [f"sum:{graph}:", f"convolution:{graph}:"]), (f"attention on {graph}", [f"gat:{graph}:"])]


def commit(given):
    return given or machine.output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty") or "unknown"


def lines_of(path):
    """Lines of JSON; what is no JSON was cut off with its program."""
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return [line for line in found if isinstance(line, dict)]


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
            record["entries"].extend(line.get("entries", []))
    return about


def wrong(report):
    """Whether the run must not be taken for a good one. What is left out needs what is not here, or time."""
    return any(not step["outcome"].startswith(("passed", "left out")) for step in report["steps"]) or any(
        goals.failure(report, record["case"]) for record in report["cases"])


def write(report, out):
    """Both files whole or not at all. What cannot be made a table is there as numbers all the same."""
    try:
        table = document.document(report)
    except Exception:  # whatever lines of a program that died have made of it
        table = "# A run on a GPU\n\nNo table can be made of results.json:\n\n```\n" + traceback.format_exc() + "```\n"
    for name, text in (("results.json", json.dumps(report, indent=1) + "\n"), ("table.md", table)):
        part = out / (name + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(out / name)


class Places:
    """Where programs and graphs lie: in the folder that was built in, or with the programs that were built elsewhere."""

    def __init__(self, build, programs):
        bench, tests = build / "bench" / "gpu", build / "tests" / "cuda" / "device"
        self.bench, self.draw = (programs or bench) / "bench_gpu", (programs or bench) / "bench_gpu_graphs"
        self.tests, self.graphs = programs or tests, bench / "graphs"

    def bodies(self):
        return sorted(path for path in self.tests.glob("cuda_bodies_*") if path.is_file() and os.access(path, os.X_OK))


def measure(steps, build, places, report, family, beginnings):
    """Runs the cases of a family. When one loses the process its device, the others once more, without it."""
    program = places.bench
    for name in (f"bench: {family}", f"bench: {family} again"):
        lines = build / "bench.jsonl"
        lines.unlink(missing_ok=True)
        done = [word for record in report["cases"] for word in ("--without", record["case"])]
        wanted = [word for beginning in beginnings for word in ("--only", beginning)]
        came = steps.run(name, [program, "--out", lines, "--exchange", build / "exchange", "--graphs",
                                places.graphs, *wanted, *done], 100, program, leave=PEERS)
        report["bench"].update(merge(report["cases"], lines_of(lines)))
        if came != f"FAILED: exit code {LOST}":
            return


def run(given, here, report, steps):
    """All steps. What comes first is what everything else assumes: the launch of one program's kernels. The many tests are
    built after the benchmark, for they take as long to compile as all that is before them, and each shows less than a case
    of it, which compares its results too; the peers come last, since they alone use whatever time there is, and a case less of
    theirs loses nothing else. Each build keeps all cores busy, and nothing is measured beside one: times hold what the host
    does. Tests pass where there is no device, and say that they were not run; here that is a failure."""
    python = os.environ.get("STG_PYTHON", sys.executable)
    build, exchange, peers = given.build, given.build / "exchange", given.build / "peers.jsonl"
    places, compiler, drawing = Places(build, given.programs), machine.nvcc(), None
    generator, written, going_on = machine.generator()
    architecture = machine.architecture(here["capability"], machine.output_of(compiler, "--list-gpu-arch") if compiler else None)

    # Of the device tests: a process for each, since what one does to its device is then no other's. The interpreter that
    # they compare with keeps two cores busy.
    at_a_time = str(max(1, machine.cores() // 2))

    def built(name, target, leave):
        if given.programs is None:
            steps.run(name, ["cmake", "--build", build, "--target", target, "--parallel", machine.jobs(), "--", *going_on],
                      given.limit, build / written, leave=leave)
            write(report, given.out)

    def tested(name, programs, limit, *words, leave):
        steps.run(name, [sys.executable, HERE / "each.py", *words, *programs], limit, never="not run: ", leave=leave,
                  needs=programs[0] if programs else places.tests / "cuda_bodies_0")
        write(report, given.out)

    def checked(name, tool):
        program = places.tests / "cuda_program"
        if not program.exists() or (found := machine.sanitizer(compiler)) is None:
            steps.leave_out(name, "there is no compute-sanitizer" if program.exists() else "there is no program")
        else:
            steps.run(name, [found, "--tool", tool, "--error-exitcode", "9", program], 45,
                      leave=MEASUREMENTS if tool == "memcheck" else PEERS, optional=True)
        write(report, given.out)

    if given.programs is None:
        steps.run("configure", ["cmake", "--preset", "gpu", "-B", build, f"-DSTG_CUDA_ARCHITECTURES={architecture}", "-G",
                                generator, "-DSTG_CUSPARSE_HINTS=" + ";".join(str(f) for f in machine.library_folders(python)),
                                *shlex.split(os.environ.get("STG_GPU_CMAKE", ""))], 90)
        report["cuda"] = machine.toolkit(build)
        write(report, given.out)
    else:
        report["cuda"] = machine.version(compiler or "nvcc")
        machine.find_libraries(compiler, python)
        drawing = steps.begin("draw graphs", [[places.draw, places.graphs, graph] for graph in goals.GRAPHS])
    built("build", "on_device_first", MEASUREMENTS + 0.1)
    tested("first kernel", [places.tests / "cuda_program"], 60, leave=MEASUREMENTS)
    tested("calls of the toolkit", [places.tests / "cuda_toolkit_test"], 40, leave=MEASUREMENTS)
    checked("memory check", "memcheck")
    if drawing is not None:  # nothing is measured beside it
        steps.end(drawing, 100, leave=PEERS)
    for family, beginnings in FAMILIES:
        measure(steps, build, places, report, family, beginnings)
        write(report, given.out)
    built("build of tests", "on_device", PEERS + 0.06)
    tested("device tests", places.bodies(), 150, "--jobs", at_a_time, "--limit", "100", leave=PEERS)
    tested("ranks", [places.tests / "cuda_ranks"], 60, leave=PEERS)
    checked("race check", "racecheck")
    rest = max(steps.left() - steps.least, 0)
    steps.run("peers", [python, HERE / "peer.py", "--exchange", exchange, "--out", peers,
                        "--limit", f"{max(rest - 30, 0):.0f}"], rest, exchange)
    report["peer"] = merge(report["cases"], lines_of(peers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder for logs, results.json and table.md")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "gpu")
    parser.add_argument("--programs", type=Path, metavar="FOLDER", help="of programs that were built elsewhere")
    parser.add_argument("--limit", type=float, default=470.0, metavar="SECONDS", help="for everything")
    parser.add_argument("--commit", default="", help="what was built, where git cannot say")
    given = parser.parse_args()

    os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")  # CUDA's device 0 is the one that nvidia-smi speaks of
    here = machine.device()
    if here is None:
        print("gpu: not run: neither nvidia-smi nor the driver names a GPU here; nothing was built and nothing written",
              file=sys.stderr)
        return 1
    given.out.mkdir(parents=True, exist_ok=True)
    given.out, given.build = given.out.resolve(), given.build.resolve()
    given.programs = given.programs and given.programs.resolve()
    given.build.mkdir(parents=True, exist_ok=True)
    steps = Steps(given.out, given.limit, ROOT)
    report = {"date": datetime.date.today().isoformat(), "commit": commit(given.commit), **here, "cuda": "unknown",
              "cores": machine.cores(), "steps": steps.done, "cases": [], "bench": {}}
    (given.build / "peers.jsonl").unlink(missing_ok=True)  # of a run before, which would be taken for this one's
    shutil.rmtree(given.build / "exchange", ignore_errors=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends this program gets what it has
    try:
        run(given, here, report, steps)
    finally:
        write(report, given.out)
    print((given.out / "table.md").read_text(encoding="utf-8"))
    return 1 if wrong(report) else 0


if __name__ == "__main__":
    sys.exit(main())
