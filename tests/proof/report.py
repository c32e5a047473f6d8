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


def text(stages, results):
    """The page. stages: what each one checks, by name; results: the folder of NAME.json, of those that have been run."""
    lines, notes = [], []
    for stage, what in stages.items():
        file = results / f"{stage}.json"
        if not file.exists():
            lines.append(f"| {stage} | {what} | | not run | | | |")
            continue
        result = json.loads(file.read_text(encoding="utf-8"))
        lines += rows(stage, result)
        notes += [note for note in result["notes"] if note not in notes]
    page = HEAD + "\n".join(lines) + "\n"
    return page + ("\n" + "\n".join(f"* {note}" for note in notes) + "\n" if notes else "")
