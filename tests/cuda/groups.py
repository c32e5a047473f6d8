#!/usr/bin/env python3
"""Compiles groups.cu to PTX, and that with ptxas, and reads what the thread-group interface has become.

Every kernel has to hold the instructions that its calls stand for; none may keep an array in local memory or spill, and
a warning is a failure.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

COPIES = [r"cp\.async\.cg\.shared\.global .*, 16;", r"cp\.async\.wait_all"]  # from sm_80 on; plain ones before

# What the kernels of a template must hold, as regular expressions.
MUST_HOLD = {
    "weighted_row_sum": [r"ld\.global\.nc\.v4", r"st\.global\.v4", r"shfl\.sync\.idx"],
    "everything": [r"ld\.global\.v[24]", r"ld\.global\.nc\.v[24]", *COPIES, r"shfl\.sync\.bfly", r"bar\.sync",
                   r"bar\.warp\.sync", r"vote\.sync\.ballot", r"vote\.sync\.any", r"(atom|red)\.global\.add",
                   r"ld\.shared", r"st\.shared"],
}
NEVER = [r"\.local", r"\bcall\b", r"activemask", r"ld\.global(\.nc)?\.u8"]


def kernels(ptx):
    """The kernels of a PTX text: name and body."""
    return [(match.group(1), match.group(2)) for match in re.finditer(r"\.entry (\w+)\((.*?\n\})", ptx, re.DOTALL)]


def findings(ptx, architecture):
    """What is wrong with the kernels, as sentences."""
    found = kernels(ptx)
    absent = COPIES if int(architecture.removeprefix("sm_")) < 80 else []
    for template, expressions in MUST_HOLD.items():
        bodies = [(name, body) for name, body in found if template in name]
        if not bodies:
            yield f"no kernel of {template}"
        for name, body in bodies:
            yield from (f"{name} {'has' if e in absent else 'has no'} {e}" for e in expressions
                        if (e in absent) == bool(re.search(e, body)))
    for name, body in found:
        yield from (f"{name} has {e}" for e in NEVER if re.search(e, body))


def run(command):
    """Runs a compiler and returns all that it says; ends the program where that fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--host", required=True, help="host compiler")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--folder", type=Path, required=True, help="where the PTX and the object file go")
    parser.add_argument("--architecture", default="sm_80")
    arguments = parser.parse_args()

    arguments.folder.mkdir(parents=True, exist_ok=True)
    ptx = arguments.folder / "groups.ptx"
    flags = [flag for folder in arguments.include for flag in ("-I", folder)] + [f"-arch={arguments.architecture}"]
    said = run([arguments.nvcc, "-ccbin", arguments.host, "-std=c++20", "--expt-relaxed-constexpr", *flags, "-ptx",
                Path(__file__).parent / "groups.cu", "-o", ptx])
    found = ["nvcc warns: " + said] if said.strip() else []
    found += findings(ptx.read_text(), arguments.architecture)
    report = run([Path(arguments.nvcc).resolve().parent / "ptxas", "-v", f"-arch={arguments.architecture}", ptx, "-o",
                  arguments.folder / "groups.cubin"])
    spills = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report)
    if not spills or any(number != "0" for spill in spills for number in spill):
        found.append("a kernel spills:\n" + report)
    for finding in found:
        print(finding)
    print(f"{len(kernels(ptx.read_text()))} kernels, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
