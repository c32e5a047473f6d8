#!/usr/bin/env python3
"""Tests bench/report and the pure parts of bench/peers: ratios, verdicts, tables, marks, axes and the page."""
import re
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / "report"), str(ROOT / "bench" / "peers")]
import cases  # noqa: E402
import figures  # noqa: E402
import measurement  # noqa: E402
import page  # noqa: E402
import plots  # noqa: E402
import report as door  # noqa: E402
import svg  # noqa: E402
import table  # noqa: E402

ATTENTION = "attention:arxiv_like:8x8:both"


def entry(who, variant, median, allocator="default", **facts):
    return {"who": who, "variant": variant, "allocator": allocator, "median": median, "least": median, "samples": [median], **facts}


def made(*records, **more):
    machine = {"processor": "made-up <processor>", "cores": 2, "memory_bytes": 2**34, "l3": "32 MiB", "avx512": True,
               "kernel": "6.1", "huge_pages": "madvise"}
    return {"machine": machine, "date": "2000-01-01", "revision": "abc", "command": "make bench-peers", "threads": 2,
            "repetitions": 7, "versions": {"dgl": "2.1.0"}, "left_out": {}, "cases": list(records), **more}


def attention(stg=10.0, dgl=120.0, tuned=90.0, **facts):
    ours = {"planned_bytes": 110 * 2**20, "measured_bytes": 111 * 2**20, "result_bytes": 100 * 2**20, **facts}
    return {"case": ATTENTION, "entries": [
        entry("stg", "stg", stg, **ours), entry("dgl", "edge_softmax", dgl, measured_bytes=500 * 2**20),
        entry("dgl", "edge_softmax", tuned, "tuned"), entry("pyg", "sparse", 600.0), entry("pyg", "edge_index", 500.0)]}


def figure(who="dgl", at_least=(11.5, 8.2), **more):
    return figures.Figure(ATTENTION, who, at_least, **more)


class Ratios(unittest.TestCase):
    def test_a_is_as_installed_and_b_the_better_setting(self):
        row = figures.judge(made(attention()), figure())
        self.assertEqual(row["measured"], [12.0, 9.0])
        self.assertEqual(row["verdicts"], ["yes", "yes"])

    def test_a_setting_that_hurts_is_not_the_best(self):
        self.assertEqual(figures.judge(made(attention(tuned=130.0)), figure())["measured"], [12.0, 12.0])

    def test_a_ratio_that_is_too_small_fails(self):
        self.assertEqual(figures.judge(made(attention(tuned=81.9)), figure())["verdicts"], ["yes", "no"])

    def test_the_fastest_way_of_a_library_counts(self):
        self.assertEqual(figures.judge(made(attention()), figure("pyg", (38, 20)))["measured"], [50.0, 50.0])

    def test_a_figure_for_one_way_takes_no_other(self):
        self.assertEqual(figures.judge(made(attention()), figure("pyg", (38, 20), variants=("sparse",)))["measured"], [60.0, 60.0])

    def test_the_best_peer_is_the_fastest_of_all(self):
        self.assertEqual(figures.judge(made(attention()), figure("peers"))["measured"], [12.0, 9.0])

    def test_the_reference_binds_where_peers_are_faster_now(self):
        row = figures.judge(made(attention(dgl=100.0)), figure(reference=(120, 80)))
        self.assertEqual(row["verdicts"], ["by reference", "yes"])
        self.assertEqual(figures.judge(made(attention(dgl=100.0)), figure(reference=(114, 80)))["verdicts"], ["no", "yes"])

    def test_what_disagreed_has_no_time(self):
        record = attention()
        record["entries"][1:3] = [{"who": "dgl", "variant": "edge_softmax", "allocator": "default", "error": "disagrees"}]
        self.assertEqual(figures.judge(made(record), figure())["verdicts"], ["not measured", "not measured"])
        self.assertIn("disagrees", table.refused(made(record)))

    def test_a_case_that_was_not_run_is_not_measured(self):
        self.assertEqual(figures.judge(made(), figure())["verdicts"], ["not measured", "not measured"])
        self.assertEqual(figures.judge(made(attention()), figure(ours="fixed"))["measured"], [None, None])

    def test_the_fastest_way_of_stg_counts_where_the_figure_says_so(self):
        record = attention()
        record["entries"] += [entry("stg", "sparse", 5.0), entry("stg", "floor", 1.0)]
        self.assertEqual(figures.judge(made(record), figure(ours="fastest"))["measured"], [24.0, 18.0])
        self.assertEqual(figures.judge(made(record), figure())["measured"], [12.0, 9.0])

    def test_every_figure_is_about_a_case_that_is_run(self):
        known = {case.name for case in cases.CASES}
        self.assertEqual([f.case for f in figures.FIGURES if f.case not in known], [])


