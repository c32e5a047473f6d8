#!/usr/bin/env python3
"""Turns the C++ blocks of a Markdown page into one program, so that what the page shows compiles and runs.

Every ```cpp block carries a mark that says where it stands:
  ```cpp file      at namespace scope, in the order of the page
  ```cpp vertex    in a lambda of its own, [](auto v) { … }, which is traced when the program runs
  ```cpp run       in a function of its own, which is called when the program runs
A block without a mark, or with another one, is an error: unchecked code rots. Compilers report the page's own lines.
usage: snippets.py PAGE OUTPUT
"""
import re
import sys
from pathlib import Path

FENCE = re.compile(r"```cpp\b[ \t]*(.*)$")
WRAPPED = {"vertex": ("inline constexpr auto block_{line} = [](auto v) {{", "}};"),
           "run": ("static void block_{line}() {{", "}}")}
CALLED = {"vertex": "  block_{line}(stg::vertex_view{{&trace}});", "run": "  block_{line}();"}


def blocks(page):
    """(mark, number of its first line, lines) of every C++ block."""
    mark, first, lines = None, 0, []
    for number, line in enumerate(page.splitlines(), 1):
        if mark is None:
            opened = FENCE.match(line)
            if opened:
                mark, first, lines = opened.group(1), number + 1, []
        elif line.startswith("```"):
            yield mark, first, lines
            mark = None
        else:
            lines.append(line)
    if mark is not None:
        raise ValueError(f"{first - 1}: the block is not closed")


def program(page, name):
    """The page's program; ValueError, which begins with the line, for a block that cannot be placed."""
    body, calls = [], []
    for mark, line, lines in blocks(page):
        if mark != "file" and mark not in WRAPPED:
            raise ValueError(f"{line - 1}: a C++ block is marked file, vertex or run, not '{mark}'")
        opening, closing = WRAPPED.get(mark, ("", ""))
        body += [opening.format(line=line), f'#line {line} "{name}"', *lines, closing.format()]
        if mark in CALLED:
            calls.append(CALLED[mark].format(line=line))
    if not body:
        raise ValueError("1: the page has no C++ block")
    return "\n".join([*body, "int main() {", "  [[maybe_unused]] stg::tracer trace;", *calls, "}", ""])


if __name__ == "__main__":
    source, output = map(Path, sys.argv[1:])
    try:
        output.write_text(program(source.read_text(encoding="utf-8"), source), encoding="utf-8")
    except ValueError as error:
        sys.exit(f"{source}:{error}")
