#!/usr/bin/env python3
"""Tests bench/gpu/gpu.py: steps that fail, hang or are ended, limits, and what it finds of a machine; without a device."""
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent.parent
GPU = ROOT / "bench" / "gpu"
sys.path[:0] = [str(GPU), str(ROOT / "bench" / "report"), str(ROOT / "bench" / "peers")]
import gpu  # noqa: E402
import machine  # noqa: E402
from steps import Steps  # noqa: E402

SMI = "#!/bin/sh\necho 'Made-up GPU, 999.9, 9.0'\n"
CMAKE = """#!/bin/sh
case $1 in
  --preset) mkdir -p "$4/tests/cuda/device" "$4/bench/gpu" "$4/exchange"
    echo "$5" | tee "$4/build.ninja" >"$4/Makefile" ;;
  --build) for name in cuda_program cuda_ranks cuda_toolkit_test cuda_bodies_0 cuda_bodies_4; do cp "$TEST" "$2/tests/cuda/device/$name"; done
    cp "$BENCH" "$2/bench/gpu/bench_gpu"; exit 1 ;;
esac
"""
TEST = "#!/bin/sh\ncase $0 in *cuda_program) exit 8;; esac\necho \"$SAYS\"\n"
# A family's cases: the first ends its process, as an illegal address does; of sums the other is run again, epochs hang.
BENCH = """#!/bin/sh
case $* in
  *"--only gcn:cora"*) sleep 60 ;;
  *"--only sum:rmat_1m:"*"--without sum:rmat_1m:64:forward"*)
    echo '{"case": "sum:rmat_1m:128:forward", "vertices": 9, "edges": 9, "checks": [], "entries": []}' >"$2"
    echo '{"case": "sum:rmat_1m:256' >>"$2" ;;
  *"--only sum:rmat_1m:"*) echo '{"about": {"device": "made-up"}}' >"$2"
    echo '{"case": "sum:rmat_1m:64:forward", "vertices": 9, "edges": 9, "checks": [], "entries": [], "error": "illegal address"}' >>"$2"
    exit 3 ;;
  *"--only gat:rmat_1m:"*) echo '{"case": "gat:rmat_1m:8x8:both", "vertices": 9, "edges": 9, "checks": [], "entries": []}' >"$2"
    kill -SEGV $$ ;;
esac
"""
PYTHON = "#!/bin/sh\n[ \"$1\" = -c ] && exit 1\nsleep 60 & wait\n"


