"""The page docs/proof.md from the result files of the stages."""
import json

HEAD = """# Proof

<!-- Written by `make proof` (tests/proof/stages.py) from the results of its stages. -->

What `make proof` checks, each stage as it was when it was last run: the date and the commit.
`make proof STAGES='fuzz errors'` runs some of them. `make test` checks the same with fewer programs and no sanitizer but on
what touches raw memory. Seconds are those of the tests alone.

| stage | what | how many | outcome | seconds | date | commit |
|---|---|---|---|---|---|---|
"""


def rows(stage, result):
    return [f"| {stage} | {check['what']} | {check['how_many']} | {check['outcome']} | {check['seconds']:.0f} "
            f"| {result['date']} | {result['commit']} |" for check in result["checks"]]


def kept(stage, before):
    """Rows and notes of a stage in the page as it was."""
    lines = before.splitlines()
    return ([line for line in lines if line.startswith(f"| {stage} | ") and "| not run |" not in line],
            [line for line in lines if line.startswith(f"* {stage}: ")])


def text(stages, results, before=""):
    """The page. stages: what each one checks, by name; results: the folder of NAME.json, of those that have been run here;
    before: the page as it was, which has those that were run elsewhere."""
    lines, notes = [], []
    for stage, what in stages.items():
        file = results / f"{stage}.json"
        if file.exists():
            result = json.loads(file.read_text(encoding="utf-8"))
            made = rows(stage, result)
            notes += [f"* {stage}: {note}" for note in result["notes"]]
        else:
            made, said = kept(stage, before)
            notes += said
        lines += made or [f"| {stage} | {what} | | not run | | | |"]
    page = HEAD + "\n".join(lines) + "\n"
    return page + ("\n" + "\n".join(notes) + "\n" if notes else "")
