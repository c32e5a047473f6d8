#!/usr/bin/env python3
"""Tests stages.py, suite.py, report.py and age.py with made-up stages and with what ctest writes."""
import json
import sys
import tempfile
import types
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import age  # noqa: E402
import report  # noqa: E402
import stages  # noqa: E402
import suite  # noqa: E402

CTEST = """<testsuite>
<testcase name="layers_0" time="1.5" status="run"><system-out>4 layers on graphs</system-out></testcase>
<testcase name="layers_1" time="2" status="{second}"><system-out>5 layers on graphs</system-out></testcase>
<testcase name="wide" time="0" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
<testcase name="lost" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>
</testsuite>"""
ROWS = [suite.Row("all layers", r"layers_\d", r"(?P<layers>\d+) layers", "{layers} layers of {tests} tests")]


class Suite(unittest.TestCase):
    def test_counts_are_sums_over_the_tests_of_a_row(self):
        tests, absent = suite.read(CTEST.format(second="run"))
        self.assertEqual(absent, ["lost"])
        self.assertEqual(suite.checks(ROWS, tests), ([("all layers", "9 layers of 2 tests", "passed", 3.5)], []))

    def test_a_failing_test_is_named(self):
        tests, _ = suite.read(CTEST.format(second="fail"))
        self.assertEqual(suite.checks(ROWS, tests)[0][0].outcome, "failed: layers_1")

    def test_a_test_that_no_row_takes_is_named(self):
        tests, _ = suite.read(CTEST.format(second="run").replace("layers_1", "other"))
        self.assertEqual(suite.checks(ROWS, tests)[1], ["other"])
        self.assertEqual(suite.without_row(ROWS, ["layers_0", "layers_01", "other"]), ["layers_01", "other"])

    def test_a_seed_is_written_as_it_is_given(self):
        test = suite.Test("random", True, 1.0, "STG_SEED=123456789: 100000 programs")
        row = suite.Row("random", "random", r"STG_SEED=(?P<seed>\d+): (?P<programs>\d+)", "{programs}, STG_SEED={seed}")
        self.assertEqual(suite.checks([row], [test])[0][0].how_many, "100,000, STG_SEED=123456789")

    def test_a_row_that_nothing_was_counted_for_has_failed(self):
        tests, _ = suite.read(CTEST.format(second="run").replace("layers on graphs", "things"))
        self.assertEqual(suite.checks(ROWS, tests)[0][0].outcome, "failed: no layers counted")
        self.assertEqual(suite.checks(ROWS, tests[:0])[0][0].outcome, "failed: no test ran for it")

    def test_what_failed_passed_later(self):
        page = "\n".join(["| a | all | 9 tests | failed: one_test, two_test | 3 | 2026-01-01 | abc1234 |",
                          "| b | all | 9 tests | failed: one_test | 3 | 2026-01-01 | abc1234 |", "", "* a: of them.", ""])
        self.assertEqual(report.failed(page, "a"), ["one_test", "two_test"])
        self.assertEqual(report.mended(page, "a", {"one_test"}, "fed4321"), page)  # all of a row, or none
        self.assertEqual(report.mended(page, "a", {"one_test", "two_test"}, "fed4321"),
                         page.replace("failed: one_test, two_test", "passed, one_test and two_test at fed4321"))
        self.assertEqual(report.last_run(report.mended(page, "b", {"one_test"}, "fed4321"))["b"], ["abc1234"])

    def test_programs_of_tests_are_found_built_or_not(self):
        said = """Could not find executable /b/tests/run/calls_tests
Looked in the following places:
/b/tests/run/Debug/calls_tests
7: Test command:  "--of=tape_test"
8: Test command: /b/tests/run/data_tests "--of=npy_test"
9: Test command: /b/tests/run/data_tests "--of=npz_test"
"""
        self.assertEqual(suite.programs_in(said), ["calls_tests", "data_tests"])

    def test_every_fuzzer_is_run(self):
        built = (suite.ROOT / "tests" / "fuzz" / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertEqual(list(stages.FUZZED), stages.re.search(r"reader IN ITEMS ([\w ]+)\)", built).group(1).split())

    def test_every_test_of_random_programs_has_its_row(self):
        drawn = (suite.ROOT / "tests" / "proof" / "CMakeLists.txt").read_text(encoding="utf-8")
        names = ["random_" + name for name in stages.re.findall(r"^stg_add_random\((\w+) VARIABLE", drawn, stages.re.MULTILINE)]
        self.assertGreater(len(names), 5)
        self.assertEqual(suite.without_row(stages.RANDOM, names), [])

    def test_every_row_reads_what_its_tests_print(self):
        for row in [*stages.RANDOM, *stages.PROGRAMS, *stages.MUTATION, *stages.ADDRESS, *stages.THREAD]:
            groups = {group: 0 for group in stages.re.compile(row.counted).groupindex}
            self.assertTrue(groups or "{tests}" in row.sentence)
            row.sentence.format(tests=1, **groups)


class Ages(unittest.TestCase):
    PAGE = ("| fuzz | readers | 3 inputs | passed | 2 | 2026-11-22 | abc1234 |\n"
            "| fuzz | samplers | 3 inputs | passed | 2 | 2026-11-22 | abc1234 |\n"
            "| errors | a | b | c | | failed: x | 2 | 2026-11-22 | def5678 with local changes |\n"
            "| thread | the whole suite | | not run | | | |\n")

    def test_the_page_says_how_old_each_stage_is(self):
        self.assertEqual(report.last_run(self.PAGE), {"fuzz": ["abc1234"], "errors": ["def5678"]})
        ages = report.ages(self.PAGE, {"abc1234": 1621, "def5678": None}.get)
        self.assertEqual(report.in_words(ages), "fuzz 1,621, errors unknown")
        with tempfile.TemporaryDirectory() as folder:
            page = report.text({"fuzz": "readers", "thread": "the whole suite"}, Path(folder), self.PAGE, lambda _: 1621)
        self.assertIn("as this page is written: fuzz 1,621.", page)

    def test_the_oldest_row_is_the_age_of_its_stage(self):
        page = self.PAGE.replace("samplers | 3 inputs | passed | 2 | 2026-11-22 | abc1234", "samplers | 3 | passed | 2 | 2026-11-23 | aaa1111")
        self.assertEqual(report.ages(page, {"abc1234": 5, "aaa1111": 2, "def5678": 1}.get)["fuzz"], 5)

    def test_a_part_that_is_run_again_leaves_the_other_rows(self):
        result = {"date": "2026-11-27", "commit": "aaa1111", "notes": ["anew"], "part": True,
                  "checks": [{"what": "samplers", "how_many": "9 inputs", "outcome": "passed", "seconds": 1}]}
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "fuzz.json").write_text(json.dumps(result))
            page = report.text({"fuzz": "readers"}, Path(folder), self.PAGE + "* fuzz: of before\n", lambda _: 1)
        self.assertIn("| fuzz | readers | 3 inputs |", page)
        self.assertIn("| fuzz | samplers | 9 inputs | passed | 1 | 2026-11-27 | aaa1111 |", page)
        self.assertEqual([line for line in page.splitlines() if line.startswith("* ")], ["* fuzz: of before", "* fuzz: anew"])

    def test_stages_older_than_300_commits_are_named(self):
        self.assertEqual(age.line({"fuzz": 301, "errors": 300, "random": None}),
                         "proof: older than 300 commits: fuzz 301; make proof STAGES='fuzz'")
        self.assertEqual(age.line({"errors": 300}), "")

    def test_a_checkout_without_history_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(age.commits_since("abc1234", folder))
        self.assertIsNone(age.commits_since("0000000"))
        self.assertIn("cannot be told", age.line({"errors": None}))