class Script(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = Path(self.folder.name)
        self.bin = self.at / "bin"
        self.bin.mkdir()

    def put(self, name, text):
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def go(self, *words, **environment):
        return subprocess.run([sys.executable, GPU / "gpu.py", self.at / "out", "--build", self.at / "build", *words],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{self.bin}:/usr/bin:/bin", **environment})

    def test_without_a_device_it_says_so_and_writes_nothing(self):
        self.put("nvidia-smi", "#!/bin/sh\nexit 9\n")
        done = self.go()
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "gpu: not run: neither nvidia-smi nor the driver names a GPU here; nothing was built and nothing written\n")
        self.assertFalse((self.at / "out").exists() or (self.at / "build").exists())

    def test_a_configuration_that_fails_leaves_a_table(self):
        self.put("nvidia-smi", SMI)
        self.put("cmake", "#!/bin/sh\necho Boost is missing; exit 1\n")
        self.assertEqual(self.go("--commit", "abc").returncode, 1)
        text = (self.at / "out" / "table.md").read_text(encoding="utf-8")
        for line in ("commit abc: Made-up GPU, compute capability 9.0, driver 999.9", "| configure | FAILED: exit code 1 |",
                     "| build | not run: build.ninja is not there | – | – |",
                     "| first kernel | not run: cuda_program is not there | – | – |", "PyTorch Geometric: not run."):
            self.assertIn(line, text)
        self.assertIn("Boost is missing", (self.at / "out" / "configure.log").read_text(encoding="utf-8"))

    def run_of(self, *words, **environment):
        """{step: outcome} of a run that got to its end, and all that it wrote."""
        self.put("nvidia-smi", SMI)
        self.put("cmake", CMAKE)
        self.put("nvcc", "#!/bin/sh\nprintf 'compute_80\\ncompute_90\\n'\n")
        done = self.go(*words, BENCH=self.put("bench", BENCH), TEST=self.put("test", TEST), **environment)
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads((self.at / "out" / "results.json").read_text(encoding="utf-8"))
        return {s["name"]: s["outcome"] for s in report["steps"]}, report

    def test_a_step_that_fails_or_hangs_stops_no_other(self):
        steps, report = self.run_of("--limit", "14", STG_PYTHON=self.put("python", PYTHON))
        self.assertEqual((self.at / "build" / "build.ninja").read_text(encoding="utf-8"), "-DSTG_CUDA_ARCHITECTURES=90\n")
        self.assertEqual(list(steps)[:4], ["configure", "build", "first kernel", "calls of the toolkit"])
        self.assertEqual(list(steps)[-5:], ["build of tests", "device tests", "ranks", "race check", "peers"])
        for name, outcome in (("configure", "passed"), ("build", "FAILED: exit code 1"), ("first kernel", "FAILED: exit code 1"),
                              ("calls of the toolkit", "passed"), ("memory check", "left out: there is no compute-sanitizer"),
                              ("bench: sums on rmat_200k", "not run: out of time")):
            self.assertEqual(steps[name], outcome, name)
        for name in ("bench: epochs", "peers"):
            self.assertIn("FAILED: took more than", steps[name])
        self.assertTrue(all(s["log"] is None or (self.at / "out" / s["log"]).exists() for s in report["steps"]))

    def test_families_lose_nothing_of_each_other(self):
        self.put("sleep", "#!/bin/sh\nexit 7\n")  # so that epochs fail at once
        steps, report = self.run_of("--limit", "60", STG_PYTHON="false")
        self.assertEqual({name[7:]: outcome for name, outcome in steps.items() if name.startswith("bench")},
                         {"epochs": "FAILED: exit code 7", "sums on rmat_200k": "passed", "attention on rmat_200k": "passed",
                          "sums on rmat_1m": "FAILED: exit code 3", "sums on rmat_1m again": "passed",
                          "attention on rmat_1m": "FAILED: exit code -11", "sums on rmat_50k": "passed",
                          "attention on rmat_50k": "passed"})
        self.assertEqual([(c["case"], c.get("error")) for c in report["cases"]],  # the line that was cut off is none
                         [("sum:rmat_1m:64:forward", "illegal address"), ("sum:rmat_1m:128:forward", None),
                          ("gat:rmat_1m:8x8:both", None)])
        self.assertEqual(report["bench"], {"device": "made-up"})

    def test_a_test_that_was_not_run_has_not_passed(self):
        self.put("sleep", "#!/bin/sh\nexit 7\n")
        steps, _ = self.run_of("--limit", "60", STG_PYTHON="false", SAYS="not run: stg: the driver is old")
        for name in ("calls of the toolkit", "device tests", "ranks"):
            self.assertEqual(steps[name], "FAILED: it says 'not run: '")

    def test_programs_that_were_built_elsewhere_are_run_and_nothing_is_built(self):
        self.put("sleep", "#!/bin/sh\nexit 7\n")
        programs = self.at / "programs"
        programs.mkdir()
        self.bin, bin_folder = programs, self.bin
        for name in ("cuda_ranks", "cuda_toolkit_test", "cuda_bodies_0", "cuda_bodies_4"):
            self.put(name, "#!/bin/sh\necho ran $0\n")
        self.put("cuda_program", "#!/bin/sh\nexit 8\n")
        self.put("bench_gpu", BENCH)
        self.put("bench_gpu_graphs", "#!/bin/sh\nmkdir -p \"$1/$2\"\n[ $2 != rmat_1m ]\n")
        self.bin = bin_folder
        steps, _ = self.run_of("--limit", "60", "--programs", programs, STG_PYTHON="false")
        self.assertFalse((self.at / "build" / "build.ninja").exists())
        self.assertNotIn("build", steps)
        for name, outcome in (("first kernel", "FAILED: exit code 1"), ("calls of the toolkit", "passed"),
                              ("device tests", "passed"), ("ranks", "passed"), ("draw graphs", "FAILED: exit code 1"),
                              ("bench: sums on rmat_200k", "passed")):
            self.assertEqual(steps[name], outcome, name)
        log = (self.at / "out" / "device_tests.log").read_text(encoding="utf-8")
        self.assertIn("---- cuda_bodies_4: passed", log)
        self.assertIn("2 of 2 passed", log)
        self.assertTrue((self.at / "build" / "bench" / "gpu" / "graphs" / "rmat_50k").is_dir())

    def test_memory_is_checked_where_the_tool_is(self):
        self.put("compute-sanitizer", "#!/bin/sh\n[ $2 = memcheck ] || sleep 60\n")
        steps, _ = self.run_of("--limit", "14", STG_PYTHON="false")
        self.assertEqual(steps["memory check"], "passed")
        self.assertTrue(steps["race check"].startswith("left out: "))

    def test_a_run_that_is_ended_leaves_what_it_has(self):
        self.put("nvidia-smi", SMI)
        self.put("cmake", "#!/bin/sh\n: >\"$STARTED\"\nsleep 60\n")
        started = self.at / "started"
        running = subprocess.Popen([sys.executable, GPU / "gpu.py", self.at / "out", "--build", self.at / "build"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "PATH": f"{self.bin}:/usr/bin:/bin", "STARTED": str(started)})
        while not started.exists() and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGTERM)
        self.assertNotEqual(running.wait(20), 0)
        self.assertIn("| configure | running |", (self.at / "out" / "table.md").read_text(encoding="utf-8"))

    def test_what_no_table_can_be_made_of_is_written_all_the_same(self):
        gpu.write({"steps": [], "cases": [{"case": "sum:rmat_1m:64:forward", "entries": [{}]}]}, self.at)
        self.assertIn("No table can be made", (self.at / "table.md").read_text(encoding="utf-8"))
        self.assertEqual(len(json.loads((self.at / "results.json").read_text(encoding="utf-8"))["cases"]), 1)

    def test_entries_of_the_peers_join_those_of_the_same_case(self):
        cases = []
        gpu.merge(cases, [{"case": "a", "entries": [1], "checks": []}])
        about = gpu.merge(cases, [{"about": {"versions": {}}}, {"case": "a", "entries": [2]}, {"case": "b", "entries": [3]}])
        self.assertEqual(cases, [{"case": "a", "entries": [1, 2], "checks": []}, {"case": "b", "entries": [3]}])
        self.assertEqual(about, {"versions": {}})


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.now = 1000.0
        self.steps = Steps(Path(self.folder.name), 470, ROOT, lambda: self.now)

    def test_a_step_leaves_the_others_their_part(self):
        self.assertEqual(self.steps.most(90), 90)
        self.assertEqual(self.steps.most(470, gpu.MEASUREMENTS), 470 * 0.55)
        self.now += 300
        self.assertEqual(self.steps.most(470), 170)
        self.assertAlmostEqual(self.steps.most(470, gpu.PEERS), 170 - 84.6)
        self.assertGreaterEqual(gpu.MEASUREMENTS * 470, 200)

    def test_a_step_without_time_is_not_begun(self):
        self.now += 470 - 84
        self.assertEqual(self.steps.run("device tests", ["false"], 90, leave=gpu.PEERS), "not run: out of time")
        self.assertEqual(self.steps.run("race check", ["false"], 90, leave=gpu.PEERS, optional=True), "left out: out of time")
        self.assertEqual(self.steps.run("bench: a", ["true"], 90), "passed")
        self.assertEqual([s["log"] for s in self.steps.done], [None, None, "bench_a.log"])

    def test_what_is_optional_may_take_too_long_and_not_fail(self):
        steps = Steps(Path(self.folder.name), 45, ROOT)  # of which half a second is worth a step
        self.assertTrue(steps.run("check", ["sleep", "9"], 0.6, optional=True).startswith("left out: took more than"))
        self.assertEqual(steps.run("check", ["false"], 9, optional=True), "FAILED: exit code 1")

    def test_what_a_step_started_ends_with_it_whatever_its_group(self):
        start = time.monotonic()
        came = Steps(Path(self.folder.name), 45, ROOT).run("groups", [sys.executable, "-c", """if True:
            import os, subprocess
            child = subprocess.Popen(["sleep", "60"], preexec_fn=lambda: os.setpgid(0, 0))
            print(child.pid, flush=True)
            child.wait()"""], 3)
        self.assertIn("FAILED: took more than", came)
        self.assertLess(time.monotonic() - start, 30)
        child = int((Path(self.folder.name) / "groups.log").read_text(encoding="utf-8").split()[-1])
        state = Path(f"/proc/{child}/stat")
        self.assertTrue(not state.exists() or ") Z " in state.read_text(encoding="utf-8"))


