#!/usr/bin/env python3
"""The console blocks of a page, run in the order of the page in one folder: what the page shows is what comes out.

A line `$ command` is run by bash, and the lines up to the next one are its output, of both streams. `…` within a line stands for
anything, and a line of nothing else for any lines.
"""
import re
import subprocess
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", flags=re.S | re.M)


def calls(page):
    """(line of the page, command, lines that are due)."""
    text = Path(page).read_text(encoding="utf-8")
    found = []
    for block in BLOCK.finditer(text):
        number = text.count("\n", 0, block.start(1)) + 1
        for line in block[1].splitlines():
            if line.startswith("$ "):
                found.append((number, line[2:], []))
            elif found:
                found[-1][2].append(line)
            number += 1
    return found


def pattern(lines):
    """What matches the lines of an output."""
    return "".join("(?:.*\n)+" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines)


def run(page, folder, environment):
    """What came out otherwise, as sentences; empty where the page is right."""
    wrong = []
    for number, command, lines in calls(page):
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120, check=False)
        if not re.fullmatch(pattern(lines), done.stdout):
            wrong.append(f"{page}:{number}: $ {command}\nprints\n{done.stdout}where the page has\n" + "\n".join(lines))
    return wrong
