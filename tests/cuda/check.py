#!/usr/bin/env python3
"""Compiles programs.cu as CUDA C++, with the programs of the examples. A warning is a failure, and so is a program of
which nvcc makes another one for the device than the host compiler makes for the host.

An example is one file that a reader sees from top to bottom, and its training loop is no CUDA C++. So what it declares
with `inline constexpr` is cut out of it: symbols, layers and programs, a namespace for each file. A declaration ends on
its own line, or on the first line that begins with `};`. Programs are the lambdas that take one argument.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = re.compile(r"inline constexpr auto (\w+)\s*=\s*\[\]\(auto \w+\)")


def declarations(text):
    """The `inline constexpr` declarations of a source, as lines."""
    inside = False
    for line in text.split("\n"):
        if line.startswith("inline constexpr "):
            inside = not line.split("//")[0].rstrip().endswith(";")
            yield line
        elif inside:
            inside = not line.startswith("};")
            yield line


def header(examples):
    """The text of examples.hpp: a namespace of declarations for each example, and STG_EXAMPLES, the list of programs."""
    lines, programs = ["#pragma once"], []
    for example in examples:
        cut = "\n".join(declarations(example.read_text()))
        found = PROGRAM.findall(cut)
        if not found:
            sys.exit(f"{example.name}: no program found; a program is `inline constexpr auto name = [](auto v) {{`")
        lines += [f"namespace example_{example.stem} {{", cut, "}"]
        programs += [f"example_{example.stem}::{name}" for name in found]
    listed = " ".join(f"word({program})" for program in programs)
    return "\n".join(lines + [f"#define STG_EXAMPLES(word) {listed}", ""]), programs


def different(object_file):
    """The programs that host and device do not agree on: a kernel is named after its program and the program's digest."""
    names = subprocess.run(["nm", "-C", object_file], capture_output=True, text=True, check=True).stdout
    kernels = set(re.findall(r" void read_statements<(.*), (\d+)u>\(int\*\)$", names, re.MULTILINE))
    programs = sorted(program for program, digest in kernels)
    if not programs:
        sys.exit("no kernel found in the object file")
    return [a for a, b in zip(programs, programs[1:]) if a == b]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--host", required=True, help="host compiler")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--folder", type=Path, required=True, help="where examples.hpp and the object file go")
    parser.add_argument("examples", nargs="+", type=Path)
    arguments = parser.parse_args()

    text, programs = header(arguments.examples)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "examples.hpp").write_text(text)
    run = subprocess.run(
        [arguments.nvcc, "-ccbin", arguments.host, "-x", "cu", "-std=c++20", "--expt-relaxed-constexpr", "-arch=sm_80"]
        + [flag for folder in arguments.include for flag in ("-I", folder)]
        + ["-I", arguments.folder, "-c", Path(__file__).parent / "programs.cu", "-o", arguments.folder / "programs.o"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(run.stdout, end="")
    print(f"{len(programs)} programs of examples: {', '.join(programs)}")
    if run.returncode:
        return 1
    if run.stdout.strip():
        print("nvcc warns, and a warning is a failure here")
        return 1
    for program in (found := different(arguments.folder / "programs.o")):
        print(f"host and device make different programs of {program}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
