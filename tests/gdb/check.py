#!/usr/bin/env python3
"""gdb, in batch mode, on a program that is linked with the library: the printers load themselves, and what they show of a
program is what stg::ir::to_text says. usage: check.py GDB PROGRAM; exit code 77 where there is no gdb with Python."""
import re
import subprocess
import sys


def gdb_says(gdb, program, *commands):
    words = [gdb, "-nx", "-batch", "-iex", "add-auto-load-safe-path " + program]
    for command in commands:
        words += ["-ex", command]
    ran = subprocess.run(words + [program], capture_output=True, text=True, timeout=120)
    return ran.stdout + ran.stderr


def main(gdb, program):
    if gdb.endswith("NOTFOUND"):
        print("gdb: SKIPPED, it is not installed; apt-get install gdb")
        return 77
    if "2" not in subprocess.run([gdb, "-nx", "-batch", "-ex", "python print(1 + 1)"], capture_output=True, text=True).stdout:
        print("gdb: SKIPPED, this gdb has no Python")
        return 77
    texts = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split("\n\n")
    names = ["matrix", "wide", "none", "ids", "halves", "program", "constant", "traced", "alias", "matrix.shape_",
             "program.statements.first[0]"]
    commands = ["set print elements 5", "break stop", "run", "up"]
    for name in names:
        commands += ["echo <%s>\\n" % name, "print " + name]
    said = gdb_says(gdb, program, *commands, "echo <end>\\n")
    shown = {}
    for name, following in zip(names, names[1:] + ["end"]):
        _, _, rest = said.partition("<%s>\n" % name)
        shown[name] = re.sub(r"^\(const .*? &\)( @0x\w+:)? ", "", rest.partition("<%s>\n" % following)[0].partition(" = ")[2].strip())

    expected = {
        "matrix": "stg::tensor<float> (2, 3) [[0, 0.5, 1], [1.5, 2, ...]]",
        "wide": "stg::tensor<float> (30, 30) [[1.5, 1.5, 1.5, 1.5, 1.5, ...], ...]",
        "none": "stg::tensor<float> (0, 3)",
        "ids": "stg::tensor<int> (2,) [7, -1]",
        "halves": "stg::tensor<stg::bfloat16> (1, 2) [[0.5, 0.5]]",
        "alias": "stg::tensor<float> (2, 3) [[0, 0.5, 1], [1.5, 2, ...]]",
        "matrix.shape_": "(2, 3)",
        "traced": "%2 = sum_edges in (%1)  vertex  f32  (F)",
        "program.statements.first[0]": "input  vertex",
    }
    failures = 0
    for name, text in expected.items():
        same = shown[name].startswith(text) if name in ("traced", "program.statements.first[0]") else shown[name] == text
        if not same:
            failures += 1
            print("gdb: %s is shown as\n  %s\nand should be\n  %s" % (name, shown[name], text))
    for name, text in zip(("program", "constant"), texts):
        first, _, rest = shown[name].partition("\n")
        lines = [line for line in text.split("\n") if line]
        count = sum(line.lstrip().startswith("%") for line in lines)
        if not first.startswith("program of %d statement" % count) or rest.rstrip().split("\n") != lines:
            failures += 1
            print("gdb: %s is shown as\n%s\nand should be\n%s" % (name, shown[name], text))
    if failures:
        print(said)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
