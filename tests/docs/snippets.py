#!/usr/bin/env python3
"""Turns the C++ blocks of a Markdown page into one program, so that what the page shows compiles and runs.

Every ```cpp block carries a mark that says where it stands:
  ```cpp file      at namespace scope, in the order of the page
  ```cpp vertex    in a lambda of its own, [](auto v) { … }, which is traced when the program runs
  ```cpp run       in a function of its own, which is called when the program runs
A block without a mark, or with another one, is an error: unchecked code rots. Compilers report the page's own lines.
Several pages become one program, so that what they have in common is compiled once: its argument names the page that runs.
usage: snippets.py OUTPUT PAGE...
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


def parts(page, name):
    """The lines at namespace scope and the calls of main; ValueError, which begins with the line, for a block that cannot be placed."""
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
    return body, ["  [[maybe_unused]] stg::tracer trace;", *calls]


def program(page, name):
    """The page's program."""
    body, calls = parts(page, name)
    return "\n".join([*body, "int main() {", *calls, "}", ""])


def joined(pages):
    """One program of (page, name) pairs, each page in a namespace of its own; the program's argument says which page runs."""
    includes, bodies, runs = set(), [], []
    for page, name in pages:
        stem = Path(name).stem.lower()
        body, calls = parts(page, name)
        includes |= {line.partition("//")[0].rstrip() for line in body if line.startswith("#include")}
        body = ["" if line.startswith("#include") else line for line in body]
        bodies += [f"namespace page_{stem} {{", *body, "static void run() {", *calls, "}", f"}}  // namespace page_{stem}"]
        runs.append(f'  if (name == "{stem}") return page_{stem}::run(), 0;')
    return "\n".join([*sorted(includes), "#include <string_view>", *bodies, "int main(int count, char** words) {",
                      '  const std::string_view name = count == 2 ? words[1] : "";', *runs, "  return 2;", "}", ""])


def main(output, *sources):
    pages = []
    for source in sources:
        page = (Path(source).read_text(encoding="utf-8"), source)
        try:
            parts(*page)
        except ValueError as error:
            sys.exit(f"{source}:{error}")
        pages.append(page)
    Path(output).write_text(program(*pages[0]) if len(pages) == 1 else joined(pages), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
