#!/usr/bin/env python3
"""Makes one source of many tests, so that what they have in common is compiled once. Each is in a namespace of its own.

usage: join.py OUTPUT SOURCE...

The outermost `namespace stg {` of table_test.cpp becomes `namespace stg::of_table_test {`, and `namespace {` becomes
`namespace of_table_test {`. Diagnostics, and what GoogleTest says, name the file and its own lines.
"""
import re
import sys
from pathlib import Path

OPENED = re.compile(r"namespace ([\w:]*) ?\{")
CLOSED = re.compile(r"\}  // namespace\b.*")
SEEN_BY_OTHERS = re.compile(r"(?!//|#|\s|$)")  # what stands at the margin outside of namespaces


def defines_for_others(line, lines):
    defined = re.match(r"#\s*define (\w+)", line)
    return defined is not None and f"#undef {defined.group(1)}" not in lines


def namespaced(name, text):
    """A test's text in a namespace of its own. Raises ValueError for a line that the tests after it would see."""
    depth, lines = 0, text.splitlines()
    for number, line in enumerate(lines):
        if found := OPENED.fullmatch(line):
            if depth == 0:
                lines[number] = f"namespace {found.group(1)}{'::' if found.group(1) else ''}of_{name} {{"
            depth += 1
        elif CLOSED.fullmatch(line):
            depth -= 1
        elif depth == 0 and SEEN_BY_OTHERS.match(line) or defines_for_others(line, lines):
            raise ValueError(f"{name}.cpp:{number + 1}: tests that are joined with it would see `{line}`")
    return "\n".join(lines) + "\n"


def joined(sources):
    return "".join(f'#line 1 "{source}"\n{namespaced(source.stem, source.read_text(encoding="utf-8"))}' for source in sources)


def main(output, *sources):
    try:
        Path(output).write_text(joined([Path(source) for source in sources]), encoding="utf-8")
    except ValueError as problem:
        raise SystemExit(f"join.py: {problem}")


if __name__ == "__main__":
    main(*sys.argv[1:])