class Stages(unittest.TestCase):
    def setUp(self):
        keeper = tempfile.TemporaryDirectory()
        self.addCleanup(keeper.cleanup)
        self.folder = Path(keeper.name)
        self.document = self.folder / "proof.md"
        self.before = stages.STAGES
        self.addCleanup(setattr, stages, "STAGES", self.before)

    def run_stages(self, **outcomes):
        """Stages that end as told; None: never run."""
        stages.STAGES = {
            name: stages.Stage(f"what {name} checks", lambda _, said=said: said if isinstance(said, stages.Outcome) else
                               stages.Outcome([suite.Check("a check", "3 cases", said, 2.0)], 1, ["a note"]))
            for name, said in outcomes.items()}
        options = types.SimpleNamespace(define=[], jobs=1)
        names = [name for name, said in outcomes.items() if said is not None]
        return stages.run(names, options, self.folder / "results", self.document)

    def test_each_stage_leaves_its_file_and_the_page_has_a_row_of_each(self):
        self.assertEqual(self.run_stages(one="passed", two="passed"), [])
        result = json.loads((self.folder / "results" / "one.json").read_text())
        for field in ("date", "commit", "tests", "seconds", "outcome"):
            self.assertIn(field, result)
        rows = [line for line in self.document.read_text().splitlines() if "a check" in line]
        self.assertEqual(rows, [f"| {stage} | a check | 3 cases | passed | 2 | {result['date']} | {result['commit']} |"
                                for stage in ("one", "two")])
        self.assertEqual(self.document.read_text().count(": a note"), 2)

    def test_a_failing_stage_fails_the_proof_and_the_others_still_run(self):
        self.assertEqual(self.run_stages(one="failed: layers_1", two="passed"), ["one"])
        self.assertIn("| failed: layers_1 |", self.document.read_text())
        self.assertIn("| two | a check |", self.document.read_text())

    def test_a_stage_that_was_never_run_is_listed(self):
        self.run_stages(one="passed", two=None)
        self.assertIn("| two | what two checks | | not run |", self.document.read_text())

    def test_a_stage_with_nothing_to_run_is_listed_as_not_run(self):
        self.assertEqual(self.run_stages(one=stages.Outcome()), [])
        self.assertIn("| one | what one checks | | not run |", self.document.read_text())

    def test_a_result_from_before_stays_until_its_stage_runs_again(self):
        self.run_stages(one="passed", two="failed: slow")
        self.assertEqual(self.run_stages(one="passed", two=None), [])
        self.assertIn("| failed: slow |", self.document.read_text())

    def test_what_was_run_elsewhere_stays_on_the_page(self):
        self.run_stages(one="passed", two="failed: slow")
        page = self.document.read_text()
        for file in (self.folder / "results").iterdir():
            file.unlink()
        self.assertEqual(self.run_stages(one=None, two=None), [])
        self.assertEqual(self.document.read_text(), page)
        self.assertEqual(self.run_stages(one=None, two="passed", three=None), [])
        self.assertNotIn("slow", self.document.read_text())
        self.assertEqual([line.split(" | ")[0] for line in self.document.read_text().splitlines() if line.startswith(("| t", "| o", "* "))],
                         ["| one", "| two", "| three", "* one: a note", "* two: a note"])

    def test_local_changes_are_said(self):
        before, stages.said_by = stages.said_by, lambda *words: "abc1234" if "rev-parse" in words else " M include/stg/stg.hpp"
        self.addCleanup(setattr, stages, "said_by", before)
        self.run_stages(one="passed")
        self.assertIn("| abc1234 with local changes |", self.document.read_text())

    def test_every_commit_has_a_seed_of_its_own(self):
        self.assertEqual(stages.seed_of("00000000aa"), 1)
        self.assertEqual(stages.seed_of("6f3ad52c01"), 0x6f3ad52)

    def test_what_is_not_built_is_a_failure(self):
        self.assertEqual(self.run_stages(one=stages.not_built("everything")), ["one"])

    def test_a_table_row_is_a_row_in_markdown(self):
        self.run_stages(one="passed", two=None)
        table = [line for line in self.document.read_text().splitlines() if line.startswith("|")]
        self.assertEqual({line.count("|") for line in table}, {8})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
