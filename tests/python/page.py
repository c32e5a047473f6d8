#!/usr/bin/env python3
"""The blocks of docs/python.md: its C++ as the source of a module, its Python run with that module.

usage: page.py write PAGE FILE      the C++ blocks, for stg_add_python_module
       page.py run PAGE FOLDER      the Python blocks, one after the other; those of PyTorch, and of the
                                    package stg with PyTorch Geometric, where these are installed
"""
import importlib.util
import re
import sys
from pathlib import Path

NEEDS = {"python torch": ("torch",), "python package": ("torch", "torch_geometric", "stg")}
BLOCK = re.compile(r"^```(cpp file|python torch|python package|python)\n(.*?)^```$", flags=re.S | re.M)


def blocks(page):
    """(language, text with the page's line numbers) of each block."""
    text = Path(page).read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        yield found[1], "\n" * text.count("\n", 0, found.start(2)) + found[2]


def write(page, file):
    text = "".join(f'#line 1 "{page}"\n{block}' for language, block in blocks(page) if language == "cpp file")
    if not Path(file).exists() or Path(file).read_text(encoding="utf-8") != text:
        Path(file).write_text(text, encoding="utf-8")


def run(page, folder):
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    names, ran = {}, 0
    for language, block in blocks(page):
        if language == "cpp file":
            continue
        missing = [m for m in NEEDS.get(language, ()) if importlib.util.find_spec(m) is None]
        if missing:
            print(f"a block is left out: {missing[0]} is not installed")
            continue
        exec(compile(block, page, "exec"), names)  # noqa: S102
        ran += 1
    if ran < 3:
        sys.exit(f"{page} has {ran} blocks of Python")


if __name__ == "__main__":
    {"write": write, "run": run}[sys.argv[1]](*sys.argv[2:])
