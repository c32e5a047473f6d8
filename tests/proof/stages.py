#!/usr/bin/env python3
"""Runs stages of the proof, one after the other, and writes docs/proof.md from what each said when it last ran.

usage: stages.py [--jobs N] [--define -DSTG_PROGRAM_SEED=2]... [STAGE]...      all stages when none is named

Each stage leaves build/proof/results/STAGE.json; of one that this checkout has not run, the page keeps what it says. Exit code 1 when a stage that ran failed; the table is written all the
same and says what failed.
"""
import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import age
import report
import suite
from suite import Check, ROOT, Row

RESULTS = ROOT / "build" / "proof" / "results"

DRAWN = r"STG_SEED=\d+: (?P<programs>\d+) random programs"
RANDOM = [
    Row("random well-typed programs, every pass at run time: the naive interpreter of what was written against an interpreter "
        "of the plans, forward and gradient, f64, 1e-10 of each number's magnitude",
        r"random_programs",
        r"STG_SEED=(?P<seed>\d+): (?P<programs>\d+) programs, (?P<statements>\d+) statements, (?P<gradients>\d+) gradients",
        "{programs} programs of {statements} statements, {gradients} of them with gradients, STG_SEED={seed}"),
    Row("random programs as steps of scans, value and gradient: checkpoints, carried values, graphs that change from step to "
        "step; equal bits where no sum is reordered, else 1e-12", r"random_scans",
        DRAWN + r"|(?P<scans>\d+) scans, .*?(?P<gradients>\d+) with gradients",
        "{programs} programs drawn, {scans} of them scans, {gradients} with gradients"),
    Row("random programs that are called twice, as what they are written out: value and gradient, with the same draws",
        r"random_calls", DRAWN + r"|(?P<called>\d+) programs called, (?P<gradients>\d+) with gradients",
        "{programs} programs drawn, {called} called, {gradients} with gradients"),
    Row("random scans and calls in one another with gradients as values, differentiated once more: every pass, plainly and in "
        "training, interpreted and as drafts, with checkpoints; slopes against differences", r"random_nested",
        DRAWN + r"|(?P<nested>\d+) programs, (?P<trained>\d+) trained",
        "{programs} programs drawn, {nested} compared, {trained} of them trained"),
    Row("random programs over two vertex sets and three relations: passes, plans and drafts, value and gradient",
        r"random_kinds", DRAWN, "{programs} programs"),
    Row("random programs over the hops of a sample that has all neighbours, as over the whole graph: value and gradient",
        r"random_blocks", DRAWN + r"|programs, (?P<gradients>\d+) gradients", "{programs} programs drawn, {gradients} gradients"),
    Row("random programs, scans, calls and gradients on random cuts of their graphs, and over two vertex sets on cuts of both, with "
        "messages delayed and in another order: "
        "two to four ranks give the bits of one", r"random_cuts",
        DRAWN + r"|(?P<cut>\d+) programs on cut graphs, (?P<gradients>\d+) with gradients",
        "{programs} programs drawn, {cut} compared, {gradients} with gradients"),
    Row("random programs with messages by hand, another one on each of two to four ranks, messages delayed and in another "
        "order: values and gradients are those of one program without messages, 1e-11; every pass, texts and the oracle",
        r"random_messages", DRAWN + r"|, (?P<messages>\d+) messages by hand", "{programs} programs drawn, {messages} messages"),
    Row("random programs through what examines programs: walks, copies, questions, parts, equations", r"random_examined",
        DRAWN, "{programs} programs in all, by turns of tests"),
    Row("random programs before and after rewrite rules: value and gradient", r"random_rewritten",
        DRAWN + r"|: (?P<changed>\d+) programs, \d+ gradients", "{programs} programs drawn, rewritten {changed} times"),
    Row("random schedules of random programs: a word that does not fit changes nothing; what fits keeps the rules, is refused by "
        "the plan, or computes the same", r"random_scheduled",
        DRAWN + r"|(?P<fit>\d+) words fit, .*? (?P<computed>\d+) computed, (?P<trained>\d+) trained", "{programs} programs drawn, {fit} words fit, {computed} computed, {trained} trained"),
    Row("random programs broken at twenty places each: verify refuses them, or all that takes programs takes or refuses them",
        r"random_broken", r"(?P<broken>\d+) breakages of (?P<programs>\d+) programs",
        "{broken} breakages of {programs} programs"),
    Row("random programs as texts and read back, behind every pass, with gradients, scans, calls and all that is said of values: the "
        "same program", r"random_texts", DRAWN + r"|(?P<texts>\d+) texts of", "{texts} texts of {programs} programs"),
    Row("random programs cut in a forward program and a gradient, in every way of keeping, as both in one program",
        r"random_gradients", DRAWN, "{programs} programs"),
]

