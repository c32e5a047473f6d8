#!/usr/bin/env python3
"""Tests what bench/gpu says of a run on a device: goals and tables of made-up results."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GPU = ROOT / "bench" / "gpu"
sys.path[:0] = [str(GPU), str(ROOT / "bench" / "report"), str(ROOT / "bench" / "peers")]
import document  # noqa: E402
import goals  # noqa: E402
import gpu  # noqa: E402
import made_numbers  # noqa: E402

SIZES = {"rmat_200k": (200_000, 2_300_000), "rmat_1m": (1_000_000, 20_000_000), "rmat_50k": (50_000, 50_000_000),
         "cora": (2_708, 13_264)}


def record(case, *entries, checks=(("out", 1e-6, 1e-4),), **more):
    vertices, edges = SIZES[case.split(":")[1]]
    return {"case": case, "vertices": vertices, "edges": edges, "entries": list(entries),
            "checks": [dict(zip(("array", "difference", "limit"), check)) for check in checks], **more}


def entry(who, ms, variant=None, **facts):
    return {"who": who, "variant": variant or who, "samples": [ms, ms, ms * 9], **facts}


def whole_run():
    """Everything measured: cuSPARSE 1.2 and 1.5 times slower, PyG 10 and 6 times, a twentieth of its memory."""
    cases = []
    for case in goals.SUMS:
        cases.append(record(case, entry("cusparse", 1.2, "alg2"), entry("copy", 1.0, bytes=1e9), entry("stg", 1.0)))
    for case in goals.CONVOLUTIONS:
        cases.append(record(case, entry("cusparse", 1.5, "alg2 and an epilogue"), entry("stg", 1.0)))
    for case in goals.LAYERS:
        cases.append(record(case, entry("stg", 1.0, planned_bytes=50, allocated_bytes=40),
                            entry("pyg", 10.0, "eager", peak_bytes=1000), entry("pyg", 12.0, "compile", peak_bytes=1200)))
    for case in goals.EPOCHS:
        cases.append(record(case, entry("stg", 0.5, "captured"), entry("stg", 1.0, "launched"), entry("stg", 2.0, "loop"),
                            entry("pyg", 3.0, "edge_index"), entry("pyg", 3.5, "compile")))
    return {"date": "2000-01-01", "commit": "abc", "gpu": "made-up GPU", "driver": "1.2", "capability": "9.0", "cuda": "12.4",
            "cores": 16, "steps": [{"name": "build", "outcome": "passed", "seconds": 61.0, "log": "build.log"}], "cases": cases,
            "peer": {"versions": {"torch": "2.9"}}}


def case_of(report, name):
    return next(r for r in report["cases"] if r["case"] == name)


def our_entry(report, name):
    return next(e for e in case_of(report, name)["entries"] if e["who"] == "stg")


def row_of(report, begin):
    return next(r for r in goals.goals(report) if r["goal"].startswith(begin))


class Goals(unittest.TestCase):
    def test_a_whole_run_holds(self):
        report = whole_run()
        for r in report["cases"]:  # bytes per millisecond as fast as the copy
            if r["case"].startswith("sum:rmat_50k"):
                next(e for e in r["entries"] if e["who"] == "copy")["bytes"] = goals.sum_bytes(r, int(r["case"].split(":")[2]))
        self.assertEqual([r["holds"] for r in goals.goals(report)], ["yes"] * 6)
        self.assertIn("mean 1.20 ×, least 1.20 × (sum:", row_of(report, "weighted sum against")["measured"])
        self.assertIn("least 1.00 (sum:rmat_50k:16", row_of(report, "weighted sum on")["measured"])
        self.assertIn("most 0.050 (gat:", row_of(report, "the same: memory")["measured"])
        self.assertIn("least 6.00 × (gcn:", row_of(report, "GCN and GAT")["measured"])

    def test_the_median_counts_and_the_fastest_way(self):
        report = whole_run()
        case_of(report, "gat:rmat_1m:8x8:both")["entries"][1]["samples"] = [1.0, 7.0, 90.0]
        self.assertIn("least 7.00 × (gat:rmat_1m:8x8:both)", row_of(report, "GAT layer")["measured"])
        self.assertEqual(row_of(report, "GAT layer")["holds"], "no")

    def test_one_slow_width_fails_although_the_mean_holds(self):
        report = whole_run()
        our_entry(report, "sum:rmat_1m:16:forward")["samples"] = [1.3]
        row = row_of(report, "weighted sum against")
        self.assertEqual((row["holds"], "mean 1.20" in row["measured"]), ("no", True))
        self.assertIn("least 0.92 × (sum:rmat_1m:16:forward)", row["measured"])

    def test_width_16_is_not_in_the_mean(self):
        report = whole_run()
        for graph in goals.GRAPHS:
            our_entry(report, f"sum:{graph}:16:forward")["samples"] = [0.1]
        self.assertIn("mean 1.20 ×", row_of(report, "weighted sum against")["measured"])

    def test_what_disagrees_fails_its_row_and_no_other(self):
        report = whole_run()
        case_of(report, "convolution:rmat_1m:64:forward")["checks"] = [{"array": "out", "difference": 0.02, "limit": 1e-4}]
        row = row_of(report, "sum, normalisation")
        self.assertEqual((row["holds"], row["measured"]), ("no", "convolution:rmat_1m:64:forward: 'out' disagrees by 2.0e-02"))
        self.assertEqual(row_of(report, "weighted sum against")["holds"], "yes")
        case_of(report, "convolution:rmat_1m:64:forward")["checks"][0]["difference"] = None  # not a number, as JSON has it
        self.assertEqual(row_of(report, "sum, normalisation")["holds"], "no")

    def test_an_error_fails_its_row(self):
        report = whole_run()
        report["cases"].append(record("gat:rmat_1m:8x8:both", error="CUDA: illegal address"))
        report["cases"].remove(case_of(report, "gat:rmat_1m:8x8:both"))
        self.assertEqual(row_of(report, "GAT layer")["measured"], "gat:rmat_1m:8x8:both: CUDA: illegal address")

    def test_what_is_missing_is_not_measured(self):
        report = whole_run()
        report["cases"].remove(case_of(report, "sum:rmat_1m:128:forward"))
        row = row_of(report, "weighted sum against")
        self.assertEqual(row["holds"], "not measured")
        self.assertIn("; 1 of 12 cases not measured", row["measured"])
        self.assertEqual([r["holds"] for r in goals.goals({"cases": []})], ["not measured"] * 6)

    def test_a_goal_that_some_cases_fail_fails_although_others_are_missing(self):
        report = whole_run()
        report["cases"].remove(case_of(report, "sum:rmat_1m:128:forward"))
        our_entry(report, "sum:rmat_1m:16:forward")["samples"] = [1.3]
        self.assertEqual(row_of(report, "weighted sum against")["holds"], "no")

    def test_a_peer_without_memory_is_excused_and_named(self):
        report = whole_run()
        for e in case_of(report, "gat:rmat_50k:4x64:both")["entries"][1:]:
            del e["samples"], e["peak_bytes"]
            e["error"] = "out of memory"
        row = row_of(report, "GAT layer")
        self.assertEqual(row["holds"], "yes")
        self.assertIn("PyTorch Geometric had no memory for 1 cases", row["measured"])
        case_of(report, "gat:rmat_50k:4x64:both")["entries"][1]["error"] = "not measured: out of time"
        self.assertEqual(row_of(report, "GAT layer")["holds"], "not measured")

    def test_a_captured_step_counts_and_no_other(self):
        report = whole_run()
        case_of(report, "gat:cora:8x8:epoch")["entries"][0]["samples"] = [1.5]  # those that are launched one by one take 1.0
        self.assertIn("least 2.00 × (gat:cora", row_of(report, "GCN and GAT")["measured"])
        self.assertEqual(row_of(report, "GCN and GAT")["holds"], "no")

    def test_bytes_of_a_sum(self):
        self.assertEqual(goals.sum_bytes(record("sum:rmat_50k:64:forward"), 64), 50_000_000 * 264 + 50_000 * 264)

    def test_every_case_of_a_goal_is_of_a_family(self):
        for case in goals.SUMS + goals.CONVOLUTIONS + goals.LAYERS + list(goals.EPOCHS):
            self.assertEqual(sum(case.startswith(b) for _, beginnings in gpu.FAMILIES for b in beginnings), 1, case)

    def test_what_is_left_out_is_no_failure(self):
        report = whole_run()
        report["steps"].append({"name": "memory check", "outcome": "left out: there is no such tool", "seconds": None, "log": None})
        self.assertFalse(gpu.wrong(report))
        for outcome in ("not run: out of time", "FAILED: exit code 9", "running"):
            report["steps"][-1]["outcome"] = outcome
            self.assertTrue(gpu.wrong(report))


class Documents(unittest.TestCase):
    def test_every_row_has_as_many_cells_as_the_head(self):
        for report in (whole_run(), {**whole_run(), "cases": []}):
            for table in (document.goal_table, document.sum_table, document.gat_table, document.epoch_table, document.step_table):
                lines = table(report).strip().splitlines()
                self.assertEqual(len({line.count("|") for line in lines}), 1, lines)

    def test_the_conditions_are_said(self):
        text = document.document(whole_run())
        self.assertIn("2000-01-01, commit abc: made-up GPU, compute capability 9.0, driver 1.2, CUDA 12.4, 16 cores.", text)
        self.assertIn("Peers: torch 2.9.", text)
        self.assertIn("| build | passed | 61.0 | build.log |", text)
        self.assertIn("`captured` is one launch of all of it", text)

    def test_a_peer_that_is_not_installed_is_said(self):
        report = whole_run()
        report["peer"] = {"left_out": "not installed: Python has no PyTorch"}
        self.assertIn("PyTorch Geometric: not installed: Python has no PyTorch.", document.document(report))
        del report["peer"]
        self.assertIn("PyTorch Geometric: not run.", document.document(report))

    def test_failures_are_listed(self):
        report = whole_run()
        case_of(report, "gat:rmat_1m:8x8:both")["entries"][2] = {"who": "pyg", "variant": "compile", "error": "Bad: a\nb"}
        text = document.document(report)
        self.assertIn("* gat:rmat_1m:8x8:both: pyg compile: Bad: a\n", text)
        self.assertNotIn("What failed", document.document(whole_run()))
        self.assertIn("* not measured: the epochs\n", document.document({**whole_run(), "bench": {"skipped": "the epochs"}}))

    def test_times(self):
        self.assertIn("| weighted sum 64, rmat-1m, forward | 1.00 | 1.20 `alg2` | 1000 |", document.sum_table(whole_run()))
        self.assertIn("| GAT 8 × 8, cora, epoch | 0.500 | 1.00 | 2.00 | 3.00 |", document.epoch_table(whole_run()))


class Numbers(unittest.TestCase):
    def test_they_are_those_of_numbers_hpp(self):
        self.assertEqual((made_numbers.bits_of(0, 1), made_numbers.bits_of(123456789, 7)), (0x9BB31115, 0xE5CDE400))
        self.assertIn("bits_of(0, 1) == 0x9BB31115u && bits_of(123456789, 7) == 0xE5CDE400u",
                      (GPU / "numbers.hpp").read_text(encoding="utf-8"))

    def test_they_lie_around_0(self):
        made = [made_numbers.number(i, 3, 2.0) for i in range(1000)]
        self.assertTrue(-1 <= min(made) < -0.9 and 0.9 < max(made) < 1)
        self.assertLess(abs(sum(made)) / 1000, 0.05)


if __name__ == "__main__":
    unittest.main()