class Memory(unittest.TestCase):
    def row(self, **facts):
        return figures.memory_rows(made(attention(**facts)))[0]

    def test_the_limit_counts_layers_and_vertices(self):
        self.assertEqual(self.row()["limit"], 3 * 64 * 169_343 * 4)
        self.assertTrue(self.row()["within"])
        self.assertFalse(self.row(planned_bytes=3 * 64 * 169_343 * 4 + 1)["within"])

    def test_a_prediction_may_be_off_by_two_percent_or_four_mebibytes(self):
        self.assertTrue(self.row(planned_bytes=1000 * 2**20, measured_bytes=1020 * 2**20)["predicted"])
        self.assertFalse(self.row(planned_bytes=1000 * 2**20, measured_bytes=1021 * 2**20)["predicted"])
        self.assertTrue(self.row(planned_bytes=2**20, measured_bytes=5 * 2**20)["predicted"])

    def test_recurrences_are_held_to_no_widths_of_layers(self):
        record = {"case": "tgcn:chickenpox:32:epoch", "entries": [entry("stg", "stg", 10.0), entry("pyg_temporal", "losses", 2000.0)]}
        report = made(record)
        self.assertEqual(figures.memory_rows(report), [])
        self.assertIn("| TGCN 32, chickenpox, epoch | PyG-T | ≥ 100 × | 200 × | – | yes |", table.ratio_table(report))

    def test_results_are_no_extra_memory(self):
        self.assertAlmostEqual(figures.attention_memory(made(attention())), 10 / 400)

    def test_models_count_their_inputs(self):
        self.assertEqual(cases.layer_sizes(cases.parse("gcn:arxiv_like:128:epoch")), [128, 128, 40])
        self.assertEqual(cases.layer_sizes(cases.parse("gat:cora:8x8:epoch")), [1433, 64, 7])


class OtherFigures(unittest.TestCase):
    def test_threads(self):
        record = attention(one_thread={"median": 17.0, "all": 10.0})
        self.assertEqual(figures.thread_rows(made(record))[0]["ratio"], 1.7)
        self.assertRegex(table.ratio_table(made(record)), r"two threads.*1\.70 × \|  \| no \|")

    def test_a_sum_is_held_to_its_floor(self):
        for floor, holds in ((19.0, "yes"), (18.9, "no")):
            record = {"case": "sum:arxiv_like:64:forward",
                      "entries": [entry("stg", "stg", 20.0), entry("stg", "floor", floor), entry("dgl", "u_mul_e_sum", 90.0)]}
            self.assertRegex(table.ratio_table(made(record)), rf"\| floor \|.*\| {holds} \|")
            self.assertIn("| 20.0 | – | – | – | 90.0", table.time_table(made(record)))

    def test_a_faster_way_of_stg_is_named_beside_the_plain_one(self):
        for other, cell in ((145.0, "| 180, 145 `fixed` |"), (181.0, "| 180 |")):
            record = {"case": "gcn:arxiv_like:128:epoch",
                      "entries": [entry("stg", "stg", 180.0), entry("stg", "fixed", other), entry("dgl", "GraphConv", 604.0)]}
            self.assertIn(cell, table.time_table(made(record)))

    def test_width_100_is_judged_per_feature(self):
        widths = [entry("stg", variant, time) for variant, time in (("stg", 110.0), ("96", 96.0), ("112", 112.0))]
        record = {"case": "sum:arxiv_like:100:forward", "entries": widths}
        self.assertEqual([round(w, 6) for w in figures.width_100(made(record))], [1.1, 1.1])
        self.assertIsNone(figures.width_100(made({**record, "entries": widths[:2]})))

    def test_least_work_of_a_sum(self):
        bytes_, flops = cases.least_work(cases.parse("sum:arxiv_like:64:forward"))
        self.assertEqual(bytes_, 2_484_941 * (4 + 4 + 256) + 169_343 * 256)
        self.assertEqual(flops, 2 * 2_484_941 * 64)
        self.assertIsNone(cases.least_work(cases.parse("gcn:cora:16:epoch")))


class Samples(unittest.TestCase):
    def test_short_runs_are_repeated_within_a_sample(self):
        self.assertEqual([measurement.times_per_run(ms) for ms in (0, 0.5, 10, 99, 101, 5000)], [50, 50, 10, 1, 1, 1])

    def test_slow_ways_are_repeated_less(self):
        enough, hopeless = measurement.enough, measurement.hopeless
        self.assertFalse(enough([1400.0] * 6, [1400.0]))
        self.assertEqual([enough([2000.0] * n, [2000.0]) for n in (0, 1, 2)], [False, False, True])
        self.assertTrue(enough([2000.0], [1000.0, 2000.0]))
        self.assertEqual([hopeless(ms, [1000.0, ms]) for ms in (1400.0, 1501.0, 1600.0)], [False, True, True])
        self.assertEqual([hopeless(ms, [1200.0, ms]) for ms in (1700.0, 1900.0)], [False, True])

    def test_the_median_stands_for_the_samples(self):
        self.assertEqual(measurement.summary([3.0, 1.0, 100.0])["median"], 3.0)