# What `make proof` runs in full and `make test` in part.
PROGRAMS = [
    Row("random programs, and scans, written out as C++ and compiled: the CPU backend against the naive interpreter, inference and "
        "training, each file for one instruction set in turn",
        r"compiled_(?:programs|scans)_\d+", r"\[  PASSED  \] (?P<programs>\d+) test", "{programs} programs"),
    Row("every operation in sample programs on every graph family: the CPU backend against the naive interpreter, gradients "
        "against central differences, each file for one instruction set in turn",
        r"samples_\d+_test", r"(?P<cases>\d+) samples on graphs", "{cases} samples on graphs"),
    Row("every gradient rule, and gradients of gradients, against central differences of the naive interpreter",
        r"autodiff_test", r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} tests over all samples"),
    Row("every layer and loss: values against a dense reference written from its paper, f64, 1e-10; gradients against central "
        "differences", r"layers_test", r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} tests over all layers"),
    Row("every layer and loss on every graph family: the CPU backend against the naive interpreter, gradients against central "
        "differences, each file for one instruction set in turn",
        r"layers_\d+", r"(?P<layers>\d+) layers on graphs", "{layers} programs"),
    Row("feature widths, f32 and f64: every aggregate at 1 to 130, 256, 300 and 1433 features, and attention at these and at 1 "
        "to 16 heads of 1 to 33, in one program each; aggregates and attention at widths known at compile time: the CPU "
        "backend against the naive interpreter, f32 and sizes at run time once for each instruction set",
        r"(?:(?:every_aggregate|aggregates|attention)_f\d+|runtime_extents)_test(?:_baseline|_avx2)?",
        r"(?P<sizes>\d+) extents at run time|(?P<widths>\d+) widths at compile time",
        "{sizes} sizes at run time, {widths} programs of fixed width"),
    Row("what must not matter does not, compiled, f64, 1e-12: names of vertices and the order of edges; a constant that all "
        "scores of a vertex have in common; an edge given twice instead of once with twice the weight; and attention "
        "coefficients add up to 1",
        r"invariances", r"(?P<cases>\d+) random cases", "{cases} random graphs"),
    Row("kernels by hand that benchmarks hold stg against: plain loops in double are the judge, every instruction set",
        r"yardstick_test", r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} tests"),
    Row("pointwise operations, softmax, what is no number and rows that registers hold, for each instruction set; short rows; "
        "bf16 and f16; inputs that are fixed, f32 and f64; memory that explain foretells and calls take",
        r"(?:pointwise|softmax|nan|held_rows|short_rows)_test(?:_baseline|_avx2)?|(?:explain|fixed|float16)_test",
        r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} tests"),
    Row("CUDA kernels on the emulator, its detectors on: the same samples, layers, random programs and widths against the "
        "naive interpreter; 0 barriers, addresses, races or orders are wrong",
        r"emulated_(?:samples|layers|programs|scans)_\d+|emulated_(?:wide_rows|online_softmax|runtime_extents|scans|kinds)|"
        r"emulated_(?:every_aggregate|aggregates|attention)_f\d+",
        r"(?P<cases>\d+) samples on graphs|(?P<layers>\d+) layers on graphs|\[  PASSED  \] (?P<tests_passed>\d+) test|"
        r"(?P<sizes>\d+) extents at run time|(?P<widths>\d+) widths at compile time",
        "{cases} samples on graphs, {layers} layers, {sizes} sizes at run time, {widths} programs of fixed width, "
        "{tests_passed} tests in all"),
    Row("calls, samples and their blocks, several kinds and their memory, recurrent cells, scans, and units that are equal, as "
        "kernels: against the naive interpreter, the whole graph, or what each is written out",
        r"(?:call|blocks|exactness|graphs_(?:exactness|links)|kinds_(?:compiled|memory)|cells_compiled|changing_graph_training|"
        r"scan|equal_units)_test",
        r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} tests"),
    Row("programs of examples as CUDA C++, with their gradients and plans: nvcc takes them without a warning, and makes the "
        "same of them for host and device", r"cuda_programs", r"(?P<programs>\d+) programs of examples", "{programs} programs"),
    Row("steps of a graph that changes as a GPU makes them, by Thrust: nvcc takes them without a warning", r"cuda_snapshots",
        r"(?!)", "{tests} test"),
    Row("attention of 16 layers, a cell of 24 steps and 32 convolutions, with their gradients, within the limits of each compiler",
        r"large_\w+", r"(?!)", "{tests} compilations"),
    Row("what nvcc makes of the kernels of layers for sm_75, sm_80, sm_90 and sm_100: no spills, no local memory, registers "
        "below their ceilings", r"cuda_layer_kernels", r"(?P<kernels>\d+) kernels", "{kernels} kernels"),
    Row("the benchmark of devices: its programs by the same kernels on the host's threads and small graphs against plain loops "
        "and the CPU's kernels, 1e-4; compiled by nvcc, it says that there is no device", r"bench_gpu_\w+",
        r"(?P<cases>\d+) cases, (?P<arrays>\d+) arrays compared, 0 cases failed", "{arrays} arrays of {cases} cases"),
    Row("what a user's compiler has to do: time and memory for a layer and an example, template instantiations for shipped "
        "models within 3 % of the baseline, steps of passes per statement",
        r"compile_cost_\w+", r"(?P<models>\d+) models within", "{models} models, {tests} tests"),
    Row("instructions of a call of every kernel, within 2 % of the baseline; and the wide loops of its sums, read from the "
        "disassembly", r"instructions_(?:counted|read)", r"(?!)", "{tests} tests"),
    Row("the page of a program in a browser: a picture that is not blank, no error in the console", r"page_in_a_browser",
        r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} page"),
    Row("calls, training, graphs, samplers, loaders and files in small amounts of memory, 16 bytes to 16 MiB: an out_of_memory, "
        "and the right values when there is more", r"little_memory",
        r"(?P<amounts>\d+) amounts of memory", "{amounts} amounts of memory"),
    Row("one of four processes of MPI ends at a random moment of a training, killed, stopped, returned or by an error: all have "
        "ended soon, none is left, and the checkpoint is the state after some step", r"deaths",
        r"(?P<deaths>\d+) deaths, (?P<checkpoints>\d+) checkpoints, 0 wrong", "{deaths} deaths, {checkpoints} checkpoints"),
    Row("every pass by itself keeps the rules and the numbers of all samples",
        r"passes_test", r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} tests over all samples"),
]
CAUGHT = r"(?P<caught>\d+) of (?P<mutants>\d+) mutants that can be seen .*, (?P<same>\d+) more are explained"
OF_THOSE_SEEN = "{caught} of {mutants} that can be seen are caught, {same} more compute the same"
MUTATION = [Row("each gradient rule and each shape rule broken once; what is not caught computes the same "
                "(`tests/mutation/survivors.txt`)",
                r"mutation(?:_self_test)?", CAUGHT, OF_THOSE_SEEN),
            Row("passes changed a little, one change at a time: an operator, a number, a condition or a part of it, a "
                "statement; plans of samples, static tests, random programs and passes over samples see it, or nothing "
                "can (`tests/mutation/surviving_changes.txt`)",
                r"mutation_passes", CAUGHT, OF_THOSE_SEEN)]
