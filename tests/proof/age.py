#!/usr/bin/env python3
"""Prints a line that names the stages of docs/proof.md which are older than 300 commits, or none.

A checkout without git or without its history cannot say how old a stage is: then the line says so. Never fails.
"""
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import report  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent


def commits_since(commit, root=ROOT):
    """How many commits HEAD has that `commit` has not; None where git is missing or does not know the commit."""
    try:
        said = subprocess.run(["git", "rev-list", "--count", f"{commit}..HEAD"], check=True, cwd=root, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return int(said)


def line(ages):
    """What `make test` says of the stages' ages, empty where all are young."""
    old = {stage: age for stage, age in ages.items() if age is not None and age > report.OLD}
    if old:
        return f"proof: older than {report.OLD} commits: {report.in_words(old)}; make proof STAGES='{' '.join(old)}'"
    if None in ages.values():
        return "proof: how old its stages are cannot be told without the history of this checkout"
    return ""


def main():
    page = ROOT / "docs" / "proof.md"
    if page.exists() and (said := line(report.ages(page.read_text(encoding="utf-8"), commits_since))):
        print(said)


if __name__ == "__main__":
    main()
