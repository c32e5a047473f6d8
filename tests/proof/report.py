"""The page docs/proof.md from the result files of the stages."""
import json
import re

HEAD = """# Proof

<!-- Written by `make proof` (tests/proof/stages.py) from the results of its stages. -->

What `make proof` checks, each stage as it was when it was last run.
`make proof STAGES='fuzz errors'` runs some of them. `make test` checks the same with fewer programs and no sanitizer but on
what touches raw memory. Seconds are those of the tests alone.

How many commits old each stage is as this page is written: {ages}. `make test` names the stages that are more than
{old} commits old.

| stage | what | how many | outcome | seconds | date | commit |
|---|---|---|---|---|---|---|
"""


OLD = 300  # commits, of which each changes what a stage proves
ROW = re.compile(r"^\| (\w+) \| .* \| \d{4}-\d\d-\d\d \| (\w+)[^|]* \|$", re.MULTILINE)


def last_run(page):
    """The commits that the rows of each stage of a page were last run at, by name."""
    found = {}
    for stage, commit in ROW.findall(page):
        if commit not in found.setdefault(stage, []):
            found[stage].append(commit)
    return found


def ages(page, commits_since):
    """How many commits were made since each stage of a page ran, by name, of its oldest row; None where git does not know
    its commit."""
    found = {}
    for stage, commits in last_run(page).items():
        known = [commits_since(commit) for commit in commits]
        found[stage] = None if None in known else max(known)
    return found


def in_words(ages):
    return ", ".join(f"{stage} {'unknown' if age is None else f'{age:,}'}" for stage, age in ages.items())


def rows(stage, result):
    return [f"| {stage} | {check['what']} | {check['how_many']} | {check['outcome']} | {check['seconds']:.0f} "
            f"| {result['date']} | {result['commit']} |" for check in result["checks"]]


def kept(stage, before):
    """Rows and notes of a stage in the page as it was."""
    lines = before.splitlines()
    return ([line for line in lines if line.startswith(f"| {stage} | ") and "| not run |" not in line],
            [line for line in lines if line.startswith(f"* {stage}: ")])


FAILED = re.compile(r"\| failed: (\w+(?:, \w+)*) \|")


def failed(page, stage):
    """The tests that the rows of a stage name as failed."""
    return [test for line in kept(stage, page)[0] for names in FAILED.findall(line) for test in names.split(", ")]


def mended(page, stage, passed, commit):
    """The page, whose rows say of what failed that it passed at a later commit; a row keeps the commit of all others."""
    def said(line):
        def of(match):
            names = match.group(1).split(", ")
            return f"| passed, {' and '.join(names)} at {commit} |" if passed >= set(names) else match.group(0)
        return FAILED.sub(of, line)

    rows = set(kept(stage, page)[0])
    return "\n".join(said(line) if line in rows else line for line in page.split("\n"))


def merged(before, made):
    """The rows of a stage of which some were run again: those are in the places of what they say."""
    def what(row):
        return row.split(" | ")[1]

    again = {what(row): row for row in made}
    return [again.pop(what(row), row) for row in before] + list(again.values())


def text(stages, results, before="", commits_since=lambda commit: None):
    """The page. stages: what each one checks, by name; results: the folder of NAME.json, of those that have been run here;
    before: the page as it was, which has those that were run elsewhere; commits_since: how old a commit is."""
    lines, notes = [], []
    for stage, what in stages.items():
        file = results / f"{stage}.json"
        if file.exists():
            result = json.loads(file.read_text(encoding="utf-8"))
            made = rows(stage, result)
            if result.get("part"):
                others, said = kept(stage, before)
                made, notes = merged(others, made), notes + said
            notes += [f"* {stage}: {note}" for note in result["notes"]]
        else:
            made, said = kept(stage, before)
            notes += said
        lines += made or [f"| {stage} | {what} | | not run | | | |"]
    table = "\n".join(lines) + "\n"
    page = HEAD.format(ages=in_words(ages(table, commits_since)), old=OLD) + table
    return page + ("\n" + "\n".join(notes) + "\n" if notes else "")