WHOLE = (r".*", r"\[  PASSED  \] (?P<cases>\d+) test", "{cases} cases of {tests} tests")
ADDRESS = [Row("the whole suite under AddressSanitizer and UndefinedBehaviorSanitizer, g++", *WHOLE)]
THREAD = [Row("the whole suite under ThreadSanitizer, clang with libomp and archer", *WHOLE)]

DRAFTS = [
    Row("random programs broken at twenty places each, under AddressSanitizer and UndefinedBehaviorSanitizer: verify refuses them, "
        "or all that takes programs takes or refuses them", r"random_broken",
        r"(?P<broken>\d+) breakages of (?P<programs>\d+) programs", "{broken} breakages of {programs} programs"),
    Row("language, calls, data, time, kinds, sampling, layers and programs as values, as drafts, and random programs, under "
        "AddressSanitizer and UndefinedBehaviorSanitizer, g++", *WHOLE)]

RACES = [Row("loaders, samplers, pools of memory and sequences of graphs, by many threads, under ThreadSanitizer", *WHOLE)]
RACED = "^(arena|graph_sequence|graphs_(layer_sampler|loader|row_blocks|sampler|temporal_sampler)|loader|many_threads|negative_edges|neighbour_sampler|parallel|row_blocks_memory|samplers|unions_and_links)_test$"
RANKS = [Row("ranks of cut graphs as threads: exchanges, sums over blocks, columns, batches, checkpoints and messages by hand, as "
             "drafts, under ThreadSanitizer", *WHOLE)]
