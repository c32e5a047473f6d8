#!/usr/bin/env python3
"""Feeds count.py and assembly.py what they must find, one fault each, and expects them to say so."""
import sys

import assembly
import count

BASELINE = {"sum": 10000, "step": 50}

# what is counted, and what count.py must say (None: nothing)
COUNTS = [
    (BASELINE, None),
    ({"sum": 10190, "step": 50}, None),
    ({"sum": 10210, "step": 50}, "sum takes 2.1% more"),
    ({"sum": 9810, "step": 50}, None),
    ({"sum": 9790, "step": 50}, "sum takes 2.1% fewer"),
    ({"sum": 10000}, "step is in the baseline and no longer called"),
    ({"sum": 10000, "step": 50, "max": 1}, "max is not in the baseline"),
]

KERNEL = assembly.wide_loop("weighted_sum_32", r"<app::sum> > > >$", assembly.FUSED, 32, {"avx512": 1}, {"avx512": 7})
NAME = "<void stg::cpu::detail::sweep_avx512<stg::cpu::form<1ul, 2ul>, 0>(stg::cpu::sweep_part const&)"


def loop_at(at):
    return f"""\
  {at:x}:\tmovslq (%r11),%rdx
  {at + 1:x}:\tadd    $0x4,%r11
  {at + 2:x}:\tvbroadcastss (%rbp,%rdx,4),%zmm0
  {at + 3:x}:\tvfmadd231ps (%rcx,%rdx,4),%zmm0,%zmm1
  {at + 4:x}:\tvfmadd231ps 0x40(%rcx,%rdx,4),%zmm0,%zmm2
  {at + 5:x}:\tcmp    %rax,%r11
  {at + 8:x}:\tjne    {at:x} {NAME}+0x{at:x}>
"""


SWEEP = f"""\
0000000000000000 {NAME}>:
   0:\tpush   %rbp
   4:\tjmp    10 {NAME}+0x10>
{loop_at(0x10)}\
  38:\tvmovups %zmm1,(%rsp)
  40:\tret
"""

# a table of a program, as objdump prints it before names are made readable
TABLE = """\
0000000000000010 l     O .data.rel.ro.local\t0000000000000010 _ZN3stg3cpu6detail9sweeps_ofINS_10executableINS_8inferredINS_3refIN3app3sumEEEEEEEEE

RELOCATION RECORDS FOR [.data.rel.ro.local]:
OFFSET           TYPE              VALUE
0000000000000010 R_X86_64_64       _ZN3stg3cpu6detail9sweep_forINS0_4formIJLm1ELm2EEEELi0EEEPFvRKNS0_10sweep_partEERKNS_7codegen6launchE
0000000000000018 R_X86_64_64       _ZN3stg3cpu6detail9sweep_forINS0_4formIJLm3EEEELi0EEEPFvRKNS0_10sweep_partEERKNS_7codegen6launchE
"""
FORMS = {"stg::cpu::detail::sweeps_of<stg::executable<stg::inferred<stg::ref<app::sum> > > >": "stg::cpu::form<1ul, 2ul>"}

# what is wrong, what is replaced in the sweep and by what, and what assembly.py must say (None: nothing)
LISTINGS = [
    ("nothing", "ret", "ret", None),
    ("another function", "sweep_avx512", "sweep_avx2", "0 functions of its form"),
    ("narrower registers", "zmm", "ymm", "arithmetic outside zmm"),
    ("half of the row", "  14:\tvfmadd231ps 0x40(%rcx,%rdx,4),%zmm0,%zmm2\n", "", "1 registers of sums for a row of 2"),
    ("a product before the sum", "cmp    %rax,%r11", "vmulps %zmm0,%zmm3,%zmm4", "3 vector operations for 2 sums"),
    ("a row in memory", "cmp    %rax,%r11", "vmovups %zmm2,(%rdi)", "a store: vmovups"),
    ("a number in memory", "add    $0x4,%r11", "incl   0x8(%rdi)", "a store: incl"),
    ("a spilled operand", "0x40(%rcx,%rdx,4)", "0x40(%rsp)", "a load from the stack: vfmadd231ps"),
    ("a spilled operand of a frame", "push   %rbp", "mov    %rsp,%rbp", "a load from the stack: vbroadcastss (%rbp"),
    ("a call", "cmp    %rax,%r11", "call   90 <expf>", "a call: call"),
    ("one instruction more", "  15:\t", "  16:\tnop\n  15:\t", "8 instructions per edge instead of 7"),
    ("two passes", "  40:\tret\n", loop_at(0x40), "2 passes over the edges instead of 1"),
    ("no loop", "jne    10", "jne    38", "0 passes over the edges instead of 1"),
]


def judge(what, said, expected):
    right = not said if expected is None else any(expected in sentence for sentence in said)
    if not right:
        print(f"FAILED {what}: expected {expected}; said {said}")
    return not right


def main():
    wrong = sum(judge(counts, count.compare(BASELINE, counts), expected) for counts, expected in COUNTS)
    wrong += judge("a part", count.compare(BASELINE, {"sum": 10000}, part=True), None)
    for what, old, new, expected in LISTINGS:
        assert old in SWEEP, what
        said, _ = assembly.check(assembly.functions(SWEEP.replace(old, new)), FORMS, KERNEL, "avx512")
        wrong += judge(what, said, expected)
    wrong += judge("a table", [] if assembly.forms(TABLE) == FORMS else ["another form"], None)
    wrong += judge("no program", assembly.check(assembly.functions(SWEEP), {}, KERNEL, "avx512")[0], "0 programs match")
    print(f"{len(COUNTS) + len(LISTINGS) + 3} cases, {wrong} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