class Documents(unittest.TestCase):
    def test_numbers_have_three_digits(self):
        self.assertEqual([table.number(n) for n in (None, 0.4567, 12.34, 123.4)], ["–", "0.46", "12.3", "123"])

    def test_ratios_are_written_as_required(self):
        self.assertEqual([table.pair(p) for p in ((1.8, 1.3), (14, None), (None, 2.2), (None, None))],
                         ["1.80 / 1.30 ×", "14.0 ×", "best 2.20 ×", "–"])
        self.assertIn("| ≥ 11.5 / 8.2 × | 12.0 / 9.00 × |", table.ratio_table(made(attention())))

    def test_every_row_has_as_many_cells_as_the_head(self):
        report = made(attention(one_thread={"median": 17.0, "all": 10.0}))
        for text in (table.ratio_table(report), table.memory_table(report), table.time_table(report)):
            self.assertEqual(len({line.count("|") for line in text.strip().splitlines()}), 1, text)

    def test_times_name_the_fastest_way(self):
        self.assertIn("| 10.0 | – | 500 `edge_index` | – | 120 [90.0] `edge_softmax` |", table.time_table(made(attention())))

    def test_what_is_left_out_is_said(self):
        self.assertIn("dgl is left out: no wheel", table.document(made(left_out={"dgl": "no wheel"})))

    def test_the_words_of_a_document_stay(self):
        text = f"before\n{door.BEGIN}old\n{door.END}after\n"
        self.assertEqual(door.between_marks(text, "new\n"), f"before\n{door.BEGIN}new\n{door.END}after\n")
        with self.assertRaises(ValueError):
            door.between_marks("no marks", "new")

    def test_the_document_of_the_repository_has_its_marks(self):
        door.between_marks((ROOT / "docs" / "performance.md").read_text(encoding="utf-8"), "")


class Page(unittest.TestCase):
    report = made(attention(), {"case": "sum:arxiv_like:64:both", "entries": [
        entry("stg", "stg", 20.0, planned_bytes=2**27, measured_bytes=2**27, result_bytes=2**27), entry("torch", "csr", 90.0)]},
        limits={"gflops": 400.0, "triad_gbs": 40.0, "gather_gbs": {"arxiv_like": 50.0, "reddit_like": 200.0}})

    def test_it_loads_nothing_and_is_well_formed(self):
        text = page.html(self.report)
        self.assertNotRegex(text.replace("http://www.w3.org/2000/svg", ""), r"https?:|<script|<link|@import|url\(")
        for picture in re.findall(r"<svg.*?</svg>", text, re.S):
            ElementTree.fromstring(picture)
        self.assertEqual(text.count("<svg"), 3)
        self.assertIn("made-up &lt;processor&gt;", text)

    def test_nothing_is_drawn_outside_of_a_picture(self):
        for picture in (plots.roofline(self.report), plots.ratios(self.report), plots.memory(self.report)):
            root = ElementTree.fromstring(picture)
            width, height = float(root.get("width")), float(root.get("height"))
            for node in root.iter():
                for key in ("x", "x1", "x2", "cx"):
                    self.assertTrue(0 <= float(node.get(key, 0)) <= width, ElementTree.tostring(node))
                if node.tag.endswith("text") and not node.get("transform"):
                    wide = svg.text_width(node.text, float(node.get("font-size")))
                    left = float(node.get("x")) - {"start": 0, "middle": wide / 2, "end": wide}[node.get("text-anchor")]
                    self.assertTrue(0 <= left and left + wide <= width, ElementTree.tostring(node))
                for key in ("y", "y1", "y2", "cy"):
                    self.assertTrue(0 <= float(node.get(key, 0)) <= height, ElementTree.tostring(node))

    def test_without_probes_there_is_no_roofline(self):
        self.assertEqual(page.html(made(attention())).count("<svg"), 2)

    def test_an_empty_run_is_a_page(self):
        self.assertIn("not measured", page.html(made()))

    def test_a_logarithmic_axis(self):
        axis = svg.Log(1, 100, 0, 200)
        self.assertEqual([axis(1), axis(10), axis(100), axis(1000)], [0, 100, 200, 200])
        self.assertEqual(axis.ticks(), [1, 2, 5, 10, 20, 50, 100])

    def test_labels_keep_their_distance_and_their_order(self):
        placed = svg.spread([10, 11, 12, 98, 99], 10, 0, 100)
        self.assertTrue(all(b - a >= 10 for a, b in zip(placed, placed[1:])), placed)
        self.assertLessEqual(placed[-1], 100)


if __name__ == "__main__":
    unittest.main()