class Machine(unittest.TestCase):
    def test_the_first_device_is_told_of(self):
        known = {"gpu": "NVIDIA H100", "driver": "550.54", "capability": "9.0"}
        self.assertEqual(machine.device_in("NVIDIA H100, 550.54, 9.0\nNVIDIA T4, 550.54, 7.5"), known)
        for said in (None, "", "No devices were found", "NVIDIA H100, 550.54, [N/A]"):
            self.assertIsNone(machine.device_in(said))
        # nvidia-smi does not know a slice by its name: the driver is asked
        self.assertEqual(machine.device(lambda *c: None if c[0] == "nvidia-smi" else "NVIDIA H100, 550.54, 9.0"), known)

    def test_no_device_may_be_meant(self):
        with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": ""}):
            self.assertIsNone(machine.device(lambda *_: "NVIDIA H100, 550.54, 9.0"))

    def test_a_device_newer_than_nvcc_gets_intermediate_code(self):
        known = "compute_75\ncompute_80\ncompute_90\ncompute_100"
        self.assertEqual([machine.architecture(c, known) for c in ("8.0", "8.6", "9.0", "12.1", "7.0")],
                         ["80", "80", "90", "100", "70"])  # one that is too old for all: CMake says so
        self.assertEqual([machine.architecture("9.0", k) for k in (None, "")], ["90", "90"])

    def test_a_container_may_have_less_than_its_machine(self):
        with tempfile.TemporaryDirectory() as at:
            mine = machine.cores(at)
            self.assertEqual(mine, len(os.sched_getaffinity(0)))
            (Path(at) / "cpu.max").write_text("100000 100000", encoding="utf-8")
            (Path(at) / "memory.max").write_text("max", encoding="utf-8")
            self.assertEqual((machine.cores(at), machine.jobs(at)), (1, 1))
            (Path(at) / "cpu.max").write_text("50000 25000", encoding="utf-8")  # time of each period
            self.assertEqual(machine.cores(at), min(mine, 2))
            (Path(at) / "cpu.max").write_text("max 100000", encoding="utf-8")
            (Path(at) / "memory.max").write_text("4000000000", encoding="utf-8")
            self.assertEqual((machine.cores(at), machine.jobs(at)), (mine, 1))


if __name__ == "__main__":
    unittest.main()
