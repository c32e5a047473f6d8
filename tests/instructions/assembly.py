#!/usr/bin/env python3
"""Reads the disassembly of the wide loops, the ones that add a neighbour's row, and says what is wrong with them.

assembly.py --compiler "g++ 12.2" OBJECT...       compiled with -O2 for plain x86-64

What is held: sums lie in registers as wide as the instruction set has them, one multiply-add or addition for each
register of the row and no other vector arithmetic, nothing stored, nothing read from the stack, no call, as few passes
over the edges as the registers allow, and no more instructions per edge than stand below. Another compiler may write the
same loop otherwise, so only that of the baseline is judged; exit code 77 says that nothing was.
"""
import argparse
import re
import subprocess
import sys
from dataclasses import dataclass

COMPILER = "g++ 12"
SKIPPED = 77
REGISTER = {"avx512": ("zmm", 16), "avx2": ("ymm", 8)}
ADD, FUSED, MAX = "vaddps", "vfmadd", "vmaxps"


@dataclass
class wide_loop:
    name: str
    program: str  # as its name ends; the loop is in the kernel of its first unit
    adds: str     # what the sums are taken with
    width: int
    # by instruction set
    passes: dict        # loops over the edges that make a row
    instructions: dict  # per edge, all passes together


def inferred(layer):
    return rf"inferred<stg::ref<layers::{re.escape(layer)}> > > >$"


def gradient(layer):
    return rf"differentiated<stg::ref<layers::{re.escape(layer)}>, .*>::gradient> >$"


def by_isa(avx512, avx2):
    return {"avx512": avx512, "avx2": avx2}


LOOPS = [
    wide_loop("weighted_sum_16", inferred("of_width<16>::weighted_sum"), FUSED, 16, by_isa(1, 1), by_isa(8, 9)),
    wide_loop("weighted_sum_64", inferred("of_width<64>::weighted_sum"), FUSED, 64, by_isa(1, 1), by_isa(26, 30)),
    wide_loop("weighted_sum_100", inferred("of_width<100>::weighted_sum"), FUSED, 100, by_isa(1, 2), by_isa(36, 50)),
    wide_loop("weighted_sum_128", inferred("of_width<128>::weighted_sum"), FUSED, 128, by_isa(1, 2), by_isa(34, 48)),
    wide_loop("its gradient", gradient("of_width<128>::weighted_sum"), ADD, 128, by_isa(1, 2), by_isa(33, 46)),
    wide_loop("max_64", inferred("of_width<64>::max_of_neighbours"), MAX, 64, by_isa(1, 1), by_isa(31, 39)),
]


@dataclass
class instruction:
    at: int
    word: str
    operands: list  # the last one is written


def functions(listing):
    """{name: [instruction]} of what `objdump -d --no-show-raw-insn -C` prints."""
    found, now = {}, None
    for line in listing.splitlines():
        if named := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            now = found.setdefault(named[1], [])
        elif one := re.match(r"\s+([0-9a-f]+):\t(?:\{\w+\} )?(\S+) *([^#<]*)", line):
            now.append(instruction(int(one[1], 16), one[2], re.split(r",(?![^(]*\))", one[3].strip())))
    return found


