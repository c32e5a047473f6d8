"""Runs the tests of a build folder and reads what they print: a row is made of tests that ran, its count of their words."""
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# A line of the table: what is checked, how many, "passed" or what failed, and the seconds of its tests.
Check = namedtuple("Check", "what how_many outcome seconds")
Test = namedtuple("Test", "name passed seconds output")
# What is checked; which tests; what of their output is counted; a sentence over sums of groups.
Row = namedtuple("Row", "what tests counted sentence")


def run(preset, jobs, *chosen):
    """Every test of a preset that ctest chooses and that is built, and the names of the others."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "tests.xml"
        subprocess.run(["ctest", "--preset", preset, "-j", str(jobs), "--output-junit", str(results),
                        "--test-output-size-passed", "1000000", *chosen], check=False, cwd=ROOT)
        return read(results.read_text(encoding="utf-8")) if results.exists() else ([], [])


def named(preset, *chosen):
    """The names of the tests of a configured preset that ctest chooses, built or not."""
    said = subprocess.run(["ctest", "--preset", preset, "-N", *chosen], check=False, cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout
    return re.findall(r"^ +Test +#\d+: (\S+)$", said, re.MULTILINE)


def programs_of(preset, *chosen):
    """The targets that the tests which ctest chooses run, built or not."""
    said = subprocess.run(["ctest", "--preset", preset, "-N", "-V", *chosen], check=False, cwd=ROOT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    return programs_in(said)


def programs_in(said):
    """The same from what ctest says."""
    found = re.findall(r"Test command: (\S+)|Could not find executable (\S+)", said)
    return sorted({Path(built or absent).name for built, absent in found if not built.startswith('"')})


def without_row(rows, names):
    """The names that no row takes."""
    return [name for name in names if not any(re.fullmatch(row.tests, name) for row in rows)]


def read(report):
    """The same from what ctest wrote."""
    cases = list(ElementTree.fromstring(report).iter("testcase"))
    ran = [Test(case.get("name"), case.get("status") == "run", float(case.get("time")), case.findtext("system-out") or "")
           for case in cases if case.get("status") not in ("notrun", "disabled")]
    return ran, [case.get("name") for case in cases if case.get("status") == "notrun" and not skipped(case)]


def skipped(case):
    """Whether the test itself said that it does not apply, as one of an instruction set that the machine lacks."""
    reason = case.find("skipped")
    return reason is not None and "SKIP" in (reason.get("message") or "")


def outcome(tests):
    failed = [test.name for test in tests if not test.passed]
    return "passed" if not failed else "failed: " + ", ".join(failed)


def checks(rows, tests):
    """A check for each row, and the names of the tests that no row takes. A row without a test, or of which something was
    counted that no test spoke of, has failed."""
    left, made = list(tests), []
    for row in rows:
        mine = [test for test in left if re.fullmatch(row.tests, test.name)]
        left = [test for test in left if test not in mine]
        if not mine:
            made.append(Check(row.what, "", "failed: no test ran for it", 0))
            continue
        sums = {group: 0 for group in re.compile(row.counted).groupindex}
        for test in mine:
            for found in re.finditer(row.counted, test.output):
                for group, number in found.groupdict().items():
                    sums[group] += int(number or 0)
        written = {group: str(number) if group == "seed" else f"{number:,}" for group, number in sums.items()}
        how_many = row.sentence.format(tests=len(mine), **written)
        unsaid = [group for group, number in sums.items() if number == 0]
        ended = f"failed: no {' and no '.join(unsaid)} counted" if unsaid and outcome(mine) == "passed" else outcome(mine)
        made.append(Check(row.what, how_many, ended, round(sum(test.seconds for test in mine), 1)))
    return made, [test.name for test in left]
