#!/usr/bin/env python3
"""Writes what a run says: a self-contained page, and the tables of docs/performance.md.

usage: report.py RESULTS.json PAGE.html [DOCUMENT.md]

DOCUMENT.md keeps its own words; what stands between its two marks is written anew.
"""
import json
import sys
from pathlib import Path

import page
import table

BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


def between_marks(text, tables):
    """The document with its tables replaced. Error when a mark is missing."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"the document needs {BEGIN.strip()} and {END.strip()}, once and in this order")
    return text[:text.index(BEGIN) + len(BEGIN)] + tables + text[text.index(END):]


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    results = Path(sys.argv[1])
    if not results.exists():
        print(f"report: {results} is not there; make bench-peers writes it", file=sys.stderr)
        return 1
    report = json.loads(results.read_text(encoding="utf-8"))
    Path(sys.argv[2]).write_text(page.html(report), encoding="utf-8")
    print(table.document(report))
    print(f"page: {sys.argv[2]}")
    if len(sys.argv) == 4:
        document = Path(sys.argv[3])
        document.write_text(between_marks(document.read_text(encoding="utf-8"), table.document(report)), encoding="utf-8")
        print(f"tables: {document}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