def readable(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return done.stdout.split("\n")


def forms(listing):
    """{program: form of its first unit}, of what `objdump -t -r` prints: a program's table (`sweeps_of`) begins with the
    function that chooses the kernels of that unit, which are named by its form."""
    tables, there, section = [], {}, None
    for line in listing.splitlines():
        if symbol := re.match(r"([0-9a-f]+) .{7} (\S+)\t[0-9a-f]+ (_ZN3stg3cpu6detail9sweeps_of\S+)$", line):
            tables.append((symbol[3], (symbol[2], int(symbol[1], 16))))
        elif named := re.match(r"RELOCATION RECORDS FOR \[(.*)\]:$", line):
            section = named[1]
        elif section and (entry := re.match(r"([0-9a-f]+) \S+ +(\S+)$", line)):
            there[section, int(entry[1], 16)] = entry[2]
    tables = [(name, there[at]) for name, at in tables if at in there]
    found = {}
    for program, chooser in zip(readable([t[0] for t in tables]), readable([t[1] for t in tables])):
        if form := re.search(r"stg::cpu::form<[^>]*>", chooser):
            found[program] = form[0]
    return found


def innermost_loops(body):
    jumps = [(int(i.operands[0], 16), i.at) for i in body
             if i.word.startswith("j") and re.fullmatch(r"[0-9a-f]+", i.operands[0])]
    back = [j for j in jumps if j[0] <= j[1]]
    for first, last in back:
        if not any(o != (first, last) and first <= o[0] and o[1] <= last for o in back):
            yield [i for i in body if first <= i.at <= last]


def sums_of(loop, adds):
    """The instructions that add to a register which nothing else in the loop writes: a sum over edges."""
    written = [i.operands[-1] for i in loop]
    return [i for i in loop if i.word.startswith(adds) and written.count(i.operands[-1]) == 1 and
            (adds == FUSED or i.operands[-1] in i.operands[:-1])]


def is_wide(loop, adds):
    return any(i.word == "movslq" and "(" in i.operands[0] for i in loop) and bool(sums_of(loop, adds))


def is_arithmetic(i):
    """Of packed floats; a shuffle, a broadcast or a load is none."""
    return re.fullmatch(r"v(add|sub|mul|div|max|min|sqrt|fn?madd|fn?msub)\w*p[sd]", i.word) is not None


def is_store(i):
    writes_nothing = i.word.startswith(("cmp", "test", "j", "prefetch", "nop", "vucomi", "vcomi"))
    return "(" in i.operands[-1] and not writes_nothing


def faults_of_loop(loop, adds, register, has_frame):
    """What is wrong in one wide loop. has_frame: %rbp points into the stack."""
    stack = r"%rsp|%rbp" if has_frame else r"%rsp"
    for i in loop:
        text = f"{i.word} {','.join(i.operands)}"
        if is_arithmetic(i) and any(re.match(r"%[xyz]mm", o) and not o.startswith("%" + register) for o in i.operands):
            yield f"arithmetic outside {register} registers: {text}"
        if is_store(i):
            yield f"a store: {text}"
        elif any(re.search(rf"\(.*({stack})", o) for o in i.operands):
            yield f"a load from the stack: {text}"
        if i.word.startswith("call"):
            yield f"a call: {text}"
    additions = len([i for i in loop if is_arithmetic(i)])
    if additions != len(sums_of(loop, adds)):
        yield f"{additions} vector operations for {len(sums_of(loop, adds))} sums"


def check(found, form_of, kernel, isa):
    """(what is wrong, what stands there)"""
    register, lanes = REGISTER[isa]
    mine = [form for program, form in form_of.items() if re.search(kernel.program, program)]
    if len(mine) != 1:
        return [f"{len(mine)} programs match {kernel.program}"], "not found"
    bodies = [body for name, body in found.items() if f"sweep_{isa}<{mine[0]}, 0>(" in name]
    if len(bodies) != 1:
        return [f"{len(bodies)} functions of its form; are the objects compiled for plain x86-64?"], "not found"
    body = bodies[0]
    has_frame = any(i.word == "mov" and i.operands == ["%rsp", "%rbp"] for i in body)
    loops = [loop for loop in innermost_loops(body) if is_wide(loop, kernel.adds)]
    wrong = [fault for loop in loops for fault in faults_of_loop(loop, kernel.adds, register, has_frame)]
    sums, wanted = sum(len(sums_of(loop, kernel.adds)) for loop in loops), -(-kernel.width // lanes)
    instructions, most = sum(map(len, loops)), kernel.instructions[isa]
    if sums != wanted:
        wrong.append(f"{sums} registers of sums for a row of {wanted}")
    if len(loops) != kernel.passes[isa]:
        wrong.append(f"{len(loops)} passes over the edges instead of {kernel.passes[isa]}")
    if instructions > most:
        wrong.append(f"{instructions} instructions per edge instead of {most}")
    return wrong, f"{sums} sums in {register}, passes over the edges: {len(loops)}, instructions per edge: {instructions}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True, help="name and version that the objects are compiled with")
    parser.add_argument("objects", nargs="+")
    given = parser.parse_args()
    if not given.compiler.startswith(COMPILER + "."):
        print(f"instructions: NO LOOP IS READ: what is expected holds for {COMPILER}, and this is {given.compiler}")
        return SKIPPED

    found, form_of = {}, {}
    for path in given.objects:
        def listing(*options):
            return subprocess.run(["objdump", *options, path], capture_output=True, text=True, check=True).stdout
        found.update(functions(listing("-d", "--no-show-raw-insn", "-C")))
        form_of.update(forms(listing("-t", "-r")))
    failed = False
    for kernel in LOOPS:
        for isa in REGISTER:
            wrong, stands = check(found, form_of, kernel, isa)
            print(f"{isa:6} {kernel.name:16} {stands}")
            for fault in wrong:
                print(f"instructions: {isa} {kernel.name}: {fault}")
            failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