OF_RANKS = "^(distributed(_(batches|checkpoint|columns|kinds|loader|memory|sequence))?|explain_exchanges|messages|overlap|parts_folder)_test$"

ARM = [Row("language, calls, data, sampling, cut graphs as drafts, and kernels, on 64-bit ARM by qemu-user, and the README's Cora",
           *WHOLE)]

# Tests of the label `run` that say nothing under a sanitizer.
LEFT_OUT = {
    "gcn_cora_accuracy": "accuracy over many seeds; `examples` runs the same programs",
    "gat_cora_accuracy": "accuracy over many seeds; `examples` runs the same programs",
}

# The slowest first, beside which all others are done.
FUZZED = {"kinds": "builder of graphs of several kinds", "kinds_folder": "reader of their folders", "checkpoint": "loader of runs' folders",
          "npy": "`.npy` reader", "edge_list": "edge-list reader", "table": "table reader", "dataset": "dataset-folder reader",
          "signal": "reader of signals as JSON", "signal_folder": "reader of signals' folders", "events": "reader of events",
          "program_text": "reader of programs' texts", "sampling": "samplers", "loading": "loaders", "safetensors": "reader of safetensors",
          "tu": "reader of TU's folders", "node_link": "reader and writer of node-link JSON",
          "named_vertices": "readers of named vertices", "npz": "`.npz` reader", "gzip": "reader of packed texts", "ogb": "reader of OGB's folders",
          "dataset_npz": "reader of data sets in one `.npz` file", "hdf5": "reader of HDF5"}
MEMORY = "/dev/shm"
FUZZ_INPUTS = 1_000_000  # for each
# Bytes of an input, 512 where nothing is said: of kinds each byte is a step, most of which build a graph.
LONGEST = {"kinds": 96, "program_text": 1536}

Outcome = namedtuple("Outcome", "checks tests notes", defaults=[[], 0, []])
Stage = namedtuple("Stage", "what run")


def command(*words):
    return subprocess.run([str(word) for word in words], check=False, cwd=ROOT).returncode == 0


def configured(preset, *definitions):
    return command("cmake", "--preset", preset, *definitions)


def built(preset, targets=()):
    """All that a configured preset builds, or some targets of it."""
    return command("cmake", "--build", "--preset", preset, *(("--target", *targets) if targets else ()))


