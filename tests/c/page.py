#!/usr/bin/env python3
"""The blocks of docs/interop.md: its C++ as the source of a C library, its C and its Python run with that library.

usage: page.py write PAGE FILE                  the C++ block, for stg_add_c_library
       page.py run PAGE LIBRARY HEADERS CC      the C block, compiled as C99 without a warning, and the Python block
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(c\+\+|c|python ctypes)\n(.*?)^```$", flags=re.S | re.M)


def block(page, language):
    """The text of the first block of a language, with the page's line numbers."""
    text = Path(page).read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        if found[1] == language:
            return "\n" * text.count("\n", 0, found.start(2)) + found[2]
    sys.exit(f"{page} has no block of {language}")


def write(page, file):
    text = f'#line 1 "{page}"\n' + block(page, "c++")
    if not Path(file).exists() or Path(file).read_text(encoding="utf-8") != text:
        Path(file).write_text(text, encoding="utf-8")


def run(page, library, headers, compiler):
    folder = Path(library).parent
    with tempfile.TemporaryDirectory() as scratch:
        source, program = Path(scratch) / "page.c", Path(scratch) / "page"
        source.write_text(f'#line 1 "{page}"\n' + block(page, "c"), encoding="utf-8")
        subprocess.run([compiler, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{headers}", source, "-o", program,
                        f"-L{folder}", "-llayers", f"-Wl,-rpath,{folder}"], check=True)
        print(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    os.chdir(folder)
    exec(compile(block(page, "python ctypes"), page, "exec"), {})  # noqa: S102


if __name__ == "__main__":
    {"write": write, "run": run}[sys.argv[1]](*sys.argv[2:])