def cached(preset, variable):
    """What a build was configured with, which outlives the words that it was given."""
    cache = (ROOT / "build" / preset / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{variable}:\w+=(.*)$", cache, re.MULTILINE)
    return found.group(1) if found else ""


def not_built(what):
    return Outcome([Check(what, "", "failed: it does not build", 0)])


def of_tests(preset, rows, options, *chosen, definitions=(), notes=(), targets=()):
    """Builds a preset and runs the tests of its label that are chosen; what no row takes or was not built fails, the former
    before hours are spent on the build."""
    if not configured(preset, *definitions):
        return not_built(rows[0].what)
    if names := getattr(options, "again", None):
        chosen = ("-R", f"^({'|'.join(names)})$")
        if not built(preset, suite.programs_of(preset, *chosen)):
            return not_built(rows[0].what)
        tests, absent = suite.run(preset, options.jobs, *chosen)
        return Outcome([Check(test.name, "", suite.outcome([test]), test.seconds) for test in tests] +
                       [Check(name, "", "failed: it is not built", 0) for name in absent], len(tests))
    if lost := suite.without_row(rows, suite.named(preset, *chosen)):
        return Outcome([Check(f"test {name}", "", "failed: no row of the table counts it", 0) for name in lost])
    if not built(preset, targets):
        return not_built(rows[0].what)
    tests, absent = suite.run(preset, options.jobs, *chosen)
    checks, _ = suite.checks(rows, tests)
    checks += [Check(f"test {name}", "", "failed: it is not built", 0) for name in absent]
    return Outcome(checks, len(tests), list(notes))


def seed_of(commit):
    """Every commit draws random programs of its own; the table says the seed, and STG_SEED draws them again."""
    return int(commit[:7], 16) or 1


def random(options):
    """Random programs by interpreters: minutes, without what compiles kernels."""
    os.environ.setdefault("STG_SEED", str(seed_of(said_by("git", "rev-parse", "HEAD"))))
    tests = [row.tests for row in RANDOM]
    return of_tests("proof", RANDOM, options, "-R", f"^({'|'.join(tests)})$", definitions=options.define,
                    targets=["random_tests"],
                    notes=[f"All of them are those of STG_SEED={os.environ['STG_SEED']}, which the commit gave."])


def programs(options):
    done = of_tests("proof", PROGRAMS, options, "-E", f"^(mutation.*|{'|'.join(row.tests for row in RANDOM)})$",
                    definitions=options.define)
    if not done.tests:
        return done
    seed = cached("proof", "STG_PROGRAM_SEED")
    return done._replace(notes=[f"The random programs that are compiled are those of STG_PROGRAM_SEED={seed}."])


def wanted(options, name):
    """Whether a part of a stage is to run: all are where --only names none."""
    return re.search(getattr(options, "only", None) or "", name) is not None


def mutation(options):
    if not (ROOT / "tests" / "mutation").is_dir():
        return Outcome()
    parts = [(MUTATION[0], "mutation(_self_test)?", "mutation_sweep"), (MUTATION[1], "mutation_passes", "mutation_passes_sweep")]
    parts = [part for part in parts if wanted(options, part[2])]
    return of_tests("proof", [row for row, _, _ in parts], options, "-R", f"^({'|'.join(tests for _, tests, _ in parts)})$",
                    definitions=options.define, targets=[target for _, _, target in parts])


IN_PART = "The suite is that of `make test`, whose tests of language and calls are drafts; in full they are kernels."


def sanitized(preset, rows, options):
    notes = [f"`{name}` is left out: {reason}" for name, reason in LEFT_OUT.items()]
    if preset == "tsan":
        notes.append("The emulator of CUDA kernels, and what runs on it, is left out: it is one thread with fibers.")
    done = of_tests(preset, rows, options, "-E", "^(" + "|".join(LEFT_OUT) + ")$", definitions=options.define, notes=notes)
    if done.tests and cached(preset, "STG_IN_FULL") == "OFF":  # as --define=-DSTG_IN_FULL=OFF asks
        done = done._replace(notes=[*done.notes, IN_PART])
    return done


def fuzz(options):
    """Each fuzzer for its inputs, two at once where there are processors; what it finds is kept in build/fuzz/found/."""
    if not (configured("fuzz") and built("fuzz")):
        return not_built("readers under libFuzzer")
    found = ROOT / "build" / "fuzz" / "found"
    found.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(min(2, options.jobs)) as processors:
        checks = list(processors.map(lambda reader: fuzzed(reader, found), [r for r in FUZZED if wanted(options, r)]))
    return Outcome(checks, len(checks))


def fuzzed(reader, found):
    corpus = found.parent / "corpus" / reader
    shutil.copytree(ROOT / "tests" / "fuzz" / "corpus" / reader, corpus, dirs_exist_ok=True)
    started = time.monotonic()
    with open(found / f"{reader}.log", "w+", encoding="utf-8", errors="replace") as log:
        ended = subprocess.run([ROOT / "build" / "fuzz" / "tests" / "fuzz" / f"fuzz_{reader}", corpus, f"-max_len={LONGEST.get(reader, 512)}",
                                f"-runs={FUZZ_INPUTS}", "-timeout=10", "-malloc_limit_mb=128",
                                "-print_final_stats=1", f"-artifact_prefix={found}/{reader}_"], stdout=log, stderr=log, check=False,
                               # Threads that wait take time from the other; each input is files, for a disk too many. The places where
                               # memory was taken, far down, are a fifth of the time.
                               env={**os.environ, "OMP_NUM_THREADS": "1", "ASAN_OPTIONS": "malloc_context_size=4:quarantine_size_mb=16",
                                    **({"TMPDIR": MEMORY} if os.path.isdir(MEMORY) else {})})
        log.seek(0)
        count = re.search(r"stat::number_of_executed_units:\s*(\d+)", log.read())
    return Check(f"{FUZZED[reader]} under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer",
                 f"{int(count.group(1)) if count else 0:,} inputs",
                 "passed" if ended.returncode == 0 else f"failed: see build/fuzz/found/{reader}.log",
                 round(time.monotonic() - started))


def catalogue(compiler, name, options):
    """Every case of the catalogue of mistakes with a compiler."""
    what = f"the catalogue of mistakes with {name}"
    if shutil.which(compiler) is None:
        return Check(what, "", f"failed: no {compiler} is installed", 0)
    started = time.monotonic()
    ran = subprocess.run([sys.executable, ROOT / "tests" / "errors" / "check.py", "--compiler", compiler, "--include",
                          ROOT / "include", "--precompile", "stg/stg.hpp", "--jobs", str(options.jobs)],
                         stdout=subprocess.PIPE, text=True, check=False)
    print(ran.stdout)
    cases = re.search(r"(\d+) cases with", ran.stdout)
    findings = ", ".join(re.findall(r"^FAILED (\S+?):", ran.stdout, re.MULTILINE))
    return Check(what + ": sentence, user's line and length, and each twin without a warning",
                 f"{cases.group(1) if cases else 0} cases", "passed" if ran.returncode == 0 else f"failed: {findings}",
                 round(time.monotonic() - started))


def errors(options):
    """All of the catalogue of mistakes, also with a newer compiler than `make test` has, and what users write, compiled by
    that without a warning."""
    compiler = "clang++-19"
    checks = [catalogue(one, name, options) for one, name in (("g++", "g++"), ("clang++", "clang"), (compiler, "clang 19"))
              if wanted(options, name)]
    if shutil.which(compiler) is None or not wanted(options, "examples"):
        return Outcome(checks, len(checks))
    started = time.monotonic()
    sources = sorted(path for where in ("examples/[0-9]*.cpp", "tests/static/**/*.cpp", "tests/run/t*_test.cpp",
                                                "tests/run/networks_test.cpp")
                     for path in ROOT.glob(where))
    failed = [str(source.relative_to(ROOT)) for source in sources if not command(
        compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-fconstexpr-steps=1000000000", "-DSTG_ONE_INSTRUCTION_SET", "-Iinclude",
        "-Iexamples", "-Itests/run", *(["-Wno-unused-result"] if "tests" in source.parts else []), source)]
    checks.append(Check("examples, static tests and tests of tapes, threads and networks with clang 19, without a warning",
                        f"{len(sources)} files", "passed" if not failed else "failed: " + ", ".join(failed),
                        round(time.monotonic() - started)))
    return Outcome(checks, len(checks))


STAGES = {
    "random": Stage("random programs by interpreters, others at each commit", random),
    "programs": Stage("samples, layers, random programs that are compiled, and passes in full", programs),
    "address": Stage(ADDRESS[0].what, lambda options: sanitized("asan", ADDRESS, options)),
    "drafts": Stage("what no kernel is compiled for, under AddressSanitizer and UndefinedBehaviorSanitizer",
                    lambda options: of_tests("asan", DRAFTS, options, "-L", "draft", targets=["drafts"],
                                             definitions=["-DSTG_IN_FULL=OFF", "-DSTG_LIBRARY_KERNELS=OFF"])),
    "thread": Stage(THREAD[0].what, lambda options: sanitized("tsan", THREAD, options)),
    "races": Stage(RACES[0].what, lambda options: of_tests("tsan", RACES, options, "-R", RACED, definitions=["-DSTG_IN_FULL=OFF", "-DSTG_LIBRARY_KERNELS=OFF"],
                                                          targets=["sampling_tests", "runtime_tests"])),
    "ranks": Stage(RANKS[0].what, lambda options: of_tests("tsan", RANKS, options, "-R", OF_RANKS, targets=["ranks_tests"],
                                                          definitions=["-DSTG_IN_FULL=OFF", "-DSTG_LIBRARY_KERNELS=OFF"])),
    "arm": Stage("a third of the tests on 64-bit ARM, cross-compiled and run by qemu-user", lambda options: of_tests("arm", ARM, options)),
    "fuzz": Stage(f"readers of files and samplers under libFuzzer, {FUZZ_INPUTS:,} inputs each", fuzz),
    "errors": Stage("the whole catalogue of mistakes, also with clang 19", errors),
    "mutation": Stage("rules broken and passes changed on purpose", mutation),
}


def said_by(*words):
    return subprocess.run(words, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout.strip()


def result_of(name, options):
    """What a stage's file says: what it was run at, and what became of it. None when there was nothing to run."""
    commit = said_by("git", "rev-parse", "--short", "HEAD")
    changed = said_by("git", "status", "--porcelain", "--", ".", ":!docs/proof.md")
    started = time.monotonic()
    done = STAGES[name].run(options)
    if not done.checks and done.tests == 0:
        return None
    return {"stage": name, "date": datetime.date.today().isoformat(),
            "commit": commit + (" with local changes" if changed else ""),
            "tests": done.tests, "seconds": round(time.monotonic() - started),
            "outcome": "passed" if all(check.outcome == "passed" for check in done.checks) else "failed",
            "part": bool(getattr(options, "only", None)),
            "checks": [check._asdict() for check in done.checks], "notes": done.notes}


def run(names, options, results, document):
    """Runs the stages, each leaving its file, and writes the table. The names of those that failed."""
    results.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in names:
        print(f"==== {name}: {STAGES[name].what}", flush=True)
        result = result_of(name, options)
        if result is None:
            print(f"==== {name}: there is nothing to run")
            continue
        (results / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        print(f"==== {name}: {result['outcome']} in {result['seconds']} s", flush=True)
        failed += [name] if result["outcome"] != "passed" else []
    before = document.read_text(encoding="utf-8") if document.exists() else ""
    document.write_text(report.text({name: stage.what for name, stage in STAGES.items()}, results, before, age.commits_since),
                        encoding="utf-8")
    return failed


def failed_again(names, options, _, document):
    """Runs what failed in some stages, and says in their rows what passed since. The names of those of which some fail."""
    page, failed = document.read_text(encoding="utf-8"), []
    for name in names:
        options.again = report.failed(page, name)
        if not options.again:
            continue
        print(f"==== {name}: {', '.join(options.again)}", flush=True)
        result = result_of(name, options)
        print(f"==== {name}: {result['outcome']} in {result['seconds']} s", flush=True)
        failed += [name] if result["outcome"] != "passed" else []
        page = report.mended(page, name, {c["what"] for c in result["checks"] if c["outcome"] == "passed"}, result["commit"])
    document.write_text(page, encoding="utf-8")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--define", action="append", default=[], help="words for the configuration of a stage")
    parser.add_argument("--only", help="of errors, fuzz and mutation, the parts whose names hold this; other rows stay")
    parser.add_argument("--again", action="store_true", help="the tests that docs/proof.md says failed, and no others")
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=", ".join(STAGES))
    options = parser.parse_args()
    if unknown := [name for name in options.stages if name not in STAGES]:
        parser.error(f"no stage {unknown[0]}; there are {', '.join(STAGES)}")
    page = ROOT / "docs" / "proof.md"
    failed = (failed_again if options.again else run)(options.stages or list(STAGES), options, RESULTS, page)
    if failed:
        print(f"proof: failed: {', '.join(failed)}; see docs/proof.md", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
